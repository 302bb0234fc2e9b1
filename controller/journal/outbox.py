"""Outbox: every entry for the meter, beside the event that caused it, until acknowledged."""

import sqlite3
from pathlib import Path
from typing import Final

import msgspec

from controller.journal.chain import LAST, EventChain
from controller.journal.file import JournalFault, journal_faults
from controller.journal.records import KEEP, EventRecord, Waiting
from link.messages import Entry

_STRAY: Final = """
SELECT seq FROM outbox WHERE (number > ? AND number NOT IN (SELECT number FROM events))
    OR (number <= ? AND (booked = 0 OR seq > ?)) LIMIT 1
"""


class Outbox:
    """The entries of one open journal file."""

    def __init__(self, path: Path, database: sqlite3.Connection, chain: EventChain) -> None:
        self._path, self._database, self._chain = path, database, chain

    def put(self, number: int, record: EventRecord) -> None:
        """The entries that this event ordered, in the transaction that writes it."""
        for seq, entry in record.entries:
            row = (seq, number, msgspec.json.encode(entry).decode())
            self._database.execute("INSERT INTO outbox(seq, number, entry) VALUES(?,?,?)", row)

    def mark_booked(self, seq: int) -> None:
        """The meter has every entry up to seq on disk."""
        with journal_faults(self._path), self._database:
            self._database.execute("UPDATE outbox SET booked = 1 WHERE booked = 0 AND seq <= ?", (seq,))

    def booked_seq(self) -> int:
        """The last entry that the meter has acknowledged, 0 for none."""
        with journal_faults(self._path):
            row = self._database.execute("SELECT max(seq) FROM outbox WHERE booked = 1").fetchone()
        return max(int(row[0] or 0), self._chain.begin().seq)

    def waiting(self, most: int = LAST) -> list[Waiting]:
        """What the meter has not acknowledged, oldest first, each as its sealed event has it."""
        with journal_faults(self._path):
            oldest = "SELECT seq, number, entry FROM outbox WHERE booked = 0 ORDER BY seq LIMIT ?"
            found = self._database.execute(oldest, (most,)).fetchall()
        return [
            Waiting(seq, self._ordered_at(number), msgspec.json.decode(body, type=Entry)) for seq, number, body in found
        ]

    def waiting_in_all(self) -> int:
        """How many entries the meter has not acknowledged."""
        with journal_faults(self._path):
            return int(self._database.execute("SELECT count(*) FROM outbox WHERE booked = 0").fetchone()[0])

    def check(self) -> None:
        """Refuses an entry that no event ordered."""
        begin = self._chain.begin()
        with journal_faults(self._path):
            found = self._database.execute(_STRAY, (begin.until, begin.until, begin.seq)).fetchone()
        if found:
            raise JournalFault(f"{self._path}: entry {found[0]} for the meter belongs to no event; {KEEP}")

    def _ordered_at(self, number: int) -> int:
        """When the event that ordered an entry happened; its seal covers the entry."""
        for row in self._chain.rows(after=number - 1, until=number):
            return row[4]
        raise JournalFault(f"{self._path}: event {number} ordered an entry for the meter and is missing; {KEEP}")
