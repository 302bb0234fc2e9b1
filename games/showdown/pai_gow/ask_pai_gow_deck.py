"""Questions about pai gow poker's deck as they are written, and their answers."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from games.catalogue.irregularities import Cards, Hands
from games.showdown.fault import Fault
from games.showdown.pai_gow.deck import (
    DECK_SIZE,
    LEAST_CUT,
    POSITIONS,
    cut_offers,
    is_cut_deep_enough,
    is_stub_due,
    left_over,
    stub_size,
)
from games.showdown.pai_gow.table import SEATS

Area: TypeAlias = Annotated[int, Meta(ge=1, le=SEATS)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=DECK_SIZE)]


class CutAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is at the table, who opened it or banks, who had the last offer without a bank, and how deep the cut went."""

    game: str
    question: Literal["cut"]
    seats: tuple[Area, ...]
    first_player: Area | None = None
    bank: Area | None = None
    last_offered: Area | None = None
    cards_above: Count | None = None


class CutAnswer(Struct, frozen=True):
    """The offers in turn, and why the cut must be made again, if it must."""

    offers: tuple[int, ...]
    rule: str
    recut: str | None


class LeftAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """How many cards were left after the deal of so many hands, and whether one has more or less than seven cards."""

    game: str
    question: Literal["left"]
    cards_left: Count
    misdealt: bool = False
    hands: Annotated[int, Meta(ge=2, le=POSITIONS)] = POSITIONS


class LeftAnswer(Struct, frozen=True):
    """What becomes of the hands and the deck."""

    hands: Hands
    cards: Cards
    action: str
    rule: str


class StubAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """How many rounds, this one included, have passed without a count, and whether the shuffler counts the deck."""

    game: str
    question: Literal["stub"]
    rounds_uncounted: Annotated[int, Meta(ge=1)]
    shuffler_counts: bool = False


class StubAnswer(Struct, frozen=True):
    """Whether the dealer counts the stub now."""

    due: bool
    rule: str


def stub(asked: StubAsked) -> StubAnswer:
    """When the stub must be counted where three- and seven-card bonuses are dealt."""
    due = is_stub_due(asked.rounds_uncounted, shuffler_counts=asked.shuffler_counts)
    return StubAnswer(due, "11.17(i)" if asked.shuffler_counts else "11.17(h)")


def cut(asked: CutAsked) -> CutAnswer | Fault:
    """Who cuts the cards, and whether the cut was deep enough."""
    if not asked.seats or len(set(asked.seats)) < len(asked.seats):
        return Fault("write each occupied seat once", "seats")
    for where, seat in (("first_player", asked.first_player), ("bank", asked.bank)):
        if seat is not None and seat not in asked.seats:
            return Fault("nobody sits there", where)
    if asked.first_player is not None and asked.bank is not None:
        return Fault("no player banks the first round (11.10(b))", "bank")
    order = cut_offers(asked.seats, first_player=asked.first_player, bank=asked.bank, last_offered=asked.last_offered)
    shallow = asked.cards_above is not None and not is_cut_deep_enough(asked.cards_above)
    recut = f"the cutting card lies less than {LEAST_CUT} cards from an end (11.6(e), (f))" if shallow else None
    return CutAnswer(order.offers, order.rule, recut)


def left(asked: LeftAsked) -> LeftAnswer | Fault:
    """What the count of the cards left means."""
    if asked.misdealt and asked.cards_left == stub_size(asked.hands):
        problem = f"with {asked.cards_left} cards left, report a wrong_number_of_cards as an irregularity"
        return Fault(problem, "misdealt")
    case = left_over(asked.cards_left, asked.hands, misdealt=asked.misdealt)
    if case is None and asked.hands < POSITIONS:
        return LeftAnswer("stand", "untouched", "put the stub in the discard rack unseen", "11.17(h)1")
    if case is None:
        action = "put the four cards in the discard rack unseen, then those of positions without a wager"
        return LeftAnswer("stand", "untouched", action, "11.8(d)1, 11.8A(d)1, 11.8B(e)1")
    return LeftAnswer(case.hands, case.cards, case.action, case.rule)
