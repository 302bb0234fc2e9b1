"""The return device on pins: what is its own beside the contract of all return devices."""

import asyncio

import pytest

from drivers.gpio.return_device import GpioReturn, GpioReturnSettings
from drivers.ports import FaultKind, PinFault, Reading, ReturnFault
from tests.support.drivers.bench_rig import only_simulated, rig_under_test
from tests.support.drivers.return_rigs import GpioRig, gpio_rig, ignore


async def start_emptying(rig: GpioRig) -> "asyncio.Task[Reading]":
    """An emptying of which the first chip has been seen."""
    seen = asyncio.Event()
    emptying = asyncio.create_task(rig.device.empty(lambda _reading: seen.set()))
    await rig.wait_for(seen.wait())
    assert rig.is_running
    return emptying


async def test_the_motor_runs_only_while_it_empties() -> None:
    """Off before, on during, off after."""
    with gpio_rig() as rig:
        rig.load(3)
        assert not rig.is_running
        emptying = await start_emptying(rig)
        await rig.wait_for(emptying)
        assert not rig.is_running


async def test_chips_that_fall_in_while_it_runs_come_out_too() -> None:
    """Empty means empty at the end, not as many as there were at the start."""
    late = [3]

    def add(_reading: Reading) -> None:
        rig.load(late.pop() if late else 0)

    with gpio_rig() as rig:
        rig.load(2)
        before = await rig.device.reading()
        last = await rig.wait_for(rig.device.empty(add))
        assert last.chips_since(before) == rig.given == 5


@only_simulated("the program is this test; hil/tests/test_units.py kills a daemon")
async def test_a_dead_program_stops_the_motor() -> None:
    """Chips stop where they are, and the next life counts the rest in an epoch of its own."""
    with gpio_rig() as rig:
        rig.load(5)
        before = await rig.device.reading()
        emptying = await start_emptying(rig)
        emptying.cancel()
        rig.pins.program_died()
        assert not rig.is_running
        await asyncio.gather(emptying, return_exceptions=True)
        given = rig.given
        rig.device = rig.new_device("run 2")
        last = await rig.wait_for(rig.device.empty(ignore))
        assert last.epoch == "run 2" != before.epoch
        assert last.count == rig.stock + 5 - given


async def test_whoever_gives_up_stops_the_motor() -> None:
    """A cancelled emptying leaves nothing running."""
    with gpio_rig() as rig:
        rig.load(5)
        emptying = await start_emptying(rig)
        emptying.cancel()
        await asyncio.gather(emptying, return_exceptions=True)
        assert not rig.is_running


async def test_a_jam_stops_the_motor_where_it_is_found() -> None:
    """A motor is not left to push against a chip."""
    with gpio_rig() as rig:
        rig.load(2)
        rig.jam(after=1)
        with pytest.raises(ReturnFault, match="chip stuck in its beam"):
            await rig.wait_for(rig.device.empty(ignore))
        assert not rig.is_running


async def test_a_cut_beam_cable_reads_as_a_jam() -> None:
    """Chips that nobody can count are not let go for long."""
    with gpio_rig() as rig:
        rig.model.beam.enter()
        with pytest.raises(ReturnFault) as caught:
            await rig.wait_for(rig.device.empty(ignore))
        assert caught.value.kind is FaultKind.JAM


async def test_a_flickering_beam_is_called_so_and_heard_again_later() -> None:
    """No count can be made of it; once it is clean the next emptying works."""
    with gpio_rig() as rig:
        rig.load(20)
        emptying = await start_emptying(rig)
        rig.model.beam.contact.chatter(80, every_ms=1)
        with pytest.raises(ReturnFault) as caught:
            await rig.wait_for(emptying)
        assert caught.value.kind is FaultKind.CHATTER
        assert not rig.is_running
        await rig.clock.elapse(1)
        before, given = await rig.device.reading(), rig.given
        last = await rig.wait_for(rig.device.empty(ignore))
        assert last.chips_since(before) == rig.given - given > 0


async def test_a_beam_that_flickers_at_rest_costs_no_time_and_spoils_no_round() -> None:
    """Its edges are not even heard until the motor runs again."""
    with gpio_rig() as rig:
        rig.model.beam.contact.chatter(200, every_ms=1)
        await rig.clock.elapse(1)
        assert [line.is_deaf for line in rig.device._watch._lines] == [True]
        rig.load(2)
        before = await rig.device.reading()
        assert (await rig.wait_for(rig.device.empty(ignore))).chips_since(before) == 2


async def test_more_chips_than_it_can_hold_are_ghosts() -> None:
    """A beam that sees chips without end does not keep the motor running without end."""
    with gpio_rig(most_chips=5) as rig:
        rig.load(9)
        with pytest.raises(ReturnFault) as caught:
            await rig.wait_for(rig.device.empty(ignore))
        assert caught.value.kind is FaultKind.CHATTER


async def test_two_chips_as_one_are_one_too_few() -> None:
    """The beam cannot see it: lights against chips at the table will."""
    with gpio_rig() as rig:
        rig.load(6)
        rig.model.overlaps = 1
        before = await rig.device.reading()
        assert (await rig.wait_for(rig.device.empty(ignore))).chips_since(before) == 5
        assert rig.given == 6


async def test_a_pulse_too_long_for_one_chip_stops_the_motor_and_is_told() -> None:
    """Where the length of a coin pulse is known, two chips as one do not pass: somebody counts by hand."""
    with gpio_rig(longest_pulse_ms=40) as rig:
        rig.load(6)
        rig.model.overlaps = 1
        before = await rig.device.reading()
        with pytest.raises(ReturnFault, match="too long for one chip; count the chips by hand") as caught:
            await rig.wait_for(rig.device.empty(ignore))
        assert caught.value.kind is FaultKind.TWO_CHIPS
        assert (rig.is_running, rig.given) == (False, 2)
        assert (await rig.wait_for(rig.device.empty(ignore))).chips_since(before) == 5


@only_simulated("no kernel loses an edge on order")
async def test_an_edge_lost_by_the_kernel_is_found_by_looking() -> None:
    """The beam cleared and nobody said so: the regular look notices, and it is no jam."""
    with gpio_rig() as rig:
        rig.model.beam.enter()
        emptying = asyncio.create_task(rig.device.empty(ignore))
        await rig.clock.elapse(0.2)
        rig.pins.wire(rig.settings.beam).drive_unheard(level=False)
        assert (await rig.wait_for(emptying)).count == 1


async def test_only_one_can_empty_it_at_a_time() -> None:
    """The second one is told, the first one is not disturbed."""
    with gpio_rig() as rig:
        rig.load(3)
        emptying = await start_emptying(rig)
        with pytest.raises(ReturnFault, match="already"):
            await rig.device.empty(ignore)
        assert (await rig.wait_for(emptying)).count == 3


async def test_pins_that_cannot_be_had_are_named_and_nothing_is_kept() -> None:
    """A wrong pin is a fault of the wiring, and the other pin is free again."""
    board = rig_under_test().board
    with pytest.raises(PinFault, match="return device's beam: GPIO20 already serves the return device's motor"):
        GpioReturn(board, GpioReturnSettings(motor=20, beam=20), epoch="run 1")
    GpioReturn(board, GpioReturnSettings(motor=20, beam=21), epoch="run 1").close()
    with pytest.raises(PinFault, match="no GPIO99"):
        GpioReturn(board, GpioReturnSettings(motor=99, beam=21), epoch="run 1")
