"""Journal file: opened, locked to one process, its errors in words that say what to do."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Final

from common.files import lock_file, locked_folder
from controller.journal.notes import NOTES, PROGRAMS

_SCRIPT: Final = """
CREATE TABLE IF NOT EXISTS facts(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events(
    number INTEGER PRIMARY KEY, round INTEGER NOT NULL, boot INTEGER NOT NULL, mono_ms INTEGER NOT NULL,
    at_ms INTEGER NOT NULL, body TEXT NOT NULL, refusal TEXT NOT NULL, hash TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS snapshots(number INTEGER PRIMARY KEY, book TEXT NOT NULL, hash TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS outbox(
    seq INTEGER PRIMARY KEY, number INTEGER NOT NULL, entry TEXT NOT NULL, booked INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS slips(number INTEGER PRIMARY KEY, round INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS events_round ON events(round);
CREATE INDEX IF NOT EXISTS outbox_number ON outbox(number);
CREATE INDEX IF NOT EXISTS outbox_pending ON outbox(seq) WHERE booked = 0;
"""
VOLUMES: Final = """
CREATE TABLE IF NOT EXISTS volumes(
    first INTEGER NOT NULL, until INTEGER PRIMARY KEY, round INTEGER NOT NULL, slips INTEGER NOT NULL,
    seq INTEGER NOT NULL, chain TEXT NOT NULL, file TEXT NOT NULL, hash TEXT NOT NULL)
"""
SCRIPT: Final = f"{_SCRIPT}{NOTES}{PROGRAMS}{VOLUMES};"


MOST_LOG: Final = 32_000_000
"""Bytes that the write-ahead log keeps: a long reader lets it grow, and it would stay that large."""


LOG_BYTES: Final = 4_000_000
"""SQLite begins the log anew after a thousand pages of four kilobytes."""
_FEW_PAGES: Final = 16


class JournalFault(Exception):  # noqa: N818  the pit says fault
    """The journal cannot be trusted or written; the message tells the technician what to do."""


class journal_faults:  # noqa: N801  reads as a word in "with faults(path):"
    """Turns SQLite's errors into a JournalFault that says what to do."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, sqlite3.Error):
            raise JournalFault(f"{self._path}: {error}; {_advice(str(error))}") from error


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """Opens the file; for writing it is made where it is missing, and every commit is synced."""
    with journal_faults(path), ExitStack() as undo:
        uri = f"{path.absolute().as_uri()}{'?mode=ro' if read_only else ''}"
        database = undo.enter_context(closing(sqlite3.connect(uri, uri=True, timeout=1, check_same_thread=False)))
        if not read_only:
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("PRAGMA synchronous=FULL")
            database.execute(f"PRAGMA journal_size_limit={MOST_LOG}")
            database.executescript(SCRIPT)
        undo.pop_all()
        return database


def lengthen_log(path: Path, database: sqlite3.Connection) -> None:
    """Gives the write-ahead log the length at which SQLite begins it anew, and syncs it.

    A commit that makes its file longer waits for the file system's own journal as well; one that writes over what is
    there does not. What is rolled back here has grown the log and changes nothing else.
    """
    with journal_faults(path):
        usual = database.execute("PRAGMA cache_size").fetchone()[0]
        database.execute(f"PRAGMA cache_size={_FEW_PAGES}")  # so that pages go to the log before any commit
        database.execute("BEGIN")
        database.execute("CREATE TABLE scratch(body)")
        database.execute("INSERT INTO scratch VALUES(zeroblob(?))", (LOG_BYTES,))
        database.execute("ROLLBACK")
        database.execute(f"PRAGMA cache_size={usual}")
        with database:
            database.execute("UPDATE facts SET value = value WHERE name = 'boot'")


def log_ahead(path: Path) -> None:
    """Gives a copy the mode of a table's journal before it takes its place: later a reader could forbid that."""
    with journal_faults(path), closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode=WAL")


def log_size(journal: Path) -> int:
    """How large the write-ahead log is."""
    log = journal.with_name(f"{journal.name}-wal")
    return log.stat().st_size if log.exists() else 0


def hold(path: Path) -> TextIOWrapper:
    """One process at a time: the lock goes with the process, however it ends."""
    return _locked(path.with_suffix(".lock"), f"{path}: another process runs this table; stop it first")


def hold_archive(path: Path) -> TextIOWrapper:
    """One archive of a journal at a time, beside the process that writes it."""
    return _locked(path.with_suffix(".archive.lock"), f"{path}: another archive is under way; wait until it has ended")


@contextmanager
def still(path: Path) -> Iterator[None]:
    """Waits its turn: while a file is put in another's place, no archive has either open for writing."""
    with ExitStack() as lock:
        try:
            lock.enter_context(locked_folder(path.parent))
        except OSError as error:
            raise JournalFault(f"{path.parent}: {error.strerror}; {_advice('unable to open')}") from error
        yield


def _locked(lock: Path, taken: str) -> TextIOWrapper:
    try:
        return os.fdopen(lock_file(lock), "w", encoding="utf-8")
    except BlockingIOError as error:
        raise JournalFault(taken) from error
    except OSError as error:
        raise JournalFault(f"{lock}: {error.strerror}; {_advice('unable to open')}") from error


def _advice(problem: str) -> str:
    if "full" in problem:
        return "free some space on this disk; the table goes on by itself"
    if "readonly" in problem or "unable to open" in problem:
        return "check that the directory exists and that this user may write there"
    if "locked" in problem:
        return "another process has this journal; stop it first"
    return "keep the file, check the disk, restore a backup or swap the board"
