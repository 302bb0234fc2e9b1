"""An offer: the one progressive wager that a table, or a game on a link, deals for a meter."""

from collections.abc import Iterator

from msgspec import Struct

from games.catalogue import GAMES
from games.compliance.cases import GameOnLink, TableCase
from games.game import Game
from games.money import Cents, dollars
from games.odds.awards import PayTerms
from games.odds.bets import USUAL_DECKS, Bet
from games.odds.hand_counts import Layout, count
from games.paytable import PayTable, raised


class ProgressiveOffer(Struct, frozen=True):
    """A game's progressive wager on its terms, raised pays included."""

    game: Game
    table: PayTable
    stake_cents: Cents
    decks: int

    def __str__(self) -> str:
        shoe = f" from {self.decks} {'deck' if self.decks == 1 else 'decks'}" if self.game.most_decks > 1 else ""
        return f"{self.game.name} {self.table.name} at {dollars(self.stake_cents)}{shoe}"

    @property
    def bet(self) -> Bet:
        """The same wager as its odds are asked for."""
        wager, counted = self.game.progressive, count(self.game.name, "progressive")
        assert wager is not None
        assert counted is not None
        terms = PayTerms(self.table, self.stake_cents, wager.pays_highest, wager.pays_whole_cents)
        return Bet(self.game, wager, terms, Layout(self.decks), counted)


def offer_of(case: TableCase) -> ProgressiveOffer | None:
    """What this table offers, or None if the rules know no such wager."""
    game = GAMES.get(case.game)
    wager = game.progressive if game else None
    table = wager.pay_table(case.pay_table, case.stake_cents) if wager else None
    if game is None or table is None:
        return None
    decks = usual_decks(case.game, case.decks)
    return ProgressiveOffer(game, raised(table, case.pays.get("progressive", {})), case.stake_cents, decks)


def usual_decks(name: str, chosen: int | None) -> int:
    """From how many decks this game is dealt where so many were chosen, or none."""
    return min(USUAL_DECKS, GAMES[name].most_decks) if chosen is None else chosen


def offers_of(on_link: GameOnLink) -> Iterator[ProgressiveOffer]:
    """Every wager that this game may bring to the link."""
    for name in on_link.pay_tables:
        for stake in on_link.stakes_cents:
            pays = {"progressive": on_link.pays}
            offer = offer_of(TableCase(on_link.game, name, stake, decks=on_link.decks, pays=pays))
            if offer:
                yield offer
