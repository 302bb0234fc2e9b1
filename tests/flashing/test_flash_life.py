"""A flash's life is its table: every row is walked on a board in a folder."""

from contextlib import suppress
from pathlib import Path
from unittest import mock

import pytest

from flashing.errors import FlashError
from flashing.rollback import Rollback
from flashing.state import FLASH_LIFE, FlashEnd, FlashEvent, FlashNotes, FlashState, FlashStep
from tests.support.flash.flash_bench import NEW, OLD, FlashBench, Workshop, stands
from tests.support.flash.flash_plug import Plug, PowerCut

STEPS = tuple(FlashStep)
RUNS = {FlashEnd.WENT_BACK: OLD, FlashEnd.FINISHED: NEW}


def flash(bench: FlashBench, at: FlashStep | None = None, error: Exception | None = None) -> list[FlashStep]:
    """Flashes, and has something happen once this step is on disk; returns the steps as they came to disk."""
    written, write = list[FlashStep](), FlashNotes.write

    def note(notes: FlashNotes, state: FlashState) -> FlashState:
        kept = write(notes, state)
        if not written or written[-1] is not state.step:
            written.append(state.step)
            if state.step is at and error is not None:
                raise error
        return kept

    with mock.patch.object(FlashNotes, "write", note), suppress(PowerCut):
        bench.run(NEW)
    return written


def test_every_event_has_a_way_from_every_step() -> None:
    """Nobody has to guess what becomes of a flash."""
    assert {event: tuple(ways) for event, ways in FLASH_LIFE.items()} == dict.fromkeys(FlashEvent, STEPS)


def test_done_steps_follow_each_other_as_the_table_says(bench: FlashBench) -> None:
    """From the first step to the end, each on disk in its turn."""
    written = flash(bench)
    ways = [*written, FlashEnd.FINISHED]
    assert written[0] is STEPS[0]
    assert all(FLASH_LIFE[FlashEvent.DONE][step] is later for step, later in zip(written, ways[1:], strict=True))
    stands(bench, NEW)


@pytest.mark.parametrize("step", STEPS)
def test_a_flash_that_is_cut_off_at_a_step_ends_at_boot_as_the_table_says(
    folder: Path, workshop: Workshop, step: FlashStep
) -> None:
    """The plug is pulled as soon as the step is on disk."""
    bench = FlashBench(folder / "board", workshop)
    bench.begin()
    assert flash(bench, step, PowerCut())[-1] is step
    bench.kill_table()
    bench.plug = Plug()
    bench.boot()
    end = FLASH_LIFE[FlashEvent.CUT_OFF][step]
    assert isinstance(end, FlashEnd)
    stands(bench, RUNS[end])
    bench.kill_table()


@pytest.mark.parametrize("step", STEPS[1:-1])
def test_a_step_that_fails_goes_back_as_the_table_says(folder: Path, workshop: Workshop, step: FlashStep) -> None:
    """From any step but the last."""
    bench = FlashBench(folder / "board", workshop)
    bench.begin()
    flash(bench, step, FlashError("it does not go"))
    end = FLASH_LIFE[FlashEvent.FAILED][step]
    assert isinstance(end, FlashEnd)
    stands(bench, RUNS[end])
    bench.kill_table()


def test_a_confirmed_flash_that_cannot_be_tidied_up_is_finished_at_boot(bench: FlashBench) -> None:
    """The new version stays; what is left over goes when the board starts."""
    problem = mock.patch.object(Rollback, "finish", side_effect=FlashError("no space left"))
    with problem, pytest.raises(FlashError, match="no space left"):
        flash(bench)
    assert FLASH_LIFE[FlashEvent.FAILED][FlashStep.CONFIRMED] is FlashStep.CONFIRMED
    bench.kill_table()
    bench.boot()
    stands(bench, NEW)
