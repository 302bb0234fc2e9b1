"""How good the calendar was: a sealed note in the journal wherever that changed, and at the start of each run."""

import hashlib
import sqlite3
from bisect import bisect_right
from typing import Final

import msgspec

NOTES: Final = (
    "CREATE TABLE IF NOT EXISTS clock(number INTEGER PRIMARY KEY, synced INTEGER NOT NULL, hash TEXT NOT NULL);"
)


def note(database: sqlite3.Connection, number: int, synced: bool, chain: str) -> None:
    """From this event on the calendar was synchronised, or not; chain is the event's own hash."""
    database.execute("INSERT OR REPLACE INTO clock VALUES(?,?,?)", (number, synced, _seal(number, synced, chain)))


def carry_note(database: sqlite3.Connection, number: int, chain: str) -> None:
    """Says anew on this event what the last note up to it said: those before it go into a volume."""
    newest = "SELECT synced FROM clock WHERE number <= ? ORDER BY number DESC LIMIT 1"
    row = database.execute(newest, (number,)).fetchone()
    if row is not None:
        note(database, number, bool(row[0]), chain)


class ClockNotes:
    """The notes of a journal; an older one has none, and then nobody knows."""

    def __init__(self, database: sqlite3.Connection) -> None:
        has_notes = database.execute("SELECT 1 FROM sqlite_master WHERE name = 'clock'").fetchone()
        rows = database.execute("SELECT number, synced, hash FROM clock ORDER BY number") if has_notes else ()
        self._rows = [(int(number), bool(synced), str(seal)) for number, synced, seal in rows]
        self._numbers = [number for number, _, _ in self._rows]

    def at(self, number: int) -> bool | None:
        """Whether the calendar was synchronised at this event; None if nobody wrote it down."""
        place = bisect_right(self._numbers, number)
        return self._rows[place - 1][1] if place else None

    def is_altered(self, number: int, chain: str) -> bool:
        """Whether there is a note on this event that was not made for it."""
        place = bisect_right(self._numbers, number)
        if not place or self._numbers[place - 1] != number:
            return False
        _, synced, seal = self._rows[place - 1]
        return seal != _seal(number, synced, chain)


def _seal(number: int, synced: bool, chain: str) -> str:
    return hashlib.sha256(msgspec.json.encode((chain, number, synced))).hexdigest()
