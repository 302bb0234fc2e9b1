"""The beam proof's contract: what it does on any pins, simulated or real; see test_acceptor.py for rigs."""

import time
from collections.abc import AsyncIterator

import pytest

from drivers.gpio.acceptor import SlotAcceptor
from drivers.gpio.beam_proof import LOOK_S, BeamProof
from drivers.gpio.pins import beam
from drivers.ports import ChipEntered, FaultCleared, FaultKind, FaultReported
from tests.support.drivers.bench_rig import BenchRig, rig_under_test

DEVICE = "seat 3 acceptor"
EMITTERS = 20


class Station:
    """A slot with two beams, and their emitters on a line."""

    def __init__(self, rig: BenchRig) -> None:
        self.rig, self.ended = rig, 0
        self.beams = (rig.first_input, rig.second_input)
        self.put(False)
        self.proof = BeamProof(rig.board, EMITTERS)
        self.proof.wait_until_up()
        self.slot = SlotAcceptor(rig.board, DEVICE, channel=3, beams=[beam(pin) for pin in self.beams], gate=rig.output)

    def put(self, *broken: bool) -> None:
        """Drives both beams, alike or each its own way."""
        for pin, level in zip(self.beams, broken * 2, strict=False):
            self.rig.drive(pin, level)

    async def prove(self, dark: tuple[bool, ...], light: tuple[bool, ...]) -> None:
        """Runs a proof during which the receivers see this."""
        self.proof.run([self.slot], self._end)
        await self.rig.wait(1)
        assert self.rig.read(EMITTERS) is False
        self.put(*dark)
        await self.rig.wait(20)
        assert self.rig.read(EMITTERS) is True
        self.put(*light)
        await self.rig.wait(300)

    def _end(self) -> None:
        self.ended += 1

    def close(self) -> None:
        """Gives the pins back."""
        self.slot.close()
        self.proof.close()


@pytest.fixture
async def station() -> AsyncIterator[Station]:
    station = Station(rig_under_test())
    await station.rig.wait(10)
    yield station
    station.close()


async def test_beams_that_go_dark_and_come_back_are_proved(station: Station) -> None:
    """Nothing is told, the emitters shine, and a chip is a chip."""
    assert station.rig.read(EMITTERS) is True
    await station.prove((True,), (False,))
    assert (station.rig.said, station.ended) == ([], 1)
    station.slot.open()
    for pin, level in ((0, True), (1, True), (0, False), (1, False)):
        station.rig.drive(station.beams[pin], level)
        await station.rig.wait(15)
    await station.rig.wait(50)
    assert [type(signal) for signal in station.rig.said] == [ChipEntered]


@pytest.mark.parametrize(
    ("dark", "light", "kind", "name"),
    [
        ((True, False), (False,), FaultKind.DAZZLED, "inner beam sees light"),
        ((False, True), (False,), FaultKind.DAZZLED, "outer beam sees light"),
        ((True,), (True, False), FaultKind.DARK, "outer beam stays dark"),
    ],
)
async def test_a_receiver_that_does_not_follow_its_emitter_is_a_fault(
    station: Station, dark: tuple[bool, ...], light: tuple[bool, ...], kind: FaultKind, name: str
) -> None:
    """Told once, by name; the gate does not open until another proof was passed."""
    await station.prove(dark, light)
    (fault,) = station.rig.said
    assert isinstance(fault, FaultReported)
    assert (fault.kind, name in fault.detail) == (kind, True)
    station.slot.open()
    assert station.rig.read(station.rig.output) is False
    station.put(False)
    await station.rig.wait(300)
    station.slot.retest()
    await station.rig.wait(500)
    assert [type(signal) for signal in station.rig.said] == [FaultReported, FaultReported]
    station.slot.retest()
    await station.prove((True,), (False,))
    assert isinstance(station.rig.said[-1], FaultCleared)


async def test_two_proofs_at_once_are_one(station: Station) -> None:
    """Whoever asked is told when it is over."""
    station.proof.run([station.slot], station._end)
    await station.prove((True,), (False,))
    assert (station.ended, station.rig.said) == (2, [])


async def test_without_a_program_the_emitters_are_dark(station: Station) -> None:
    """Every beam reads as broken then: nothing is accepted."""
    station.proof.close()
    assert station.rig.read(EMITTERS) is False
    station.proof = BeamProof(station.rig.board, EMITTERS)


async def test_whoever_reads_a_beam_next_waits_until_it_has_come_up(station: Station) -> None:
    """For what is left of its time only: something else may be done meanwhile."""
    station.proof.close()
    began = time.monotonic()
    station.proof = BeamProof(station.rig.board, EMITTERS)
    station.proof.wait_until_up()
    assert time.monotonic() - began >= LOOK_S
