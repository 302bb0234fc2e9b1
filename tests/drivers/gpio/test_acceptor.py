"""Slots on simulated metal: gates, faults, lost edges, floods and threads."""

import asyncio
import threading
from collections.abc import AsyncIterator

import pytest

from common.clock import RealClock
from drivers.gpio.acceptor import SlotAcceptor
from drivers.gpio.button import Button
from drivers.gpio.pins import PinRegistry, beam, contact
from drivers.ports import ButtonPressed, ChipEntered, FaultKind, FaultReported, PinFault, Signal
from drivers.recognise.debounce import Timings
from drivers.simulated.pins import SimulatedPins
from drivers.simulated.slots import Fall, SlotModel
from tests.support.drivers.bench_rig import BenchRig, all_of, only_simulated, rig_under_test

BEAMS, GATES = (4, 5, 6, 7, 8, 9, 10), (11, 12, 13, 16, 17, 18, 19)
LOCK_OUT, LOCK_OUT_PIN = "lock-out button", 20


class Slots:
    """Seven slots with one beam each."""

    def __init__(self, rig: BenchRig, timings: Timings) -> None:
        self.rig, self.chips_in, self.bounced = rig, 0, 0
        self.models = {seat: self._model(seat) for seat in range(1, 8)}
        self.acceptors = {seat: self._acceptor(seat, timings) for seat in range(1, 8)}

    def open_all(self) -> None:
        for acceptor in self.acceptors.values():
            acceptor.open()

    def shut_all(self) -> None:
        for acceptor in self.acceptors.values():
            acceptor.shut()

    def close(self) -> None:
        for acceptor in self.acceptors.values():
            acceptor.close()

    def _model(self, seat: int) -> SlotModel:
        wire = beam(BEAMS[seat - 1])
        return SlotModel(self.rig.pins, beams=[wire], gate=GATES[seat - 1], on_chip_in=self._in, on_bounce=self._bounce)

    def _acceptor(self, seat: int, timings: Timings) -> SlotAcceptor:
        wire, gate = beam(BEAMS[seat - 1]), GATES[seat - 1]
        device = f"seat {seat} acceptor"
        return SlotAcceptor(self.rig.board, device, channel=seat, beams=[wire], gate=gate, timings=timings)

    def _in(self) -> None:
        self.chips_in += 1

    def _bounce(self) -> None:
        self.bounced += 1


@pytest.fixture
async def rig() -> BenchRig:
    return rig_under_test()


@pytest.fixture
async def slots(rig: BenchRig) -> AsyncIterator[Slots]:
    slots = Slots(rig, Timings())
    yield slots
    slots.close()


async def test_a_shut_gate_gives_the_chip_back(slots: Slots) -> None:
    """Nothing is seen, nothing is taken."""
    slots.models[3].insert_chip()
    await slots.rig.wait(500)
    assert (slots.bounced, slots.chips_in, slots.rig.said) == (1, 0, [])


async def test_1000_chips_a_second_end_in_a_fault_and_a_shut_gate(slots: Slots) -> None:
    """Most chips come back to the player, none is a wager, and the neighbours play on."""
    slots.open_all()
    slots.models[3].insert_chips_fast(1000, every_ms=1, fall=Fall(past_beam_ms=0.5))
    await slots.rig.wait(1500)
    (fault,) = all_of(FaultReported, slots.rig.said)
    assert (fault.device, fault.kind) == ("seat 3 acceptor", FaultKind.CHATTER)
    assert slots.bounced > 900
    assert not slots.models[3].is_open
    slots.models[4].insert_chip()
    await slots.rig.wait(500)
    assert isinstance(slots.rig.said[-1], ChipEntered)


async def test_a_fault_shuts_the_gate_before_it_is_told(slots: Slots) -> None:
    """Whoever hears of the fault finds the seat closed."""
    gate_at_report = []
    slots.rig.board.report = lambda signal: gate_at_report.append((type(signal), slots.models[3].is_open))
    slots.open_all()
    slots.models[3].stick()
    await slots.rig.wait(2500)
    assert gate_at_report == [(FaultReported, False)]


@only_simulated("no kernel loses an edge on order")
async def test_an_edge_the_kernel_lost_is_found_by_looking(slots: Slots) -> None:
    """The clearing edge never came, and the chip is still one chip."""
    slots.open_all()
    pin = slots.rig.pins.wire(BEAMS[2])
    pin.drive(True)
    await slots.rig.wait(30)
    pin.drive_unheard(False)
    await slots.rig.wait(1000)
    assert [type(signal) for signal in slots.rig.said] == [ChipEntered]


async def test_seven_chips_and_the_button_in_one_millisecond(slots: Slots) -> None:
    """Every chip that passed its gate before the touch is told before the press; the gates are shut at the touch."""
    slots.rig.drive(LOCK_OUT_PIN, True)
    button = Button(slots.rig.board, LOCK_OUT, contact(LOCK_OUT_PIN), on_touch=slots.shut_all)
    slots.open_all()
    for seat in range(1, 8):
        slots.models[seat].insert_chip(Fall(to_beam_ms=0.1 * seat, past_beam_ms=9))
    await slots.rig.wait(1)
    slots.rig.drive(LOCK_OUT_PIN, False)
    await slots.rig.wait(0)
    assert not any(model.is_open for model in slots.models.values())
    slots.models[1].insert_chip()
    await slots.rig.wait(200)
    told = [signal.channel if isinstance(signal, ChipEntered) else type(signal) for signal in slots.rig.said]
    assert told == [1, 2, 3, 4, 5, 6, 7, ButtonPressed]
    assert slots.bounced == 1
    button.close()


@only_simulated("real edges need time to arrive, and a leap leaves them none")
async def test_a_clock_moved_in_one_leap_sees_the_same_chips(slots: Slots) -> None:
    """A loop that was held up for a second judges by the edges' own times; looks taken meanwhile wait behind them."""
    slots.open_all()
    slots.models[3].insert_chip()
    slots.models[5].insert_chip(Fall(to_beam_ms=50, past_beam_ms=200))
    slots.rig.clock.advance(1.0)
    await slots.rig.wait(0)
    assert [signal.channel for signal in all_of(ChipEntered, slots.rig.said)] == [3, 5]


async def test_an_edge_on_its_way_when_the_slot_closes_is_dropped(rig: BenchRig) -> None:
    """Nothing is told after close(), and nobody keeps looking."""
    slots = Slots(rig, Timings())
    slots.open_all()
    rig.drive(BEAMS[2], True)
    slots.close()
    await rig.wait(1000)
    assert rig.said == []
    assert rig.waiting_timers() == 0


@only_simulated("no kernel loses an edge on order")
async def test_a_look_on_its_way_when_the_slot_closes_is_dropped(rig: BenchRig) -> None:
    """The levels were read, the slot is gone: nothing is made of them."""
    slots = Slots(rig, Timings(settle_ms=0, flat_chip_ms=0, min_chip_ms=0))
    for seat in range(1, 8):
        rig.pins.wire(BEAMS[seat - 1]).drive_unheard(True)
    rig.clock.advance(0.25)
    slots.close()
    await rig.wait(5000)
    assert rig.said == []


async def test_what_was_found_at_the_start_is_not_told_after_a_close(rig: BenchRig) -> None:
    """A table that fails to build leaves no voices behind."""
    rig.drive(BEAMS[2], True)
    slots = Slots(rig, Timings())
    slots.close()
    await rig.wait(1000)
    assert rig.said == []


async def test_settle_ms_zero_tells_a_chip_without_any_time_passing(rig: BenchRig) -> None:
    """From the clearing edge to the report there is only the loop."""
    slots = Slots(rig, Timings(settle_ms=0, min_chip_ms=8))
    slots.open_all()
    rig.drive(BEAMS[2], True)
    await rig.wait(30)
    rig.drive(BEAMS[2], False)
    await rig.wait(0)
    assert [type(signal) for signal in rig.said] == [ChipEntered]
    slots.close()


@only_simulated("the bench holds every wire; cut one by hand")
async def test_beams_on_a_cut_cable_close_the_seat(rig: BenchRig) -> None:
    """With nothing on the wire the board's resistor reads as a broken beam."""
    acceptor = SlotAcceptor(rig.board, "seat 1 acceptor", channel=1, beams=[beam(BEAMS[0])], gate=GATES[0])
    await rig.wait(100)
    assert [signal.kind for signal in all_of(FaultReported, rig.said)] == [FaultKind.STUCK]
    acceptor.close()


async def test_a_slot_that_cannot_have_a_beam_gives_its_other_pins_back(rig: BenchRig) -> None:
    """A failed fitting holds nothing, and its gate is low."""
    with pytest.raises(PinFault, match="seat 1 acceptor: this board has no GPIO99"):
        SlotAcceptor(rig.board, "seat 1 acceptor", channel=1, beams=[beam(4), beam(99)], gate=11)
    assert not rig.read(11)
    SlotAcceptor(rig.board, "seat 1 acceptor", channel=1, beams=[beam(4), beam(5)], gate=11).close()


@only_simulated("the program is this test; hil/tests/test_units.py kills a daemon")
async def test_a_program_that_died_leaves_every_gate_shut(slots: Slots) -> None:
    """Nobody holds the outputs any more; the next program can have them."""
    slots.open_all()
    slots.rig.pins.program_died()
    assert not any(model.is_open for model in slots.models.values())
    board = slots.rig.new_board()
    SlotAcceptor(board, "seat 1 acceptor", channel=1, beams=[beam(BEAMS[0])], gate=GATES[0]).close()
    slots.acceptors.clear()


@only_simulated("it brings pins of its own")
async def test_edges_from_another_thread_are_told_in_the_loops_thread() -> None:
    """The pin's own thread hands over and does nothing else; a real clock, a real thread."""
    loop = asyncio.get_running_loop()
    clock, told = RealClock(loop), asyncio.Queue[tuple[int, Signal]]()
    pins = SimulatedPins(clock)
    pins.wire(4).drive(False)
    board = PinRegistry(
        pins, clock=clock, loop=loop, report=lambda signal: told.put_nowait((threading.get_ident(), signal))
    )
    timings = Timings(settle_ms=0, flat_chip_ms=0, min_chip_ms=0)
    acceptor = SlotAcceptor(board, "seat 1 acceptor", channel=1, beams=[beam(4)], gate=11, timings=timings)
    acceptor.open()

    def pass_beam() -> None:
        pins.wire(4).drive(True)
        pins.wire(4).drive(False)

    pin_thread = threading.Thread(target=pass_beam)
    pin_thread.start()
    thread, signal = await asyncio.wait_for(told.get(), timeout=60)
    pin_thread.join()
    acceptor.close()
    assert isinstance(signal, ChipEntered)
    assert thread == threading.get_ident() != pin_thread.ident
