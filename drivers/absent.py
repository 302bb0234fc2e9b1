"""Drivers for what a table does not have: they do nothing, truthfully."""

from collections.abc import Callable

from drivers.light_patterns import Pattern
from drivers.ports import FaultCleared, FaultKind, Identity, Reading, Report, ReturnFault
from drivers.recognise.wear import SeatHealth


class AbsentAcceptor:
    """A seat without an acceptor: no chip ever comes, and nothing is ever wrong with it."""

    def __init__(self, device: str, report: Report) -> None:
        self._device, self._report = device, report

    def open(self) -> None:
        """There is no gate."""

    def shut(self) -> None:
        """There is no gate."""

    @property
    def is_busy(self) -> bool:
        """Never."""
        return False

    def retest(self) -> None:
        """What is not there is not broken; a fault of the device that was there before is gone with it."""
        self._report(FaultCleared(self._device))

    @property
    def health(self) -> SeatHealth:
        """What is not there does not wear."""
        return SeatHealth()

    def close(self) -> None:
        """There is nothing to give back."""


class AbsentControl:
    """A button or key that is not fitted: nobody presses or turns it."""

    def __init__(self, device: str, report: Report) -> None:
        self._device, self._report = device, report

    def retest(self) -> None:
        """What is not there is not broken; a fault of the device that was there before is gone with it."""
        self._report(FaultCleared(self._device))

    def close(self) -> None:
        """There is nothing to give back."""


class AbsentLight:
    """A seat without a lamp."""

    def show(self, pattern: Pattern) -> None:
        """Nobody sees it."""

    def close(self) -> None:
        """There is nothing to give back."""


class AbsentReturn:
    """A table without a return device: chips are counted by hand, and it says so."""

    async def identify(self) -> Identity:
        """Says that there is none."""
        return Identity(maker="none", product="no return device", serial="")

    async def reading(self) -> Reading:
        """It has never counted a chip."""
        return Reading(epoch="absent", count=0)

    async def empty(self, progress: Callable[[Reading], None]) -> Reading:
        """Cannot be done without a device."""
        del progress
        raise ReturnFault(FaultKind.MISSING, "this table has no return device: count the chips by hand")

    async def stop(self) -> None:
        """It stands still already."""
