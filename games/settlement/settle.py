"""The settlement of a played round, turn by turn."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from games.game import Source
from games.money import Cents
from games.paytable import Fixed, PayLine
from games.settlement.order import Turn, from_the_right, turns
from games.settlement.played_round import PlayedRound, Seat
from games.settlement.till import WHOLE, Till, row_paid, worth


class Payment(Struct, frozen=True):
    """One line of the settlement, and the meter after it."""

    seat: int
    wager: str
    hand: str
    amount_cents: Cents
    source: Source
    deducted: bool
    validation: bool
    rule: str
    meter_after_cents: Cents
    house_funded_cents: Cents


class Refund(Struct, frozen=True):
    """A wager that goes back to its player because his hand is void; its contribution stays on the meter."""

    seat: int
    wager: str
    amount_cents: Cents
    source: Source
    coupon: bool
    rule: str


class Settlement(Struct, frozen=True):
    """Everything that is paid, in paying order; cards stay at the seats held until the papers are done."""

    payments: tuple[Payment, ...]
    refunds: tuple[Refund, ...]
    meter_before_cents: Cents
    meter_after_cents: Cents
    cards_held: tuple[int, ...]


def settle(played: PlayedRound) -> Settlement:
    """What the rules pay for a round that they do not refuse."""
    till = Till(played.meter_cents, played.reset_cents)
    order = tuple(turns(played))
    sharers = _sharers(played, order)
    payments: list[Payment] = []
    for turn in order:
        line = _row(played, turn, till.meter_cents)
        if line is not None:
            payment, till = _pay(played, turn, line, till=till, sharers=sharers, paid=payments)
            payments.append(payment)
    return Settlement(
        payments=tuple(payments),
        refunds=tuple(_refunds(played)),
        meter_before_cents=played.meter_cents,
        meter_after_cents=till.meter_cents,
        cards_held=tuple(dict.fromkeys(payment.seat for payment in payments if payment.source == "cage")),
    )


def _sharers(played: PlayedRound, order: Sequence[Turn]) -> int:
    """How many turns win the whole meter together; one, where the game knows no sharing."""
    if not played.game.shares_whole_meter:
        return 1
    rows = (_row(played, turn, played.meter_cents) for turn in order)
    return sum(row is not None and row.pay == WHOLE for row in rows)


def _row(played: PlayedRound, turn: Turn, meter_cents: Cents) -> PayLine | None:
    """The row that pays this turn at this meter, or None if it loses or is paid at another time."""
    table = played.tables.get(turn.wager.name)
    if table is None:
        return _displayed(turn)
    line = row_paid(turn.wager, table, turn.hands, meter_cents=meter_cents)
    return line if line and (turn.only is None or line.hand in turn.only) else None


def _displayed(turn: Turn) -> PayLine | None:
    """What the button's display showed for a winning blackjack bonus wager."""
    shown = turn.seat.displayed_cents
    if shown is None or not turn.hands:
        return None
    return PayLine(min(turn.hands), Fixed(shown), deducted=False, rule="2.20(f)")


def _pay(
    played: PlayedRound, turn: Turn, line: PayLine, *, till: Till, sharers: int, paid: Sequence[Payment]
) -> tuple[Payment, Till]:
    before = till.meter_cents
    is_share, limit = line.pay == WHOLE and sharers > 1, ""
    if is_share:
        amount, till = till.shared(sharers)
    else:
        amount = worth(line.pay, before, turn.stake_cents, turn.wager.pays_whole_cents)
        amount, limit = _limited(played, turn, amount, paid)
        till = till.deducted(line.pay, amount) if line.deducted else till
    payment = Payment(
        seat=turn.seat.number,
        wager=turn.wager.name,
        hand=line.hand,
        amount_cents=amount,
        source=played.game.source(line),
        deducted=line.deducted,
        validation=turn.wager.is_progressive and played.game.must_be_validated(line),
        rule=", ".join(filter(None, (*_clauses(played, turn, line, is_share=is_share), limit))),
        meter_after_cents=till.meter_cents,
        house_funded_cents=max(amount - before, 0) if line.deducted and not is_share else 0,
    )
    return payment, till


def _limited(played: PlayedRound, turn: Turn, amount: Cents, paid: Sequence[Payment]) -> tuple[Cents, str]:
    """The amount within what a house may limit such wagers to, and the clause if that made it less."""
    for cap in played.game.caps:
        if turn.wager.name in cap.wagers and cap.option in played.limits:
            areas = played.areas_of(turn.seat)
            won = sum(each.amount_cents for each in paid if each.seat in areas and each.wager in cap.wagers)
            left = played.limits[cap.option] - won
            return (left, cap.rule) if left < amount else (amount, "")
    return amount, ""


def _clauses(played: PlayedRound, turn: Turn, line: PayLine, *, is_share: bool) -> Iterator[str]:
    """The clauses that a line rests on: its row first, then what else made it so."""
    yield line.rule
    if is_share:
        yield played.game.clauses["shares_whole_meter"]
    if turn.seat.folded:
        yield turn.wager.fold.rule
    if played.irregularity and played.is_void(turn.seat):
        yield played.irregularity.rule
    for option in played.game.options:
        if turn.wager.name in option.cited_by and played.choices.get(option.name) not in (None, option.choices[0]):
            yield option.rule


def _refunds(played: PlayedRound) -> Iterator[Refund]:
    """The wagers of void hands that go back, as far as anybody said what they were."""
    for seat in from_the_right(played.seats):
        if played.irregularity and played.is_void(seat):
            yield from _refunds_at(played, seat, played.irregularity.rule)


def _refunds_at(played: PlayedRound, seat: Seat, rule: str) -> Iterator[Refund]:
    for name, cents in seat.wagers.items():
        wager = played.wager(name)
        if wager and cents and not played.survives(wager):
            coupon = seat.coupon and wager.is_progressive
            yield Refund(seat.number, name, cents, source="rack", coupon=coupon, rule=rule)
