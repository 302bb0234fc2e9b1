"""The bench's pins: gpiozero's mock pins, wired to simulated metal and watched by the clock."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Final

from gpiozero.pins.mock import MockFactory, MockPin
from msgspec import Struct

from common.clock import Clock
from drivers.gpio.expander import expander_pin
from drivers.gpio.header import ExpanderLine, Pin

_PI_4B: Final = "c03114"  # so that the bench has the pins of a board that people have
_REMEMBERED: Final = 64


class Switched(Struct, frozen=True):
    """A pin took this level."""

    at: float
    level: bool


class SimulatedPin(MockPin):  # type: ignore[misc]  # gpiozero ships no types
    """A mock pin with wires on it: what drives it from outside beats its resistor, and let go as an output it falls."""

    _state: bool

    def __init__(self, factory: Any, info: Any) -> None:
        self._outside: bool | None = None
        self.history: deque[Switched] = deque(maxlen=_REMEMBERED)
        self.wired_to: list[Callable[[], None]] = []  # metal that follows this output
        super().__init__(factory, info)

    def drive(self, level: bool) -> None:
        """Something outside puts this level on the wire."""
        self._outside = level
        if level:
            self.drive_high()
        else:
            self.drive_low()

    def drive_unheard(self, level: bool) -> None:
        """The wire takes this level and the kernel loses the edge, as it does under load."""
        self._outside = level
        self._change_state(level)

    @property
    def is_held_high(self) -> bool:
        """Whether a program holds this output high."""
        return bool(self._function == "output" and self._state)

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self._outside is not None:
            self._change_state(self._outside)

    def _set_function(self, value: str) -> None:
        was_output = self._function == "output"
        super()._set_function(value)
        if was_output and value == "input" and self._outside is None:
            self._change_state(False)

    def _change_state(self, value: bool) -> bool:
        """Like the mock's, but remembering only so much, by our clock."""
        if self._state == value:
            return False
        self._state = value
        self._last_change = self.factory.clock.now()
        self.history.append(Switched(self._last_change, value))
        for follow in self.wired_to:
            follow()
        return True


class SimulatedPins(MockFactory):  # type: ignore[misc]  # gpiozero ships no types
    """The pin factory of a simulated board."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(revision=_PI_4B, pin_class=SimulatedPin)
        self.clock = clock

    def pin(self, name: Any, pin_class: Any = None, **words: Any) -> Any:
        """A pin of the header, or a line of an expander: any that is asked for is fitted."""
        if not isinstance(name, ExpanderLine):
            return super().pin(name, pin_class, **words)
        if name not in self.pins:
            self.pins[name] = SimulatedPin(self, expander_pin(name))
        return self.pins[name]

    def wire(self, pin: Pin) -> SimulatedPin:
        """What is soldered to this pin."""
        bench_pin: SimulatedPin = self.pin(pin)
        return bench_pin

    def lower(self, pins: Iterable[SimulatedPin]) -> None:
        """Takes these outputs low."""
        for pin in pins:
            pin.state = False

    def program_died(self) -> None:
        """Does what the kernel does when the program that held the pins is gone: nobody listens, every output falls."""
        for pin in self.pins.values():
            pin.close()
        self._reservations.clear()
