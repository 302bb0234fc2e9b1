"""What any return device does, whatever it is made of: a hopper on a wire, or a motor and a beam on two pins."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from typing import Protocol, TypeVar

import pytest

from drivers.ports import FaultKind, Reading, ReturnDevice, ReturnFault
from tests.support.drivers.return_rigs import GpioRig, HopperRig, gpio_rig, hopper_board, hopper_rig, ignore

Result = TypeVar("Result")


class Rig(Protocol):
    """A return device with its chips in the tester's hands."""

    device: ReturnDevice

    @property
    def given(self) -> int: ...

    @property
    def stock(self) -> int: ...

    def load(self, chips: int) -> None: ...

    def jam(self, after: int) -> None: ...

    def clear_jam(self) -> None: ...

    async def wait_for(self, act: Awaitable[Result]) -> Result: ...


@pytest.fixture(params=["ccTalk", "GPIO"])
async def rig(request: pytest.FixtureRequest) -> AsyncIterator[HopperRig | GpioRig]:
    if request.param == "GPIO":
        with gpio_rig() as pins:
            yield pins
    else:
        async with hopper_rig(hopper_board(chip_ms=4)) as hopper:
            yield hopper


async def test_it_says_who_it_is(rig: Rig) -> None:
    """Every device has a maker, a product and something that tells it from its like."""
    identity = await rig.wait_for(rig.device.identify())
    assert identity.maker
    assert identity.product
    assert identity.serial


async def test_a_reading_changes_nothing(rig: Rig) -> None:
    """Looking at the count moves no chip and no count."""
    rig.load(2)
    readings = [await rig.wait_for(rig.device.reading()) for _ in range(3)]
    assert len(set(readings)) == 1
    assert (rig.given, rig.stock) == (0, 2)


@pytest.mark.parametrize("chips", [0, 1, 7])
async def test_every_chip_is_given_back_and_counted(rig: Rig, chips: int) -> None:
    """The answer minus the reading before is what left."""
    rig.load(chips)
    before = await rig.wait_for(rig.device.reading())
    last = await rig.wait_for(rig.device.empty(ignore))
    assert last.chips_since(before) == rig.given == chips
    assert last == await rig.wait_for(rig.device.reading())
    assert rig.stock == 0


async def test_at_most_as_many_chips_as_asked_for(rig: Rig) -> None:
    """One for a technician who looks whether it pays; fewer where it holds fewer."""
    rig.load(3)
    before = await rig.wait_for(rig.device.reading())
    for given in (1, 3, 3):
        last = await rig.wait_for(rig.device.empty(ignore, most=1 if given == 1 else 2))
        assert last.chips_since(before) == rig.given == given
    assert rig.stock == 0


async def test_rounds_add_up(rig: Rig) -> None:
    """The count runs on from round to round within one epoch."""
    first = await rig.wait_for(rig.device.reading())
    for chips in (3, 0, 5):
        rig.load(chips)
        before = await rig.wait_for(rig.device.reading())
        assert (await rig.wait_for(rig.device.empty(ignore))).chips_since(before) == chips
    assert (await rig.wait_for(rig.device.reading())).chips_since(first) == 8


async def test_progress_hears_every_count_once_and_in_order(rig: Rig) -> None:
    """Counts only grow, none is told twice, and the last is the answer."""
    heard: list[Reading] = []
    rig.load(6)
    before = await rig.wait_for(rig.device.reading())
    last = await rig.wait_for(rig.device.empty(heard.append))
    chips = [reading.chips_since(before) for reading in heard]
    assert chips == sorted(set(chips))
    assert chips[0] >= 1
    assert heard[-1] == last


async def test_a_jam_is_a_fault_that_hides_no_chip_and_ends_when_it_is_cleared(rig: Rig) -> None:
    """Chips before the jam count; without help it stays a jam; with help the rest comes."""
    rig.load(7)
    rig.jam(after=3)
    before = await rig.wait_for(rig.device.reading())
    for _ in range(2):
        with pytest.raises(ReturnFault) as caught:
            await rig.wait_for(rig.device.empty(ignore))
        assert caught.value.kind is FaultKind.JAM
        assert (await rig.wait_for(rig.device.reading())).chips_since(before) == rig.given == 3
    rig.clear_jam()
    assert (await rig.wait_for(rig.device.empty(ignore))).chips_since(before) == rig.given == 7


async def test_a_stop_ends_the_emptying_and_the_rest_comes_later(rig: Rig) -> None:
    """Standing still is a fault to whoever wanted it empty, and no chip is lost or counted twice."""
    rig.load(40)
    before = await rig.wait_for(rig.device.reading())
    seen = asyncio.Event()
    emptying = asyncio.create_task(rig.device.empty(lambda _reading: seen.set()))
    await rig.wait_for(seen.wait())
    await rig.wait_for(rig.device.stop())
    with pytest.raises(ReturnFault) as caught:
        await rig.wait_for(emptying)
    assert caught.value.kind is FaultKind.STOPPED
    assert 0 < rig.stock < 40
    assert (await rig.wait_for(rig.device.empty(ignore))).chips_since(before) == rig.given == 40


async def test_a_stop_at_rest_changes_nothing(rig: Rig) -> None:
    """It may be said at any time, as at every lock-up."""
    rig.load(2)
    await rig.wait_for(rig.device.stop())
    before = await rig.wait_for(rig.device.reading())
    assert (await rig.wait_for(rig.device.empty(ignore))).chips_since(before) == 2


async def test_an_emptying_that_was_given_up_can_be_asked_again(rig: Rig) -> None:
    """Whoever cancels leaves a device that still adds up."""
    rig.load(12)
    before = await rig.wait_for(rig.device.reading())
    seen = asyncio.Event()
    emptying = asyncio.create_task(rig.device.empty(lambda _reading: seen.set()))
    await rig.wait_for(seen.wait())
    emptying.cancel()
    await rig.wait_for(asyncio.gather(emptying, return_exceptions=True))
    assert (await rig.wait_for(rig.device.empty(ignore))).chips_since(before) == rig.given == 12
