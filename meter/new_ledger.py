"""A ledger in the making: a part of a name that is not its own, until it is complete and on disk."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from meter.sqlite_file import files_of
from meter.sqlite_store import SqliteStore
from meter.store import OpenStore, StoreFault

PART: Final = ".part"


@contextmanager
def new_ledger(file: Path) -> Iterator[OpenStore]:
    """A ledger that gets its name only when it is complete and on disk; an existing one is never touched."""
    there = ", ".join(path.name for path in files_of(file))
    if there:  # a log alone would be read into the new ledger
        raise StoreFault(
            f"{file.parent} holds {there}; move all of it away together, and keep it: the auditors will ask for it, "
            "and the newest wagers may stand in a log"
        )
    part = file.with_name(file.name + PART)
    _remove(part)  # of a copy that was cut short
    store = SqliteStore(part)
    try:
        yield store
        store.close()
        os.link(part, file)  # unlike a renaming, it fails if somebody was faster
        _sync_folder(file.parent)
    finally:
        store.close()
        _remove(part)


def _remove(part: Path) -> None:
    for file in (*files_of(part), part.with_name(part.name + ".lock")):
        file.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
