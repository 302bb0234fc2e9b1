"""Rehearsal or live: bound into a journal when it is begun, so that no play money is ever sent to a live meter."""

import sqlite3
from pathlib import Path
from typing import Final

from controller.journal.file import JournalFault
from controller.journal.records import KEEP

MODE: Final = "mode"
LIVE: Final = "live"
REHEARSAL: Final = "rehearsal"
"""What the fact of that name says; journals from before there was one are live."""
_ADVICE: Final = {
    LIVE: "this is a live table's journal, and the settings say rehearsal; take rehearsal = true out of [table], or "
    "give the rehearsal a state_dir of its own",
    REHEARSAL: "this is a rehearsal's journal, and the settings say live: no play money may reach a live meter; put "
    "rehearsal = true back into [table], or give the live table a state_dir of its own",
}


def mode_word(*, rehearsal: bool) -> str:
    """The mode as a journal has it."""
    return REHEARSAL if rehearsal else LIVE


def require_mode(path: Path, kept: str, *, rehearsal: bool) -> None:
    """Raises JournalFault, with what to do, where a journal was begun in the other mode."""
    if kept != mode_word(rehearsal=rehearsal):
        raise JournalFault(f"{path}: {_ADVICE.get(kept, f'its mode, {kept}, was altered; {KEEP}')}")


def begin_mode(database: sqlite3.Connection) -> None:
    """What was written before there were modes was live."""
    database.execute("INSERT OR IGNORE INTO facts VALUES(?,?)", (MODE, LIVE))


def end_mode(database: sqlite3.Connection) -> None:
    """A version that knows no modes would take a rehearsal for live: it gets only what is live."""
    row = database.execute("SELECT value FROM facts WHERE name = ?", (MODE,)).fetchone()
    if row is not None and row[0] != LIVE:
        raise JournalFault("a rehearsal's journal, which older versions would take for a live one; install this one")
    database.execute("DELETE FROM facts WHERE name = ?", (MODE,))
