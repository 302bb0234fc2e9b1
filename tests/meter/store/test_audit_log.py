"""The floor's book on each store: what was written is there after a restart, in order, sealed."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import cast

import pytest

from cli.main import main
from meter.ledger.records import read_record
from meter.store import backup
from meter.store.audit_log import (
    CLOSED_ALARM,
    GROWTH,
    NOTE,
    OPEN_ALARM,
    Acknowledged,
    Alarm,
    AuditLine,
    End,
    Measured,
    Note,
    Said,
    Used,
    first_bad_line,
    first_floor_seal,
    line,
    read_note,
)
from meter.store.backup import back_up
from meter.store.base import OpenStore, StoreFault
from meter.store.postgres import PostgresStore
from meter.store.sqlite import SqliteStore
from tests.support.meter.meter_bench import MeterBench, envelope, store_address, wagers
from tests.support.meter.meter_settings import GOOD
from tests.support.meter.postgres_bench import reopening

Reopen = Callable[[], OpenStore]
SAID: list[Said] = [
    Alarm("held", "main", "T1", "wagers of $5", "decide"),
    Used("Sue", "signed in", "supervisor"),
    Measured("main", 7, 123),
    Measured("side", 8, 456),
    Acknowledged(1, "Sue"),
]


def written(said: list[Said], seal: bytes = b"", first: int = 1) -> list[AuditLine]:
    """These notes as lines that follow each other."""
    lines: list[AuditLine] = []
    for number, one in enumerate(said, start=first):
        lines.append(line(Note(number, number, one), seal or first_floor_seal()))
        seal = lines[-1].sealed.seal
    return lines


@pytest.fixture(params=["sqlite", "postgres"])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Reopen]:
    """Opens the same store again, as the next process would."""
    with reopening(store_address(request, tmp_path)) as open_again:
        yield open_again


def test_lines_are_found_after_a_restart(reopen: Reopen) -> None:
    """By number, and by kind and link, newest first (R104)."""
    lines = written(SAID)
    reopen().add_lines(lines, [1])
    store = reopen()
    assert [read_note(one).said for one in store.lines(0, 100)] == SAID
    assert [one.number for one in store.lines(3, 1)] == [4]
    assert [one.number for one in store.last_lines("", "", 2)] == [5, 4]
    assert [one.number for one in store.last_lines(GROWTH, "", 9)] == [4, 3]
    assert [one.number for one in store.last_lines(GROWTH, "main", 9)] == [3]
    assert [one.number for one in store.last_lines(NOTE, "", 1)] == [5]
    assert first_bad_line(iter(store.lines(0, 100))) == 0


def test_an_acknowledged_alarm_is_closed_together_with_the_word_of_who(reopen: Reopen) -> None:
    """Both or neither; nothing that was sealed changes."""
    lines = written(SAID)
    store = reopen()
    store.add_lines(lines[:-1], ())
    with pytest.raises(StoreFault):
        store.add_lines([lines[0]], [1])
    assert [one.number for one in store.last_lines(OPEN_ALARM, "", 9)] == [1]
    store.add_lines(lines[-1:], [1])
    store = reopen()
    assert store.last_lines(OPEN_ALARM, "", 9) == []
    assert [one.number for one in store.last_lines(CLOSED_ALARM, "main", 9)] == [1]
    assert first_bad_line(iter(store.lines(0, 100))) == 0


def test_the_newest_records_of_a_ledger_come_first(reopen: Reopen) -> None:
    """However many there are, only as many as were asked for."""
    meter = MeterBench(reopen())
    meter.join("T1")
    for seq in range(1, 5):
        meter.say(envelope(seq, wagers()))
    numbers = [read_record(row.body).number for row in reopen().latest("main", 3)]
    assert numbers[0] == meter.heads["main"].number
    assert all(newer == older + 1 for newer, older in pairwise(numbers))
    assert len(numbers) == 3


@pytest.mark.parametrize("touch", [0, 2, 4])
def test_a_changed_or_missing_line_is_named(touch: int) -> None:
    """The seals chain the book as they chain a ledger."""
    lines = written(SAID)
    other = written([Used("Eve", "nothing at all")], lines[touch - 1].sealed.seal if touch else b"", touch + 1)
    assert first_bad_line(iter([*lines[:touch], *lines[touch + 1 :]])) == (touch + 1 if touch < 4 else 0)
    spoilt = [*lines[:touch], AuditLine(touch + 1, NOTE, "", other[0].sealed), *lines[touch + 1 :]]
    assert first_bad_line(iter(spoilt)) == (touch + 2 if touch < 4 else 0)


def test_r104_a_book_that_was_cut_off_says_so(reopen: Reopen) -> None:
    """What is left of it follows line by line; its end is kept apart, and names the first line that is missing."""
    lines = written(SAID)
    store = reopen()
    assert store.floor_end() is None
    store.add_lines(lines[:2], ())
    store.add_lines(lines[2:], [1])
    end = reopen().floor_end()
    assert end == End(5, lines[-1].sealed.seal)
    assert first_bad_line(reopen().lines(0, 100), end) == 0
    assert first_bad_line(lines[:2], end) == 3
    assert first_bad_line([], end) == 1
    assert first_bad_line([*lines[:4], *written([Used("Eve", "was here")], lines[3].sealed.seal, 5)], end) == 5


def test_the_end_of_the_book_never_goes_back(reopen: Reopen) -> None:
    """Whatever is added later, and however the book was copied."""
    lines = written(SAID)
    reopen().add_lines([], (), End(9, b"cut off"))
    reopen().add_lines(lines, (), End(3, lines[2].sealed.seal))
    assert reopen().floor_end() == End(9, b"cut off")


SPOILT = {
    "an alarm is closed that nobody acknowledged": (1, "kind", CLOSED_ALARM, 1),
    "an acknowledged alarm is open": (3, "kind", OPEN_ALARM, 3),
    "a measurement of another link": (2, "link", "side", 2),
    "an action that is none": (4, "kind", GROWTH, 4),
}


@pytest.mark.parametrize(("number", "column", "value", "bad"), SPOILT.values(), ids=SPOILT)
def test_r104_a_line_that_is_filed_as_another_is_named(
    reopen: Reopen, number: int, column: str, value: str, bad: int
) -> None:
    """What the page asks for by kind and link is what was sealed."""
    held = Alarm("held", "main", "T1", "wagers of $5", "decide")
    said: list[Said] = [held, Measured("main", 7, 123), held, Acknowledged(3, "Sue")]
    store = cast("SqliteStore | PostgresStore", reopen())
    store.add_lines(written(said), [3])
    assert first_bad_line(store.lines(0, 100)) == 0
    store._database.execute(f"UPDATE floor_book SET {column} = '{value}' WHERE number = {number}")
    assert first_bad_line(store.lines(0, 100)) == bad


@pytest.mark.parametrize("is_cut", [False, True])
def test_a_copy_of_the_book_is_as_whole_as_the_book(tmp_path: Path, is_cut: bool) -> None:
    """A backup does not make a book sound that was cut off, and spoils none."""
    store = SqliteStore(tmp_path / "ledger.sqlite")
    MeterBench(store)
    store.add_lines(written(SAID), [1])
    if is_cut:
        store._database.execute("DELETE FROM floor_book WHERE number > 3")
    store.close()
    back_up(str(tmp_path / "ledger.sqlite"), tmp_path / "copy.sqlite")
    copy = SqliteStore(tmp_path / "copy.sqlite", reading=True)
    assert first_bad_line(copy.lines(0, 100), copy.floor_end()) == (4 if is_cut else 0)
    copy.close()


def test_an_alarm_that_is_acknowledged_during_a_copy_is_closed_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy has read the alarm already when somebody acknowledges it."""
    monkeypatch.setattr(backup, "RECORDS_AT_ONCE", 1)
    store = SqliteStore(tmp_path / "ledger.sqlite")
    MeterBench(store)
    lines = written(SAID)
    store.add_lines(lines[:4], ())
    read = SqliteStore.lines

    def acknowledging(reader: SqliteStore, after: int, most: int) -> list[AuditLine]:
        found = read(reader, after, most)
        if after == 0:
            store.add_lines(lines[4:], [1])
        return found

    monkeypatch.setattr(SqliteStore, "lines", acknowledging)
    back_up(str(tmp_path / "ledger.sqlite"), tmp_path / "copy.sqlite")
    store.close()
    monkeypatch.undo()
    copy = SqliteStore(tmp_path / "copy.sqlite", reading=True)
    assert [one.kind for one in copy.lines(0, 1)] == [CLOSED_ALARM]
    assert first_bad_line(copy.lines(0, 100), copy.floor_end()) == 0
    copy.close()


def test_a_backup_has_the_floors_book_and_a_file_without_one_is_refused(tmp_path: Path) -> None:
    """Who acknowledged what goes where the money goes; nobody takes a book that was removed for an empty one."""
    store = SqliteStore(tmp_path / "ledger.sqlite")
    MeterBench(store)
    store.add_lines(written(SAID), ())
    store.close()
    back_up(str(tmp_path / "ledger.sqlite"), tmp_path / "copy.sqlite")
    copy = SqliteStore(tmp_path / "copy.sqlite", reading=True)
    assert [read_note(one).said for one in copy.lines(0, 100)] == SAID
    copy.close()
    with closing(sqlite3.connect(tmp_path / "ledger.sqlite")) as database, database:
        database.execute("DROP TABLE floor_book")
    database.close()
    robbed = SqliteStore(tmp_path / "ledger.sqlite", reading=True)
    with pytest.raises(StoreFault, match="no such table: floor_book"):
        robbed.lines(0, 100)
    robbed.close()


def test_verify_proves_the_floors_book_and_names_the_first_bad_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever takes his name out of an acknowledgement is found."""
    path = tmp_path / "ledger.sqlite"
    config = tmp_path / "meter.toml"
    config.write_text(GOOD.replace("ledger.sqlite", str(path)))
    store = SqliteStore(path)
    MeterBench(store)
    store.add_lines(written([*SAID[:3], Measured("main", 8, 456), *SAID[4:]]), [1])
    store.close()
    assert main(["ledger", "--config", str(config), "verify"]) == 0
    assert "the floor's book is sound" in capsys.readouterr().out
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE floor_book SET body = replace(body, 'Sue', 'Eve') WHERE number = 5")
    database.close()
    assert main(["ledger", "--config", str(config), "verify"]) == 1
    assert "damaged at line 5" in capsys.readouterr().out
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM floor_book WHERE number > 1")
    database.close()
    assert main(["ledger", "--config", str(config), "verify"]) == 1
    assert "damaged at line 2" in capsys.readouterr().out
