"""What a journal says of itself: its schema, its name, its mode, who has it, and how often a table ran with it."""

import sqlite3
import uuid
from pathlib import Path
from typing import Final

from controller.journal.file import JournalFault, faults
from controller.journal.journal_mode import (
    LIVE,
    MODE,
    mode_word,
    require_mode,
)

SCHEMA: Final = 3


def fact(path: Path, database: sqlite3.Connection, name: str, default: str = "") -> str:
    """What stands there under this name."""
    with faults(path):
        row = database.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else default


def set_fact(path: Path, database: sqlite3.Connection, name: str, value: str) -> None:
    """Writes it down; returns when it is synced."""
    with faults(path), database:
        _set(database, name, value)


def require_schema(path: Path, database: sqlite3.Connection) -> None:
    """Raises JournalFault where a newer version wrote it."""
    if int(fact(path, database, "schema", str(SCHEMA))) > SCHEMA:
        raise JournalFault(f"{path}: written by a newer Pitlink; install that version")


def begin_run(path: Path, database: sqlite3.Connection, *, rehearsal: bool) -> None:
    """Notes that a table runs with it from now on, in the mode it was begun in; raises JournalFault if none may."""
    if fact(path, database, "closed") == "1":
        raise JournalFault(f"{path}: a closed volume of an archive; it can be read, but no table runs with it")
    handed_over = fact(path, database, "handed_over")
    if handed_over:
        raise JournalFault(
            f"{path}: handed over to another board ({handed_over}); use that one, or import its swap file"
        )
    name = fact(path, database, "id")
    mode = fact(path, database, MODE, LIVE) if name else mode_word(rehearsal=rehearsal)
    require_mode(path, mode, rehearsal=rehearsal)
    unclean_stops = int(fact(path, database, "unclean_stops", "0")) + (fact(path, database, "running") == "1")
    boot = int(fact(path, database, "boot", "0")) + 1
    with faults(path), database:
        _set(database, "schema", str(SCHEMA))
        _set(database, MODE, mode)
        _set(database, "id", name or uuid.uuid4().hex)
        _set(database, "boot", str(boot))
        _set(database, "unclean_stops", str(unclean_stops))
        _set(database, "running", "1")


def _set(database: sqlite3.Connection, name: str, value: str) -> None:
    database.execute("INSERT OR REPLACE INTO facts VALUES(?,?)", (name, value))
