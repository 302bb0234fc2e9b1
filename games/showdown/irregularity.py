"""Irregularities of pai gow poker and caribbean stud as they are reported, and the ruling on them."""

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct

from games.catalogue.irregularities import CARIBBEAN, PAI_GOW, Cards, IrregularityCase, ruling
from games.money import Cents
from games.showdown.input import Amount, InputFault, Seat

_CASES: Final[Mapping[str, Mapping[str, IrregularityCase]]] = {"pai-gow-poker": PAI_GOW, "caribbean-stud": CARIBBEAN}
_SEATS: Final[Mapping[str, int]] = {"pai-gow-poker": 6, "caribbean-stud": 7}
_WAGERS: Final[Mapping[str, tuple[str, ...]]] = {"pai-gow-poker": ("pai_gow",), "caribbean-stud": ("ante", "bet")}


class IrregularityAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """What happened, the seat concerned if one is, and the base wagers that lie at the seats."""

    game: str
    question: Literal["irregularity"]
    case: str
    seats: dict[Seat, dict[str, Amount]] = {}
    seat: Seat | None = None
    voids: bool = False


class Returned(Struct, frozen=True):
    """A wager that goes back because its hand is void."""

    seat: int
    wager: str
    amount_cents: Cents


class IrregularityAnswer(Struct, frozen=True):
    """Whose hands are void, who may choose, what goes back from the far right, and what the dealer does."""

    void_seats: tuple[int, ...]
    choice_of: int | None
    returned: tuple[Returned, ...]
    cards: Cards
    action: str
    rule: str


def irregularity(asked: IrregularityAsked) -> IrregularityAnswer | InputFault:
    """The ruling of 11.11 or 16.13 on this case."""
    case = _CASES[asked.game].get(asked.case)
    if case is None:
        return InputFault(f"write one of {', '.join(_CASES[asked.game])}", "case")
    fault = _fault(asked, case)
    if fault:
        return fault
    ruled = ruling(case, tuple(sorted(asked.seats, reverse=True)), asked.seat, voids=asked.voids)
    back = tuple(
        Returned(seat, wager, cents) for seat in ruled.void_seats for wager, cents in asked.seats[seat].items()
    )
    return IrregularityAnswer(ruled.void_seats, ruled.choice_of, back, ruled.cards, ruled.action, ruled.rule)


def _fault(asked: IrregularityAsked, case: IrregularityCase) -> InputFault | None:
    most, wagers = _SEATS[asked.game], _WAGERS[asked.game]
    for seat, lying in asked.seats.items():
        if seat > most or not set(lying) <= set(wagers):
            return InputFault(f"write seats 1 to {most} with {' and '.join(wagers)}", f"seats.{seat}")
    one_seat = case.hands in ("void_seat", "seat_chooses")
    if one_seat and asked.seat not in asked.seats:
        return InputFault("write the seat concerned, one of seats", "seat")
    if asked.seat is not None and not one_seat:
        return InputFault("this case concerns no single seat", "seat")
    if asked.voids and case.hands != "seat_chooses":
        return InputFault("in this case the player has no choice", "voids")
    return None
