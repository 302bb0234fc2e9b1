"""SimulatedPanel: a whole simulated table under the drivers of a real one."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from common.clock import PacedClock
from drivers.gpio.acceptor import SensorAcceptor, SlotAcceptor
from drivers.gpio.button import Button, KeySwitch
from drivers.gpio.light import GpioLight
from drivers.gpio.pins import PinRegistry, beam, contact
from drivers.light_patterns import Pattern
from drivers.ports import ButtonPressed, ChipEntered, ChipTaken, FaultKind, FaultReported, KeyTurned, Signal
from drivers.simulated.pins import SimulatedPins
from drivers.simulated.table import WATCH_MS, SensorWiring, SimulatedLamp, SimulatedPanel, SlotWiring
from tests.support.drivers.bench_rig import BenchRig

LOCK_OUT, KEY = "lock-out button", "supervisor key"


class Table:
    """Seat 1 has a slot with two beams, seat 2 a sensor."""

    def __init__(self, rig: BenchRig) -> None:
        self.rig, self.collected = rig, list[int]()
        self.metal = SimulatedPanel(
            rig.pins,
            seats={
                1: SlotWiring(beams=(beam(4), beam(5)), gate=6, light=SimulatedLamp(7)),
                2: SensorWiring(sensor=contact(8), light=SimulatedLamp(9, active_high=False)),
            },
            buttons={LOCK_OUT: contact(10)},
            key=contact(11),
            lamps={LOCK_OUT: SimulatedLamp(12)},
            on_chip_in=self.collected.append,
        )
        board = rig.board
        self.slot = SlotAcceptor(board, "seat 1 acceptor", channel=1, beams=[beam(4), beam(5)], gate=6)
        self.sensor = SensorAcceptor(board, "seat 2 acceptor", channel=2, sensor=contact(8))
        self.lights = {
            1: GpioLight(board, "seat 1 light", 7),
            2: GpioLight(board, "seat 2 light", 9, active_high=False),
        }
        self.lamp = GpioLight(board, "lock-out lamp", 12)
        self.button = Button(board, LOCK_OUT, contact(10))
        self.key = KeySwitch(board, KEY, contact(11))

    def close(self) -> None:
        for lamp in (*self.lights.values(), self.lamp):
            lamp.close()
        for close in (self.slot.close, self.sensor.close, self.button.close, self.key.close):
            close()


@pytest.fixture
async def table() -> AsyncIterator[Table]:
    table = Table(BenchRig())
    yield table
    table.close()


async def test_a_chip_goes_where_the_gate_lets_it(table: Table) -> None:
    """Back to the player, or past the beams into the collector."""
    table.metal.insert_chip(1)
    assert table.metal.chips_bounced == [1]
    table.slot.open()
    assert table.metal.gate_is_open(1)
    table.metal.insert_chip(1)
    await table.rig.wait(500)
    assert table.collected == [1]
    assert [type(signal) for signal in table.rig.said] == [ChipEntered]


async def test_chips_keys_and_buttons_are_told(table: Table) -> None:
    """Each in its own words and in order."""
    table.metal.place_chip(2)
    await table.rig.wait(100)
    table.metal.lift_chip(2)
    await table.rig.wait(100)
    table.metal.press(LOCK_OUT)
    await table.rig.wait(100)
    table.metal.release(LOCK_OUT)
    table.metal.turn_key(True)
    await table.rig.wait(100)
    assert [type(signal) for signal in table.rig.said] == [ChipEntered, ChipTaken, ButtonPressed, KeyTurned]


async def test_lights_are_seen_at_seats_and_at_the_button(table: Table) -> None:
    """Whether they are wired high or low."""
    table.lights[1].show(Pattern.PULSE)
    table.lights[2].show(Pattern.STEADY)
    table.lamp.show(Pattern.DOUBLE_FLASH)
    assert table.metal.is_lit(2)
    await table.rig.wait(WATCH_MS + 1)
    assert table.metal.look(1) is Pattern.PULSE
    assert table.metal.look(2) is Pattern.STEADY
    assert table.metal.look_at_lamp(LOCK_OUT) is Pattern.DOUBLE_FLASH


@pytest.mark.parametrize(
    ("way", "kind"), [("chip_backs_out", FaultKind.OUT_OF_ORDER), ("chip_comes_back", FaultKind.DRAWN_BACK)]
)
async def test_a_chip_on_the_wrong_way_is_a_fault(table: Table, way: str, kind: FaultKind) -> None:
    """Out again past the outer beam, or from the inside past both."""
    table.slot.open()
    getattr(table.metal.slots[1], way)()
    await table.rig.wait(1500)
    assert [signal.kind for signal in table.rig.said if isinstance(signal, FaultReported)] == [kind]
    assert not table.metal.gate_is_open(1)


async def test_a_beam_stuck_and_freed_is_a_fault_until_it_was_retested(table: Table) -> None:
    """The seat opens again only after the test."""
    table.slot.open()
    table.metal.slots[1].stick(1)
    await table.rig.wait(2500)
    table.metal.slots[1].free(1)
    await table.rig.wait(100)
    table.slot.open()
    assert not table.metal.gate_is_open(1)
    table.slot.retest()
    await table.rig.wait(500)
    table.slot.open()
    assert table.metal.gate_is_open(1)


async def test_a_sensor_has_no_gate_to_find_shut(table: Table) -> None:
    """Whatever the table says, a chip can be laid down."""
    table.sensor.shut()
    assert table.metal.gate_is_open(2)


async def test_the_bench_runs_by_a_real_clock_too() -> None:
    """As in the demo that a person watches: nothing moves the time but time."""
    loop = asyncio.get_running_loop()
    clock, told = PacedClock(loop), asyncio.Queue[Signal]()
    pins = SimulatedPins(clock)
    slot = SlotWiring(beams=(beam(4), beam(5)), gate=6, light=SimulatedLamp(7))
    metal = SimulatedPanel(pins, seats={1: slot}, buttons={}, lamps={}, on_chip_in=lambda seat: None)
    board = PinRegistry(pins, clock=clock, loop=loop, report=told.put_nowait)
    acceptor = SlotAcceptor(board, "seat 1 acceptor", channel=1, beams=slot.beams, gate=slot.gate)
    acceptor.open()
    metal.insert_chip(1)
    signal = await asyncio.wait_for(told.get(), timeout=60)
    acceptor.close()
    assert isinstance(signal, ChipEntered)


async def test_the_lamp_of_a_button_is_lit_or_not(table: Table) -> None:
    """A glance is enough for that."""
    assert not table.metal.lamp_is_lit(LOCK_OUT)
    table.lamp.show(Pattern.STEADY)
    assert table.metal.lamp_is_lit(LOCK_OUT)


async def test_a_table_without_a_key_says_so(rig_without_key: SimulatedPanel) -> None:
    """A scenario that turns it is wrong, not silent."""
    with pytest.raises(LookupError, match="no key switch"):
        rig_without_key.turn_key(True)


@pytest.fixture
async def rig_without_key() -> SimulatedPanel:
    rig = BenchRig()
    return SimulatedPanel(rig.pins, seats={}, buttons={}, lamps={}, on_chip_in=lambda seat: None)
