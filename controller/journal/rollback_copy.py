"""Rollback copy of a journal, kept while a new version is on trial.

Between copy and confirmation the table does not open (flashing/paths.py), so that no money is in what was written in
between: that is looked at here, not believed.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from common.files import sync
from controller.journal.backup import copy_to
from controller.journal.file import JournalFault, connect, hold, journal_faults, log_ahead, still
from controller.journal.journal import Journal
from controller.journal.schema import SCHEMA, schema_of
from controller.journal.volumes import last_entry
from games.round.state import Phase

SET_ASIDE: Final = "journal-set-aside.db"


def keep_copy(journal: Path, copy: Path) -> int:
    """Copies the journal of a closed, cleanly stopped table; returns its last event."""
    with hold(journal):
        why = _unfinished_business(journal)
        if why:
            raise JournalFault(f"{journal}: {why}; start the table, end the round, close it, and flash again")
        return copy_to(journal, copy)


def settle(journal: Path, copy: Path) -> str:
    """After going back: the journal goes on if this version can read it, or else the copy takes its place.

    Cut off anywhere, the same again completes it; on a full disk it stops before the first file moves.
    """
    with hold(journal):
        why = _why_unfit(journal, copy) if copy.exists() else ""
        if not why:
            return "the journal goes on as it is"
        added = _last_entry(journal) - _last_entry(copy)
        if added > 0:
            raise JournalFault(
                f"{journal}: {added} entries for the meter are not in the copy; keep both files and call for help"
            )
        aside = journal.with_name(SET_ASIDE)
        log_ahead(copy)
        _count_runs(copy, max(_runs(path) for path in (journal, aside, copy)))
        with still(journal):
            _set_aside(journal, aside)
            copy.rename(journal)
        sync(journal.parent)
        return f"the journal of before the flash goes on ({why}); what the other version wrote is in {aside}"


def _unfinished_business(path: Path) -> str:
    look = Journal.look(path)
    try:
        state, events = look.recall()
    finally:
        look.abandon()
    if state.phase is not Phase.CLOSED:
        return "a round is in hand"
    return "the table was not stopped cleanly" if events else ""


def _why_unfit(journal: Path, copy: Path) -> str:
    if not journal.exists():
        return "it was being put back when the power failed"
    try:
        if schema_of(journal) > SCHEMA:
            return f"schema {schema_of(journal)} is of a newer version"
        look, kept = Journal.look(journal), Journal.look(copy)
        try:
            look.audit()
            same_rules = look.rules == kept.rules
        finally:
            look.abandon()
            kept.abandon()
        return "" if same_rules else _unfinished_business(journal)
    except (JournalFault, ValueError) as fault:  # what msgspec cannot read is a ValueError
        return f"not readable by this version: {fault}"


def _last_entry(path: Path) -> int:
    """The last entry for the meter; a file that is no journal any more has none that could be sent."""
    return _number(path, last_entry)


def _runs(path: Path) -> int:
    """How often a table was started with this journal: a number that names a run must not come twice."""
    return _number(path, _boots)


def _boots(database: sqlite3.Connection) -> int:
    row = database.execute("SELECT value FROM facts WHERE name = 'boot'").fetchone()
    return int(row[0]) if row else 0


def _number(path: Path, question: Callable[[sqlite3.Connection], int]) -> int:
    if not path.exists():
        return 0
    try:
        with closing(connect(path, read_only=True)) as database:
            return question(database)
    except (JournalFault, sqlite3.Error):
        return 0


def _count_runs(copy: Path, runs: int) -> None:
    with journal_faults(copy), closing(sqlite3.connect(copy)) as database, database:
        database.execute("INSERT OR REPLACE INTO facts VALUES('boot', ?)", (str(runs),))


def _set_aside(journal: Path, aside: Path) -> None:
    """The file and its write-ahead log under another name; cut off half way, the same again completes it."""
    if journal.exists():
        for suffix in ("-wal", ""):
            aside.with_name(aside.name + suffix).unlink(missing_ok=True)
        journal.rename(aside)
    log = journal.with_name(f"{journal.name}-wal")
    if log.exists():
        log.rename(aside.with_name(f"{aside.name}-wal"))
    journal.with_name(f"{journal.name}-shm").unlink(missing_ok=True)
    sync(journal.parent)
