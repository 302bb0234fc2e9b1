"""A rollout over fifty simulated boards: one first, then groups, stopped by the first failure."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from flashing.fleet.rollout import BoardStage, halted, left_out, resumed
from flashing.state import FlashStep
from tests.support.flash.flash_bench import NEW, OLD, Workshop
from tests.support.flash.fleet_bench import FleetBench, SimulatedBoard

BOARDS: Final = 50


@pytest.fixture
def fleet(tmp_path: Path, workshop: Workshop) -> FleetBench:
    return FleetBench(tmp_path, workshop, BOARDS)


def test_fifty_boards_take_a_version_in_stages(fleet: FleetBench) -> None:
    """The first alone, then seven at a time; every board flashes exactly once."""
    fleet.begin(first="T9")
    at_work = []
    while not fleet.rollout.is_done:
        fleet.minute()
        assert not fleet.rollout.halted
        at_work.append({name for name, stage in fleet.stages().items() if stage in {"ordered", "flashing"}})
    assert fleet.runs(NEW) == set(fleet.boards)
    assert {len(board.begun) for board in fleet.boards.values()} == {1}
    assert max(map(len, at_work)) == 7
    assert next(names for names in at_work if names) == {"T9"}


def _fails_at(step: FlashStep) -> Callable[[SimulatedBoard], None]:
    def spoil(board: SimulatedBoard) -> None:
        board.fails_at = step

    return spoil


def _spoil(attribute: str) -> Callable[[SimulatedBoard], None]:
    def spoil(board: SimulatedBoard) -> None:
        setattr(board if hasattr(board, attribute) else board.link, attribute, True)

    return spoil


STEPS: Final = {f"at {step}": _fails_at(step) for step in FlashStep if step is not FlashStep.CONFIRMED}
FAILURES: Final = STEPS | {
    "vanishes in the middle": _spoil("vanishes"),
    "its flash does not begin": _spoil("refuses_to_begin"),
    "its downloads break": _spoil("breaks_downloads"),
    "its downloads are altered": _spoil("alters_downloads"),
    "its table does not answer afterwards": _spoil("answers_not"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_the_first_failure_stops_the_rollout_and_spares_everybody_behind_it(fleet: FleetBench, name: str) -> None:
    """Boards of later groups keep their version; the board and the reason are named; mended, the rollout goes on."""
    bad = "T12"  # in the second group of seven
    FAILURES[name](fleet.boards[bad])
    fleet.begin()
    fleet.run()
    assert fleet.rollout.halted.startswith(f"{bad}: ")
    assert fleet.stages()[bad] is BoardStage.FAILED
    for _ in range(5):
        fleet.minute()  # what had begun ends, and nothing else begins
    first, second = {"T1"}, {f"T{number}" for number in range(2, 9)}
    assert first | second <= fleet.runs(NEW) | {bad}
    behind = {f"T{number}" for number in range(16, BOARDS + 1)}
    assert behind <= fleet.runs(OLD)
    assert not any(fleet.boards[board].begun for board in behind)

    fleet.boards[bad].mend()
    with fleet.store.changing() as change:
        change.rollout = resumed(fleet.rollout)
    while fleet.stages()["T16"] is BoardStage.WAITING:  # of the third group
        assert not fleet.rollout.halted
        fleet.minute()
    assert {f"T{number}" for number in range(1, 16)} <= fleet.runs(NEW)


def test_a_failure_of_the_first_board_reaches_no_other(fleet: FleetBench) -> None:
    """That is what the first one is for."""
    fleet.boards["T1"].fails_at = FlashStep.TEST
    fleet.begin()
    fleet.run()
    assert fleet.runs(OLD) == set(fleet.boards)
    assert "failed at step test: as the test says" in fleet.rollout.halted
    assert fleet.rollout.halted in fleet.store.history()


def test_a_board_that_is_away_is_left_out_by_a_person(fleet: FleetBench) -> None:
    """A board that never reports keeps its group waiting, and fails nobody."""
    fleet.boards["T3"].is_gone = True
    fleet.begin()
    for _ in range(20):
        fleet.minute()
    assert fleet.stages()["T3"] is BoardStage.WAITING
    assert not fleet.rollout.halted
    assert fleet.runs(NEW) == {f"T{number}" for number in range(1, 9) if number != 3}
    with fleet.store.changing() as change:
        change.rollout = left_out(fleet.rollout, "T3", fleet.now_s)
    fleet.run()
    assert fleet.runs(NEW) == set(fleet.boards) - {"T3"}


def test_a_network_that_drops_for_a_while_stops_nothing(fleet: FleetBench) -> None:
    """A broken download is fetched anew, and a report that failed comes again."""
    fleet.begin()
    fleet.boards["T1"].link.breaks_downloads = True
    for _ in range(3):
        fleet.minute()
    fleet.boards["T1"].mend()
    fleet.boards["T1"].link.is_cut = True
    for _ in range(3):
        fleet.minute()
    fleet.boards["T1"].mend()
    fleet.run()
    assert fleet.rollout.is_done
    assert fleet.boards["T1"].begun == [NEW]


def test_a_board_with_an_order_from_before_a_halt_does_not_begin(fleet: FleetBench) -> None:
    """Whoever has not begun when a rollout is halted stays as it is."""
    fleet.begin()
    fleet.boards["T1"].link.breaks_downloads = True
    fleet.minute()
    with fleet.store.changing() as change:
        assert change.rollout is not None
        change.rollout = halted(change.rollout, "by Ann")
    fleet.boards["T1"].mend()
    for _ in range(5):
        fleet.minute()
    assert fleet.runs(OLD) == set(fleet.boards)


def test_logs_come_with_the_next_report(fleet: FleetBench) -> None:
    """Once for each time that somebody asks, and a few older ones stay."""
    for _ in range(7):
        fleet.store.ask_for_logs("T1")
        fleet.minute()
        fleet.minute()
    assert [path.read_text() for path in fleet.store.logs("T1")] == ["what happened\n"] * 5
