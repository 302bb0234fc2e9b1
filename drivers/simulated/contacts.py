"""Contacts: anything on the bench that opens and closes an input, and the ways in which it can misbehave."""

from collections.abc import Callable

from drivers.gpio.pins import InputWiring
from drivers.simulated.pins import SimulatedPins


class Contact:
    """A switch, a key, a light receiver: active or not, on one wire; used in the loop's thread."""

    def __init__(self, pins: SimulatedPins, wire: InputWiring) -> None:
        self._clock, self._pin, self._wire = pins.clock, pins.wire(wire.pin), wire
        self.is_active = False
        self._put()

    def set(self, active: bool) -> None:
        """Makes it active or not, cleanly."""
        self.is_active = active
        self._put()

    def glitch(self, length_ms: float) -> None:
        """Flips for a moment although nothing moved."""
        self._flip()
        self._after(length_ms, self._put)

    def chatter(self, edges: int, every_ms: float) -> None:
        """Flips so many times and ends as it was."""
        for edge in range(edges):
            self._after(edge * every_ms, self._flip)
        self._after(edges * every_ms, self._put)

    def bounce(self, active: bool, *, edges: int, every_ms: float) -> None:
        """Takes a new position as worn metal does: after so many edges."""
        self.is_active = active
        self.chatter(edges, every_ms)

    def _flip(self) -> None:
        self._pin.drive(not self._pin.state)

    def _put(self) -> None:
        self._pin.drive(self.is_active == self._wire.active_high)

    def _after(self, ms: float, act: Callable[[], None]) -> None:
        self._clock.call_at(self._clock.now() + ms / 1000, act)


class ButtonModel:
    """A push button and the finger on it."""

    def __init__(self, pins: SimulatedPins, wire: InputWiring) -> None:
        self.contact = Contact(pins, wire)

    def press(self) -> None:
        """The finger goes down."""
        self.contact.set(True)

    def release(self) -> None:
        """The finger goes up."""
        self.contact.set(False)

    def bounce(self, edges: int = 10, every_ms: float = 0.5) -> None:
        """The finger goes down on worn contacts."""
        self.contact.bounce(True, edges=edges, every_ms=every_ms)


class SensorModel:
    """A spot on the layout and the chip that may lie on it."""

    def __init__(self, pins: SimulatedPins, wire: InputWiring) -> None:
        self.contact = Contact(pins, wire)

    def place(self) -> None:
        """A chip is laid down."""
        self.contact.set(True)

    def lift(self) -> None:
        """The chip is taken away."""
        self.contact.set(False)
