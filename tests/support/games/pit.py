"""A table on paper: the pure round, driven in the words of the pit."""

from typing import Any

from controller.web.text import Told, told
from games.catalogue import GAMES
from games.round.effects import Effect, Light, MeterEntry, SendToMeter, ValidateAward
from games.round.events import (
    AwardFixed,
    ChipPlaced,
    ChipsCounted,
    ClaimValidated,
    Event,
    HandClaimed,
    HandsAllShown,
    LockOutPressed,
    NoWinShown,
    PayoutConfirmed,
    RoundOpened,
    SupervisorKeyTurned,
    TableOpened,
    ValidationAccepted,
    WagersRegistered,
)
from games.round.layout import act_of_meter
from games.round.outputs import outputs
from games.round.state import Claim, Phase, RoundState
from games.round.step import RoundStep, handle
from games.round.table_rules import TableRules
from games.settlement.walk import AskSeats, AskSharers

FLOP = ("Th", "Jh", "Qh")
ROYAL = ("Ah", "Kh")
STRAIGHT_FLUSH = ("8h", "9h")
FLUSH = ("2h", "3h")
STRAIGHT = ("Kc", "Ad")
TRIPS_FLOP = ("Th", "Td", "4c")


def table_rules(
    pay_table: str = "A", *, name: str = "texas-holdem-bonus", stake_cents: int = 100, seats: int = 0, **house: Any
) -> TableRules:
    """A table's rules: hold 'em with pay table A, unless something else is asked for."""
    game = GAMES[name]
    assert game.progressive is not None
    chosen = game.progressive.pay_table(pay_table, stake_cents)
    assert chosen is not None
    numbers = tuple(range(1, (seats or game.most_seats) + 1))
    return TableRules(game=game, pay_table=chosen, stake_cents=stake_cents, seats=numbers, **house)


class PaperTable:
    """Remembers the book and every order given."""

    def __init__(self, rules: TableRules | None = None, *, is_open: bool = True) -> None:
        self.rules = rules or table_rules()
        self.state = RoundState()
        self.orders: list[Effect] = []
        self.meter_agrees = True
        if is_open:
            if self.rules.supervisor_key:
                self.do(SupervisorKeyTurned(on=True))
            self.do(TableOpened("Ann"))

    def do(self, *happenings: Event) -> RoundStep:
        """Lets events happen, and the meter agree with every validation; the last step comes back."""
        for event in happenings:
            step = self.take(event)
            for order in step.effects if self.meter_agrees else ():
                if isinstance(order, SendToMeter) and isinstance(order.entry, ValidateAward):
                    self.take(ValidationAccepted(order.entry.seat))
        return step

    def take(self, event: Event) -> RoundStep:
        """One step of the round."""
        step = handle(self.rules, self.state, event)
        self.state = step.state
        self.orders.extend(step.effects)
        return step

    def must(self, *happenings: Event) -> None:
        """Lets events happen that the rules must allow."""
        for event in happenings:
            step = self.do(event)
            assert step.refusal is None, step.refusal

    def refusal(self, event: Event) -> Told:
        """Lets an event happen that the rules must refuse."""
        found = self.do(event).refusal
        assert found is not None, f"{event} was not refused"
        return told(found)

    def deal(self, *seats: int) -> None:
        """Wagers at these seats, locked, counted and registered."""
        self.must(*(ChipPlaced(seat) for seat in seats), LockOutPressed(), ChipsCounted(len(seats)))
        if seats:
            self.must(WagersRegistered(self.state.wagers_seq))

    def ask(self) -> None:
        """The dealer answers what must be known before the meter is asked."""
        while isinstance(act := act_of_meter(self.rules, self.state), AskSeats | AskSharers):
            self.must(NoWinShown(act.seats, "Dan") if isinstance(act, AskSeats) else HandsAllShown("Dan"))

    def fix(self, amount_cents: int = 0) -> None:
        """The meter answers the award that is asked for, once the dealer has answered what comes before it."""
        self.ask()
        claim = next(claim for claim in self.state.claims if claim.award_seq and not claim.amount_cents)
        amount = amount_cents or claim.fixed_cents
        self.must(AwardFixed(claim.award_seq, amount, 1_000_000, 1_000_000 - amount))

    def win(self, seat: int, cards: tuple[str, ...] = FLUSH, flop: tuple[str, ...] = FLOP) -> None:
        """A hand claimed, fixed, validated and paid."""
        self.must(HandClaimed(seat, cards, flop))
        if self.claim(seat).deducted:
            self.fix(self.claim(seat).fixed_cents or 10_000)
        self.must(ClaimValidated(seat, "Sue"), PayoutConfirmed(seat, "Dan"))

    def claim(self, seat: int) -> Claim:
        """The seat's claim."""
        claim = self.state.claim(seat)
        assert claim is not None
        return claim

    def sent(self) -> MeterEntry:
        """What was sent to the meter last."""
        return self.entries[-1].entry

    @property
    def entries(self) -> list[SendToMeter]:
        """Everything sent to the meter."""
        return [order for order in self.orders if isinstance(order, SendToMeter)]

    @property
    def lights(self) -> dict[int, Light]:
        """The lights that are not dark."""
        shown = outputs(self.rules, self.state).lights
        return {seat: light for seat, light in shown.items() if light is not Light.DARK}

    @property
    def lit(self) -> list[int]:
        """The seats whose wager is confirmed."""
        return [seat for seat, light in self.lights.items() if light is Light.LIT]

    @property
    def open_gates(self) -> list[int]:
        """The seats that take a chip."""
        return [seat for seat, is_open in outputs(self.rules, self.state).gates.items() if is_open]

    @property
    def phase(self) -> Phase:
        """Where the round stands."""
        return self.state.phase

    def next_round(self) -> None:
        """What the controller does with an ended round."""
        self.must(RoundOpened())
