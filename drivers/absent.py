"""Drivers for what a table does not have: they do nothing, truthfully."""

from collections.abc import Callable

from drivers.ports import FaultKind, Identity, Reading, ReturnFault


class AbsentReturn:
    """A table without a return device: chips are counted by hand, and it says so."""

    async def identify(self) -> Identity:
        """Says that there is none."""
        return Identity(maker="none", product="no return device", serial="")

    async def reading(self) -> Reading:
        """It has never counted a chip."""
        return Reading(epoch="absent", count=0)

    async def empty(self, progress: Callable[[Reading], None], *, most: int | None = None) -> Reading:
        """Cannot be done without a device."""
        del progress, most
        raise ReturnFault(FaultKind.MISSING, "this table has no return device: count the chips by hand")

    async def stop(self) -> None:
        """It stands still already."""
