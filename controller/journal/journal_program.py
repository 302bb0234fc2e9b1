"""Which program wrote a journal: a sealed note whenever another one takes over."""

import hashlib
import sqlite3
from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import Struct

PROGRAMS: Final = (
    "CREATE TABLE IF NOT EXISTS programs("
    "run INTEGER PRIMARY KEY, after INTEGER NOT NULL, program TEXT NOT NULL, hash TEXT NOT NULL);"
)


class Ran(Struct, frozen=True):
    """A program that took over in this run of the table, after this event."""

    run: int
    after: int
    program: str


def note_program(database: sqlite3.Connection, ran: Ran, chain: str) -> None:
    """Writes down which program runs, if it is not the one before; chain is the hash of the last event."""
    last = database.execute("SELECT program FROM programs ORDER BY run DESC LIMIT 1").fetchone()
    if last is None or last[0] != ran.program:
        row = (ran.run, ran.after, ran.program, _seal(ran, chain))
        database.execute("INSERT OR REPLACE INTO programs VALUES(?,?,?,?)", row)


def carry_program(database: sqlite3.Connection, number: int, chain: str) -> None:
    """Says anew after this event which program the last note up to it named; those before it are in a volume."""
    newest = "SELECT run, program FROM programs WHERE after <= ? ORDER BY run DESC LIMIT 1"
    row = database.execute(newest, (number,)).fetchone()
    database.execute("DELETE FROM programs WHERE after <= ?", (number,))
    if row is not None:
        ran = Ran(row[0], number, row[1])
        database.execute("INSERT INTO programs VALUES(?,?,?,?)", (ran.run, number, ran.program, _seal(ran, chain)))


def programs(database: sqlite3.Connection, hash_at: Callable[[int], str]) -> tuple[list[Ran], list[Ran]]:
    """Every program in the order of their runs, and those of whom the note was altered; older journals have none."""
    if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'programs'").fetchone():
        return [], []
    rows = database.execute("SELECT run, after, program, hash FROM programs ORDER BY run").fetchall()
    noted = [(Ran(run, after, program), seal) for run, after, program, seal in rows]
    return [ran for ran, _ in noted], [ran for ran, seal in noted if seal != _seal(ran, hash_at(ran.after))]


def _seal(ran: Ran, chain: str) -> str:
    return hashlib.sha256(msgspec.json.encode((chain, ran.run, ran.after, ran.program))).hexdigest()
