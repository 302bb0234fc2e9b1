"""The acceptor contract: what any acceptor does on any pins, simulated or real.

On metal: PITLINK_RIG=module:Class names a rig whose inputs and output are wired back to pins it can drive and read.
"""

from collections.abc import AsyncIterator
from typing import Protocol

import pytest

from drivers.gpio.acceptor import SensorAcceptor, SlotAcceptor
from drivers.gpio.header import Pin
from drivers.gpio.pins import PinRegistry, beam, contact
from drivers.ports import Acceptor, ChipEntered, ChipTaken, FaultCleared, FaultKind, FaultReported, Signal
from tests.support.drivers.bench_rig import rig_under_test

DEVICE = "seat 3 acceptor"


class Rig(Protocol):
    """A board under test with its wires in the tester's hands."""

    board: PinRegistry
    said: list[Signal]
    first_input: Pin
    second_input: Pin
    output: int

    def drive(self, pin: Pin, level: bool) -> None: ...

    def read(self, pin: Pin) -> bool: ...

    async def wait(self, ms: float) -> None: ...


class Station:
    """One kind of acceptor on a rig, and how a chip looks to it."""

    def __init__(self, rig: Rig, kind: str) -> None:
        self.rig, self.kind = rig, kind
        self.is_slot = kind != "sensor"
        self.inputs = [rig.first_input, rig.second_input] if kind == "slot with two beams" else [rig.first_input]
        self.idle()
        self._acceptor: SlotAcceptor | SensorAcceptor | None = None

    @property
    def acceptor(self) -> SlotAcceptor | SensorAcceptor:
        assert self._acceptor is not None, "it was not built"
        return self._acceptor

    def build(self) -> Acceptor:
        board, rig = self.rig.board, self.rig
        if self.is_slot:
            beams = [beam(pin) for pin in self.inputs]
            self._acceptor = SlotAcceptor(board, DEVICE, channel=3, beams=beams, gate=rig.output)
        else:
            self._acceptor = SensorAcceptor(board, DEVICE, channel=3, sensor=contact(rig.first_input))
        return self.acceptor

    def close(self) -> None:
        if self._acceptor is not None:
            self._acceptor.close()

    def set(self, number: int, active: bool) -> None:
        self.rig.drive(self.inputs[number], active == self.is_slot)  # beams are active high, contacts low

    def idle(self) -> None:
        for number in range(len(self.inputs)):
            self.set(number, False)

    async def chip(self) -> None:
        """One chip goes in, or is laid down and taken away."""
        held_ms = 40 if self.is_slot else 120
        for active in (True, False):
            for number in range(len(self.inputs)):
                self.set(number, active)
                await self.rig.wait(10)
            await self.rig.wait(held_ms)
        await self.rig.wait(200)

    async def chatter(self) -> None:
        for edge in range(200):
            self.set(0, edge % 2 == 0)
            await self.rig.wait(1)

    def is_busy(self) -> bool:
        return self.acceptor.is_busy

    def chips(self) -> list[int]:
        return [signal.channel for signal in self.rig.said if isinstance(signal, ChipEntered)]

    def faults(self) -> list[tuple[str, FaultKind]]:
        return [(signal.device, signal.kind) for signal in self.rig.said if isinstance(signal, FaultReported)]

    def is_open(self) -> bool:
        return self.rig.read(self.rig.output) if self.is_slot else True


@pytest.fixture
async def rig() -> Rig:
    return rig_under_test()


@pytest.fixture(params=["slot with one beam", "slot with two beams", "sensor"])
async def station(request: pytest.FixtureRequest, rig: Rig) -> AsyncIterator[Station]:
    station = Station(rig, request.param)
    yield station
    station.close()


async def test_an_acceptor_starts_shut_and_silent(station: Station) -> None:
    """Building one accepts nothing and says nothing."""
    station.build()
    await station.rig.wait(500)
    assert station.rig.said == []
    assert not (station.is_slot and station.is_open())


async def test_open_and_shut_are_what_the_gate_does(station: Station) -> None:
    """The gate is held exactly while it is open."""
    acceptor = station.build()
    acceptor.open()
    assert station.is_open()
    acceptor.shut()
    assert not (station.is_slot and station.is_open())


async def test_each_chip_is_told_once(station: Station) -> None:
    """Three chips are three, of this channel, and nothing is wrong."""
    acceptor = station.build()
    acceptor.open()
    for _ in range(3):
        await station.chip()
    assert station.chips() == [3, 3, 3]
    assert station.faults() == []
    assert station.is_open()


async def test_a_sensor_tells_when_its_chip_is_lifted_and_a_slot_never_does(station: Station) -> None:
    """Only what rests can be lifted."""
    station.build().open()
    await station.chip()
    lifted = [signal.channel for signal in station.rig.said if isinstance(signal, ChipTaken)]
    assert lifted == ([] if station.is_slot else [3])


async def test_a_spike_is_no_chip(station: Station) -> None:
    """What lasts a moment is noise."""
    station.build().open()
    await station.rig.wait(50)
    station.set(0, True)
    await station.rig.wait(2)
    station.set(0, False)
    await station.rig.wait(700)
    assert station.rig.said == []


async def assert_well_again(station: Station) -> None:
    """A quiet test mends it: it opens and tells a chip."""
    station.acceptor.retest()
    await station.rig.wait(500)
    assert station.rig.said[-1] == FaultCleared(DEVICE)
    station.acceptor.open()
    await station.chip()
    assert station.chips() == [3]


async def test_an_input_active_at_the_start_is_stuck_until_clear_and_retested(station: Station) -> None:
    """It neither opens nor tells chips before that, and both after it."""
    station.set(0, True)
    acceptor = station.build()
    await station.rig.wait(300)
    acceptor.open()
    assert not (station.is_slot and station.is_open())
    acceptor.retest()
    await station.rig.wait(500)
    assert station.faults() == [(DEVICE, FaultKind.STUCK)] * 2
    station.idle()
    await station.rig.wait(300)
    await assert_well_again(station)


async def test_chatter_shuts_the_acceptor_until_it_was_retested(station: Station) -> None:
    """One named fault, no chip; well again after a quiet test."""
    acceptor = station.build()
    acceptor.open()
    await station.chatter()
    assert station.faults() == [(DEVICE, FaultKind.CHATTER)]
    assert station.chips() == []
    assert not (station.is_slot and station.is_open())
    await station.chip()
    assert station.chips() == []
    await assert_well_again(station)


async def test_busy_is_while_something_is_on_its_way(station: Station) -> None:
    """From the first edge until the verdict."""
    acceptor = station.build()
    acceptor.open()
    await station.rig.wait(50)
    assert not station.is_busy()
    station.set(0, True)
    await station.rig.wait(1)
    assert station.is_busy()
    await station.rig.wait(10)
    station.idle()
    await station.rig.wait(1)
    assert station.is_busy()
    await station.rig.wait(800)
    assert not station.is_busy()


async def test_a_closed_acceptor_is_shut_silent_and_its_pins_are_free(
    station: Station,
) -> None:
    """The next program finds the pins as if nobody had been there."""
    station.build().open()
    station.acceptor.close()
    assert not (station.is_slot and station.is_open())
    await station.chip()
    assert station.rig.said == []
    station.build().open()
    await station.chip()
    assert station.chips() == [3]
