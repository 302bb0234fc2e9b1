"""Hash chain of a journal: events read in order from the last volume on, each checked."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.journal.file import JournalFault, journal_faults
from controller.journal.notes import ClockNotes
from controller.journal.records import KEEP, NO_HASH, Row, WrittenEvent, checked, line
from controller.journal.snapshots import newest_snapshot
from controller.journal.volumes import NOTHING, Volume, has_notes, last_volume
from games.round.state import RoundState

LAST: Final = 2**62
"""A number after every event."""
_ROWS: Final = """
SELECT number, round, boot, mono_ms, at_ms, body, refusal,
    coalesce((SELECT group_concat(words, char(10)) FROM (
        SELECT seq || ' ' || entry AS words FROM outbox WHERE outbox.number = events.number ORDER BY seq)), ''),
    hash
FROM events WHERE number > ? AND number <= ? ORDER BY number
"""


class EventChain:
    """The events of one open journal file; damage raises JournalFault naming the event."""

    def __init__(self, path: Path, database: sqlite3.Connection) -> None:
        self._path, self._database = path, database
        with journal_faults(path):
            self._has_notes = has_notes(database)  # made when it was opened for writing, or never

    def begin(self) -> Volume:
        """The last volume before this file's own events; journal_volumes.NOTHING if there is none."""
        if not self._has_notes:
            return NOTHING
        with journal_faults(self._path):
            return last_volume(self._path, self._database)

    def end(self) -> tuple[int, str]:
        """The number and the hash of the last event, here or in the last volume."""
        with journal_faults(self._path):
            row = self._database.execute("SELECT number, hash FROM events ORDER BY number DESC LIMIT 1").fetchone()
        begin = self.begin()
        return (row[0], row[1]) if row and row[0] > begin.until else (begin.until, begin.chain)

    def lines(self, after: int = 0, until: int = LAST) -> Iterator[WrittenEvent]:
        """The written events in order, with what their clocks were worth."""
        with journal_faults(self._path):
            notes = ClockNotes(self._database)
        begin = self.begin()
        if notes.is_altered(begin.until, begin.chain):
            raise JournalFault(f"{self._path}: the clock's note on event {begin.until} was altered; {KEEP}")
        for row in self.rows(after, until):
            if notes.is_altered(row[0], row[-1]):
                raise JournalFault(f"{self._path}: the clock's note on event {row[0]} was altered; {KEEP}")
            yield line(row, notes.at(row[0]))

    def rows(self, after: int = 0, until: int = LAST) -> Iterator[Row]:
        """The same events as they lie in the file: what the hash of each was made of, and that hash."""
        begin = self.begin()
        after = max(after, begin.until)
        chain, follows = self.hash_at(after), begin.file if after == begin.until else ""
        with journal_faults(self._path):
            rows = self._database.execute(_ROWS, (after, until))
            for expected, row in enumerate(rows, start=after + 1):
                chain = checked(self._path, expected, chain, row, after=follows)
                follows = ""
                yield row

    def hash_at(self, number: int) -> str:
        """The hash of this event; before the first there are only noughts."""
        if number == 0:
            return NO_HASH
        with journal_faults(self._path):
            row = self._database.execute("SELECT hash FROM events WHERE number = ?", (number,)).fetchone()
        begin = self.begin()  # looked up last: an event that has gone meanwhile is behind it
        if number == begin.until:
            return begin.chain
        if number < begin.until:
            raise JournalFault(f"{self._path}: event {number} is not here any more; the last volume is {begin.file}")
        if row is None:
            raise JournalFault(f"{self._path}: event {number} is missing; {KEEP}")
        return str(row[0])

    def snapshot(self, before: int = LAST) -> tuple[int, RoundState]:
        """The newest book before this event, and the event after which it stood so."""
        number, state = newest_snapshot(self._path, self._database, before=before, hash_at=self.hash_at)
        begin = self.begin().until
        if number < begin:
            raise JournalFault(f"{self._path}: snapshot {begin}, with which this journal begins, is missing; {KEEP}")
        return number, state
