"""Every event says whether the calendar was synchronised; journals from before still open."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.clock import synchronised_at
from controller.journal.file import JournalFault
from controller.journal.journal import Journal
from controller.journal.records import EventRecord, Moment
from games.round.events import ChipPlaced
from games.round.state import RoundState


def write(journal: Journal, *synced: bool | None) -> None:
    for quality in synced:
        journal.write([EventRecord(ChipPlaced(1), None, 1, Moment(5, 5, quality))], RoundState())


def read(path: Path) -> list[bool | None]:
    journal = Journal.look(path)
    try:
        return [line.moment.synced for line in journal.lines()]
    finally:
        journal.abandon()


@given(runs=st.lists(st.lists(st.booleans(), max_size=8), max_size=5))
@settings(max_examples=40, deadline=None)
def test_each_event_keeps_its_own_quality_over_any_number_of_runs(
    tmp_path_factory: pytest.TempPathFactory, runs: list[list[bool]]
) -> None:
    """Noted where it changes, known everywhere."""
    path = tmp_path_factory.mktemp("clock") / "journal.db"
    for run in runs:
        journal = Journal.open(path)
        write(journal, *run)
        journal.close()
    if runs:
        assert read(path) == [quality for run in runs for quality in run]


def test_a_journal_without_notes_opens_and_goes_on(tmp_path: Path) -> None:
    """Nobody knows about the old events; the new ones are noted."""
    path = tmp_path / "journal.db"
    journal = Journal.open(path)
    write(journal, None, None)
    journal.close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DROP TABLE clock")
    assert read(path) == [None, None]
    journal = Journal.open(path)
    write(journal, False)
    journal.close()
    assert read(path) == [None, None, False]


def test_an_altered_note_is_damage(tmp_path: Path) -> None:
    """A bad clock cannot be made good afterwards."""
    path = tmp_path / "journal.db"
    journal = Journal.open(path)
    write(journal, False)
    journal.close()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE clock SET synced = 1")
    with pytest.raises(JournalFault, match="clock's note on event 1 was altered"):
        read(path)


def test_a_time_server_heard_lately_is_a_good_clock(tmp_path: Path) -> None:
    """The mark is touched at every answer; none, or an old one, is no good, and neither is one from the far future."""
    mark = tmp_path / "synchronized"
    assert not synchronised_at(mark, 1_000_000.0)
    mark.touch()
    os.utime(mark, (1_000_000, 1_000_000))
    assert synchronised_at(mark, 1_000_000.0)
    assert synchronised_at(mark, 1_004_000.0)
    assert not synchronised_at(mark, 1_005_000.0)
    assert not synchronised_at(mark, 500.0)
