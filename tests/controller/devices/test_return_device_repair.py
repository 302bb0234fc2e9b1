"""A return device is mended when it has proven it, not when it answers; a fault is written down once."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.journal.journal import Journal
from controller.settings.device_names import RETURN_DEVICE
from drivers.cctalk.commands import Header
from drivers.cctalk.settings import HopperSettings, Security
from drivers.simulated.cctalk_wire import WireFault
from drivers.simulated.hopper_mechanics import Jam
from games.round.events import (
    DeviceFaulted,
    DeviceMended,
    Event,
    IrregularityNoted,
    RecountAsked,
    RefundsConfirmed,
)
from games.round.state import Phase
from tests.support.table.paper_floor import Bench

ALL_GATES = [1, 2, 3, 4, 5, 6, 7]


def written(bench: Bench, kind: type[Event]) -> list[Event]:
    """Every event of a kind about the return device, as the journal has it."""
    journal = Journal.look(Path(bench.settings.state_dir) / "journal.db")
    found = [line.event for line in journal.lines() if isinstance(line.event, kind)]
    journal.abandon()
    return [event for event in found if getattr(event, "device", "") == RETURN_DEVICE]


def jam(bench: Bench, how: Jam | None) -> None:
    with bench.hopper.hands_on() as board:
        board.metal.jam = how


async def retest(bench: Bench) -> None:
    assert bench.assembly is not None
    bench.assembly.performer.retest(RETURN_DEVICE)
    await bench.settle()


async def lock_with(bench: Bench, *seats: int) -> None:
    for seat in seats:
        await bench.drop_chip(seat)
    await bench.settle()
    await bench.press_lock_out()
    await bench.until(lambda: RETURN_DEVICE in bench.state.faults)
    await bench.settle()


async def give_up_the_round(bench: Bench) -> None:
    """The supervisor voids it, refunds come from the rack, and the next round opens with the fault standing."""
    await bench.must(IrregularityNoted("misdeal", "Sue"))
    if bench.state.refunds_due:
        await bench.must(RefundsConfirmed("Dan"))
    await bench.press_end_of_round()
    await bench.until(lambda: bench.state.phase is Phase.OPEN)


@pytest.mark.parametrize(("how", "kind"), [(Jam.DISC, "jam"), (Jam.EXIT, "jam"), (Jam.LIGHT, "spurious")])
async def test_it_is_not_mended_by_answering(bench: Bench, how: Jam, kind: str) -> None:
    """Through a new round, a restart and a test that fails the fault stands, is written once, and no gate opens."""
    jam(bench, how)
    await lock_with(bench, 2, 3)
    await give_up_the_round(bench)
    await bench.power_cut()
    await bench.power_on()
    await bench.linked()
    await bench.settle()
    await retest(bench)
    assert bench.state.faults[RETURN_DEVICE].kind == kind
    assert bench.open_gates == []
    assert len(written(bench, DeviceFaulted)) == 1
    assert written(bench, DeviceMended) == []
    jam(bench, None)
    assert bench.open_gates == []
    await retest(bench)
    await bench.until(lambda: bench.open_gates == ALL_GATES)
    (mended,) = written(bench, DeviceMended)
    assert isinstance(mended, DeviceMended)
    assert mended.proof == "it ran until it was empty; 2 chips came out"
    await bench.deal(4)
    assert bench.state.counted == 1


async def test_chips_of_a_void_round_come_with_the_next_count(bench: Bench) -> None:
    """Nobody tested the device: what it still holds belongs to no light of this round, and the count agrees."""
    jam(bench, Jam.DISC)
    await lock_with(bench, 2, 3)
    await give_up_the_round(bench)
    assert bench.state.loose_chips == 2
    jam(bench, None)
    await bench.press_lock_out()
    await bench.until(lambda: bench.state.phase is Phase.COUNTED)
    assert (bench.state.counted, bench.state.loose_chips, bench.state.faults) == (2, 0, {})


async def test_a_start_turns_no_motor_because_of_an_old_fault(bench: Bench) -> None:
    """Somebody may have his fingers in it."""
    await bench.must(DeviceFaulted(RETURN_DEVICE, "jam", "clear it"))
    bench.hopper.load(2)
    await bench.power_cut()
    await bench.power_on()
    await bench.linked()
    await bench.settle()
    assert bench.hopper_metal.given == 0
    assert RETURN_DEVICE in bench.state.faults


async def test_chips_of_an_open_round_are_not_run_out_for_a_test(bench: Bench) -> None:
    """They are its wagers; lock-out counts them, and that count is the proof."""
    await bench.drop_chip(3)
    await bench.settle()
    await bench.must(DeviceFaulted(RETURN_DEVICE, "stopped", "it was stopped"))
    await retest(bench)
    assert bench.hopper_metal.stock == 1
    assert RETURN_DEVICE in bench.state.faults
    await bench.press_lock_out()
    await bench.until(lambda: bench.state.registered)
    assert bench.state.counted == 1
    assert bench.state.faults == {}


async def test_a_device_that_was_stopped_goes_on_by_a_recount(bench: Bench) -> None:
    """The chips that came out before and after are counted once each."""
    assert bench.assembly is not None
    bench.hold_the_disc()
    for seat in (2, 3, 5):
        await bench.drop_chip(seat)
    await bench.settle()
    await bench.press_lock_out()
    await bench.until(lambda: bench.hopper_metal.remaining > 0)
    await bench.assembly.performer.collector.stop()
    await bench.until(lambda: RETURN_DEVICE in bench.state.faults)
    assert bench.state.faults[RETURN_DEVICE].kind == "stopped"
    bench.let_the_disc_go()
    await bench.must(RecountAsked("Dan"))
    await bench.until(lambda: bench.state.registered)
    assert bench.state.counted == 3
    assert bench.state.faults == {}


async def test_one_that_latches_a_power_loss_goes_on_by_a_recount(bench: Bench) -> None:
    """It refuses every payout until it is reset: the recount resets it, and no chip is counted twice or lost."""
    bench.hold_the_disc()
    with bench.hopper.hands_on() as board:
        board.latches_power_loss, board.metal.cut_after = True, 1
    for seat in (2, 3, 5):
        await bench.drop_chip(seat)
    await bench.settle()
    await bench.press_lock_out()
    await bench.turn_the_disc_once()
    await bench.until(lambda: RETURN_DEVICE in bench.state.faults)
    assert bench.state.faults[RETURN_DEVICE].kind == "reset"
    assert "power lost while paying (3.0)" in bench.state.faults[RETURN_DEVICE].detail
    bench.let_the_disc_go()
    await bench.must(RecountAsked("Dan"))
    await bench.until(lambda: bench.state.registered)
    assert bench.state.counted == 3
    assert bench.state.faults == {}


async def test_one_whose_memory_failed_counts_for_no_round(bench: Bench) -> None:
    """Neither a recount, a restart nor a reset by hand makes it count for this round; afterwards a test mends it."""
    bench.hold_the_disc()
    with bench.hopper.hands_on() as board:
        board.metal.cuts_a_write, board.metal.cut_after = True, 1
    for seat in (2, 3):
        await bench.drop_chip(seat)
    await bench.settle()
    await bench.press_lock_out()
    await bench.turn_the_disc_once()
    await bench.until(lambda: RETURN_DEVICE in bench.state.faults)
    bench.let_the_disc_go()
    await bench.must(RecountAsked("Dan"))
    await bench.settle()
    await bench.power_cut()
    await bench.power_on()
    await bench.linked()
    await bench.settle()
    assert bench.state.faults[RETURN_DEVICE].kind == "distrusted"
    assert bench.state.counted is None
    assert len(written(bench, DeviceFaulted)) == 1
    with bench.hopper.hands_on() as board:
        board.restart(by_power=False)
    await bench.must(RecountAsked("Dan"))
    await retest(bench)
    assert bench.state.counted is None
    await give_up_the_round(bench)
    await retest(bench)
    await bench.until(lambda: bench.open_gates == ALL_GATES)
    (mended,) = written(bench, DeviceMended)
    assert isinstance(mended, DeviceMended)
    assert mended.proof == "it ran until it was empty; 1 chips came out"


async def test_one_that_does_not_hear_the_order_to_pay_is_written_down_once(bench: Bench) -> None:
    """It says who it is all the while; only the count mends it, and that comes by itself."""
    bench.hopper.wire.fail_always(WireFault.LOST_COMMAND, Header.DISPENSE_HOPPER_COINS)
    await lock_with(bench, 2, 3, 5)
    assert bench.state.faults[RETURN_DEVICE].kind == "silent"
    assert bench.assembly is not None
    for _ in range(2):
        bench.assembly.performer.collector.look()
        await bench.until(lambda: bench.assembly is not None and bench.assembly.performer.collector.is_idle)
    assert len(written(bench, DeviceFaulted)) == 1
    assert written(bench, DeviceMended) == []
    bench.hopper.wire._each.clear()
    await bench.until(lambda: bench.state.registered)
    assert bench.state.counted == 3


async def test_one_that_babbles_is_written_down_once(bench: Bench) -> None:
    """However long it goes on, and whatever it says each time."""
    bench.hopper.wire.always = WireFault.BABBLE
    await lock_with(bench, 2)
    assert bench.assembly is not None
    for _ in range(3):
        bench.assembly.performer.collector.look()
        await bench.until(lambda: bench.assembly is not None and bench.assembly.performer.collector.is_idle)
    faults = written(bench, DeviceFaulted)
    assert [event.kind for event in faults if isinstance(event, DeviceFaulted)] == ["garbled"]
    bench.hopper.wire.always = None
    await bench.until(lambda: bench.state.registered)


async def test_one_that_refuses_to_pay_is_not_mended_by_its_good_manners(bench: Bench) -> None:
    """It answers every question and pays nothing: one fault, until somebody has corrected the settings."""
    hopper = bench.settings.return_device
    assert isinstance(hopper, HopperSettings)
    await bench.power_cut()
    bench.settings = replace(bench.settings, return_device=replace(hopper, security=Security.SERIAL))
    await bench.power_on()
    await bench.until(lambda: bench.open_gates == ALL_GATES)
    await lock_with(bench, 2)
    assert bench.state.faults[RETURN_DEVICE].kind == "refused"
    await bench.must(RecountAsked("Dan"))
    await bench.settle()
    assert len(written(bench, DeviceFaulted)) == 1
    assert written(bench, DeviceMended) == []
    await bench.power_cut()
    bench.settings = replace(bench.settings, return_device=hopper)
    await bench.power_on()
    await bench.until(lambda: bench.state.registered)
