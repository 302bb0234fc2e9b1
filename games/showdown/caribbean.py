"""The base game of caribbean stud: ante and bet against the dealer's five cards (16.12(a)-(d))."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from games.cards import ACE, KING, Card
from games.money import Cents, dollars
from games.paytable import PayTable, odds_table
from games.ranking import Rank, high_five
from games.showdown.input import Amount, InputFault, Place, Seat, SomeAmount, Words, read_deal

LEAST_LIMIT: Final[Cents] = 5_000_00

# To one; a licensee may pay more, never less (16.12(c)).
LEAST_ODDS: Final[Mapping[str, int]] = {
    "royal_flush": 100,
    "straight_flush": 50,
    "four_of_a_kind": 20,
    "full_house": 7,
    "flush": 5,
    "straight": 4,
    "three_of_a_kind": 3,
    "two_pair": 2,
    "one_pair": 1,
    "high_card": 1,
}
BET_ODDS: Final[PayTable] = odds_table("base", tuple(LEAST_ODDS.items()), "16.12(c)")

Result: TypeAlias = Literal["win", "lose", "push"]


class BaseGameOutcome(Struct, frozen=True):
    """What happens to ante and bet; the sections before 16.11(b) are not in the text, house readings stand for them."""

    ante: Result
    bet: Result
    reason: str
    rule: str


_UNQUALIFIED: Final = BaseGameOutcome("win", "push", "the dealer has less than ace and king", "house: dealer qualifies")
_HIGHER: Final = BaseGameOutcome("win", "win", "the player's hand is higher", "16.12(b)-(c)")
_EQUAL: Final = BaseGameOutcome("push", "push", "equal hands", "house: equal hands push")
_LOWER: Final = BaseGameOutcome("lose", "lose", "the dealer's hand is higher", "house: a lower hand loses")


class CaribbeanRules(Struct, frozen=True):
    """What a licensee sets: odds at least those listed, and the payout limit of a bet, if any."""

    odds: Mapping[str, int]
    limit_cents: Cents | None


class CaribbeanSeat(Struct, frozen=True):
    """One player's wagers and cards; a player without a bet has folded."""

    seat: int
    ante_cents: Cents
    bet_cents: Cents
    cards: tuple[Card, ...]


class CaribbeanLine(Struct, frozen=True):
    """What becomes of one wager; paid is what was won beside the wager itself."""

    seat: int
    wager: Literal["ante", "bet"]
    result: Result
    wager_cents: Cents
    paid_cents: Cents
    hand: str | None
    reason: str
    rule: str


def least_limit(minimum_ante_cents: Cents, best_odds: Fraction) -> Cents:
    """The lowest payout limit allowed: $5,000, or what the minimum ante and its bet of twice that could win.

    best_odds are the highest that this house pays for a bet.
    """
    bet = 2 * minimum_ante_cents
    return max(LEAST_LIMIT, int(best_odds * bet) + minimum_ante_cents)


def qualifies(rank: Rank) -> bool:
    """Whether the dealer's hand is ace and king or better."""
    return rank.name != "high_card" or rank.key[1:3] == (ACE, KING)


def settle_caribbean(
    seats: Sequence[CaribbeanSeat], dealer: Sequence[Card], rules: CaribbeanRules
) -> tuple[CaribbeanLine, ...]:
    """Ante and bet of every seat, from the dealer's far right counterclockwise."""
    against = high_five(dealer)
    ordered = sorted(seats, key=lambda seat: seat.seat, reverse=True)
    return tuple(line for seat in ordered for line in _seat_lines(seat, against, rules))


def _seat_lines(seat: CaribbeanSeat, against: Rank, rules: CaribbeanRules) -> tuple[CaribbeanLine, ...]:
    if seat.bet_cents == 0:
        folded = ("the player folded", "house: folding")
        return (CaribbeanLine(seat.seat, "ante", "lose", seat.ante_cents, 0, None, *folded),)
    rank = high_five(seat.cards)
    outcome = _outcome(rank, against)
    return (_ante(seat, rank, outcome), _bet(seat, rank, outcome, rules))


def _outcome(rank: Rank, against: Rank) -> BaseGameOutcome:
    if not qualifies(against):
        return _UNQUALIFIED
    if rank.key == against.key:
        return _EQUAL
    return _HIGHER if rank.key > against.key else _LOWER


def _ante(seat: CaribbeanSeat, rank: Rank, outcome: BaseGameOutcome) -> CaribbeanLine:
    won, rule = (seat.ante_cents, "16.12(b)") if outcome.ante == "win" else (0, outcome.rule)
    return CaribbeanLine(seat.seat, "ante", outcome.ante, seat.ante_cents, won, rank.name, outcome.reason, rule)


def _bet(seat: CaribbeanSeat, rank: Rank, outcome: BaseGameOutcome, rules: CaribbeanRules) -> CaribbeanLine:
    won, reason, rule = 0, outcome.reason, outcome.rule
    if outcome.bet == "win":
        odds = rules.odds[rank.name]
        won, reason, rule = seat.bet_cents * odds, f"{reason}; {rank.name} pays {odds} to 1", "16.12(c)"
        if rules.limit_cents is not None and won > rules.limit_cents:
            won, reason, rule = rules.limit_cents, f"{reason}, limited to {dollars(rules.limit_cents)}", "16.12(d)"
    return CaribbeanLine(seat.seat, "bet", outcome.bet, seat.bet_cents, won, rank.name, reason, rule)


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


def showdown(asked: CaribbeanShowdown) -> CaribbeanAnswer | InputFault:
    """Ante and bet of every seat against the dealer's hand."""
    fault = _seats_fault(asked) or _options_fault(asked.options)
    if fault:
        return fault
    numbers = sorted(asked.seats)
    places = [_place(number, asked.seats[number]) for number in numbers]
    read = read_deal([*places, Place("dealer", asked.dealer, (5,))])
    if isinstance(read, InputFault):
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


def _seats_fault(asked: CaribbeanShowdown) -> InputFault | None:
    if not asked.seats or max(asked.seats) > SEATS:
        return InputFault(f"write at least one of the seats 1 to {SEATS}", "seats")
    return None


def _options_fault(options: CaribbeanOptions) -> InputFault | None:
    for hand, odds in options.odds.items():
        if odds < LEAST_ODDS.get(hand, odds + 1):
            listed = f"at least {LEAST_ODDS[hand]} to 1" if hand in LEAST_ODDS else f"one of {', '.join(LEAST_ODDS)}"
            return InputFault(f"the rules demand {listed} (16.12(c))", f"options.odds.{hand}")
    if options.limit_cents is None:
        return None
    if options.minimum_ante_cents is None:
        return InputFault(
            "missing; a limit is checked against the table minimum (16.12(d))", "options.minimum_ante_cents"
        )
    best = max({**LEAST_ODDS, **options.odds}.values())
    least = least_limit(options.minimum_ante_cents, Fraction(best))
    if options.limit_cents < least:
        return InputFault(
            f"at this minimum and these odds the limit is at least {dollars(least)} (16.12(d))", "options.limit_cents"
        )
    return None


def _place(number: int, seat: SeatAsked) -> Place:
    return Place(f"seats.{number}.cards", seat.cards, (5,) if seat.bet_cents else (0, 5))


def _net(line: CaribbeanLine) -> Cents:
    return -line.wager_cents if line.result == "lose" else line.paid_cents
