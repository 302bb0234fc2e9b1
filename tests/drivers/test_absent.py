"""Absent devices are real drivers."""

import pytest

from drivers.absent import AbsentAcceptor, AbsentControl, AbsentLight, AbsentReturn
from drivers.light_patterns import Pattern
from drivers.ports import Acceptor, Control, FaultCleared, FaultKind, Lamp, Reading, ReturnDevice, ReturnFault, Signal


def test_an_absent_acceptor_takes_orders_and_never_has_a_fault() -> None:
    """A fault remembered from the device that was there before can be cleared."""
    said: list[Signal] = []
    acceptor: Acceptor = AbsentAcceptor("seat 3 acceptor", said.append)
    acceptor.open()
    acceptor.shut()
    assert not acceptor.is_busy
    acceptor.retest()
    assert said == [FaultCleared("seat 3 acceptor")]


def test_an_absent_button_is_never_pressed_and_never_broken() -> None:
    """The same for whoever waits for a retest."""
    said: list[Signal] = []
    control: Control = AbsentControl("end-of-round button", said.append)
    control.retest()
    control.close()
    assert said == [FaultCleared("end-of-round button")]


def test_an_absent_light_shows_anything_to_nobody() -> None:
    """It is a light like any other to the table."""
    light: Lamp = AbsentLight()
    light.show(Pattern.STEADY)


async def test_an_absent_return_device_says_so_instead_of_counting() -> None:
    """Chips it never gave back are never counted."""
    device: ReturnDevice = AbsentReturn()
    assert (await device.identify()).maker == "none"
    assert await device.reading() == Reading("absent", 0)
    await device.stop()
    with pytest.raises(ReturnFault, match="count the chips by hand") as fault:
        await device.empty(lambda _: None)
    assert fault.value.kind is FaultKind.MISSING
