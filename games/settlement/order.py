"""Turns: which wager of which seat is looked at when, and every hand it holds."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from games.game import SettlementStep, Wager
from games.money import Cents
from games.settlement.played_round import PlayedRound, Seat


class Turn(Struct, frozen=True):
    """One wager's turn to be paid; hands are all that its cards are, only those that the rule pays at this time."""

    seat: Seat
    wager: Wager
    hands: frozenset[str]
    stake_cents: Cents
    only: frozenset[str] | None = None


def turns(played: PlayedRound) -> Iterator[Turn]:
    """Every turn of the round in the order of the game's tours; the dealer's right comes first."""
    for tour in played.game.settlement[played.settlement]:
        seats = from_the_right(played.seats)
        for seat in seats if tour.begins == "right" else reversed(seats):
            for step in tour.steps:
                yield from _at_seat(played, seat, step)


def from_the_right(seats: Iterable[Seat]) -> list[Seat]:
    """The seats counterclockwise from the dealer's far right: the last number first."""
    return sorted(seats, key=lambda seat: seat.number, reverse=True)


def _at_seat(played: PlayedRound, seat: Seat, step: SettlementStep) -> Iterator[Turn]:
    wager = played.wager(step.wager)
    assert wager is not None
    if wager.sees == "others":
        yield from _envy(played, seat, wager)
    elif played.is_live(seat, wager):
        yield from _own(played, seat, wager, step)


def _own(played: PlayedRound, seat: Seat, wager: Wager, step: SettlementStep) -> Iterator[Turn]:
    if wager.sees != "no_cards":
        hands = wager.hands(played.cards_seen(seat, wager))
        yield Turn(seat, wager, hands, seat.wagers[wager.name], step.only)
    elif played.number_drawn is not None and played.number_drawn in seat.numbers:
        yield Turn(seat, wager, frozenset({"number"}), seat.numbers[played.number_drawn])


def _envy(played: PlayedRound, seat: Seat, wager: Wager) -> Iterator[Turn]:
    """One turn for each other player's hand; a void hand is no hand, a folded one still is."""
    if not _is_entitled(played, seat, wager):
        return
    for holder in from_the_right(played.seats):
        if holder.number not in played.areas_of(seat) and holder.cards and not played.is_void(holder):
            yield Turn(seat, wager, wager.hands(holder.cards), played.stake_cents)


def _is_entitled(played: PlayedRound, seat: Seat, wager: Wager) -> bool:
    """Whether the wager that carries the envy bonus was made, high enough; folding does not end it."""
    assert wager.needs is not None
    carrier = wager.needs.any_of[0]
    return seat.wagers.get(carrier, 0) >= wager.minimum_cents and not played.is_void(seat)
