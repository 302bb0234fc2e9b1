"""Presence: a chip recognised by resting on a sensor; pure, time is an argument."""

from collections.abc import Sequence

from drivers.ports import ChipEntered, ChipTaken, FaultKind, Signal
from drivers.recognise.debounce import Debounce, LevelChange, Timings
from drivers.recognise.device_health import DeviceHealth
from drivers.recognise.wear import Wear


class ChipPresence:
    """One sensor: edges and looks in; chips laid down, chips lifted and faults out."""

    def __init__(self, channel: int, device: str, *, timings: Timings, has_chip: bool = False) -> None:
        """has_chip: whether a chip was known to rest there before the program started."""
        self._channel, self._timings = channel, timings
        self._has_chip = has_chip
        self._sensor = Debounce(timings)
        self.wear = Wear()
        self._health = DeviceHealth(device, timings.chatter_window_ms, self.wear)

    def start(self, levels: Sequence[bool], at: float) -> list[Signal]:
        """Takes the first level: a chip nobody knows of is a fault, a known one that is gone was lifted."""
        (covered,) = levels
        self._sensor.start(covered, at)
        if covered and not self._has_chip:
            return self._health.fail(FaultKind.STUCK, "the sensor is covered at the start: clear it, then retest")
        return [] if covered else self._uncover(at)

    def edge(self, _line: int, covered: bool, at: float) -> list[Signal]:
        """The sensor's pin changed."""
        return self._changed(self._sensor.edge(covered, at)) + self._judge(at)

    def look(self, levels: Sequence[bool], at: float) -> list[Signal]:
        """The sensor was read."""
        (covered,) = levels
        return self._changed(self._sensor.look(covered, at)) + self._judge(at)

    @property
    def due(self) -> float | None:
        """When the next look decides something, or None."""
        waits = (self._sensor.due, self._health.trial_ends)
        return min((when for when in waits if when is not None), default=None)

    def retest(self, levels: Sequence[bool], at: float) -> None:
        """Begins a trial: the sensor must stay clear and still until its end."""
        (covered,) = levels
        self._sensor.start(covered, at)
        self._health.begin_trial(at)

    @property
    def is_busy(self) -> bool:
        """Whether a chip is just being laid down or lifted."""
        return self._health.is_well and not self._sensor.is_settled

    def _changed(self, changes: list[LevelChange]) -> list[Signal]:
        signals: list[Signal] = []
        for change in changes:
            if self._health.is_well:
                signals += self._cover(change.at) if change.level else self._uncover(change.at)
        return signals

    def _cover(self, at: float) -> list[Signal]:
        self._has_chip = True
        self.wear.chip()
        return [ChipEntered(self._channel, at)]

    def _uncover(self, at: float) -> list[Signal]:
        had_chip, self._has_chip = self._has_chip, False
        return [ChipTaken(self._channel, at)] if had_chip else []

    def _judge(self, at: float) -> list[Signal]:
        signals: list[Signal] = []
        if self._sensor.is_chattering:
            problem = f"the sensor {self._timings.chatter_words}: check sensor and cable, then retest"
            signals += self._health.fail(FaultKind.CHATTER, problem)
        if self._health.is_trial_over(at):
            signals += self._verdict(at)
        return signals

    def _verdict(self, at: float) -> list[Signal]:
        if self._sensor.is_held:
            return self._health.fail(FaultKind.STUCK, "the sensor is still covered: clear it, then retest")
        if self._sensor.has_moved:
            problem = "the sensor saw something during the test: leave it alone, then retest"
            return self._health.fail(FaultKind.SPURIOUS, problem)
        return self._uncover(at) + self._health.mend()
