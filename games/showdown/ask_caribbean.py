"""The base game of caribbean stud as it is written, and its answer."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from games.money import Cents, dollars
from games.ranking import high_five
from games.showdown.caribbean import (
    LEAST_ODDS,
    CaribbeanLine,
    CaribbeanRules,
    CaribbeanSeat,
    least_limit,
    qualifies,
    settle_caribbean,
)
from games.showdown.fault import Fault
from games.showdown.input import Place, read_deal
from games.showdown.words import Amount, Seat, SomeAmount, Words

SEATS: Final = 7


class SeatAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's wagers and cards; no bet means that he folded."""

    ante_cents: SomeAmount
    bet_cents: Amount = 0
    cards: Words = ()


class CaribbeanOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """A payout limit with the table minimum it is checked against, and odds better than those listed."""

    limit_cents: Amount | None = None
    minimum_ante_cents: SomeAmount | None = None
    odds: dict[str, Annotated[int, Meta(ge=1, le=10_000)]] = {}


class CaribbeanShowdown(Struct, frozen=True, forbid_unknown_fields=True):
    """All hands of a round of caribbean stud."""

    game: str
    seats: dict[Seat, SeatAsked]
    dealer: Words
    question: Literal["showdown"] = "showdown"
    options: CaribbeanOptions = CaribbeanOptions()


class DealerShown(Struct, frozen=True):
    """The dealer's hand, and whether it qualifies."""

    hand: str
    qualifies: bool


class CaribbeanAnswer(Struct, frozen=True):
    """What becomes of every ante and bet in paying order, and the net of each seat."""

    dealer: DealerShown
    lines: tuple[CaribbeanLine, ...]
    net_cents: dict[int, Cents]


def showdown(asked: CaribbeanShowdown) -> CaribbeanAnswer | Fault:
    """Ante and bet of every seat against the dealer's hand."""
    fault = _seats_fault(asked) or _options_fault(asked.options)
    if fault:
        return fault
    numbers = sorted(asked.seats)
    places = [_place(number, asked.seats[number]) for number in numbers]
    read = read_deal([*places, Place("dealer", asked.dealer, (5,))])
    if isinstance(read, Fault):
        return read
    seats = [
        CaribbeanSeat(number, asked.seats[number].ante_cents, asked.seats[number].bet_cents, cards)
        for number, cards in zip(numbers, read[:-1], strict=True)
    ]
    rules = CaribbeanRules({**LEAST_ODDS, **asked.options.odds}, asked.options.limit_cents)
    lines = settle_caribbean(seats, read[-1], rules)
    rank = high_five(read[-1])
    nets = {number: sum(_net(line) for line in lines if line.seat == number) for number in numbers}
    return CaribbeanAnswer(DealerShown(rank.name, qualifies(rank)), lines, nets)


def _seats_fault(asked: CaribbeanShowdown) -> Fault | None:
    if not asked.seats or max(asked.seats) > SEATS:
        return Fault(f"write at least one of the seats 1 to {SEATS}", "seats")
    return None


def _options_fault(options: CaribbeanOptions) -> Fault | None:
    for hand, odds in options.odds.items():
        if odds < LEAST_ODDS.get(hand, odds + 1):
            listed = f"at least {LEAST_ODDS[hand]} to 1" if hand in LEAST_ODDS else f"one of {', '.join(LEAST_ODDS)}"
            return Fault(f"the rules demand {listed} (16.12(c))", f"options.odds.{hand}")
    if options.limit_cents is None:
        return None
    if options.minimum_ante_cents is None:
        return Fault("missing; a limit is checked against the table minimum (16.12(d))", "options.minimum_ante_cents")
    least = least_limit(options.minimum_ante_cents)
    if options.limit_cents < least:
        return Fault(f"at this minimum the limit is at least {dollars(least)} (16.12(d))", "options.limit_cents")
    return None


def _place(number: int, seat: SeatAsked) -> Place:
    return Place(f"seats.{number}.cards", seat.cards, (5,) if seat.bet_cents else (0, 5))


def _net(line: CaribbeanLine) -> Cents:
    return -line.wager_cents if line.result == "lose" else line.paid_cents
