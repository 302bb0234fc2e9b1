"""Worn, jammed, unplugged and full: the table says so to whom it concerns, stays safe and loses nothing."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from controller.journal.file import JournalFault
from controller.journal.journal import Journal
from controller.settings.device_names import RETURN_DEVICE
from drivers.light_patterns import Pattern
from drivers.simulated.cctalk_wire import WireFault
from drivers.simulated.hopper_mechanics import Jam
from drivers.simulated.slots import Fall, SlotModel
from games.round.events import CloseAsked, DeviceFaulted, MismatchExplained, RecountAsked
from games.round.state import Phase
from tests.support.table.paper_floor import Bench, paper_floor


async def lock_with_fault(bench: Bench, *seats: int) -> None:
    """Chips and lock-out; the collection may not end well."""
    for seat in seats:
        await bench.drop_chip(seat)
    await bench.settle()
    await bench.press_lock_out()
    await bench.settle()


async def test_a_jammed_hopper_stands_still_and_goes_on_when_cleared(bench: Bench) -> None:
    """The fault names what to do; no chip is counted twice (S-13)."""
    with bench.hopper.hands_on() as board:
        board.metal.jam, board.metal.jam_after = Jam.DISC, 1
    await lock_with_fault(bench, 2, 3, 5)
    fault = bench.state.faults[RETURN_DEVICE]
    assert fault.kind == "jam"
    assert bench.state.phase is Phase.LOCKED
    assert bench.floor.meter.pot.in_cents == 0
    with bench.hopper.hands_on() as board:
        board.metal.jam = None
    await bench.must(RecountAsked("Dan"))
    await bench.until(lambda: bench.state.registered)
    assert bench.state.faults == {}
    assert bench.state.counted == 3
    assert bench.floor.meter.pot.in_cents == 300


async def test_28_7_b_2_a_short_count_waits_for_the_supervisor(bench: Bench) -> None:
    """A chip that hangs in the throat is missing in the count; a recount after clearing finds it."""
    await bench.hang_a_chip()
    assert bench.state.phase is Phase.LOCKED
    assert await bench.look(2) is Pattern.STEADY
    assert bench.metal.look_at_lamp("lock-out button") is Pattern.DOUBLE_FLASH
    bench.hopper.load(1)
    await bench.must(RecountAsked("Dan"))
    await bench.until(lambda: bench.state.registered)
    assert bench.state.counted == 2


async def test_28_7_b_2_a_chip_too_many_waits_for_the_supervisor(bench: Bench) -> None:
    """What has no light is no wager, and the explanation is on record."""
    bench.hopper.load(1)
    await lock_with_fault(bench, 2)
    assert bench.state.counted == 2
    await bench.must(MismatchExplained("Sue", "a chip of the last shift lay in the hopper"))
    await bench.until(lambda: bench.state.registered)
    assert bench.floor.meter.pot.in_cents == 100


async def test_an_unplugged_hopper_is_a_fault_and_comes_back_by_itself(bench: Bench) -> None:
    """Unplugged and plugged in again without a restart: the round goes on where it stood."""
    await bench.drop_chip(2)
    await bench.settle()
    bench.hopper.unplug()
    await bench.press_lock_out()
    await bench.until(lambda: RETURN_DEVICE in bench.state.faults)
    assert bench.state.phase is Phase.LOCKED
    bench.hopper.plug()
    await bench.until(lambda: bench.state.registered)
    assert bench.state.faults == {}
    assert bench.state.counted == 1


async def test_a_hopper_that_babbles_is_named(bench: Bench) -> None:
    """Garbage on the wire is a fault, never a count."""
    await bench.drop_chip(2)
    await bench.settle()
    bench.hopper.wire.always = WireFault.BABBLE
    await bench.press_lock_out()
    await bench.until(lambda: RETURN_DEVICE in bench.state.faults)
    assert bench.state.counted is None
    bench.hopper.wire.always = None
    await bench.must(RecountAsked("Dan"))
    await bench.until(lambda: bench.state.registered)


async def test_a_table_without_its_return_device_does_not_open(tmp_path: Path) -> None:
    """Missing at start: the supervisor is told, no gate opens."""
    async with paper_floor(tmp_path, is_open=False) as floor:
        bench = floor.tables["T1"]
        await bench.shut_down()
        bench.hopper.unplug()
        await bench.power_on()
        await bench.until(lambda: RETURN_DEVICE in bench.state.faults)
        assert bench.open_gates == []
        bench.hopper.plug()
        await bench.until(lambda: RETURN_DEVICE not in bench.state.faults)


async def test_a_stuck_beam_shuts_its_seat_only(bench: Bench) -> None:
    """The seat flashes twice and stays shut until it was tested again; the others play on."""
    bench.metal.slots[4].stick()
    await bench.pass_time(3)
    await bench.settle()
    assert bench.state.faults["seat 4 acceptor"].kind == "stuck"
    assert bench.open_gates == [1, 2, 3, 5, 6, 7]
    assert await bench.look(4) is Pattern.DOUBLE_FLASH
    await bench.deal(3)
    bench.metal.slots[4].free()
    await bench.pass_time(1)
    assert "seat 4 acceptor" in bench.state.faults
    assert bench.assembly is not None
    bench.assembly.performer.retest("seat 4 acceptor")
    await bench.pass_time(1)
    await bench.settle()
    assert bench.state.faults == {}


async def test_a_fault_survives_the_power_cut_and_is_tested_again(bench: Bench) -> None:
    """R52, R53: a stuck beam is still stuck after a restart; a free one is mended by the test at the start."""
    bench.metal.slots[4].stick()
    await bench.pass_time(3)
    await bench.settle()
    await bench.power_cut()
    await bench.power_on()
    await bench.pass_time(1)
    await bench.settle()
    assert "seat 4 acceptor" in bench.state.faults
    bench.metal.slots[4].free()
    await bench.power_cut()
    await bench.power_on()
    await bench.pass_time(1)
    await bench.settle()
    assert bench.state.faults == {}


@pytest.mark.parametrize(
    ("abuse", "kind", "chips_in"),
    [
        (SlotModel.insert_two_chips, "two chips", 2),
        (SlotModel.insert_flat_chip, "flat chip", 1),
        (partial(SlotModel.insert_chip, fall=Fall(past_beam_ms=450)), "held chip", 1),
        (partial(SlotModel.chip_on_a_string, down_ms=1000), "drawn back", 0),
    ],
)
async def test_what_no_single_chip_does_shuts_the_seat_and_has_a_name(
    bench: Bench, abuse: Callable[[SlotModel], None], kind: str, chips_in: int
) -> None:
    """No chip enters unseen: somebody looks, and the other seats play on."""
    abuse(bench.metal.slots[4])
    await bench.pass_time(2)
    await bench.settle()
    assert bench.state.faults["seat 4 acceptor"].kind == kind
    assert 4 not in bench.open_gates
    assert len(bench.open_gates) == 6
    assert bench.hopper_metal.stock == chips_in


async def test_a_thousand_chips_a_second_are_a_fault_and_no_thousand_wagers(bench: Bench) -> None:
    """The seat has one wager at most and shuts itself; every chip is either back with the player or in the hopper."""
    bench.metal.slots[3].insert_chips_fast(1000, every_ms=1, fall=Fall(to_beam_ms=1, past_beam_ms=0.4))
    await bench.pass_time(1.5)
    await bench.settle()
    assert set(bench.state.wagers) <= {3}
    assert 3 not in bench.open_gates
    assert len(bench.metal.chips_bounced) > 900
    assert bench.hopper_metal.stock + len(bench.metal.chips_bounced) == 1000


async def test_a_full_disk_shuts_the_gates_and_loses_nothing(bench: Bench) -> None:
    """A chip that cannot be written down gets no light until it can; the message says what to do."""
    assert bench.assembly is not None
    table = bench.assembly.table
    database = table.journal._database
    pages = database.execute("PRAGMA page_count").fetchone()[0]
    database.execute(f"PRAGMA max_page_count = {pages}")
    filler = asyncio.ensure_future(_fill(bench))
    await bench.until(lambda: bool(table.trouble))
    assert "free some space" in bench.assembly.look().next_step
    assert bench.open_gates == []
    await bench.drop_chip(3)
    assert 3 not in bench.state.wagers
    database.execute("PRAGMA max_page_count = 1000000")
    await bench.until(lambda: not table.trouble)
    await filler
    await bench.settle()
    assert bench.open_gates == [1, 2, 3, 4, 5, 6, 7]


async def _fill(bench: Bench) -> None:
    for number in range(400):
        await bench.tell(MismatchExplained(f"nobody {number}", "x" * 200))


async def test_a_clock_stepped_back_changes_no_order(bench: Bench) -> None:
    """R81: numbers and monotonic times give the order, whatever the calendar says."""
    await bench.drop_chip(2)
    await bench.settle()
    bench.floor.clock.step_wall(-3_600_000)
    await bench.deal(3)
    await bench.press_end_of_round()
    await bench.until(lambda: bench.state.round == 2)
    journal = Journal.look(Path(bench.settings.state_dir) / "journal.db")
    lines = list(journal.lines())
    journal.abandon()
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    assert [line.moment.mono_ms for line in lines] == sorted(line.moment.mono_ms for line in lines)
    assert any(later.moment.at_ms < earlier.moment.at_ms for earlier, later in pairwise(lines))


async def test_a_chip_that_falls_while_the_power_is_off_is_no_wager_and_is_found_in_the_count(bench: Bench) -> None:
    """Light, journal and meter know nothing of it; the hopper does."""
    bench.insert_chip(3)
    await bench.power_cut()
    await bench.pass_time(0.5)
    await bench.power_on()
    await bench.until(lambda: not bench.state.link_down)
    await bench.settle()
    await bench.drop_chip(5)
    await bench.settle()
    await bench.press_lock_out()
    await bench.until(lambda: bench.state.counted == 2)
    assert bench.lit == [5]
    assert bench.state.phase is Phase.LOCKED


async def test_law_1_no_light_before_the_wager_is_on_disk(bench: Bench) -> None:
    """While the disk is busy with a chip its light says nothing new, and no second chip slips in."""
    assert bench.assembly is not None
    journal: Any = bench.assembly.table.journal
    write, disk = journal.write, threading.Event()

    def slow(*args: Any, **kwargs: Any) -> None:
        disk.wait(60)
        write(*args, **kwargs)

    journal.write = slow
    await bench.drop_chip(3)
    await bench.pass_time(2.5)
    assert bench.metal.look(3) is Pattern.PULSE
    await bench.drop_chip(3)
    assert bench.metal.chips_bounced == [3]
    disk.set()
    await bench.settle()
    assert await bench.look(3) is Pattern.STEADY


async def test_a_disk_that_hangs_shuts_the_gates(bench: Bench) -> None:
    """Nothing comes in that cannot be written down; when the disk answers, everything is as it was."""
    assert bench.assembly is not None
    table = bench.assembly.table
    journal: Any = table.journal
    write, disk = journal.write, threading.Event()

    def hang(*args: Any, **kwargs: Any) -> None:
        disk.wait(60)
        write(*args, **kwargs)

    journal.write = hang
    await bench.drop_chip(3)
    await bench.until(lambda: bool(table.trouble))
    assert bench.open_gates == []
    bench.metal.buttons["lock-out button"].contact.glitch(2)
    await bench.pass_time(0.3)
    assert bench.open_gates == [], "a glitch opens nothing while the journal fails"
    disk.set()
    await bench.until(lambda: not table.trouble)
    await bench.settle()
    assert bench.open_gates == [1, 2, 4, 5, 6, 7]


async def test_the_key_taken_out_while_the_power_was_off_is_out(bench: Bench) -> None:
    """A supervisor's key is what the switch says now, not what the journal remembers."""
    await bench.power_cut()
    bench.metal.turn_key(False)
    await bench.power_on()
    await bench.pass_time(0.3)
    await bench.settle()
    assert bench.state.key_on is False


async def test_gates_are_shut_before_anything_else_ends(bench: Bench) -> None:
    """A stop that takes its time leaves no gate open meanwhile."""
    for task in bench._tasks:
        task.cancel()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert bench.open_gates == []


async def test_a_slow_chip_in_the_throat_at_the_press_is_a_wager(bench: Bench) -> None:
    """The longest lawful way from the gate past the beam is waited for."""
    bench.metal.insert_chip(3, Fall(to_beam_ms=195, past_beam_ms=46))
    await bench.press_lock_out()
    await bench.pass_time(1.5)
    await bench.settle()
    await bench.until(lambda: bench.state.registered)
    assert list(bench.state.wagers) == [3]


async def test_a_table_whose_settings_changed_in_mid_round_does_not_start(bench: Bench) -> None:
    """A replay under other rules would stand elsewhere; closed and stopped cleanly, the change is welcome."""
    await bench.drop_chip(3)
    await bench.settle()
    await bench.power_cut()
    old = bench.settings
    bench.settings = replace(old, pay_table="B")
    with pytest.raises(JournalFault, match="put the old ones back"):
        await bench.power_on()
    bench.settings = old
    await bench.power_on()
    await bench.linked()
    await bench.turn_key(on=False)
    await bench.turn_key(on=True)
    await bench.settle()
    await bench.must(CloseAsked("Sue", "new pay table"))
    await bench.press_lock_out()
    await bench.settle()
    await bench.press_end_of_round()
    await bench.until(lambda: bench.state.phase is Phase.CLOSED)
    await bench.shut_down()
    bench.settings = replace(old, pay_table="B")
    await bench.power_on()
    assert bench.state.phase is Phase.CLOSED


async def test_a_fault_of_a_device_that_is_fitted_no_longer_is_gone(bench: Bench) -> None:
    """Taking a broken button out of the settings mends the table."""
    await bench.must(DeviceFaulted("end-of-round lever", "stuck", "it is held"))
    assert bench.open_gates == []
    await bench.power_cut()
    await bench.power_on()
    await bench.linked()
    await bench.settle()
    assert bench.state.faults == {}


@pytest.fixture
async def proving(tmp_path: Path) -> AsyncIterator[Bench]:
    """A table whose emitters hang on a line; it is open, and its beams have been proved once."""
    async with paper_floor(tmp_path, beams={"emitters": 14}) as floor:
        bench = floor.tables["T1"]
        await bench.pass_time(0.1)
        yield bench


async def next_round(bench: Bench) -> None:
    """Lock-out, end of round, and the time that the proof takes."""
    await bench.press_lock_out()
    await bench.settle()
    await bench.press_end_of_round()
    await bench.until(lambda: bench.state.phase is Phase.OPEN)
    await bench.pass_time(0.1)
    await bench.settle()


async def test_every_beam_is_proved_before_each_round(proving: Bench) -> None:
    """The emitters go dark once, no gate is open meanwhile, and chips are taken as before."""
    assert proving.open_gates == [1, 2, 3, 4, 5, 6, 7]
    emitters, gate = proving.pins.wire(14), proving.pins.wire(9)
    await next_round(proving)
    dark, lit = list(emitters.history)[-2:]
    assert (dark.level, lit.level) == (False, True)
    assert 0.019 < lit.at - dark.at < 0.03
    assert gate.history[-2].at <= dark.at < lit.at < gate.history[-1].at
    assert proving.open_gates == [1, 2, 3, 4, 5, 6, 7]
    await proving.drop_chip(3)
    await proving.settle()
    assert (list(proving.state.wagers), proving.state.faults) == ([3], {})


async def test_a_dazzled_receiver_shuts_its_seat_before_a_chip_enters_unseen(proving: Bench) -> None:
    """It would never break; only a proof that it passes opens the seat again."""
    proving.metal.slots[4].beams[0].dazzle()
    await next_round(proving)
    assert proving.state.faults["seat 4 acceptor"].kind == "dazzled"
    assert proving.open_gates == [1, 2, 3, 5, 6, 7]
    assert proving.assembly is not None
    proving.metal.slots[4].beams[0].dazzle(False)
    proving.assembly.performer.retest("seat 4 acceptor")
    await proving.pass_time(1)
    await proving.settle()
    assert "retest once wagers are locked" in proving.state.faults["seat 4 acceptor"].detail
    await proving.press_lock_out()
    await proving.settle()
    proving.assembly.performer.retest("seat 4 acceptor")
    await proving.pass_time(1)
    await proving.settle()
    assert proving.state.faults == {}


async def test_a_beam_whose_emitter_died_is_dark(proving: Bench) -> None:
    """It reads as broken at all times: the seat was shut already, and the proof says why."""
    proving.metal.slots[4].stick()
    await proving.pass_time(3)
    await proving.settle()
    assert proving.state.faults["seat 4 acceptor"].kind == "stuck"
    await proving.press_lock_out()
    await proving.settle()
    assert proving.assembly is not None
    proving.assembly.performer.retest("seat 4 acceptor")
    await proving.pass_time(1)
    await proving.settle()
    assert proving.state.faults["seat 4 acceptor"].kind == "dark"


async def test_a_hit_opens_every_gate_and_a_hold_keeps_it(tmp_path: Path) -> None:
    """Full power for hit_ms only; a weak hold alone would not have pulled them."""
    async with paper_floor(tmp_path, gates={"hit": 24, "hit_ms": 60}, end_of_round={"button": 14}) as floor:
        bench = floor.tables["T1"]
        await bench.pass_time(0.1)
        up, down = bench.pins.wire(24).history
        assert (up.level, down.level, round(down.at - up.at, 3)) == (True, False, 0.06)
        assert bench.open_gates == [1, 2, 3, 4, 5, 6, 7]
        await bench.drop_chip(3)
        await bench.settle()
        assert list(bench.state.wagers) == [3]


async def test_a_hit_too_short_to_pull_opens_nothing(tmp_path: Path) -> None:
    """The simulated solenoid is one: chips come back to the player."""
    async with paper_floor(tmp_path, gates={"hit": 24, "hit_ms": 20}, end_of_round={"button": 14}) as floor:
        bench = floor.tables["T1"]
        await bench.pass_time(0.1)
        await bench.drop_chip(3)
        assert (bench.metal.chips_bounced, bench.state.wagers) == ([3], {})


async def test_a_gate_held_for_too_long_rests_and_opens_again(tmp_path: Path) -> None:
    """No solenoid burns while a table waits for players."""
    async with paper_floor(tmp_path, gates={"duty": 0.5, "longest_hold_s": 4}) as floor:
        bench = floor.tables["T1"]
        await bench.pass_time(3.9)
        assert len(bench.open_gates) == 7
        await bench.pass_time(0.2)
        assert bench.open_gates == []
        await bench.drop_chip(3)
        assert bench.metal.chips_bounced == [3]
        await bench.pass_time(2)
        assert len(bench.open_gates) == 7
        await bench.drop_chip(3)
        await bench.settle()
        assert list(bench.state.wagers) == [3]
