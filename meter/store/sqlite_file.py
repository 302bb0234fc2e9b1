"""The file of a SQLite ledger: what belongs to it, who may open it, how it is written, and the room it needs."""

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from common.owners import leave_to_owner
from meter.store.base import InUse, OutOfReach, StoreFault

CHECKPOINT_PAGES: Final = 8_000  # of the write-ahead log: after SQLite's usual 1,000 one wager in 200 would wait for it
ROOM_BYTES: Final = 96 * 2**20  # a whole write-ahead log, all of it again in the file (66 MB), and 70,000 rounds


def files_of(path: Path) -> list[Path]:
    """What is there of a ledger: its file, and the logs without which it is not whole."""
    files = (path.with_name(path.name + end) for end in ("", "-wal", "-shm", "-journal"))
    return [file for file in files if file.exists()]


def refuse_folder(path: Path) -> None:
    """A ledger is a file: raises StoreFault otherwise."""
    if path.is_dir():
        raise StoreFault(f"{path} is a folder; name a file")


def refuse_remains(path: Path) -> None:
    """SQLite would read a log that was left behind into the new ledger, or throw it away with the newest wagers."""
    rest = files_of(path)
    if rest and path not in rest:
        names = ", ".join(file.name for file in rest)
        raise StoreFault(f"{path} is gone, and {names} is left of it: put it back, or move that away and keep it")


def connected(path: Path, *, reading: bool) -> sqlite3.Connection:
    """The file, open to be read, or made and written so that what is committed outlives a power cut."""
    if reading and not path.exists():
        raise OutOfReach(f"{path} is not there: no meter has been started on it, or somebody has moved it away")
    # One thread at a time uses it, but it is opened by another than the one that will book.
    address = f"{path.absolute().as_uri()}?mode={'rw' if reading else 'rwc'}"
    database = sqlite3.connect(address, isolation_level=None, check_same_thread=False, timeout=1.0, uri=True)
    try:
        if reading:
            database.execute("PRAGMA query_only = ON")
        else:
            _begin_log(database, path)
            database.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        database.execute("PRAGMA synchronous = FULL")  # NORMAL would lose committed wagers in a power cut
    except BaseException:
        database.close()
        raise
    return database


def require_room(path: Path) -> None:
    """Takes what a meter needs to go on from the disk for a moment, whoever limits it; raises OutOfReach."""
    folder = path.absolute().parent
    try:
        with TemporaryFile(dir=folder) as room:  # which has no name: nothing of it outlives us
            os.posix_fallocate(room.fileno(), 0, ROOM_BYTES)
    except OSError as error:
        raise OutOfReach(
            f"{folder} has no room for {ROOM_BYTES // 2**20} MB, and a meter would soon stop there "
            f"({error.strerror}): free some space, such as old copies and logs, or move the ledger to a larger disk"
        ) from error


@contextmanager
def kept_from_meters(path: Path) -> Iterator[None]:
    """Keeps every meter away from this ledger, whether there is one yet or not; raises StoreFault if one uses it."""
    try:
        lock = locked(path)
    except OSError as error:
        raise StoreFault(f"{path}: {error.strerror}; check the folder and its owner") from error
    try:
        yield
    finally:
        os.close(lock)


def locked(path: Path) -> int:
    """Keeps a second meter away from this store for as long as we live."""
    lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o640)
    leave_to_owner(lock, Path(f"{path}.lock"))
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        raise InUse(f"{path} is in use by another meter; stop that one first") from error
    return lock


def _begin_log(database: sqlite3.Connection, path: Path) -> None:
    (mode,) = database.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":  # SQLite goes on without a word, and then every reader would stop the meter
        raise StoreFault(f"{path} cannot have a write-ahead log there ({mode}); put it on a local disk")
