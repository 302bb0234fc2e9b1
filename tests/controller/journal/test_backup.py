"""pitlink journal backup: a checked copy of a journal while its table works."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cli.main import main
from controller.journal import backup as journal_backup
from controller.journal.backup import back_up
from controller.journal.file import JournalFault
from controller.journal.journal import Journal
from controller.journal.records import EventRecord, Moment
from games.round.events import ChipPlaced
from games.round.state import RoundState

EXAMPLE = Path(__file__).parents[3] / "config" / "table.toml"
NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal.open(tmp_path / "journal.db")
    yield journal
    journal.abandon()


def place_chips(journal: Journal, count: int) -> None:
    journal.write([EventRecord(ChipPlaced(seat), None, 1, Moment(0, 0)) for seat in range(1, count + 1)], RoundState())


def test_a_copy_of_an_open_journal_is_one_whole_file(journal: Journal, tmp_path: Path) -> None:
    """The table has it open, and the copy has every event on disk so far."""
    place_chips(journal, 3)
    copy, last = back_up(journal.path, tmp_path / "copies", NOON, keep=2)
    place_chips(journal, 1)
    assert last == 3
    assert list((tmp_path / "copies").iterdir()) == [copy]
    kept = Journal.look(copy)
    assert [line.event for line in kept.lines()] == [ChipPlaced(1), ChipPlaced(2), ChipPlaced(3)]
    assert kept.id == journal.id
    kept.abandon()


def test_a_table_that_writes_meanwhile_does_not_hold_up_the_copy(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A little is copied and synced at a time, of the journal as it stood; it would begin again at each new event."""
    for _ in range(30):
        place_chips(journal, 7)
    steps: list[float] = []

    def play_on(pause_s: float) -> None:
        steps.append(pause_s)
        assert len(steps) < 1_000, "it begins again and again"
        place_chips(journal, 1)

    monkeypatch.setattr(journal_backup, "AT_ONCE", 2)
    monkeypatch.setattr(time, "sleep", play_on)
    _, last = back_up(journal.path, tmp_path / "copies", NOON, keep=1)
    assert last == 210
    assert len(steps) > 5


def test_only_the_newest_copies_stay(journal: Journal, tmp_path: Path) -> None:
    """Old ones go once a newer one is whole; what somebody else put there stays."""
    folder = tmp_path / "copies"
    copies = [back_up(journal.path, folder, NOON + timedelta(hours=hour), keep=2)[0] for hour in range(4)]
    (folder / "notes.txt").write_text("from the technician")
    back_up(journal.path, folder, NOON + timedelta(hours=5), keep=3)
    assert copies[2:] == sorted(folder.glob("journal-*.db"))[:2]
    assert (folder / "notes.txt").exists()


def test_a_copy_made_in_1970_stays(journal: Journal, tmp_path: Path) -> None:
    """A board that has lost its calendar still makes copies, and the oldest of the others goes."""
    folder = tmp_path / "copies"
    copies = [back_up(journal.path, folder, NOON + timedelta(hours=hour), keep=2)[0] for hour in range(2)]
    lost, _ = back_up(journal.path, folder, datetime(1970, 1, 1, tzinfo=UTC), keep=2)
    assert sorted(folder.glob("journal-*.db")) == sorted([lost, copies[1]])


def test_a_damaged_journal_is_not_copied_over_good_copies(journal: Journal, tmp_path: Path) -> None:
    """The damage is named, and the copies stay as they were."""
    place_chips(journal, 3)
    copy, _ = back_up(journal.path, tmp_path / "copies", NOON, keep=1)
    with closing(sqlite3.connect(journal.path)) as database, database:
        database.execute("UPDATE events SET at_ms = 5 WHERE number = 2")
    with pytest.raises(JournalFault, match="event 2 was altered"):
        back_up(journal.path, tmp_path / "copies", NOON + timedelta(hours=1), keep=1)
    assert list((tmp_path / "copies").iterdir()) == [copy]


def test_a_full_disk_refuses_the_copy_in_words(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a cut-off copy left is gone, the newest copy is not."""
    folder = tmp_path / "copies"
    copies = [back_up(journal.path, folder, NOON + timedelta(hours=hour), keep=4)[0] for hour in range(3)]
    for end in ("", "-journal", "-wal", "-shm"):
        (folder / f"journal-20261116T150000000000Z.unfinished{end}").touch()
    monkeypatch.setattr("common.backup_retention.RESERVE_BYTES", 2**62)
    with pytest.raises(JournalFault, match="no room for a copy"):
        back_up(journal.path, folder, NOON + timedelta(hours=4), keep=4)
    assert list(folder.iterdir()) == [copies[2]]


def test_a_folder_that_cannot_be_made_is_a_fault_with_the_way_out(journal: Journal, tmp_path: Path) -> None:
    """A file stands where the folder should be."""
    (tmp_path / "copies").write_text("")
    with pytest.raises(JournalFault, match="free some space or name another folder"):
        back_up(journal.path, tmp_path / "copies", NOON, keep=1)


def test_the_command_finds_the_journal_through_the_settings(
    journal: Journal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the unit calls it; a journal that is not there gives 1, an unclear order 2."""
    place_chips(journal, 2)
    config = tmp_path / "table.toml"
    config.write_text(EXAMPLE.read_text().replace("/var/lib/pitlink/T1", str(tmp_path)))
    words = ["journal", "backup", str(config), str(tmp_path / "copies")]
    assert main([*words, "--keep", "1"]) == 0
    assert "2 events, chain whole" in capsys.readouterr().out
    assert main(["journal", "backup", str(tmp_path / "nowhere.db"), str(tmp_path / "copies")]) == 1
    assert "there is no journal" in capsys.readouterr().err
    assert main(["journal", "backup", str(config)]) == 2
    assert main([*words, "--keep", "0"]) == 2
