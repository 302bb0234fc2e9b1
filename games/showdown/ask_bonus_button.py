"""The bonus wagers of a round of blackjack as they are written, and where the button goes."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from games.catalogue.blackjack import BONUS
from games.showdown.bonus_button import BonusSeat, ButtonTour, press_refusal, pressed, tour
from games.showdown.fault import Fault
from games.showdown.input import Place, read_deal
from games.showdown.words import Seat, SomeAmount, Words


class BonusAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A bonus wager of one or five dollars, and the first two cards of its player."""

    wager_cents: SomeAmount
    cards: Words


class PressAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A press of the button, and what the display showed."""

    seat: Seat
    displayed_cents: SomeAmount


class ButtonAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """All bonus wagers of a round, and the presses so far in their order."""

    game: str
    seats: dict[Seat, BonusAsked]
    question: Literal["bonus"]
    presses: tuple[PressAsked, ...] = ()
    decks: Annotated[int, Meta(ge=1, le=8)] = 8


def bonus_button(asked: ButtonAsked) -> ButtonTour | Fault:
    """What is collected, whose cards wait, what was paid, and before whom the button lies."""
    seats = _read(asked)
    if isinstance(seats, Fault):
        return seats
    now = tour(seats)
    for number, press in enumerate(asked.presses):
        refusal = press_refusal(now, press.seat)
        if refusal:
            return Fault(refusal, f"presses[{number}].seat")
        now = pressed(now, press.seat, press.displayed_cents)
    return now


def _read(asked: ButtonAsked) -> dict[int, BonusSeat] | Fault:
    if not asked.seats:
        return Fault("write at least one seat", "seats")
    boxes = sorted(asked.seats.items())
    for seat, box in boxes:
        if box.wager_cents not in BONUS.stakes:
            return Fault(f"a bonus wager is $1 or $5 ({BONUS.rule})", f"seats.{seat}.wager_cents")
    dealt = read_deal([Place(f"seats.{seat}.cards", box.cards, (2,)) for seat, box in boxes], decks=asked.decks)
    if isinstance(dealt, Fault):
        return dealt
    return {seat: BonusSeat(box.wager_cents, cards) for (seat, box), cards in zip(boxes, dealt, strict=True)}
