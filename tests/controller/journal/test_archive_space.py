"""An archive and the disk: copies become small, the log stays small, and no reader keeps a table from starting."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.journal import archive as journal_archive
from controller.journal.archive import archive
from controller.journal.backup import back_up, copy_to
from controller.journal.file import JournalFault, log_ahead, log_size
from controller.journal.journal import Journal, looked_at
from tests.support.table.old_books import ALL, OldBooks

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


@pytest.fixture
def books(tmp_path: Path) -> Iterator[OldBooks]:
    """A table with sixty rounds, all of them booked."""
    books = OldBooks(tmp_path / "journal.db")
    books.rounds(60, 1, 2, 3)
    books.book()
    yield books
    books.abandon()


def test_a_copy_of_an_archived_journal_is_as_small_as_what_it_holds(books: OldBooks, tmp_path: Path) -> None:
    """The journal keeps its free pages and fills them again; an hourly copy would carry them away every hour."""
    journal = books.paths[0]
    before, _ = back_up(journal, tmp_path / "copies", NOON, keep=2)
    archive(journal, tmp_path / "archive", ALL)
    copy, last = back_up(journal, tmp_path / "copies", NOON.replace(hour=13), keep=2)
    assert last == books.journals[0].last_number
    assert copy.stat().st_size * 2 < before.stat().st_size
    assert sorted((tmp_path / "copies").iterdir()) == [before, copy]
    with looked_at(journal) as live, looked_at(copy) as kept:
        assert list(kept.lines()) == list(live.lines())
        assert live.used_bytes() * 2 < live.path.stat().st_size


def test_a_reader_does_not_let_the_log_grow_without_end(
    books: OldBooks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What he has open cannot be written over: the deletion stops, and the next run completes it."""
    journal = books.paths[0]
    books.journals[0]._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    monkeypatch.setattr(journal_archive, "MOST_LOG", 100_000)
    monkeypatch.setattr(journal_archive, "BATCH", 5)
    with looked_at(journal):
        (volume,) = archive(journal, tmp_path / "archive", ALL)
        assert log_size(journal) < 200_000
        assert _events(journal) > volume.until // 2
    monkeypatch.undo()
    archive(journal, tmp_path / "archive", ALL)
    assert _events(journal) == books.journals[0].last_number - volume.until


def test_a_reader_does_not_keep_a_table_from_a_copy_put_in_place(books: OldBooks, tmp_path: Path) -> None:
    """A copy is one file without a log; as a table's journal it needs one, which nobody may set up beside a reader."""
    copy = tmp_path / "copy.db"
    copy_to(books.paths[0], copy)
    with looked_at(copy), pytest.raises(JournalFault, match="another process has this journal"):
        Journal.open(copy)
    log_ahead(copy)
    with looked_at(copy):
        Journal.open(copy).close()


def _events(journal: Path) -> int:
    with closing(sqlite3.connect(journal)) as database:
        return int(database.execute("SELECT count(*) FROM events").fetchone()[0])
