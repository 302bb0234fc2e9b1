"""A round of multiple action blackjack as it is written, and its answer."""

from typing import Literal

from msgspec import Struct

from games.money import Cents
from games.showdown.blackjack import (
    FEWEST_WAGERS,
    MOST_WAGERS,
    Box,
    DealerHand,
    dealer_hands,
    price_of_another_wager,
)
from games.showdown.fault import Fault
from games.showdown.words import Seat, SomeAmount


class BoxAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The wagers of a betting area, first spot first."""

    wagers_cents: tuple[SomeAmount, ...]
    busted: bool = False


class MultipleActionAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """All boxes once every player has acted; a house may require a wager against all three hands."""

    game: str
    seats: dict[Seat, BoxAsked]
    question: Literal["showdown"] = "showdown"
    all_three_required: bool = False


class MultipleActionAnswer(Struct, frozen=True):
    """The dealer's hands in order, and what a double or a split costs at each box."""

    hands: tuple[DealerHand, ...]
    double_or_split_cents: dict[int, Cents]


def multiple_action(asked: MultipleActionAsked) -> MultipleActionAnswer | Fault:
    """Which hands the dealer plays, and which wagers each decides."""
    if not asked.seats:
        return Fault("write at least one seat", "seats")
    fewest = MOST_WAGERS if asked.all_three_required else FEWEST_WAGERS
    for seat, box in sorted(asked.seats.items()):
        if not fewest <= len(box.wagers_cents) <= MOST_WAGERS:
            wanted = "three wagers" if fewest == MOST_WAGERS else "two or three wagers"
            return Fault(f"every player makes {wanted} (2.18(b))", f"seats.{seat}.wagers_cents")
    boxes = {seat: Box(box.wagers_cents, box.busted) for seat, box in asked.seats.items()}
    return MultipleActionAnswer(
        dealer_hands(boxes), {seat: price_of_another_wager(box) for seat, box in sorted(boxes.items())}
    )
