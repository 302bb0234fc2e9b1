"""An archive that is cut off at any step: the journal is whole, and the next run completes it."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from controller.journal.archive import _opened, archive
from controller.journal.file import JournalFault
from controller.journal.journal import Journal, looked_at
from controller.table.recovery import recall
from games.round.events import ChipPlaced, ChipsCounted, EndOfRoundPressed, LockOutPressed, RoundOpened
from tests.support.games.pit import table_rules
from tests.support.table.old_books import ALL, OldBooks, rows_of, volumes_in

STEPS = (
    "volume begun",
    "volume written",
    "volume checked",
    "volume named",
    "journal begins behind it",
    "batch deleted",
)
KILLED = """
import os, signal, sys
from pathlib import Path
from controller.journal.archive import archive

def at(step):
    if step == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)

archive(Path(sys.argv[1]) / "journal.db", Path(sys.argv[1]) / "archive", 2**60, at)
"""


class PowerError(Exception):
    """The plug was pulled here."""


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stopped table's journal with enough events for several batches, and its twin."""
    folder = tmp_path_factory.mktemp("template") / "T1"
    folder.mkdir()
    books = OldBooks(folder / "journal.db", folder / "twin.db")
    books.rounds(40)
    books.close()
    return folder


def is_whole(folder: Path, volumes: list[Path]) -> None:
    """Nothing is lost or twice, the table starts, and what it wrote before is where it was."""
    live, twin = folder / "journal.db", folder / "twin.db"
    assert rows_of(*volumes, live) == rows_of(twin)
    with looked_at(live) as kept, looked_at(twin) as whole:
        assert kept.audit() == whole.audit()
        assert kept.recall() == whole.recall()


def known_volumes(folder: Path) -> list[Path]:
    """Those that the journal knows: another may lie there, whole, until the next run takes it in."""
    with looked_at(folder / "journal.db") as look:
        return [Path(volume.file) for volume in look.volumes()]


def complete(folder: Path) -> None:
    """The next run leaves what an uninterrupted one would."""
    archive(folder / "journal.db", folder / "archive", ALL)
    assert list(volumes_in(folder / "archive")) == known_volumes(folder)
    assert sorted(path.suffix for path in (folder / "archive").iterdir()) == [".db"]
    is_whole(folder, known_volumes(folder))
    with looked_at(folder / "journal.db") as look:
        assert look._database.execute("SELECT min(number) FROM events").fetchone()[0] == look.archived().until + 1


def test_the_plug_pulled_after_every_step(template: Path, tmp_path: Path) -> None:
    """Each batch of the deletion is a step, too."""
    heard: list[str] = []
    shutil.copytree(template, tmp_path / "whole")
    archive(tmp_path / "whole" / "journal.db", tmp_path / "whole" / "archive", ALL, heard.append)
    assert set(heard) == set(STEPS)
    assert heard.count("batch deleted") > 2
    for cut in range(len(heard)):
        folder = tmp_path / str(cut)
        shutil.copytree(template, folder)
        left = iter(range(cut))

        def pull(_step: str, left: object = left) -> None:
            assert hasattr(left, "__next__")
            if next(left, None) is None:
                raise PowerError

        with pytest.raises(PowerError):
            archive(folder / "journal.db", folder / "archive", ALL, pull)
        is_whole(folder, known_volumes(folder))
        complete(folder)


@pytest.mark.parametrize("step", STEPS)
def test_a_killed_archive_is_completed_by_the_next(template: Path, tmp_path: Path, step: str) -> None:
    """A real process, killed -9: nothing tidies up behind it, and its lock goes with it."""
    folder = tmp_path / "T1"
    shutil.copytree(template, folder)
    done = subprocess.run([sys.executable, "-c", KILLED, str(folder), step], cwd=Path(__file__).parents[3], check=False)
    assert done.returncode == -signal.SIGKILL
    is_whole(folder, known_volumes(folder))
    journal = Journal.open(folder / "journal.db")
    recall(table_rules("B", seats=4), journal)
    journal.close()
    complete(folder)


def test_a_table_that_played_on_after_the_cut_keeps_its_place(template: Path, tmp_path: Path) -> None:
    """The volume that has its name already is taken in as it is; what came since goes into the next one."""
    folder = tmp_path / "T1"
    folder.mkdir()
    books = OldBooks(folder / "journal.db", folder / "twin.db")
    books.rounds(3)

    def pull(step: str) -> None:
        if step == "volume named":
            raise PowerError

    with pytest.raises(PowerError):
        archive(folder / "journal.db", folder / "archive", ALL, pull)
    books.rounds(3)
    first, second = archive(folder / "journal.db", folder / "archive", ALL)
    books.close()
    assert [first.round, second.round] == [3, 6]
    is_whole(folder, [Path(first.file), Path(second.file)])


def test_a_journal_restored_from_an_old_copy_takes_its_volumes_in_again(template: Path, tmp_path: Path) -> None:
    """They are its own: nothing is written twice."""
    folder = tmp_path / "T1"
    shutil.copytree(template, folder)
    copy = (folder / "journal.db").read_bytes()
    (made,) = archive(folder / "journal.db", folder / "archive", ALL)
    (folder / "journal.db").write_bytes(copy)
    assert archive(folder / "journal.db", folder / "archive", ALL) == [made]
    is_whole(folder, [Path(made.file)])


def test_a_damaged_file_under_a_volumes_name_stops_nobody_but_the_archive(template: Path, tmp_path: Path) -> None:
    """The journal still has everything: whoever moves the file away may archive again."""
    folder = tmp_path / "T1"
    shutil.copytree(template, folder)
    copy = (folder / "journal.db").read_bytes()
    (made,) = archive(folder / "journal.db", folder / "archive", ALL)
    (folder / "journal.db").write_bytes(copy)
    volume = Path(made.file)
    volume.chmod(0o600)
    with closing(sqlite3.connect(volume)) as database, database:
        database.execute("UPDATE events SET at_ms = 0 WHERE number = 7")
    with pytest.raises(JournalFault, match=r"event 7.* was altered.*move it away and archive again"):
        archive(folder / "journal.db", folder / "archive", ALL)
    is_whole(folder, [])
    volume.unlink()
    complete(folder)


def test_a_strange_file_under_a_volumes_name_is_not_taken_in(template: Path, tmp_path: Path) -> None:
    """Another history under the same number: the words say what to do, and the journal is as it was."""
    folder, other = tmp_path / "T1", tmp_path / "T2"
    shutil.copytree(template, folder)
    shutil.copytree(template, other)
    (made,) = archive(folder / "journal.db", folder / "archive", ALL)
    (other / "archive").mkdir()
    books = OldBooks(other / "third.db")
    books.rounds(50)
    books.close()
    (strange,) = archive(other / "third.db", other / "elsewhere", ALL)
    shutil.copy(strange.file, other / "archive" / Path(made.file).name)
    with pytest.raises(JournalFault, match=r"is not the next part of .* as it stands; keep it elsewhere"):
        archive(other / "journal.db", other / "archive", ALL)
    is_whole(other, [])


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was synced or renamed, in this order, by its name; the bench adds the archive's steps."""
    heard: list[str] = []
    fsync, rename = os.fsync, os.rename

    def synced(handle: int) -> None:
        heard.append(f"sync {Path(f'/proc/self/fd/{handle}').readlink().name}")
        fsync(handle)

    def renamed(old: Path, new: Path) -> None:
        heard.append(f"rename {old.name}")
        rename(old, new)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "rename", renamed)
    return heard


def test_a_volume_is_on_disk_before_the_journal_begins_behind_it(
    template: Path, tmp_path: Path, disk: list[str]
) -> None:
    """Its folder, its content, its name: a power cut may undo none of them once the journal counts on it."""
    folder = tmp_path / "T1"
    shutil.copytree(template, folder)
    (made,) = archive(folder / "journal.db", folder / "new" / "archive", ALL, disk.append)
    draft = Path(made.file).with_suffix(".unfinished").name
    order = ["sync T1", "sync new", f"sync {draft}", f"rename {draft}", "sync archive", "journal begins behind it"]
    places = [disk.index(step) for step in order]
    assert places == sorted(places)


def test_a_volume_that_was_left_over_is_synced_before_the_journal_begins_behind_it(
    template: Path, tmp_path: Path, disk: list[str]
) -> None:
    """Who was killed between its name and its sync has left a volume that is on no disk yet."""
    folder = tmp_path / "T1"
    shutil.copytree(template, folder)

    def pull(step: str) -> None:
        if step == "volume named":
            raise PowerError

    with pytest.raises(PowerError):
        archive(folder / "journal.db", folder / "archive", ALL, pull)
    disk.clear()
    (made,) = archive(folder / "journal.db", folder / "archive", ALL, disk.append)
    order = ["sync T1", f"sync {Path(made.file).name}", "sync archive", "journal begins behind it"]
    assert disk[: len(order)] == order


def test_nobody_waits_for_the_disk_with_the_journal_locked(template: Path, tmp_path: Path) -> None:
    """The archive's own transactions are synced with the next checkpoint, never one before another."""
    shutil.copy(template / "journal.db", tmp_path)
    with _opened(tmp_path / "journal.db") as database:
        assert database.execute("PRAGMA synchronous").fetchone() == (1,)


def test_a_copy_with_entries_that_wait_takes_its_volume_in_only_when_they_are_booked(tmp_path: Path) -> None:
    """The volume says that the meter has them; the restored copy does not know it yet."""
    live = tmp_path / "journal.db"
    books = OldBooks(live, tmp_path / "twin.db")
    books.rounds(2)
    books.must(ChipPlaced(1), LockOutPressed(), ChipsCounted(1), EndOfRoundPressed(), RoundOpened())
    books.close()
    copy = live.read_bytes()
    books.open()
    books.book()
    books.close()
    (made,) = archive(live, tmp_path / "archive", ALL)
    assert made.round == 3
    live.write_bytes(copy)
    with pytest.raises(JournalFault, match=r"is not the next part of .* as it stands"):
        archive(live, tmp_path / "archive", ALL)
    is_whole(tmp_path, [])
    journal = Journal.open(live)
    journal.mark_booked(ALL)
    journal.close()
    assert archive(live, tmp_path / "archive", ALL) == [made]
    is_whole(tmp_path, [Path(made.file)])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("INSERT INTO facts VALUES('handed_over', 'stick')", "handed over to another board; archive it there"),
        ("UPDATE facts SET value = '2' WHERE name = 'schema'", "a flash has changed it meanwhile"),
    ],
)
def test_a_journal_that_changed_hands_meanwhile_keeps_its_events(
    template: Path, tmp_path: Path, change: str, words: str
) -> None:
    """While the volume was written, somebody handed the board over or flashed another version."""
    folder = tmp_path / "T1"
    shutil.copytree(template, folder)

    def meanwhile(step: str) -> None:
        if step == "volume named":
            with closing(sqlite3.connect(folder / "journal.db")) as database, database:
                database.execute(change)

    with pytest.raises(JournalFault, match=words):
        archive(folder / "journal.db", folder / "archive", ALL, meanwhile)
    with closing(sqlite3.connect(folder / "journal.db")) as database, database:
        database.execute("UPDATE facts SET value = '1' WHERE name = 'schema'")  # for us to read it
    assert known_volumes(folder) == []
    is_whole(folder, [])
