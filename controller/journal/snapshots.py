"""Snapshots of the round state, sealed to their events: where replay begins."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import msgspec

from controller.journal.file import JournalFault, journal_faults
from controller.journal.records import KEEP, seal
from games.round.state import RoundState


def keep_snapshot(database: sqlite3.Connection, number: int, chain: str, state: RoundState) -> None:
    """The book after this event; chain is the event's own hash."""
    body = msgspec.json.encode(state).decode()
    row = (number, body, seal(chain, (number, body)))
    database.execute("INSERT OR REPLACE INTO snapshots VALUES(?,?,?)", row)


def newest_snapshot(
    path: Path, database: sqlite3.Connection, *, before: int, hash_at: Callable[[int], str]
) -> tuple[int, RoundState]:
    """The last snapshot of an event before this one, and its event; an altered one raises JournalFault."""
    newest = "SELECT number, book, hash FROM snapshots WHERE number < ? ORDER BY number DESC LIMIT 1"
    with journal_faults(path):
        row = database.execute(newest, (before,)).fetchone()
    if row is None:
        return 0, RoundState()
    number, body, digest = row
    if digest != seal(hash_at(number), (number, body)):
        raise JournalFault(f"{path}: snapshot {number} was altered; {KEEP}")
    return number, msgspec.json.decode(body, type=RoundState)


def note_slips(database: sqlite3.Connection, last: int, state: RoundState) -> None:
    """Where to find the slips that were numbered since; a batch of events never reaches into a second round."""
    for number in range(last + 1, state.slips + 1):
        database.execute("INSERT OR IGNORE INTO slips VALUES(?,?)", (number, state.round))


def newest_slips(
    database: sqlite3.Connection, before: int, most: int, *, after_round: int = -1
) -> list[tuple[int, int]]:
    """The newest payout slips before this number, each with its round."""
    newest = "SELECT number, round FROM slips WHERE number < ? AND round > ? ORDER BY number DESC LIMIT ?"
    return list(database.execute(newest, (before, after_round, most)))
