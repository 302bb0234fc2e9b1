"""Performs effects on devices: orders become lights and gates, signals become events."""

import asyncio
import math
import secrets
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import partial
from typing import Final, TypeAlias

from common.clock import Clock, Timer
from controller.devices.collector import Collector
from controller.devices.light_meanings import PATTERNS
from controller.settings.device_names import (
    BONUS_BUTTON,
    LOCK_OUT,
    RETURN_DEVICE,
    SUPERVISOR_KEY,
    seat_device,
    wager_device,
)
from controller.table.loop import TableLoop
from drivers import ports
from drivers.light_patterns import Pattern
from drivers.ports import Acceptor, Control, ReturnDevice
from games.money import Cents
from games.round import effects as orders
from games.round import events
from games.round.effects import Effect
from games.round.effects import Light as Says
from games.round.layout import act_of_round, walk
from games.round.state import Phase, RoundState
from games.round.step import RoundStep
from games.round.table_rules import TableRules
from games.settlement.walk import AskDisplay, Stage

GUARD_S: Final = 1.0
_AFTER_LOCK_OUT: Final = frozenset({Phase.COUNTED, Phase.IN_PLAY, Phase.SETTLING, Phase.VOIDED})


class Press(Enum):
    """What a press of the dealer's button means."""

    LOCK_OUT = "lock-out"
    DRAW = "draw the number"
    END = "end of round"


def meaning(rules: TableRules, state: RoundState) -> Press:
    """What the next press means: lock-out, then the number where it waits for the stacks, then the end of the round."""
    if state.phase not in _AFTER_LOCK_OUT:
        return Press.LOCK_OUT
    is_undrawn = state.phase in (Phase.COUNTED, Phase.IN_PLAY) and state.number_drawn is None and not state.stacks_dealt
    return Press.DRAW if rules.draws_by_press and is_undrawn else Press.END


class ButtonMeaning:
    """A press means what the dealer saw GUARD_S ago, and presses that follow each other faster all mean the same."""

    def __init__(self, means: Press) -> None:
        self._means = self._meant = self._last = means
        self._turned_at = self._pressed_at = -math.inf

    def stand(self, means: Press, at: float) -> None:
        """A press means this from now on."""
        if means is not self._means:
            self._meant, self._means, self._turned_at = self._means, means, at

    def press(self, at: float) -> Press:
        """What this press means."""
        if at - self._turned_at < GUARD_S:
            self._last = self._meant
        elif at - self._pressed_at >= GUARD_S:
            self._last = self._means
        self._pressed_at = at
        return self._last


def draw_number() -> int:
    """A number from 1 through 7 of the system's generator, each as likely as any other (11.4(a)2).

    secrets draws bits and rejects what lies beyond, so that no number is favoured.
    """
    return 1 + secrets.randbelow(7)


_At: TypeAlias = tuple[int, str]
"""A seat's acceptor, or with a wager's name that wager's sensor at the seat."""

FLASH_S: Final = 3.0
THROAT_POLL_S: Final = 0.005


class DevicePerformer:
    """Everything of metal at one table, under the table's orders."""

    def __init__(
        self,
        table: TableLoop,
        clock: Clock,
        *,
        acceptors: Mapping[int, Acceptor],
        drop_gates: Callable[[], None],
        lights: Mapping[int, ports.Lamp],
        lamp: ports.Lamp,
        return_device: ReturnDevice,
        one_button: bool,
        throat_s: float,
        wake_meter: Callable[[], None],
    ) -> None:
        self._table, self._clock = table, clock
        self._acceptors, self._drop_gates, self._lamp = acceptors, drop_gates, lamp
        self._lights: dict[_At, ports.Lamp] = {(seat, ""): light for seat, light in lights.items()}
        self._wager_sensors: dict[int, tuple[int, str, Acceptor]] = {}  # by channel
        self._one_button, self._button = one_button, ButtonMeaning(meaning(table.rules, table.state))
        self._throat_s, self._wake_meter = throat_s, wake_meter
        self.prove_beams: Callable[[Callable[[], None]], None] | None = None
        self._proved_round, self._is_proving = 0, False
        self.collector = Collector(table, return_device, self)
        self.is_hushing = False
        self.draw_number: Callable[[], int] = draw_number
        self.draw_amount: Callable[[Sequence[Cents]], Cents] = secrets.choice
        self.bonus_amounts: Mapping[Cents, Sequence[Cents]] = {}
        self.controls: dict[str, Control] = {}
        self.cabinet_contact: Callable[[str, bool], None] = lambda _name, _on: None
        self._says: dict[_At, Says] = dict.fromkeys(self._lights, Says.DARK)
        self._flashing: dict[_At, Timer] = {}
        self._gates: dict[int, bool] = dict.fromkeys(acceptors, False)
        self._is_pressing = self._is_leaving = False
        self._press_closes = table.rules.order != "count_then_lock"  # there the press only begins the count that will
        table.watch(self._after_step)

    def fit_wager_sensor(self, channel: int, seat: int, wager: str, sensor: Acceptor, light: ports.Lamp) -> None:
        """A side wager at this seat has a sensor and a light of its own; the sensor reports on this channel."""
        self._wager_sensors[channel] = seat, wager, sensor
        self._lights[seat, wager], self._says[seat, wager] = light, Says.DARK

    def perform(self, effect: Effect) -> None:
        """Carries out one order."""
        match effect:
            case orders.ShutGate(seat=seat):
                self._set_gate(seat, is_open=False)
            case orders.OpenGate(seat=seat):
                self._prove_before_round()
                self._set_gate(seat, is_open=True)
            case orders.SetLight(seat=seat, light=says, wager=wager):
                self._set_light((seat, wager), says)
            case orders.SetLamp(light=says):
                self._lamp.show(PATTERNS[says])
            case orders.FlashRefusal(seat=seat, wager=wager):
                self._flash((seat, wager))
            case orders.Collect():
                self.collector.start()
            case orders.DrawNumber():
                self._table.post(events.NumberDrawn(self.draw_number()))
            case orders.OpenNextRound():
                self._table.post(events.RoundOpened())
            case orders.CloseTable(by=by, reason=reason):
                self._table.post(events.TableClosed(by, reason))
            case orders.SendToMeter():
                self._wake_meter()

    def make_safe(self) -> None:
        """Shuts every gate at once: all of them before the first acceptor writes down that it is shut."""
        self._drop_gates()
        for acceptor in self._acceptors.values():
            acceptor.shut()

    def lock_out_touched(self) -> None:
        """The first edge of the lock-out button: gates shut before anybody knows whether it was a press.

        Where the press only begins a count, wagers go on.
        """
        if self._press_closes:
            self.make_safe()

    def stand_as_booked(self) -> None:
        """Whatever shut the gates for a moment is over: they stand as the book says again."""
        for seat in self._gates:
            self._stand(seat)

    async def drain(self) -> None:
        """Shuts every gate and waits until no chip is on its way in, at most a chip's time."""
        quiet = asyncio.Event()
        self.is_hushing = True
        self.make_safe()
        self._when_quiet(self._clock.now() + self._throat_s, quiet.set)
        await quiet.wait()
        self.is_hushing = False

    async def leave(self) -> None:
        """Shuts every gate for good, and waits until every chip on its way in is written down."""
        self._is_leaving = True
        await self.drain()
        await self._table.settled()

    def report(self, signal: ports.Signal) -> None:
        """A device's signal becomes an event."""
        match signal:
            case ports.ChipEntered(channel=channel) | ports.ChipTaken(channel=channel) if (
                channel in self._wager_sensors
            ):
                seat, wager, _ = self._wager_sensors[channel]
                is_placed = isinstance(signal, ports.ChipEntered)
                self._table.post((events.SideChipPlaced if is_placed else events.SideChipLifted)(seat, wager))
            case ports.ChipEntered(channel=seat):
                self._acceptors[seat].shut()  # a second chip must not slip in while the first is written down
                self._table.post(events.ChipPlaced(seat))
            case ports.ChipTaken(channel=seat):
                self._table.post(events.ChipLifted(seat))
            case ports.ButtonPressed(name=name) if name == LOCK_OUT:
                self._press_lock_out()
            case ports.ButtonPressed(name=name) if name == BONUS_BUTTON:
                self._table.post_when(self._displayed)
            case ports.ButtonPressed():
                self._table.post_when(partial(self._pressed, means=self._ending_press()))
            case ports.KeyTurned(name=name, on=on) if name != SUPERVISOR_KEY:
                self.cabinet_contact(name, on)
            case ports.KeyTurned(on=on):
                self._table.post(events.SupervisorKeyTurned(on))
            case ports.FaultReported(device=device, kind=kind, detail=detail):
                self._table.post(events.DeviceFaulted(device, kind.value, detail, *self._place_of(device)))
            case ports.FaultCleared(device=device):
                self._table.post(events.DeviceMended(device))
                self.stand_as_booked()  # a retest swallows a touch that was pending

    def has(self, device: str) -> bool:
        """Whether such a device is fitted at this table."""
        return bool(self._place_of(device)[0]) or device in self.controls or device == RETURN_DEVICE

    def retest(self, device: str) -> None:
        """Tests the cause of a fault again; the device reports what it finds."""
        seat, wager = self._place_of(device)
        if wager:
            next(each for *at, each in self._wager_sensors.values() if at == [seat, wager]).retest()
        elif seat:
            self._acceptors[seat].retest()
            self._begin_proof()
        elif device in self.controls:
            self.controls[device].retest()
        elif device == RETURN_DEVICE:
            self.collector.retest()

    def _prove_before_round(self) -> None:
        """Before the first gate of a round opens, every beam must go dark and come back."""
        if self.prove_beams is not None and self._proved_round != self._table.state.round:
            self._proved_round, self._is_proving = self._table.state.round, True
            self._when_quiet(self._clock.now() + self._throat_s, self._begin_proof)

    def _begin_proof(self) -> None:
        if self.prove_beams is not None:
            self._is_proving = True
            self.prove_beams(self._end_proof)

    def _end_proof(self) -> None:
        self._is_proving = False
        self.stand_as_booked()

    def _press_lock_out(self) -> None:
        """A chip in a throat at the press was placed before it: a press that closes waits for it."""
        means = self._button.press(self._clock.now()) if self._one_button else Press.LOCK_OUT
        decide = partial(self._pressed, means=means)
        if self._press_closes:
            self._is_pressing = True
            self._when_quiet(self._clock.now() + self._throat_s, lambda: self._table.post_when(decide))
        else:
            self._table.post_when(decide)

    def _when_quiet(self, until: float, act: Callable[[], None]) -> None:
        inlets = (*self._acceptors.values(), *(sensor for _, _, sensor in self._wager_sensors.values()))
        if self._clock.now() < until and any(inlet.is_busy for inlet in inlets):
            self._clock.call_at(self._clock.now() + THROAT_POLL_S, lambda: self._when_quiet(until, act))
        else:
            act()

    def _ending_press(self) -> Press:
        """A press of the button that only ends rounds; right after it drew the number, it means that still."""
        return Press.DRAW if self._button.press(self._clock.now()) is Press.DRAW else Press.END

    def _pressed(self, state: RoundState, *, means: Press) -> events.Event:
        if means is Press.DRAW or (means is Press.END and meaning(self._table.rules, state) is Press.DRAW):
            return events.StacksDealt()
        if means is Press.END:
            return events.EndOfRoundPressed()
        if self._table.rules.by_eye and state.phase is Phase.OPEN:
            return events.ChipsAttested(state.chips_due)
        return events.LockOutPressed()

    def _displayed(self, state: RoundState) -> events.Event:
        """What the display shows to the winner before whom the button lies: drawn now, shown once it is written down.

        Out of turn there is nothing to draw, and the round refuses the press.
        """
        act = act_of_round(self._table.rules, state)
        if not isinstance(act, AskDisplay):
            waiting = (each for each in walk(self._table.rules, state) if each.stage is Stage.UNSHOWN)
            return events.BonusDisplayed(next((each.turn.seat.number for each in waiting), 0), 1, BONUS_BUTTON)
        turn = act.standing.turn
        cents = self.draw_amount(self.bonus_amounts[turn.stake_cents])
        return events.BonusDisplayed(turn.seat.number, cents, BONUS_BUTTON)

    def _set_gate(self, seat: int, *, is_open: bool) -> None:
        self._gates[seat] = is_open
        if not is_open:
            self._acceptors[seat].shut()
        self._stand(seat)

    def _stand(self, seat: int) -> None:
        """Opens a gate that the book wants open, unless a press, a count or a failing journal keeps it shut."""
        is_barred = self._is_leaving or self._is_pressing or self._is_proving or self.is_hushing
        if self._gates[seat] and not (is_barred or self._table.trouble):
            self._acceptors[seat].open()

    def _after_step(self, event: events.Event, step: RoundStep) -> None:
        self._button.stand(meaning(self._table.rules, step.state), self._clock.now())
        match event:
            case events.ChipPlaced(seat=seat):
                self._stand(seat)
            case events.LockOutPressed() | events.ChipsAttested() | events.EndOfRoundPressed():
                self._is_pressing = False
                self.stand_as_booked()
            case _:
                return

    def _set_light(self, at: _At, says: Says) -> None:
        self._says[at] = says
        if at in self._flashing and says is not Says.LIT:
            return
        self._end_flash(at)

    def _flash(self, at: _At) -> None:
        """A refusal shows as a double flash for a moment, but never hides a live wager."""
        if self._says[at] is Says.LIT:
            return
        if at in self._flashing:
            self._flashing.pop(at).cancel()
        self._lights[at].show(Pattern.DOUBLE_FLASH)
        self._flashing[at] = self._clock.call_at(self._clock.now() + FLASH_S, lambda: self._end_flash(at))

    def _end_flash(self, at: _At) -> None:
        if at in self._flashing:
            self._flashing.pop(at).cancel()
        self._lights[at].show(PATTERNS[self._says[at]])

    def _place_of(self, device: str) -> _At:
        """Which seat's acceptor a device is, or which wager's sensor there; seat 0 for what serves the whole table."""
        sensors = ((seat, wager) for seat, wager, _ in self._wager_sensors.values())
        found = (at for at in sensors if wager_device(*at) == device)
        return next(found, (next((seat for seat in self._acceptors if seat_device(seat) == device), 0), ""))
