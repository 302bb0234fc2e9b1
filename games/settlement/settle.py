"""The settlement of a played round: the walk from turn to turn with everything known."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from games.game import Game, Source, Wager
from games.money import Cents
from games.paytable import Fixed, PayLine
from games.settlement.order import Turn, from_the_right, turns
from games.settlement.played_round import PlayedRound
from games.settlement.till import WHOLE, Till, row_paid, worth
from games.settlement.walk import (
    AskDisplay,
    AskMeter,
    AskSeats,
    AskSharers,
    AwaitMeter,
    Pay,
    Stage,
    Standing,
    Validate,
    next_act,
)


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
    cashier = _Cashier(played)
    payments = tuple(cashier.payments())
    return Settlement(
        payments=payments,
        refunds=tuple(_refunds(played)),
        meter_before_cents=played.meter_cents,
        meter_after_cents=cashier.till.meter_cents,
        cards_held=tuple(dict.fromkeys(payment.seat for payment in payments if payment.source == "cage")),
    )


class _Cashier:
    """Does what the walk says comes next, with a meter that answers and a supervisor who validates at once."""

    def __init__(self, played: PlayedRound) -> None:
        self.till = Till(played.meter_cents, played.reset_cents)
        self._played, self._order = played, tuple(turns(played))
        self._sharers = _sharers(played, self._order)
        self._place = 0
        self._fixed_turn: Standing | None = None
        self._paid: list[Payment] = []

    def payments(self) -> Iterator[Payment]:
        """Every payment at its turn."""
        while act := next_act(self._played.game, self._walk()):
            match act:
                case AskMeter(standing=standing):
                    self._payment, self.till = self._fixed(standing)
                    stage = Stage.FIXED if standing.validation else Stage.VALIDATED
                    self._fixed_turn = replace(standing, stage=stage)
                case Validate(standing=standing):
                    self._fixed_turn = replace(standing, stage=Stage.VALIDATED)
                case Pay(standing=standing):
                    if not standing.is_from_meter:
                        self._payment, self.till = self._fixed(standing)
                    self._paid.append(self._payment)
                    self._place, self._fixed_turn = self._place + 1, None
                    yield self._payment
                case AskSeats() | AskSharers() | AskDisplay() | AwaitMeter():
                    raise AssertionError("everything is known of a played round")

    def _walk(self) -> Iterator[Standing]:
        """The turns that are left, each at the meter as it stands when its turn comes; what was fixed stays so."""
        if self._fixed_turn is not None:
            yield self._fixed_turn
            return
        while self._place < len(self._order):
            turn = self._order[self._place]
            line = row(self._played, turn, self.till.meter_cents)
            if line is not None:
                yield Standing(turn, Stage.WON, line, needs_validation(self._played.game, turn.wager, line))
                return
            self._place += 1

    def _fixed(self, standing: Standing) -> tuple[Payment, Till]:
        assert standing.line is not None
        return _pay(self._played, standing.turn, standing.line, till=self.till, sharers=self._sharers, paid=self._paid)


def needs_validation(game: Game, wager: Wager, line: PayLine) -> bool:
    """Whether a supervisor validates this payment."""
    return wager.is_progressive and game.must_be_validated(line)


def _sharers(played: PlayedRound, order: Sequence[Turn]) -> int:
    """How many turns win the whole meter together; one, where the game knows no sharing."""
    if not played.game.shares_whole_meter:
        return 1
    rows = (row(played, turn, played.meter_cents) for turn in order)
    return sum(line is not None and line.pay == WHOLE for line in rows)


def row(played: PlayedRound, turn: Turn, meter_cents: Cents | None) -> PayLine | None:
    """The row that pays this turn at this meter, or an ample one; None if it loses or is paid at another time."""
    table = played.tables.get(turn.wager.name)
    if table is None:
        return _displayed(turn)
    line = row_paid(turn.wager, table, turn.hands or (), meter_cents=meter_cents)
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
        amount, limit = limited(played, turn, amount, paid)
        till = till.deducted(line.pay, amount) if line.deducted else till
    payment = Payment(
        seat=turn.seat.number,
        wager=turn.wager.name,
        hand=line.hand,
        amount_cents=amount,
        source=played.game.source(line),
        deducted=line.deducted,
        validation=needs_validation(played.game, turn.wager, line),
        rule=rule_of(played, turn, line, limit, is_share=is_share),
        meter_after_cents=till.meter_cents,
        house_funded_cents=max(amount - before, 0) if line.deducted and not is_share else 0,
    )
    return payment, till


class Won(Protocol):
    """What somebody won so far with one wager."""

    @property
    def seat(self) -> int: ...

    @property
    def wager(self) -> str: ...

    @property
    def amount_cents(self) -> Cents: ...


def limited(played: PlayedRound, turn: Turn, amount: Cents, paid: Iterable[Won]) -> tuple[Cents, str]:
    """The amount within what a house may limit such wagers to, and the clause if that made it less."""
    for cap in played.game.caps:
        if turn.wager.name in cap.wagers and cap.option in played.limits:
            areas = played.areas_of(turn.seat)
            won = sum(each.amount_cents for each in paid if each.seat in areas and each.wager in cap.wagers)
            left = played.limits[cap.option] - won
            return (max(left, 0), cap.rule) if left < amount else (amount, "")
    return amount, ""


def rule_of(played: PlayedRound, turn: Turn, line: PayLine, limit: str = "", *, is_share: bool = False) -> str:
    """The clauses that a payment rests on, and the one that limits it."""
    return ", ".join(filter(None, (*_clauses(played, turn, line, is_share=is_share), limit)))


def _clauses(played: PlayedRound, turn: Turn, line: PayLine, *, is_share: bool) -> Iterator[str]:
    """The clauses that a line rests on: its row first, then what else made it so."""
    yield line.rule
    if is_share:
        yield played.game.clauses["shares_whole_meter"]
    if turn.seat.folded:
        yield turn.wager.fold.rule
    yield from (fault.irregularity.rule for fault in played.faults if fault.hits(turn.seat.number))
    for option in played.game.options:
        if turn.wager.name in option.cited_by and played.choices.get(option.name) not in (None, option.choices[0]):
            yield option.rule


def _refunds(played: PlayedRound) -> Iterator[Refund]:
    """The wagers of void hands that go back, as far as anybody said what they were; who folded lost his before."""
    for seat in from_the_right(played.seats):
        for wager in played.wagers_at(seat):
            cents = seat.wagers[wager.name]
            if cents and played.is_refunded(seat, wager) and not played.is_forfeited(seat, wager):
                coupon = seat.coupon and wager.is_progressive
                rule = next(fault.irregularity.rule for fault in played.faults if fault.hits(seat.number))
                yield Refund(seat.number, wager.name, cents, source="rack", coupon=coupon, rule=rule)
