"""Health: whether a device is well, and the trial it must stand before it is well again."""

from drivers.ports import FaultCleared, FaultKind, FaultReported, Signal
from drivers.recognise.wear import Wear


class DeviceHealth:
    """A fault is reported once and stays until a trial has been passed."""

    def __init__(self, device: str, trial_ms: float, wear: Wear | None = None) -> None:
        self._device, self._trial_s, self._wear = device, trial_ms / 1000, wear or Wear()
        self._is_faulty = False
        self.trial_ends: float | None = None

    @property
    def is_well(self) -> bool:
        """Whether the device may be believed."""
        return not self._is_faulty and self.trial_ends is None

    def fail(self, kind: FaultKind, detail: str) -> list[Signal]:
        """The device is wrong; news only if it was well or on trial."""
        if self._is_faulty and self.trial_ends is None:
            return []
        self._is_faulty, self.trial_ends = True, None
        self._wear.failed()
        return [FaultReported(self._device, kind, detail)]

    def begin_trial(self, at: float) -> None:
        """From now on the device must behave until the trial ends."""
        self.trial_ends = at + self._trial_s

    def is_trial_over(self, at: float) -> bool:
        """Whether it is time for a verdict."""
        return self.trial_ends is not None and at >= self.trial_ends

    def mend(self) -> list[Signal]:
        """The trial was passed."""
        self._is_faulty, self.trial_ends = False, None
        return [FaultCleared(self._device)]
