"""Blackjack: multiple action (2.18) and the bonus button (2.20)."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from games.cards import ACE, Card
from games.catalogue.blackjack import BONUS
from games.money import Cents
from games.showdown.input import Amount, InputFault, Place, Seat, SomeAmount, Words, read_deal

MOST_WAGERS: Final = 3
FEWEST_WAGERS: Final = 2

_RULES: Final[Mapping[int, str]] = {1: "2.18(e)-(f)", 2: "2.18(g)-(h)", 3: "2.18(h)-(j)"}


class Box(Struct, frozen=True):
    """A player's wagers and insurance, spot by spot, and whether the hand exceeded a hard total of 21."""

    wagers_cents: tuple[Cents, ...]
    busted: bool = False
    insurance_cents: tuple[Cents, ...] = ()

    @property
    def total_cents(self) -> Cents:
        """Everything that lies in the box."""
        return sum(self.wagers_cents) + sum(self.insurance_cents)


class DealerHand(Struct, frozen=True):
    """One of the dealer's hands: what it collects at once, what it decides, and what becomes of the up-card."""

    hand: int
    dealer_draws: bool
    collects_cents: dict[int, Cents]
    decides_cents: dict[int, Cents]
    keeps_up_card: bool
    rule: str


def dealer_hands(boxes: Mapping[int, Box]) -> tuple[DealerHand, ...]:
    """The dealer's hands in order; a hard total above 21 loses all wagers of its box with the first of them."""
    busted = {seat: box.total_cents for seat, box in sorted(boxes.items()) if box.busted}
    live = {seat: box.wagers_cents for seat, box in sorted(boxes.items()) if not box.busted}
    if not live:
        return (DealerHand(1, False, busted, {}, False, "2.18(f)1"),)
    last = max(len(wagers) for wagers in live.values())
    return tuple(
        DealerHand(
            hand=number,
            dealer_draws=True,
            collects_cents=busted if number == 1 else {},
            decides_cents={seat: wagers[number - 1] for seat, wagers in live.items() if len(wagers) >= number},
            keeps_up_card=number < last,
            rule=_RULES[number],
        )
        for number in range(1, last + 1)
    )


class InsuranceLine(Struct, frozen=True):
    """An insurance wager against one of the dealer's hands; the house's odds say what it pays, if they are told."""

    hand: int
    seat: int
    wager_cents: Cents
    result: Literal["win", "lose"]
    paid_cents: Cents | None
    rule: str = "2.18(d)"


def insurance(boxes: Mapping[int, Box], seconds: Sequence[Card], to_one: int | None) -> tuple[InsuranceLine, ...]:
    """Each insurance wager, decided by the second card of its own hand (2.18(d)), far right first.

    seconds are the second cards of the hands dealt so far, beside an ace; a box above 21 has lost its insurance (f).
    """
    return tuple(
        _insured(number, seat, cents, second, to_one)
        for number, second in enumerate(seconds, start=1)
        for seat, box in sorted(boxes.items(), reverse=True)
        for cents in box.insurance_cents[number - 1 : number]
        if cents and not box.busted
    )


def _insured(number: int, seat: int, cents: Cents, second: Card, to_one: int | None) -> InsuranceLine:
    if not 10 <= second.rank < ACE:
        return InsuranceLine(number, seat, cents, "lose", 0)
    return InsuranceLine(number, seat, cents, "win", None if to_one is None else cents * to_one)


def price_of_another_wager(box: Box) -> Cents:
    """What doubling down or splitting pairs costs at most: one more wager for each wager placed (2.18(c))."""
    return sum(box.wagers_cents)


class BoxAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The wagers of a betting area, first spot first; what was added for a double or a split; insurance, 0 for none."""

    wagers_cents: tuple[SomeAmount, ...]
    busted: bool = False
    added_cents: tuple[SomeAmount, ...] = ()
    insurance_cents: tuple[Amount, ...] = ()


class DealerAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The dealer's up-card, and the second card of each hand dealt so far."""

    up: str
    seconds: Words = ()


class MultipleActionAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """All boxes once every player has acted; a house may require a wager against all three hands."""

    game: str
    seats: dict[Seat, BoxAsked]
    question: Literal["showdown"] = "showdown"
    all_three_required: bool = False
    dealer: DealerAsked | None = None
    insurance_to_one: Annotated[int, Meta(ge=1, le=100)] | None = None
    decks: Annotated[int, Meta(ge=1, le=8)] = 8


class MultipleActionAnswer(Struct, frozen=True):
    """The dealer's hands in order, the insurance decided so far, and what a double or a split costs at each box."""

    hands: tuple[DealerHand, ...]
    insurance: tuple[InsuranceLine, ...]
    double_or_split_cents: dict[int, Cents]


def multiple_action(asked: MultipleActionAsked) -> MultipleActionAnswer | InputFault:
    """Which hands the dealer plays, and which wagers each decides."""
    if not asked.seats:
        return InputFault("write at least one seat", "seats")
    faults = (_box_fault(asked, seat, box) for seat, box in sorted(asked.seats.items()))
    fault = next((fault for fault in faults if fault), None)
    if fault:
        return fault
    boxes = {seat: _in_play(box) for seat, box in asked.seats.items()}
    hands = dealer_hands(boxes)
    seconds = _seconds(asked, len(hands))
    if isinstance(seconds, InputFault):
        return seconds
    prices = {seat: price_of_another_wager(Box(box.wagers_cents)) for seat, box in sorted(asked.seats.items())}
    return MultipleActionAnswer(hands, insurance(boxes, seconds, asked.insurance_to_one), prices)


def _box_fault(asked: MultipleActionAsked, seat: int, box: BoxAsked) -> InputFault | None:
    fewest, wagers = MOST_WAGERS if asked.all_three_required else FEWEST_WAGERS, len(box.wagers_cents)
    if not fewest <= wagers <= MOST_WAGERS:
        wanted = "three wagers" if fewest == MOST_WAGERS else "two or three wagers"
        return InputFault(f"every player makes {wanted} (2.18(b))", f"seats.{seat}.wagers_cents")
    if box.added_cents and len(box.added_cents) != wagers:
        problem = "a double or a split adds one wager for each wager placed (2.18(c))"
        return InputFault(problem, f"seats.{seat}.added_cents")
    if len(box.insurance_cents) > wagers:
        return InputFault("insurance is on a wager placed (2.18(d))", f"seats.{seat}.insurance_cents")
    return None


def _in_play(box: BoxAsked) -> Box:
    added = box.added_cents or (0,) * len(box.wagers_cents)
    wagers = tuple(placed + more for placed, more in zip(box.wagers_cents, added, strict=True))
    return Box(wagers, box.busted, box.insurance_cents)


def _seconds(asked: MultipleActionAsked, hands: int) -> tuple[Card, ...] | InputFault:
    """The second cards beside an ace; section 2.9 is not in the text, where another up-card has no insurance."""
    if asked.dealer is None:
        return ()
    dealt = (
        Place("dealer.up", (asked.dealer.up,), (1,)),
        Place("dealer.seconds", asked.dealer.seconds, range(hands + 1)),
    )
    read = read_deal(dealt, decks=asked.decks)
    if isinstance(read, InputFault):
        return read
    ((up,), seconds) = read
    if up.rank != ACE and any(cents for box in asked.seats.values() for cents in box.insurance_cents):
        return InputFault("insurance is offered beside an ace only (house: insurance)", "dealer.up")
    return seconds


# 2.18(a) is not in the text; its history suggests that a table has the one or the other.
BesideMultipleAction: TypeAlias = Literal["refused", "approved"]
NO_BONUS_RULE: Final = "house: multiple action"


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
    dealer_hands: Annotated[int, Meta(ge=1, le=MOST_WAGERS)] = 1
    multiple_action: BesideMultipleAction = "refused"


def bonus_button(asked: ButtonAsked) -> ButtonTour | InputFault:
    """What is collected, whose cards wait, what was paid, and before whom the button lies."""
    if asked.dealer_hands > 1 and asked.multiple_action == "refused":
        problem = f"a table of multiple action takes no bonus wager unless that is approved ({NO_BONUS_RULE})"
        return InputFault(problem, "dealer_hands")
    seats = _read(asked)
    if isinstance(seats, InputFault):
        return seats
    now = tour(seats)
    for number, press in enumerate(asked.presses):
        refusal = press_refusal(now, press.seat)
        if refusal:
            return InputFault(refusal, f"presses[{number}].seat")
        now = pressed(now, press.seat, press.displayed_cents)
    return now


def _read(asked: ButtonAsked) -> dict[int, BonusSeat] | InputFault:
    if not asked.seats:
        return InputFault("write at least one seat", "seats")
    boxes = sorted(asked.seats.items())
    for seat, box in boxes:
        if box.wager_cents not in BONUS.stakes:
            return InputFault(f"a bonus wager is $1 or $5 ({BONUS.rule})", f"seats.{seat}.wager_cents")
    dealt = read_deal([Place(f"seats.{seat}.cards", box.cards, (2,)) for seat, box in boxes], decks=asked.decks)
    if isinstance(dealt, InputFault):
        return dealt
    return {seat: BonusSeat(box.wager_cents, cards) for (seat, box), cards in zip(boxes, dealt, strict=True)}
