"""The return device on pins: what is its own beside the contract of all return devices."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from return_rigs import GpioRig, gpio_rig, ignore

from drivers.bench.pins import BenchPins
from drivers.gpio.board import Board
from drivers.gpio_return import GpioReturn, GpioReturnSettings
from drivers.outlet import ChipLeft, Leaving, Outlet, OutletTimings, RanEmpty
from drivers.ports import DeviceFaulted, FaultKind, PinFault, Reading, ReturnFault
from house.clock import ManualClock


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
        assert rig.pins.wire(rig.settings.beam).when_changed is None
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
    clock = ManualClock()
    board = Board(BenchPins(clock), clock=clock, loop=asyncio.get_running_loop(), report=lambda _signal: None)
    with pytest.raises(PinFault, match="return device's beam: GPIO20 already serves the return device's motor"):
        GpioReturn(board, GpioReturnSettings(motor=20, beam=20), epoch="run 1")
    GpioReturn(board, GpioReturnSettings(motor=20, beam=21), epoch="run 1").close()
    with pytest.raises(PinFault, match="no GPIO99"):
        GpioReturn(board, GpioReturnSettings(motor=99, beam=21), epoch="run 1")


TIMINGS = OutletTimings(settle_ms=3, jam_ms=400, empty_ms=500)
widths_ms = st.integers(4, 300)
gaps_ms = st.integers(4, 400)


def play(outlet: Outlet, pulses: list[tuple[int, int]], looks: list[int]) -> list[Leaving]:
    """Edges at their times, looks wherever the test wants them, each told when it is."""
    at, told = 10.0, []
    steps: list[tuple[float, bool]] = []
    for gap, width in pulses:
        steps += [(at + gap / 1000, True), (at + (gap + width) / 1000, False)]
        at += (gap + width) / 1000
    level = False
    events = sorted([(when, 0, broken) for when, broken in steps] + [(10 + look / 1000, 1, False) for look in looks])
    for when, kind, broken in events:
        level = broken if kind == 0 else level
        told += outlet.edge(0, level, when) if kind == 0 else outlet.look([level], when)
    return told + outlet.look([level], at + 0.01)


@settings(max_examples=150)
@given(st.lists(st.tuples(gaps_ms, widths_ms), max_size=8), st.lists(st.integers(0, 4000), max_size=20))
def test_every_chip_that_breaks_the_beam_is_counted_once(pulses: list[tuple[int, int]], looks: list[int]) -> None:
    """Whatever their pace, and whenever somebody looks at the level in between."""
    outlet = Outlet("return device", TIMINGS)
    outlet.start([False], 10.0)
    outlet.retest([False], 10.0)
    told = play(outlet, pulses, looks)
    assert sum(isinstance(one, ChipLeft) for one in told) == len(pulses)
    assert not any(isinstance(one, DeviceFaulted) for one in told)


@given(st.lists(st.tuples(st.integers(10, 300), st.integers(1, 2)), max_size=10))
def test_flashes_shorter_than_a_chip_are_not_counted(glitches: list[tuple[int, int]]) -> None:
    """Dust and noise are no chips."""
    outlet = Outlet("return device", TIMINGS)
    outlet.start([False], 10.0)
    assert play(outlet, glitches, []) == []


def test_empty_is_said_when_the_patience_ends_and_not_before() -> None:
    """Counted from the last chip, to the millisecond."""
    outlet = Outlet("return device", TIMINGS)
    outlet.start([False], 10.0)
    outlet.retest([False], 10.0)
    assert outlet.due == 10.5
    assert outlet.edge(0, True, 10.2) == []
    assert outlet.edge(0, False, 10.25) == []
    assert outlet.look([False], 10.253) == [ChipLeft(10.25)]
    assert outlet.due == 10.75
    assert outlet.look([False], 10.749) == []
    assert outlet.look([False], 10.75) == [RanEmpty()]
    assert outlet.look([False], 12.0) == []


def test_a_jam_is_not_called_while_the_pin_says_otherwise() -> None:
    """The edge of a chip that left was lost: the look that finds it is not the one that judges."""
    outlet = Outlet("return device", TIMINGS)
    outlet.start([False], 10.0)
    outlet.retest([False], 10.0)
    outlet.edge(0, True, 10.1)
    outlet.look([True], 10.2)
    assert outlet.look([False], 10.6) == []
    assert outlet.due is None
    assert outlet.look([False], 10.65) == [ChipLeft(10.6)]


def test_a_wild_beam_is_reported_once() -> None:
    """However long it flickers."""
    outlet = Outlet("return device", TIMINGS)
    outlet.start([False], 10.0)
    told = [one for edge in range(200) for one in outlet.edge(0, edge % 2 == 0, 10 + edge / 1000)]
    assert [one.kind for one in told if isinstance(one, DeviceFaulted)] == [FaultKind.CHATTER]
