"""The blackjack bonus button (2.20): losers go after the second card; at the end each winner presses it once."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from games.cards import Card
from games.catalogue.blackjack import BONUS
from games.money import Cents


class BonusSeat(Struct, frozen=True):
    """A bonus wager and the first two cards beside it."""

    wager_cents: Cents
    cards: Sequence[Card]


class BonusPaid(Struct, frozen=True):
    """What the display showed when this seat pressed, and is paid."""

    seat: int
    amount_cents: Cents
    rule: str


class ButtonTour(Struct, frozen=True):
    """The dealer's way with the bonus wagers; button_at is the winner before whom the button lies, None at the end."""

    collects_cents: dict[int, Cents]
    cards_under_wager: tuple[int, ...]
    paid: tuple[BonusPaid, ...]
    button_at: int | None


def tour(seats: Mapping[int, BonusSeat]) -> ButtonTour:
    """After the second card: losing wagers are collected, and the winners' cards wait under their wagers (2.20(e))."""
    winners = tuple(seat for seat, box in sorted(seats.items()) if BONUS.hands(box.cards))
    lost = {seat: box.wager_cents for seat, box in sorted(seats.items()) if seat not in winners}
    return ButtonTour(lost, winners, (), _next(winners))


def press_refusal(now: ButtonTour, seat: int) -> str | None:
    """Why this seat may not press the button now, or None."""
    if seat not in now.cards_under_wager:
        return f"seat {seat} did not win a bonus (2.20(d))"
    if any(paid.seat == seat for paid in now.paid):
        return f"seat {seat} has pressed, and each winner presses once (2.20(f))"
    if seat != now.button_at:
        return f"the button lies before seat {now.button_at}: it goes around from the dealer's left (2.20(f))"
    return None


def pressed(now: ButtonTour, seat: int, shown_cents: Cents) -> ButtonTour:
    """The button pressed where it lies: the display's amount is paid, and the button moves on."""
    paid = (*now.paid, BonusPaid(seat, shown_cents, "2.20(f)"))
    return replace(now, paid=paid, button_at=_next(now.cards_under_wager[len(paid) :]))


def _next(winners: Sequence[int]) -> int | None:
    return winners[0] if winners else None
