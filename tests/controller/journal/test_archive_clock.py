"""pitlink journal archive by the time of day: a wrong clock neither stops it nor sends it too far."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from cli.main import main
from controller.journal.journal import looked_at
from games.round.events import ChipPlaced, ChipsCounted, EndOfRoundPressed, LockOutPressed, RoundOpened, TableOpened
from tests.support.table.old_books import MINUTE_MS, OldBooks, volumes_in

DAY_MS = 24 * 60 * MINUTE_MS
IN_2038_MS = 2_150_000_000_000


class Board:
    """A table's journal whose last events happened so many days ago, and the command that its unit calls."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.now_ms = folder, time.time_ns() // 10**6
        self.books = OldBooks(folder / "journal.db")

    def rounds(self, count: int, *, days_ago: int) -> None:
        """Rounds of one evening."""
        self.books.at_ms = self.now_ms - days_ago * DAY_MS
        self.books.rounds(count, 1, 2, 3, 4)

    def archive(self) -> int:
        """As every week; keeps 30 days."""
        return main(["journal", "archive", str(self.folder), str(self.folder / "archive"), "--keep-days", "30"])


@pytest.fixture
def board(tmp_path: Path) -> Board:
    """A new table."""
    return Board(tmp_path)


def test_an_event_from_the_future_keeps_nothing_back(board: Board) -> None:
    """The clock was wrong for one round, long ago: what is old goes, that round with it, and what is young stays."""
    board.rounds(2, days_ago=300)
    board.books.at_ms = IN_2038_MS
    board.books.round(1)
    board.rounds(3, days_ago=290)
    board.rounds(1, days_ago=3)
    assert board.archive() == 0
    with looked_at(board.folder / "journal.db") as look:
        assert list(look.rounds()) == [7, 8]
    board.books.close()


def test_a_clock_that_is_ahead_archives_nothing(board: Board, capsys: pytest.CaptureFixture[str]) -> None:
    """Everything looks old to it; a table that stands still has time, too."""
    board.rounds(5, days_ago=300)
    assert board.archive() == 0
    assert "nothing to archive: nothing happened here from" in capsys.readouterr().out
    assert volumes_in(board.folder / "archive") == []
    board.rounds(1, days_ago=1)
    assert board.archive() == 0
    assert len(volumes_in(board.folder / "archive")) == 1
    board.books.close()


def test_an_old_entry_that_is_not_booked_makes_the_unit_fail(board: Board, capsys: pytest.CaptureFixture[str]) -> None:
    """Twice as old as it need be: somebody has to look, and is told where; booked, everything goes."""
    board.books.at_ms = board.now_ms - 61 * DAY_MS
    board.books.must(TableOpened("Ann"), ChipPlaced(1), LockOutPressed(), ChipsCounted(1))
    board.books.must(EndOfRoundPressed(), RoundOpened())
    for days_ago in (50, 1):
        board.books.at_ms = board.now_ms - days_ago * DAY_MS
        board.books.must(ChipPlaced(1), LockOutPressed(), ChipsCounted(1), EndOfRoundPressed(), RoundOpened())
    assert board.archive() == 1
    assert "cannot be archived: the meter has not booked what event 4 ordered; let the" in capsys.readouterr().err
    board.books.book()
    assert board.archive() == 0
    assert len(volumes_in(board.folder / "archive")) == 1
    board.books.close()


@pytest.mark.parametrize(
    ("rounds", "code", "words"),
    [
        (4, 0, "nothing to archive: no round from before"),
        (60, 1, "cannot be archived: no snapshot lies between two rounds of events 1 to"),
    ],
)
def test_many_old_rounds_without_a_snapshot_make_the_unit_fail(
    board: Board, capsys: pytest.CaptureFixture[str], rounds: int, code: int, words: str
) -> None:
    """A few of them are what a table leaves that stood still; hundreds are not."""
    board.rounds(rounds, days_ago=70)
    with closing(sqlite3.connect(board.folder / "journal.db")) as database, database:
        database.execute("DELETE FROM snapshots")
    board.rounds(1, days_ago=1)
    assert board.archive() == code
    said = capsys.readouterr()
    assert words in said.out + said.err
    board.books.close()


def test_many_old_rounds_that_are_not_over_make_the_unit_fail(board: Board, capsys: pytest.CaptureFixture[str]) -> None:
    """Somebody has money to come in each of them."""
    board.books.at_ms = board.now_ms - 70 * DAY_MS
    board.books.do(TableOpened("Ann"))
    while board.books.journals[0].last_number < 510:
        board.books.must(ChipPlaced(1), LockOutPressed(), ChipsCounted(1), EndOfRoundPressed())
        owing = replace(board.books.table.state, refunds_due={3: ("progressive",)})
        board.books.journals[0].write([], owing, snapshot=True)
        board.books.must(RoundOpened())
    board.books.book()
    board.rounds(1, days_ago=1)
    assert board.archive() == 1
    assert "cannot be archived: no round with a snapshot is over in events 1 to" in capsys.readouterr().err
    board.books.close()
