"""Absent devices are real drivers."""

import pytest

from drivers.absent import AbsentReturn
from drivers.ports import FaultKind, Reading, ReturnDevice, ReturnFault


async def test_an_absent_return_device_says_so_instead_of_counting() -> None:
    """Chips it never gave back are never counted."""
    device: ReturnDevice = AbsentReturn()
    assert (await device.identify()).maker == "none"
    assert await device.reading() == Reading("absent", 0)
    await device.stop()
    with pytest.raises(ReturnFault, match="count the chips by hand") as fault:
        await device.empty(lambda _: None)
    assert fault.value.kind is FaultKind.MISSING
