"""Sealed notes in the journal: how good the clock was, and which program wrote."""

import hashlib
import sqlite3
from bisect import bisect_right
from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import Struct

PROGRAMS: Final = (
    "CREATE TABLE IF NOT EXISTS programs("
    "run INTEGER PRIMARY KEY, after INTEGER NOT NULL, program TEXT NOT NULL, hash TEXT NOT NULL);"
)


class ProgramRun(Struct, frozen=True):
    """A program that took over in this run of the table, after this event."""

    run: int
    after: int
    program: str


def note_program(database: sqlite3.Connection, ran: ProgramRun, chain: str) -> None:
    """Writes down which program runs, if it is not the one before; chain is the hash of the last event."""
    last = database.execute("SELECT program FROM programs ORDER BY run DESC LIMIT 1").fetchone()
    if last is None or last[0] != ran.program:
        row = (ran.run, ran.after, ran.program, _program_seal(ran, chain))
        database.execute("INSERT OR REPLACE INTO programs VALUES(?,?,?,?)", row)


def carry_program(database: sqlite3.Connection, number: int, chain: str) -> None:
    """Says anew after this event which program the last note up to it named; those before it are in a volume."""
    newest = "SELECT run, program FROM programs WHERE after <= ? ORDER BY run DESC LIMIT 1"
    row = database.execute(newest, (number,)).fetchone()
    database.execute("DELETE FROM programs WHERE after <= ?", (number,))
    if row is not None:
        ran = ProgramRun(row[0], number, row[1])
        database.execute(
            "INSERT INTO programs VALUES(?,?,?,?)", (ran.run, number, ran.program, _program_seal(ran, chain))
        )


def programs(database: sqlite3.Connection, hash_at: Callable[[int], str]) -> tuple[list[ProgramRun], list[ProgramRun]]:
    """Every program in the order of their runs, and those of whom the note was altered; older journals have none."""
    if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'programs'").fetchone():
        return [], []
    rows = database.execute("SELECT run, after, program, hash FROM programs ORDER BY run").fetchall()
    noted = [(ProgramRun(run, after, program), seal) for run, after, program, seal in rows]
    return [ran for ran, _ in noted], [ran for ran, seal in noted if seal != _program_seal(ran, hash_at(ran.after))]


def _program_seal(ran: ProgramRun, chain: str) -> str:
    return hashlib.sha256(msgspec.json.encode((chain, ran.run, ran.after, ran.program))).hexdigest()


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
