"""LightEye: what a person who watches a light for a while takes it to say."""

from typing import Final

from drivers.ports import Pattern
from drivers.recognise.debounce import elapsed_ms
from drivers.simulated.pins import BenchPins

_BLINKING: Final = tuple(pattern for pattern in Pattern if len(pattern.value) > 1)
_TOLERANCE_MS: Final = 60.0  # half of what tells 850 ms of dark from 1,000
_STEADY_MS: Final = max(length for pattern in _BLINKING for length in pattern.value) + _TOLERANCE_MS
WATCH_MS: Final = max(sum(pattern.value) for pattern in _BLINKING) + _TOLERANCE_MS
"""How long a light must have said something new before the eye can be trusted."""


class LightEye:
    """Watches one lamp's pin."""

    def __init__(self, pins: BenchPins, pin: int, *, active_high: bool = True) -> None:
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
