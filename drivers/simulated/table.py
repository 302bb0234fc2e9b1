"""Everything a person can push, press, turn and look at on one simulated table."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeAlias

from msgspec import Struct

from drivers.gpio.header import Pin
from drivers.gpio.pins import InputWiring
from drivers.light_patterns import Pattern
from drivers.recognise.debounce import elapsed_ms
from drivers.simulated.contacts import ButtonModel, Contact, SensorModel
from drivers.simulated.pins import SimulatedPins
from drivers.simulated.slots import Fall, SlotModel

_BLINKING: Final = tuple(pattern for pattern in Pattern if len(pattern.value) > 1)
_TOLERANCE_MS: Final = 60.0  # half of what tells 850 ms of dark from 1,000
_STEADY_MS: Final = max(length for pattern in _BLINKING for length in pattern.value) + _TOLERANCE_MS
WATCH_MS: Final = max(sum(pattern.value) for pattern in _BLINKING) + _TOLERANCE_MS
"""How long a light must have said something new before the eye can be trusted."""


class LightEye:
    """Watches one lamp's pin."""

    def __init__(self, pins: SimulatedPins, pin: Pin, *, active_high: bool = True) -> None:
        self._clock, self._pin, self._active_high = pins.clock, pins.wire(pin), active_high

    @property
    def is_lit(self) -> bool:
        """Whether the lamp shines at this moment."""
        return bool(self._pin.function == "output" and self._pin.state == self._active_high)

    def look(self) -> Pattern | None:
        """What the lamp says, or None when it has not been watched long enough or makes no sense."""
        history = list(self._pin.history)
        if not history or elapsed_ms(history[-1].at, self._clock.now()) > _STEADY_MS:
            return Pattern.STEADY if self.is_lit else Pattern.DARK
        if len(history) < 2:
            return None
        before, last = history[-2:]
        return _blinking(before.level == self._active_high, elapsed_ms(before.at, last.at))


def _blinking(was_lit: bool, length_ms: float) -> Pattern | None:
    """The pattern that has such a flash, or such a dark in between."""
    for pattern in _BLINKING:
        lengths = pattern.value[0 if was_lit else 1 :: 2]
        if any(abs(length - length_ms) < _TOLERANCE_MS for length in lengths):
            return pattern
    return None


class SimulatedLamp(Struct, frozen=True):
    """Where a lamp is wired."""

    pin: Pin
    active_high: bool = True


class SlotWiring(Struct, frozen=True):
    """Where a seat's slot is wired; beams from the outside in."""

    beams: tuple[InputWiring, ...]
    gate: int
    light: SimulatedLamp
    emitters: Pin | None = None
    hit: int | None = None


class SensorWiring(Struct, frozen=True):
    """Where a seat's sensor is wired."""

    sensor: InputWiring
    light: SimulatedLamp


SeatWiring: TypeAlias = SlotWiring | SensorWiring


class SimulatedPanel:
    """One simulated table, used in the loop's thread; built before the drivers, as metal is there before a program."""

    def __init__(
        self,
        pins: SimulatedPins,
        *,
        seats: Mapping[int, SeatWiring],
        buttons: Mapping[str, InputWiring],
        lamps: Mapping[str, SimulatedLamp],
        on_chip_in: Callable[[int], None],
        key: InputWiring | None = None,
        wagers: Mapping[tuple[int, str], SensorWiring] | None = None,
    ) -> None:
        """wagers: the sensors of side wagers, by seat and wager."""
        self.chips_bounced: list[int] = []
        self._on_chip_in = on_chip_in
        self.slots: dict[int, SlotModel] = {}
        self.sensors: dict[int, SensorModel] = {}
        for seat, wiring in seats.items():
            self._fit(pins, seat, wiring)
        self.buttons = {name: ButtonModel(pins, wire) for name, wire in buttons.items()}
        self._key = None if key is None else Contact(pins, key)
        self._eyes = {seat: _eye(pins, wiring.light) for seat, wiring in seats.items()}
        self.wager_sensors = {at: SensorModel(pins, wiring.sensor) for at, wiring in (wagers or {}).items()}
        self._wager_eyes = {at: _eye(pins, wiring.light) for at, wiring in (wagers or {}).items()}
        self._lamp_eyes = {name: _eye(pins, lamp) for name, lamp in lamps.items()}

    def insert_chip(self, seat: int, fall: Fall = Fall()) -> None:  # noqa: B008  a frozen value
        """The player of this seat pushes a chip into the slot."""
        self.slots[seat].insert_chip(fall)

    def place_chip(self, seat: int) -> None:
        """The player of this seat lays a chip on the sensor."""
        self.sensors[seat].place()

    def lift_chip(self, seat: int) -> None:
        """The chip on the sensor is taken away."""
        self.sensors[seat].lift()

    def place_side_chip(self, seat: int, wager: str) -> None:
        """The player of this seat lays a chip on the sensor of a side wager."""
        self.wager_sensors[seat, wager].place()

    def lift_side_chip(self, seat: int, wager: str) -> None:
        """The chip on the sensor of a side wager is taken away."""
        self.wager_sensors[seat, wager].lift()

    def look_at_wager(self, seat: int, wager: str) -> Pattern | None:
        """What the light of a side wager says to somebody who has watched it for WATCH_MS."""
        return self._wager_eyes[seat, wager].look()

    def is_wager_lit(self, seat: int, wager: str) -> bool:
        """Whether the light of a side wager shines at this moment."""
        return self._wager_eyes[seat, wager].is_lit

    def press(self, name: str) -> None:
        """A finger goes down on a button."""
        self.buttons[name].press()

    def release(self, name: str) -> None:
        """The finger goes up."""
        self.buttons[name].release()

    def turn_key(self, on: bool) -> None:
        """The supervisor turns the key."""
        if self._key is None:
            raise LookupError("this table has no key switch")
        self._key.set(on)

    def look(self, seat: int) -> Pattern | None:
        """What the seat's light says to somebody who has watched it for WATCH_MS."""
        return self._eyes[seat].look()

    def look_at_lamp(self, name: str) -> Pattern | None:
        """What a button's own lamp says to somebody who has watched it for WATCH_MS."""
        return self._lamp_eyes[name].look()

    def is_lit(self, seat: int) -> bool:
        """Whether the seat's light shines at this moment."""
        return self._eyes[seat].is_lit

    def lamp_is_lit(self, name: str) -> bool:
        """Whether a button's own lamp shines at this moment."""
        return self._lamp_eyes[name].is_lit

    def gate_is_open(self, seat: int) -> bool:
        """Whether the seat's gate lets a chip through; nothing bars a sensor."""
        return seat in self.sensors or self.slots[seat].is_open

    def _fit(self, pins: SimulatedPins, seat: int, wiring: SeatWiring) -> None:
        match wiring:
            case SlotWiring(beams=beams, gate=gate, emitters=emitters, hit=hit):
                self.slots[seat] = SlotModel(
                    pins,
                    beams=beams,
                    gate=gate,
                    on_chip_in=partial(self._on_chip_in, seat),
                    on_bounce=partial(self.chips_bounced.append, seat),
                    emitters=emitters,
                    hit=hit,
                )
            case SensorWiring(sensor=sensor):
                self.sensors[seat] = SensorModel(pins, sensor)


def _eye(pins: SimulatedPins, lamp: SimulatedLamp) -> LightEye:
    return LightEye(pins, lamp.pin, active_high=lamp.active_high)
