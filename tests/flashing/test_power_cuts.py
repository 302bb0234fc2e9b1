"""The plug is pulled, or the disk fails, at every step of a flash; there is never half a version."""

import errno
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from flashing.errors import FlashError
from flashing.files import SyncedFiles
from flashing.rollback import TABLE_UNIT
from flashing.state import FlashNotes, FlashStep
from tests.support.flash.flash_bench import NEW, OLD, FlashBench, Workshop, stands
from tests.support.flash.flash_plug import Plug, PowerCut

SEED = 20261116
SHARES = 4
Break = Callable[[FlashBench], None]


def soundly(bench: FlashBench) -> None:
    """Nothing is wrong with the new version."""
    del bench


def crashing(bench: FlashBench) -> None:
    """The new version dies at once: the flash goes back by itself, and that is cut off, too."""
    bench.units.broken[NEW] = "crash"


def walk(folder: Path, workshop: Workshop, prepare: Break, plug: Plug) -> FlashBench:
    """One flash with this plug in the way, on a board that is as it was before the walk before."""
    bench = FlashBench(folder, workshop)
    bench.begin()
    prepare(bench)
    bench.plug = plug
    try:
        bench.run(NEW)
    except PowerCut:
        bench.kill_table()
    return bench


def table_comes_up(bench: FlashBench) -> None:
    """The version that stands reads its settings and its journal, and no other does."""
    stands(bench, bench.places.running())
    assert bench.units.start(TABLE_UNIT) == ""
    bench.kill_table()


def steps_of(folder: Path, workshop: Workshop, prepare: Break) -> int:
    plug = Plug()
    walk(folder, workshop, prepare, plug).kill_table()
    return plug.steps


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("prepare", [soundly, crashing])
def test_the_plug_pulled_at_any_step_of_a_flash(folder: Path, workshop: Workshop, prepare: Break, share: int) -> None:
    """Every step that touches disk or units; at boot the flash is finished or undone, and the same can be flashed."""
    steps = steps_of(folder / "board", workshop, prepare)
    assert steps > 80, "the plug is where the work is"
    ends: set[str] = set()
    for at in range(1 + share, steps + 1, SHARES if prepare is soundly else 2 * SHARES):
        bench = walk(folder / "board", workshop, prepare, Plug(at))
        bench.plug = Plug()
        bench.boot()
        table_comes_up(bench)
        ends.add(bench.places.running())
    assert ends == {OLD} if prepare is crashing else {OLD, NEW}


def test_the_plug_pulled_again_while_the_first_cut_is_mended(folder: Path, workshop: Workshop) -> None:
    """At any step of a flash, and then at random steps of every boot, until one gets through."""
    chance = random.Random(SEED)
    steps = steps_of(folder / "board", workshop, soundly)
    for at in range(2, steps + 1, 3):
        bench = walk(folder / "board", workshop, soundly, Plug(at))
        for attempt in range(20):
            bench.plug = Plug(chance.randint(1, 25) if attempt < 19 else None)
            try:
                bench.boot()
            except PowerCut:
                continue
            break
        bench.plug = Plug()
        bench.boot()
        table_comes_up(bench)


@pytest.mark.parametrize("share", range(SHARES))
def test_a_disk_that_fills_up_at_any_step_of_a_flash(folder: Path, workshop: Workshop, share: int) -> None:
    """From that step on nothing more can be written: the flash goes back without needing space, and says why."""
    steps = steps_of(folder / "board", workshop, soundly)
    for at in range(1 + share, steps + 1, SHARES):
        plug = Plug(at, fault=errno.ENOSPC)
        bench = FlashBench(folder / "board", workshop)
        bench.begin()
        bench.plug = plug
        try:
            words = bench.run(NEW)
        except FlashError as fault:
            words = str(fault)
        assert "the disk is full; free some space" in words or bench.places.running() == NEW, words
        stands(bench, bench.places.running())
        assert TABLE_UNIT in bench.units.up, "the table is up again, whichever version it is"
        bench.kill_table()


@pytest.mark.parametrize("share", range(SHARES))
def test_a_disk_that_turns_read_only_at_any_step_of_a_flash(folder: Path, workshop: Workshop, share: int) -> None:
    """As the kernel does with a worn card: it is told, a version on trial stays shut, the next boot ends the flash."""
    steps = steps_of(folder / "board", workshop, soundly)
    ends: set[str] = set()
    for at in range(1 + share, steps + 1, SHARES):
        bench = FlashBench(folder / "board", workshop)
        bench.begin()
        bench.plug = Plug(at, fault=errno.EROFS)
        try:
            words = bench.run(NEW)
        except FlashError as fault:
            words = str(fault)
        assert "read-only; look for a worn card" in words or bench.places.running() == NEW, words
        state = FlashNotes(bench.places, SyncedFiles()).read()
        if bench.places.running() == NEW and state is not None and state.step is not FlashStep.CONFIRMED:
            assert bench.places.hold.exists(), "a version on trial does not open"
        bench.plug = Plug()
        bench.boot()
        table_comes_up(bench)
        ends.add(bench.places.running())
    assert ends == {OLD, NEW}
