"""A bet whose odds are asked for: found in the catalogue, or why there is none."""

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from games.catalogue import GAMES
from games.game import Game, Wager
from games.money import Cents, dollars
from games.odds.awards import PayTerms
from games.odds.hand_counts import KING_QUEEN, Count, Layout, count
from games.odds.par_sheet import ParSheet, par_sheet

# What a shoe usually holds; the rules allow one to eight decks.
USUAL_DECKS: Final = 6
_DOLLAR: Final = 100


class Asked(Struct, frozen=True):
    """What somebody asks for; None leaves it to the game's default."""

    game: str
    wager: str
    pay_table: str | None = None
    stake_cents: Cents | None = None
    decks: int | None = None
    options: Mapping[str, str] = {}


class NoBet(Struct, frozen=True):
    """Why no such bet exists, for the person who asked."""

    why: str


class Bet(Struct, frozen=True):
    """A wager of a game on its terms, and how its hands are counted."""

    game: Game
    wager: Wager
    terms: PayTerms
    layout: Layout
    count: Count

    def par_sheet(self, meter_cents: Cents | None = None) -> ParSheet:
        """Its odds at this meter, or at one so high that it no longer matters which."""
        return par_sheet(self.count(self.layout), self.terms, meter_cents)


def find(asked: Asked) -> Bet | NoBet:
    """The bet asked for, or the first thing that is wrong with the question."""
    game = GAMES.get(asked.game)
    if game is None:
        return NoBet(f"no game {asked.game!r}; there are {_list(GAMES)}")
    layout = _layout(game, asked)
    if isinstance(layout, NoBet):
        return layout
    wager, counted = game.wager(asked.wager), count(game.name, asked.wager)
    if wager is not None and wager.stakes and not wager.tables:
        return NoBet(f"what {game.name}'s {wager.name} pays stands in no pay table ({wager.rule}), so it has no odds")
    if wager is None or counted is None:
        return NoBet(f"{game.name} has no wager {asked.wager!r} with odds; there are {_list(_counted(game))}")
    terms = _terms(wager, asked)
    return terms if isinstance(terms, NoBet) else Bet(game, wager, terms, layout, counted)


def _layout(game: Game, asked: Asked) -> Layout | NoBet:
    """Decks and options as asked, or what the game does not know of them."""
    for name, choice in asked.options.items():
        option = next((option for option in game.options if option.name == name), None)
        if option is None or choice not in option.choices:
            known = (f"{each.name}={choice}" for each in game.options for choice in each.choices)
            return NoBet(f"{game.name} has no option {name}={choice}; there are {_list(known)}")
    decks = min(USUAL_DECKS, game.most_decks) if asked.decks is None else asked.decks
    if not 1 <= decks <= game.most_decks:
        most = f"one to {game.most_decks} decks" if game.most_decks > 1 else "one deck"
        return NoBet(f"{game.name} is dealt from {most}, not from {decks}")
    return Layout(decks, asked.options.get("royal_match", KING_QUEEN))


def _terms(wager: Wager, asked: Asked) -> PayTerms | NoBet:
    """Stake and pay table as asked, or what the wager does not know of them."""
    usual = max(_DOLLAR, *wager.stakes[:1], wager.minimum_cents)
    stake = usual if asked.stake_cents is None else asked.stake_cents
    if stake < wager.minimum_cents or (wager.stakes and stake not in wager.stakes):
        allowed = " or ".join(map(dollars, wager.stakes)) or f"at least {dollars(wager.minimum_cents)}"
        return NoBet(f"a {wager.name} wager is {allowed}, not {dollars(stake)}")
    name = wager.pay_table_names[0] if asked.pay_table is None else wager.table_called(asked.pay_table)
    table = wager.pay_table(name, stake)
    return (
        PayTerms(table, stake, wager.pays_highest, wager.pays_whole_cents) if table else _no_table(wager, name, stake)
    )


def _no_table(wager: Wager, name: str, stake: Cents) -> NoBet:
    others = [dollars(table.stake_cents) for table in wager.tables if table.name == name]
    if others:
        return NoBet(f"{wager.name} is paid on a wager of {' or '.join(others)}, not of {dollars(stake)}")
    return NoBet(f"{wager.name} has no pay table {name!r}; there are {_list(wager.pay_table_names)}")


def _counted(game: Game) -> Iterable[str]:
    return (wager.name.replace("_", "-") for wager in game.wagers if count(game.name, wager.name))


def _list(words: Iterable[str]) -> str:
    return ", ".join(words) or "none"
