"""What a journal says of itself: schema, name, mode (rehearsal or live), owner, and number of runs."""

import sqlite3
import uuid
from contextlib import closing
from pathlib import Path
from typing import Final

from controller.journal.file import JournalFault, journal_faults
from controller.journal.records import KEEP

MODE: Final = "mode"
LIVE: Final = "live"
REHEARSAL: Final = "rehearsal"
"""What the fact of that name says."""
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


SCHEMA: Final = 1


def schema_of(path: Path) -> int:
    """The schema that a journal's file says it has."""
    with journal_faults(path), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
        return int(fact(path, database, "schema", str(SCHEMA)))


def fact(path: Path, database: sqlite3.Connection, name: str, default: str = "") -> str:
    """What stands there under this name."""
    with journal_faults(path):
        row = database.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else default


def set_fact(path: Path, database: sqlite3.Connection, name: str, value: str) -> None:
    """Writes it down; returns when it is synced."""
    with journal_faults(path), database:
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
    mode = fact(path, database, MODE) if name else mode_word(rehearsal=rehearsal)
    require_mode(path, mode, rehearsal=rehearsal)
    unclean_stops = int(fact(path, database, "unclean_stops", "0")) + (fact(path, database, "running") == "1")
    boot = int(fact(path, database, "boot", "0")) + 1
    with journal_faults(path), database:
        _set(database, "schema", str(SCHEMA))
        _set(database, MODE, mode)
        _set(database, "id", name or uuid.uuid4().hex)
        _set(database, "boot", str(boot))
        _set(database, "unclean_stops", str(unclean_stops))
        _set(database, "running", "1")


def _set(database: sqlite3.Connection, name: str, value: str) -> None:
    database.execute("INSERT OR REPLACE INTO facts VALUES(?,?)", (name, value))
