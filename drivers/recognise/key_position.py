"""Turn: the position of a key switch; pure, time is an argument."""

from collections.abc import Sequence

from drivers.ports import FaultKind, KeyTurned, Signal
from drivers.recognise.debounce import Debounce, LevelChange, Timings
from drivers.recognise.device_health import DeviceHealth


class KeyPosition:
    """One key switch: edges and looks in; positions and faults out."""

    def __init__(self, name: str, *, timings: Timings) -> None:
        self._name, self._timings = name, timings
        self._switch = Debounce(timings)
        self._health = DeviceHealth(name, timings.chatter_window_ms)
        self._told_on = False

    def start(self, levels: Sequence[bool], at: float) -> list[Signal]:
        """Takes the first position; a key that is on already is told, off is what everybody assumes."""
        (on,) = levels
        self._switch.start(on, at)
        return self._tell(on, at)

    def edge(self, _line: int, on: bool, at: float) -> list[Signal]:
        """The switch's pin changed."""
        return self._changed(self._switch.edge(on, at)) + self._judge(at)

    def look(self, levels: Sequence[bool], at: float) -> list[Signal]:
        """The switch was read."""
        (on,) = levels
        return self._changed(self._switch.look(on, at)) + self._judge(at)

    @property
    def due(self) -> float | None:
        """When the next look decides something, or None."""
        waits = (self._switch.due, self._health.trial_ends)
        return min((when for when in waits if when is not None), default=None)

    def retest(self, levels: Sequence[bool], at: float) -> None:
        """Begins a trial: the switch must stand still until its end, in any position."""
        (on,) = levels
        self._switch.start(on, at)
        self._health.begin_trial(at)

    def _changed(self, changes: list[LevelChange]) -> list[Signal]:
        signals: list[Signal] = []
        for change in changes:
            if self._health.is_well:
                signals += self._tell(change.level, change.at)
        return signals

    def _tell(self, on: bool, at: float) -> list[Signal]:
        if on == self._told_on:
            return []
        self._told_on = on
        return [KeyTurned(self._name, on, at)]

    def _judge(self, at: float) -> list[Signal]:
        if self._switch.is_chattering:
            # A key nobody can trust is a key that is out.
            problem = f"the key switch {self._timings.chatter_words}: check it, then retest"
            return self._tell(False, at) + self._health.fail(FaultKind.CHATTER, problem)
        if not self._health.is_trial_over(at):
            return []
        if self._switch.has_moved:
            return self._health.fail(FaultKind.SPURIOUS, "the key moved during the test: leave it alone, then retest")
        return self._health.mend() + self._tell(self._switch.level, at)
