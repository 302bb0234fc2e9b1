"""Press: a finger on a button; pure, time is an argument."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from drivers.ports import ButtonPressed, FaultKind, Signal
from drivers.recognise.debounce import Debounce, LevelChange, Timings
from drivers.recognise.device_health import DeviceHealth


class Touched(Struct, frozen=True):
    """The very first edge of what may become a press."""

    at: float


class TouchWasNoise(Struct, frozen=True):
    """No press came of the last Touched."""

    at: float


Finger: TypeAlias = Signal | Touched | TouchWasNoise


class ButtonPress:
    """One button: edges and looks in; touches, presses and faults out."""

    def __init__(self, name: str, *, timings: Timings) -> None:
        self._name, self._timings = name, timings
        self._button = Debounce(timings)
        self._health = DeviceHealth(name, timings.chatter_window_ms)
        self._touched_at: float | None = None
        self._told_at = 0.0  # what was known when the last press was told

    def start(self, levels: Sequence[bool], at: float) -> list[Finger]:
        """Takes the first level; a button that is down already is stuck."""
        (down,) = levels
        self._button.start(down, at)
        return self._fail(FaultKind.STUCK, "the button is down at the start: release it, then retest") if down else []

    def edge(self, _line: int, down: bool, at: float) -> Iterator[Finger]:
        """The button's pin changed; lazy, so that a touch is acted on before anything else is thought about."""
        if down:
            yield from self._touch(at)
        yield from self._changed(self._button.edge(down, at), at)
        yield from self._judge(at)

    def look(self, levels: Sequence[bool], at: float) -> list[Finger]:
        """The button was read."""
        (down,) = levels
        return self._changed(self._button.look(down, at), at) + self._judge(at)

    @property
    def due(self) -> float | None:
        """When the next look decides something, or None."""
        waits = (self._button.due, self._health.trial_ends, self._stuck_at)
        return min((when for when in waits if when is not None), default=None)

    def retest(self, levels: Sequence[bool], at: float) -> None:
        """Begins a trial: the button must stay up and still until its end."""
        (down,) = levels
        self._button.start(down, at)
        self._touched_at = None
        self._health.begin_trial(at)

    @property
    def _stuck_at(self) -> float | None:
        if not self._health.is_well or not self._button.is_held:
            return None
        return self._button.since + self._timings.stuck_ms / 1000

    def _touch(self, at: float) -> list[Finger]:
        """The first sign of a finger; everything until the release belongs to it."""
        if self._touched_at is not None or not self._health.is_well:
            return []
        self._touched_at = at
        return [Touched(at)]

    def _changed(self, changes: list[LevelChange], at: float) -> list[Finger]:
        fingers: list[Finger] = []
        for change in changes:
            if not change.level:
                self._touched_at = None
            elif self._health.is_well and change.at > self._told_at:  # or it is the press that a look saw, heard late
                self._told_at = at
                fingers += self._touch(change.at)
                pressed_at = change.at if self._touched_at is None else self._touched_at
                fingers += [ButtonPressed(self._name, pressed_at)]
        return fingers

    def _judge(self, at: float) -> list[Finger]:
        if self._button.is_chattering:
            return self._fail(FaultKind.CHATTER, f"the button {self._timings.chatter_words}: check it, then retest")
        if self._health.is_trial_over(at):
            return self._verdict()
        if self._stuck_at is not None and at >= self._stuck_at:
            return self._fail(FaultKind.STUCK, "the button stays down: release it, then retest")
        if self._touched_at is not None and self._button.is_quiet:
            self._touched_at = None
            return [TouchWasNoise(at)]
        return []

    def _verdict(self) -> list[Finger]:
        if self._button.is_held:
            return self._fail(FaultKind.STUCK, "the button is still down: release it, then retest")
        if self._button.has_moved:
            return self._fail(FaultKind.SPURIOUS, "the button moved during the test: leave it alone, then retest")
        return [*self._health.mend()]

    def _fail(self, kind: FaultKind, detail: str) -> list[Finger]:
        return [*self._health.fail(kind, detail)]
