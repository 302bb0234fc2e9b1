"""What a demo's tables deal, and whether they may do so on one meter."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from games.catalogue import GAMES
from games.compliance import GameOnLink, LinkCase, TableCase, link_faults, linked_faults, table_faults
from games.game import Game
from games.money import Cents

BASE_CENTS: Final = 10_000_00
RESET_CENTS: Final = 5_000_00
ABOVE_MINIMUM_BP: Final = 37  # no whole cents: the carry shows
INSURANCE_TO_ONE: Final = 2  # 2.18(d) leaves it to 2.12, which is not in our text
LONE: Final = "texas-holdem-bonus"
MIXED: Final = "mixed"
SHARING: Final = (LONE, "caribbean-stud")
"""The two games that may share a meter."""


# The others of pai gow are dealt otherwise (11.17) and may not lie beside these: --wagers chooses.
SIDE_WAGERS: Final[Mapping[str, tuple[str, ...]]] = {
    "texas-holdem-bonus": ("bonus",),
    "three-card-poker": ("six_card_bonus",),
    "blackjack": ("bonus",),
    "pai-gow-poker": ("bonus", "insurance", "number"),
}


class DemoGame(Struct, frozen=True):
    """One table's game: its pay table, its stake, its side wagers and, where there is a shoe, its decks.

    wagers None means the game's usual ones; dealer_hands above one is multiple action, where insurance pays two to one.
    """

    game: str
    pay_table: str
    stake_cents: Cents
    decks: int | None = None
    wagers: tuple[str, ...] | None = None
    dealer_hands: int = 1

    @property
    def side_wagers(self) -> tuple[str, ...]:
        """What this table offers beside base game and progressive; multiple action excludes the blackjack bonus."""
        if self.wagers is not None:
            return self.wagers
        return () if self.dealer_hands > 1 else SIDE_WAGERS.get(self.game, ())

    @property
    def case(self) -> TableCase:
        """What compliance asks of it."""
        return TableCase(
            self.game,
            self.pay_table,
            self.stake_cents,
            decks=self.decks,
            wagers=self.side_wagers,
            dealer_hands=self.dealer_hands,
            insurance_to_one=INSURANCE_TO_ONE if self.dealer_hands > 1 else 0,
            connection_sign=True,
        )

    @property
    def settings(self) -> dict[str, Any]:
        """Its part of a table's settings."""
        shoe = {} if self.decks is None else {"decks": self.decks}
        named = {"game": self.game, "pay_table": self.pay_table, "stake_cents": self.stake_cents}
        side = {"wagers": list(self.side_wagers)} if self.side_wagers else {}
        more = {"dealer_hands": self.dealer_hands, "insurance_to_one": INSURANCE_TO_ONE}
        return {**named, **shoe, **side, **(more if self.dealer_hands > 1 else {}), "connection_sign": True}


class DemoTerms(Struct, frozen=True):
    """What the demo's meter promises."""

    rate_bp: int
    base_cents: Cents
    reset_cents: Cents


def usual_pay_table(game: Game) -> str:
    """The pay table of a demo: hold 'em's A, which may be linked to caribbean stud; else the first."""
    assert game.progressive is not None
    names = game.progressive.pay_table_names
    return "A" if "A" in names else names[0]


def terms(deals: Sequence[DemoGame]) -> DemoTerms:
    """A meter a little above what each of these games demands."""
    rate = max(GAMES[deal.game].minimum_rate_bp(deal.pay_table, deal.stake_cents) for deal in deals)
    reset = max(RESET_CENTS, *(GAMES[deal.game].minimum_reset_cents for deal in deals))
    return DemoTerms(rate + ABOVE_MINIMUM_BP, BASE_CENTS, reset)


def on_link(deals: Sequence[DemoGame]) -> tuple[GameOnLink, ...]:
    """What the meter must allow, game by game."""
    games = dict.fromkeys(deal.game for deal in deals)
    return tuple(
        GameOnLink(
            game,
            tuple(dict.fromkeys(deal.pay_table for deal in deals if deal.game == game)),
            tuple(dict.fromkeys(deal.stake_cents for deal in deals if deal.game == game)),
            decks=next(deal.decks for deal in deals if deal.game == game),
        )
        for game in games
    )


def unlawful(deals: Sequence[DemoGame]) -> str:
    """The first reason why these tables may not be dealt on one meter, or nothing."""
    promised = terms(deals)
    link = LinkCase(promised.rate_bp, promised.base_cents, promised.reset_cents, on_link(deals), tables=len(deals))
    faults = [fault for deal in deals for fault in table_faults(deal.case)]
    if len(deals) > 1:
        faults += [fault for deal in deals for fault in linked_faults(deal.case, [other.case for other in deals])]
    faults += link_faults(link)
    return next((f"{fault} [{fault.rule}]" for fault in faults), "")
