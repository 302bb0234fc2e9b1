"""Backup of a journal while its table works: one file, checked event by event before it is named."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from common.backup_retention import NoRoom, RotatedCopies
from common.files import sync
from controller.journal.file import JournalFault, connect, journal_faults
from controller.journal.journal import Journal

AT_ONCE: Final = 256
"""Pages copied and synced in one go: a table that syncs its journal waits for what others have not written yet."""
PAUSE_S: Final = 0.01
_NAME: Final = "journal-{:%Y%m%dT%H%M%S%fZ}.db"
_NAMES: Final = "journal-*.db"
_SUFFIXES: Final = ("", "-journal", "-wal", "-shm")


def back_up(journal: Path, folder: Path, now: datetime, *, keep: int) -> tuple[Path, int]:
    """Copies a journal into a folder of copies, the oldest of which make room; returns the copy and its last event."""
    target = folder / _NAME.format(now.astimezone(UTC))
    copies = RotatedCopies(folder, _NAMES, "journal-*.unfinished*")
    with backup_faults(target):
        copies.make_room(size_of(journal), keep=keep)
        last = copy_to(journal, target)
        copies.drop_old(target, keep=keep)
    return target, last


def copy_to(journal: Path, target: Path) -> int:
    """Makes a checked copy of a journal under this name; returns its last event."""
    with backup_faults(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with unfinished(target) as copy:
            _copy(journal, copy)
            last = _last_event(copy)
            sync(copy)
    return last


@contextmanager
def backup_faults(target: Path) -> Iterator[None]:
    """Turns what the disk has against a copy into a JournalFault that says what to do."""
    try:
        yield
    except NoRoom as error:
        raise JournalFault(str(error)) from error
    except OSError as error:
        raise JournalFault(f"{target}: {error.strerror}; free some space or name another folder") from error


def size_of(journal: Path) -> int:
    """What a copy may take; a journal that is not there is told by whoever copies it."""
    parts = [path for path in _files_of(journal) if path.is_file()]
    return sum(path.stat().st_size for path in parts)


def _files_of(database: Path) -> list[Path]:
    return [database.with_name(database.name + suffix) for suffix in _SUFFIXES]


@contextmanager
def unfinished(target: Path) -> Iterator[Path]:
    """A place to write to that becomes the target when everything went well, and nothing otherwise."""
    copy = target.with_suffix(".unfinished")
    try:
        yield copy
        copy.rename(target)
        sync(target.parent)
    finally:
        for rest in _files_of(copy):
            rest.unlink(missing_ok=True)


def _copy(journal: Path, copy: Path) -> None:
    if not journal.is_file():
        raise JournalFault(f"{journal}: there is no journal; name the table's settings, state directory or journal")
    with (
        closing(connect(journal, read_only=True)) as source,
        journal_faults(copy),
        closing(sqlite3.connect(copy)) as target,
    ):
        target.execute("PRAGMA synchronous=OFF")  # synced below
        target.execute(f"PRAGMA cache_size={AT_ONCE // 2}")
        source.execute("BEGIN")  # as it stands now: what the table writes meanwhile would make the copy begin again
        source.execute("SELECT 1 FROM sqlite_master").fetchone()
        source.backup(target, pages=AT_ONCE, progress=lambda *_: _sync_and_breathe(copy))
        target.execute("PRAGMA journal_mode=DELETE")  # one file, not three
        pages, free = (target.execute(f"PRAGMA {count}").fetchone()[0] for count in ("page_count", "freelist_count"))
        if free * 4 > pages:
            _compact(target, copy)


def _compact(target: sqlite3.Connection, copy: Path) -> None:
    """An archive leaves free pages behind, which the journal fills again; a copy need not have them."""
    small = copy.with_name(f"{copy.name}-small")
    small.unlink(missing_ok=True)
    try:
        target.execute("VACUUM INTO ?", (str(small),))
        small.replace(copy)
    finally:
        small.unlink(missing_ok=True)


def _sync_and_breathe(copy: Path) -> None:
    sync(copy)
    time.sleep(PAUSE_S)


def _last_event(copy: Path) -> int:
    journal = Journal.look(copy)
    try:
        return journal.audit()[0]
    finally:
        journal.abandon()
