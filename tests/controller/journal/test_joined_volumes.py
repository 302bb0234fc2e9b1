"""pitlink journal verify: a journal says where its beginning is, and its volumes prove that nothing is missing."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from cli.main import main
from controller.journal.archive import archive
from controller.journal.journal import looked_at
from controller.journal.volumes import note_volume
from games.round.events import LinkLost
from tests.support.table.old_books import ALL, MINUTE_MS, OldBooks, volumes_in

EXAMPLE = Path(__file__).parents[3] / "config" / "table.toml"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A stopped table's journal with two volumes."""
    books = OldBooks(tmp_path / "journal.db")
    for rounds in (3, 4):
        books.rounds(rounds)
        archive(tmp_path / "journal.db", tmp_path / "archive", ALL)
    books.rounds(2)
    books.close()
    return tmp_path


def harm(path: Path, *orders: str) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        for order in orders:
            assert database.execute(order).rowcount


def verify(*paths: Path) -> int:
    return main(["journal", "verify", *map(str, paths)])


def test_a_journal_says_where_its_beginning_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By file; one that is not there any more is named so."""
    first, second = volumes_in(folder / "archive")
    assert verify(folder) == 0
    said = capsys.readouterr().out
    assert "journal.db: 15 events, chain whole" in said
    assert f"events 1 to 21 are in {first}; not looked at" in said
    first.rename(folder / "moved.db")
    assert verify(folder) == 0
    assert f"events 1 to 21 are in {first}, which is not there now; not looked at" in capsys.readouterr().out
    assert verify(second) == 0
    assert f"{second}: 28 events, chain whole" in capsys.readouterr().out


def test_volumes_and_journal_join_without_a_gap(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In any order; together they go back to the first event."""
    first, second = volumes_in(folder / "archive")
    assert verify(folder, second, first) == 0
    said = capsys.readouterr().out
    assert "events 1 to 64 join without a gap" in said
    assert "not looked at" not in said
    assert verify(second, folder) == 0
    assert "events 22 to 64 join without a gap\nevents 1 to 21 are in" in capsys.readouterr().out


def test_a_missing_double_or_strange_part_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each with the file it is about."""
    first, second = volumes_in(folder / "archive")
    assert verify(first, folder) == 1
    assert f"events 22 to 49 are missing between {first} and {folder}/journal.db" in (said := capsys.readouterr().err)
    assert f"should be in {second}" in said
    assert verify(first, first, folder) == 1
    assert "have the same events; name each part once" in capsys.readouterr().err
    (folder / "other").mkdir()
    books = OldBooks(folder / "other" / "journal.db")
    books.rounds(3)
    books.close()
    (strange,) = archive(folder / "other" / "journal.db", folder / "other", ALL)
    assert verify(Path(strange.file), second, folder) == 1
    assert f"is of {books.journals[0].id}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("order", "named"),
    [
        ("UPDATE volumes SET chain = replace(chain, 'a', 'b') WHERE until = 49", "note that events 22 to 49 are in"),
        (
            "UPDATE volumes SET file = '/tmp/x' WHERE until = 21",
            "the note that events 1 to 21 are in /tmp/x was altered",
        ),
        ("UPDATE volumes SET seq = seq + 1 WHERE until = 49", "note that events 22 to 49 are in"),
        ("DELETE FROM volumes WHERE until = 21", "no note says which volume has events 1 to 21"),
        ("DELETE FROM volumes", "event 1 is missing"),
        ("DELETE FROM snapshots WHERE number = 49", "snapshot 49, with which this journal begins, is missing"),
        ("UPDATE snapshots SET book = book || ' ' WHERE number = 49", "snapshot 49 was altered"),
        ("UPDATE clock SET synced = 0 WHERE number = 49", "the clock's note on event 49 was altered"),
        ("UPDATE programs SET program = 'x' WHERE after = 49", "the program's note of run 1 was altered"),
        ("DELETE FROM events WHERE number = 50", "event 50 is missing"),
        ("UPDATE events SET at_ms = 0 WHERE number = 50", "event 50 does not follow the last one of"),
        ("INSERT INTO outbox VALUES(1, 5, '{}', 0)", "entry 1 for the meter belongs to no event"),
        ("INSERT INTO outbox VALUES(99, 5, '{}', 1)", "entry 99 for the meter belongs to no event"),
    ],
)
def test_a_forged_beginning_is_found_and_named(
    folder: Path, capsys: pytest.CaptureFixture[str], order: str, named: str
) -> None:
    """Whatever is altered of what an archive leaves behind."""
    harm(folder / "journal.db", order)
    assert verify(folder) == 1
    assert named in capsys.readouterr().err


def test_a_beginning_moved_over_events_is_found_with_the_volumes(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Somebody who seals the note anew still has no volume with the events that he took away."""
    path = folder / "journal.db"
    with looked_at(path) as look:
        cut = look.cut(ALL)
    assert cut is not None
    with closing(sqlite3.connect(path)) as database, database:
        note_volume(database, replace(cut, file="nowhere.db"))
        database.execute("DELETE FROM events WHERE number <= ?", (cut.until,))
        database.execute("DELETE FROM outbox WHERE number <= ?", (cut.until,))
        database.execute("DELETE FROM snapshots WHERE number < ?", (cut.until,))
    assert verify(*volumes_in(folder / "archive"), folder) == 1
    assert f"events 50 to {cut.until} are missing" in capsys.readouterr().err


def test_a_volume_with_another_past_does_not_join(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its events are whole in themselves, but they are not those that the journal goes on from."""
    first, second = volumes_in(folder / "archive")
    with looked_at(folder / "journal.db") as look:
        identity = look.id
    books = OldBooks(folder / "forged.db", synced=False)
    books.at_ms += 1
    books.rounds(3)
    books.close()
    harm(folder / "forged.db", f"UPDATE facts SET value = '{identity}' WHERE name = 'id'")
    (forged,) = archive(folder / "forged.db", folder / "forgery", ALL)
    assert verify(Path(forged.file), second, folder) == 1
    assert (
        f"{second}: does not follow the last event of {forged.file}; one of them is forged" in capsys.readouterr().err
    )
    assert verify(first, second, folder) == 0


def test_the_command_archives_what_is_older_than_so_many_days(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the unit calls it; an unclear order gives 2."""
    config = tmp_path / "table.toml"
    config.write_text(EXAMPLE.read_text().replace("/var/lib/pitlink/T1", str(tmp_path)))
    books = OldBooks(tmp_path / "journal.db")
    books.at_ms = 1_600_000_000_000
    books.rounds(2)
    books.at_ms = time.time_ns() // 10**6 - 5 * MINUTE_MS
    books.do(LinkLost("cut"))
    books.close()
    words = ["journal", "archive", str(config)]
    assert main([*words, str(tmp_path / "archive")]) == 0
    assert "events 1 to 14, chain whole; the journal goes on from there" in capsys.readouterr().out
    assert main([*words, str(tmp_path / "archive"), "--keep-days", "60"]) == 0
    assert "nothing to archive" in capsys.readouterr().out
    assert main(words) == 2
    assert main([*words, str(tmp_path / "archive"), "--keep-days", "0"]) == 2
    assert main(["journal", "archive", str(tmp_path / "nothing.db"), str(tmp_path)]) == 1
    assert main(["journal", "backup", str(config), str(tmp_path / "copies")]) == 0
    assert "events 1 to 14 are in volumes, the last in" in capsys.readouterr().out


def test_show_points_to_the_volumes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is not here is said on the side, so that the lines can still be read by a program."""
    first, second = volumes_in(folder / "archive")
    assert main(["journal", "show", str(folder), "--json"]) == 0
    shown = capsys.readouterr()
    assert len(shown.out.splitlines()) == 15
    assert f"events 1 to 21 are in {first}\nevents 22 to 49 are in {second}\n" == shown.err
    assert main(["journal", "show", str(folder), "--round", "2"]) == 2
    assert f"round 2 is archived in {first}" in capsys.readouterr().err
    assert main(["journal", "show", str(first), "--round", "2"]) == 0
    assert "EndOfRoundPressed" in capsys.readouterr().out
