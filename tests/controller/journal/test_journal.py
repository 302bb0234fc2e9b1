"""The journal: on disk before anything acts, and honest about damage."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings

from cli import journal as journal_command
from controller.journal.file import LOG_BYTES, JournalFault, log_size
from controller.journal.journal import Journal
from controller.journal.records import EventRecord, Moment
from controller.table.meter_entries import link_entry
from games.refusal import Refusal, because
from games.round.effects import SendToMeter
from games.round.events import ChipPlaced, Event, LockOutPressed
from games.round.state import RoundState
from games.round.step import handle
from tests.support.games.nights import Intent, happen, nights
from tests.support.games.pit import PaperTable, table_rules

NOW = Moment(1_800_000_000_000, 5)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal.open(tmp_path / "journal.db")
    yield journal
    journal.abandon()


def record(event: Event, refusal: Refusal | None = None) -> EventRecord:
    return EventRecord(event, refusal, 1, NOW)


def test_what_was_written_is_read_back_in_order(journal: Journal) -> None:
    """Events, refusals and moments survive, numbered without a gap."""
    journal.write([record(ChipPlaced(3)), record(ChipPlaced(3), Refusal("twice", "28.6(c)"))], RoundState())
    journal.write([record(LockOutPressed())], RoundState())
    reader = Journal.look(journal.path)
    lines = list(reader.lines())
    reader.abandon()
    assert [(line.number, line.event) for line in lines] == [
        (1, ChipPlaced(3)),
        (2, ChipPlaced(3)),
        (3, LockOutPressed()),
    ]
    assert lines[1].refusal == Refusal("twice", "28.6(c)")
    assert lines[0].moment == NOW


@given(nights)
@settings(max_examples=30, deadline=None)
def test_a_journal_replayed_from_any_snapshot_is_the_same_book(
    tmp_path_factory: pytest.TempPathFactory, night: list[Intent]
) -> None:
    """Snapshots shorten the way and never change where it leads; the outbox holds every entry once."""
    path = tmp_path_factory.mktemp("night") / "journal.db"
    table, journal = PaperTable(table_rules("B", seats=4), is_open=False), Journal.open(path)
    for number, intent in enumerate(night):
        event = happen(table.state, intent)
        step = table.do(event)
        entries = tuple(
            (order.seq, link_entry(order, step.state)) for order in step.effects if isinstance(order, SendToMeter)
        )
        journal.write(
            [EventRecord(event, step.refusal, step.state.round, NOW, entries)], step.state, snapshot=number % 7 == 0
        )
    journal.abandon()
    again = Journal.open(path)
    state, lines = again.recall()
    for line in lines:
        state = handle(table.rules, state, line.event).state
    assert state == table.state
    assert [letter.seq for letter in again.waiting()] == list(range(1, state.link_seq + 1))
    again.close()


def test_an_unclean_stop_is_counted_and_a_clean_one_is_not(tmp_path: Path) -> None:
    """The counter tells the technician how often the power failed."""
    path = tmp_path / "journal.db"
    Journal.open(path).abandon()
    second = Journal.open(path)
    assert (second.unclean_stops, second.boot) == (1, 2)
    second.close()
    third = Journal.open(path)
    assert (third.unclean_stops, third.boot) == (1, 3)
    third.close()


def test_the_journal_keeps_its_identity(tmp_path: Path) -> None:
    """The meter knows a table by it."""
    path = tmp_path / "journal.db"
    first = Journal.open(path)
    first.close()
    second = Journal.open(path)
    assert second.id == first.id
    second.close()


def test_two_processes_cannot_run_one_table(journal: Journal) -> None:
    """The second one is told so."""
    with pytest.raises(JournalFault, match="another process runs this table"):
        Journal.open(journal.path)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE events SET body = replace(body, '3', '4') WHERE number = 1",
        "UPDATE events SET at_ms = at_ms + 1 WHERE number = 2",
        "UPDATE events SET refusal = '' WHERE number = 2",
        "DELETE FROM events WHERE number = 2",
        "UPDATE events SET number = 9 WHERE number = 3",
    ],
)
def test_any_alteration_of_an_event_is_found_and_named(tmp_path: Path, damage: str) -> None:
    """R54: one changed byte in any row stops the table from starting."""
    path = tmp_path / "journal.db"
    journal = Journal.open(path)
    journal.write([record(ChipPlaced(3)), record(ChipPlaced(3), Refusal("no")), record(LockOutPressed())], RoundState())
    journal.close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(damage)
    database.close()
    with pytest.raises(JournalFault, match=r"event \d is missing|event \d was altered"):
        Journal.open(path)


def test_an_altered_snapshot_is_found(tmp_path: Path) -> None:
    """A snapshot is sealed to the event it stands on."""
    path = tmp_path / "journal.db"
    journal = Journal.open(path)
    journal.write([record(ChipPlaced(3))], RoundState(round=7), snapshot=True)
    journal.close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("""UPDATE snapshots SET book = replace(book, '"round":7', '"round":8')""")
    database.close()
    with pytest.raises(JournalFault, match="snapshot 1 was altered"):
        Journal.open(path)


def test_a_file_that_is_no_journal_is_refused(tmp_path: Path) -> None:
    """Garbage on disk is a message, not a traceback."""
    path = tmp_path / "journal.db"
    path.write_bytes(os.urandom(8192))
    with pytest.raises(JournalFault, match="file is not a database"):
        Journal.open(path)


def test_a_torn_page_is_refused(tmp_path: Path) -> None:
    """A disk that lost the middle of the file is noticed before the table opens."""
    path = tmp_path / "journal.db"
    journal = Journal.open(path)
    for _ in range(50):
        journal.write([record(ChipPlaced(3))] * 20, RoundState())
    journal.close()
    content = bytearray(path.read_bytes())
    middle = len(content) // 2 // 4096 * 4096
    content[middle : middle + 4096] = bytes(4096)
    path.write_bytes(content)
    with pytest.raises(JournalFault):
        Journal.open(path)


def test_a_directory_nobody_may_write_to_is_a_clear_message(tmp_path: Path) -> None:
    """The remedy stands in the message."""
    with pytest.raises(JournalFault, match="check that the directory exists"):
        Journal.open(tmp_path / "nowhere" / "journal.db")


def test_a_journal_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    """An old program never writes into a newer journal."""
    path = tmp_path / "journal.db"
    Journal.open(path).close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE facts SET value = '99' WHERE name = 'schema'")
    database.close()
    with pytest.raises(JournalFault, match="newer Pitlink"):
        Journal.open(path)


def test_acknowledged_entries_leave_the_outbox(tmp_path: Path) -> None:
    """Booked up to a number means booked for good."""
    table, journal = PaperTable(), Journal.open(tmp_path / "journal.db")
    table.deal(3)
    order = table.entries[0]
    journal.write(
        [EventRecord(LockOutPressed(), None, 1, NOW, ((order.seq, link_entry(order, table.state)),))], table.state
    )
    assert [letter.seq for letter in journal.waiting()] == [1]
    journal.mark_booked(1)
    assert journal.waiting() == []
    journal.close()


def test_pitlink_journal_shows_and_verifies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a technician types, and what he sees."""
    path = tmp_path / "journal.db"
    journal = Journal.open(path)
    journal.write([record(ChipPlaced(3)), record(ChipPlaced(3), because("one_wager", "28.6(c)", seat=3))], RoundState())
    journal.close()
    assert _run("show", tmp_path) == 0
    shown = capsys.readouterr().out
    assert "ChipPlaced seat=3" in shown
    assert "REFUSED: seat 3 has its wager already; one a round [28.6(c)]" in shown
    assert _run("verify", path) == 0
    assert "2 events, chain whole" in capsys.readouterr().out
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE events SET mono_ms = 6 WHERE number = 2")
    database.close()
    assert _run("verify", path) == 1
    assert "event 2 was altered" in capsys.readouterr().err
    assert _run("verify", tmp_path / "none.db") == 1
    assert "there is no journal" in capsys.readouterr().err


def _run(what: str, path: Path) -> int:
    import argparse

    parser = argparse.ArgumentParser()
    journal_command.arguments(parser)
    return journal_command.run(parser.parse_args([what, str(path)]))


def test_a_lengthened_log_holds_nothing_and_does_not_grow(tmp_path: Path) -> None:
    """The log has its full length before the first event, an audit finds nothing new, and events do not lengthen it."""
    journal = Journal.open(tmp_path / "journal.db")
    before = journal.audit()
    journal.lengthen_log()
    length = log_size(journal.path)
    assert length > LOG_BYTES * 0.95
    assert journal.audit() == before
    for number in range(100):
        journal.write([record(ChipPlaced(1 + number % 7))], RoundState())
    assert log_size(journal.path) == length
    journal.abandon()
    with closing(sqlite3.connect(journal.path)) as database:
        assert database.execute("SELECT count(*) FROM events").fetchone() == (100,)
        assert not database.execute("SELECT * FROM sqlite_master WHERE name = 'scratch'").fetchall()
