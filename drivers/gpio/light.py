"""A light on a pin, and the pattern that it plays by the clock."""

from collections.abc import Callable

from common.clock import Clock, Timer
from drivers.gpio.header import Pin
from drivers.gpio.pins import PinRegistry
from drivers.light_patterns import Pattern


class LightPlayer:
    """Switches one lamp on and off as a pattern says; no thread, no sleep."""

    def __init__(self, clock: Clock, switch: Callable[[bool], None]) -> None:
        self._clock, self._switch = clock, switch
        self._pattern = Pattern.DARK
        self._timer: Timer | None = None

    def show(self, pattern: Pattern) -> None:
        """Plays this pattern from its beginning; one that plays already goes on undisturbed."""
        if pattern is not self._pattern:
            self.stop()
            self._pattern = pattern
            self._step(0, self._clock.now())

    def stop(self) -> None:
        """Leaves the lamp as it is and does nothing more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _step(self, step: int, when: float) -> None:
        """One on or off of the pattern; timed from when it was due, so that lights keep in step."""
        lengths_ms = self._pattern.value
        self._switch(step % 2 == 0 and lengths_ms[step] > 0)
        if len(lengths_ms) > 1:
            due = max(when + lengths_ms[step] / 1000, self._clock.now())
            self._timer = self._clock.call_at(due, lambda: self._step((step + 1) % len(lengths_ms), due))


class GpioLight:
    """One lamp on one output; dark when it is built and when it is closed."""

    def __init__(self, board: PinRegistry, device: str, pin: Pin, *, active_high: bool = True) -> None:
        self._board, self._pin = board, pin
        self._lamp = board.output(device, pin, active_high=active_high)
        self._lamplighter = LightPlayer(board.clock, self._set)

    def show(self, pattern: Pattern) -> None:
        """Says this from now on."""
        self._lamplighter.show(pattern)

    def close(self) -> None:
        """Goes dark and gives the pin back."""
        self._lamplighter.stop()
        self._lamp.off()
        self._lamp.close()
        self._board.release(self._pin)

    def _set(self, on: bool) -> None:
        self._lamp.value = on
