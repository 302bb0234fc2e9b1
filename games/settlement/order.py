"""Turns: which wager of which seat is looked at when, and every hand it holds."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from games.game import SettlementStep, Wager
from games.money import Cents
from games.settlement.played_round import PlayedRound, Seat


class Turn(Struct, frozen=True):
    """One wager's turn to be settled; hands are all that its cards are, None where nobody said what they are.

    only are the hands that the rule pays at this time; holder is whose hand an envy bonus is paid for.
    """

    seat: Seat
    wager: Wager
    hands: frozenset[str] | None
    stake_cents: Cents
    only: frozenset[str] | None = None
    holder: int = 0


def turns(played: PlayedRound) -> Iterator[Turn]:
    """Every turn of the round in the order of the game's tours; the dealer's right comes first."""
    for tour in played.game.settlement[played.settlement]:
        seats = [seat for seat in from_the_right(played.seats) if tour.visits(is_folded=seat.folded)]
        for seat in seats if tour.begins == "right" else reversed(seats):
            for step in tour.steps:
                yield from _at_seat(played, seat, step)


def from_the_right(seats: Iterable[Seat]) -> list[Seat]:
    """The seats counterclockwise from the dealer's far right: the last number first."""
    return sorted(seats, key=lambda seat: seat.number, reverse=True)


def _at_seat(played: PlayedRound, seat: Seat, step: SettlementStep) -> Iterator[Turn]:
    wager = played.wager(step.wager)
    if wager is None:
        return  # a wager that this house's choices do not add
    if wager.sees == "others":
        yield from _envy(played, seat, wager)
    elif played.is_live(seat, wager):
        yield from _own(played, seat, wager, step)


def _own(played: PlayedRound, seat: Seat, wager: Wager, step: SettlementStep) -> Iterator[Turn]:
    if wager.sees != "no_cards":
        yield Turn(seat, wager, _hands(played, seat, wager), seat.wagers[wager.name], step.only)
    elif played.number_drawn is not None and played.number_drawn in seat.numbers:
        yield Turn(seat, wager, frozenset({"number"}), seat.numbers[played.number_drawn])


def _hands(played: PlayedRound, seat: Seat, wager: Wager) -> frozenset[str] | None:
    """What decides the wager: the cards, the hand that was named, or that it wins nothing; None if nobody said."""
    if wager.name in seat.named:
        return frozenset({seat.named[wager.name]})
    if wager.name in seat.lost:
        return frozenset()
    if (seat.cards or wager.dealer_hand) and not played.is_waiting_for_cards(wager):
        return wager.hands(played.cards_seen(seat, wager))
    return None


def _envy(played: PlayedRound, seat: Seat, wager: Wager) -> Iterator[Turn]:
    """One turn for each other player's hand that is seen; a void hand is no hand."""
    if not _is_entitled(played, seat, wager):
        return
    for holder in from_the_right(played.seats):
        if holder.number not in played.areas_of(seat) and played.is_shown(holder):
            yield Turn(seat, wager, wager.hands(holder.cards), played.stake_cents, holder=holder.number)


def _is_entitled(played: PlayedRound, seat: Seat, wager: Wager) -> bool:
    """Whether the wager that carries the envy bonus was made, high enough; folding does not end it."""
    assert wager.needs is not None
    carrier = wager.needs.any_of[0]
    return seat.wagers.get(carrier, 0) >= wager.minimum_cents and not played.is_void(seat)
