"""Rehearsal or live is bound into a journal: what was played for nothing can never be sent to a live meter."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cli.main import main
from controller.journal.archive import archive
from controller.journal.backup import copy_to
from controller.journal.file import JournalFault
from controller.journal.journal import Journal, looked_at
from games.round.events import TableOpened
from tests.support.table.old_books import ALL, OldBooks, volumes_in
from tests.support.table.paper_floor import PaperFloor, open_table
from tests.support.table.swap_bench import SwapBench

QUEUE: dict[str, Any] = {"name": "demo", "loss_s": 2.0, "when_lost": "queue"}


def mode_of(path: Path) -> str:
    with looked_at(path) as look:
        return look.mode


@pytest.mark.parametrize("rehearsal", [False, True])
def test_a_journal_is_opened_in_the_mode_it_was_begun_in_and_in_no_other(tmp_path: Path, rehearsal: bool) -> None:
    """The words say what is wrong and what to do; the file is left alone."""
    path = tmp_path / "journal.db"
    for _ in range(2):
        Journal.open(path, rehearsal=rehearsal).close()
    with pytest.raises(JournalFault, match=r"journal.db: this is a .* a state_dir of its own"):
        Journal.open(path, rehearsal=not rehearsal)
    with looked_at(path) as look:
        assert (look.mode, look.boot, look.unclean_stops) == ("rehearsal" if rehearsal else "live", 2, 0)


def test_a_mode_that_is_none_opens_nothing(tmp_path: Path) -> None:
    """Somebody wrote into the file."""
    Journal.open(tmp_path / "journal.db").close()
    with closing(sqlite3.connect(tmp_path / "journal.db")) as database, database:
        database.execute("UPDATE facts SET value = 'both' WHERE name = 'mode'")
    for rehearsal in (False, True):
        with pytest.raises(JournalFault, match="its mode, both, was altered"):
            Journal.open(tmp_path / "journal.db", rehearsal=rehearsal)


def test_volumes_copies_and_the_rest_of_an_archived_journal_keep_the_mode(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever is made of a rehearsal's journal is a rehearsal's, and pitlink journal verify says so."""
    books = OldBooks(tmp_path / "journal.db", rehearsal=True)
    books.rounds(2)
    archive(tmp_path / "journal.db", tmp_path / "archive", ALL)
    books.close()
    copy_to(tmp_path / "journal.db", tmp_path / "copy.db")
    for path in (*volumes_in(tmp_path / "archive"), tmp_path / "journal.db", tmp_path / "copy.db"):
        assert mode_of(path) == "rehearsal"
    assert main(["journal", "verify", str(tmp_path / "journal.db")]) == 0
    assert ", rehearsal: " in capsys.readouterr().out


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SwapBench:
    """A board on which a rehearsal was played."""
    monkeypatch.setattr("flashing.swap_file._COST", 4)
    house = SwapBench(tmp_path)
    house.rehearse()
    house.state.mkdir()
    Journal.open(house.state / "journal.db", rehearsal=True).close()
    return house


def test_a_rehearsal_moves_to_another_board_as_a_rehearsal(house: SwapBench) -> None:
    """Export and import carry the mark with the journal."""
    assert house.export() == 0
    house.fresh_board("old")
    assert house.take_over() == 0
    assert mode_of(house.state / "journal.db") == "rehearsal"
    Journal.open(house.state / "journal.db", rehearsal=True).close()


def test_a_dead_board_is_replaced_in_the_mode_of_its_copy(house: SwapBench, capsys: pytest.CaptureFixture[str]) -> None:
    """With the settings of the other mode the copy is refused; with its own the new journal is a rehearsal's, too."""
    copy_to(house.state / "journal.db", house.folder / "backup.db")
    (house.state / "journal.db").unlink()
    words = ["swap", "replace", "--config", str(house.config), "--backup", str(house.folder / "backup.db")]
    text = house.config.read_text()
    house.config.write_text(text.replace("rehearsal = true\n", ""))
    assert main(words) == 1
    assert "this is a rehearsal's journal, and the settings say live" in capsys.readouterr().err
    house.config.write_text(text)
    assert main(words) == 0
    assert mode_of(house.state / "journal.db") == "rehearsal"


async def test_no_rehearsal_is_played_with_a_live_tables_journal(tmp_path: Path) -> None:
    """A live table that queues is started in rehearsal by mistake: it does not start, and nothing is queued."""
    floor = PaperFloor(tmp_path, link=QUEUE)
    floor.meter.start()
    async with floor.bench("T1") as bench:
        await open_table(bench)
        await bench.deal(3)
        await bench.booked()
    mistaken = PaperFloor(tmp_path, link=QUEUE, table={"rehearsal": True}).bench("T1")
    with pytest.raises(JournalFault, match="this is a live table's journal, and the settings say rehearsal"):
        mistaken.assemble()
    async with floor.bench("T1") as bench:
        await bench.linked()
        await bench.booked()
        assert floor.meter.pot.in_cents == 100
    await floor.meter.kill()


async def test_a_rehearsal_on_a_live_link_takes_no_chip_even_where_the_house_queues(tmp_path: Path) -> None:
    """The meter refuses it: that is no lost link, so there is nothing to queue for."""
    floor = PaperFloor(tmp_path, link=QUEUE, table={"rehearsal": True})
    floor.meter.start()
    async with floor.bench("T1") as bench:
        await bench.until(lambda: bench.state.link_refused)
        assert "a rehearsal table cannot join a live link" in bench.state.link_down
        floor.broker.switch_off()
        await bench.until(lambda: "network" in bench.state.link_down)
        await bench.turn_key(on=True)
        await bench.settle()
        refusal = await bench.tell(TableOpened("Ann"))
        assert refusal is not None
        assert "no meter" in refusal.reason
        assert bench.open_gates == []
    await floor.meter.kill()
