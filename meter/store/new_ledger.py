"""A ledger in the making: a part of a name that nobody else uses, until it is complete and on disk."""

import errno
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from common.files import sync_folder
from meter.store.base import InUse, OpenStore, StoreFault
from meter.store.sqlite import SqliteStore
from meter.store.sqlite_file import files_of, kept_from_meters, refuse_folder

_KNOWS_NO_LINKS: Final = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS})  # FAT and its kind
_PART: Final = r"(\.part(-[0-9a-f]{16})?)(-wal|-shm|-journal|\.lock)?"


@contextmanager
def new_ledger(file: Path) -> Iterator[OpenStore]:
    """A ledger that gets its name only when it is complete and on disk; an existing one is never touched.

    Its part has a name of its own: whoever makes the same ledger at the same time, even on another machine where no
    lock is seen, can neither write into it nor give its name to another one.
    """
    with _told(file):
        _refuse_existing(file)
        if sweep(file.parent, re.escape(file.name)):
            raise StoreFault(f"{file} is being written by another pitlink; wait for it, or name another file")
        part = file.with_name(f"{file.name}.part-{secrets.token_hex(8)}")
        try:
            with closing(SqliteStore(part)) as store:
                yield store
            _give_name(part, file)
            sync_folder(file.parent)
        finally:
            _remove(part)


def sweep(folder: Path, names: str) -> list[Path]:
    """Removes what dead processes left of ledgers whose names are like this; says which others are in the making."""
    found = [re.fullmatch(f"({names}){_PART}", path.name) for path in folder.glob("*")]
    parts = {folder / f"{match[1]}{match[2]}" for match in found if match}
    return [part for part in sorted(parts) if not _has_removed(part)]


def _has_removed(part: Path) -> bool:
    """Whoever writes it has it locked."""
    try:
        with kept_from_meters(part):
            _remove(part)
    except InUse:
        return False
    return True


@contextmanager
def _told(file: Path) -> Iterator[None]:
    """Turns what the disk has against the new file into a StoreFault that says what to do."""
    try:
        yield
    except FileExistsError as error:
        raise StoreFault(f"somebody else has made {file} meanwhile; it stays as it is") from error
    except OSError as error:
        raise StoreFault(f"{file}: {error.strerror}; check the folder, its space and its owner") from error


def _refuse_existing(file: Path) -> None:
    refuse_folder(file)
    there = ", ".join(path.name for path in files_of(file))
    if there:  # a log alone would be read into the new ledger
        raise StoreFault(
            f"{file.parent} holds {there}; move all of it away together, and keep it: the auditors will ask for it, "
            "and the newest wagers may stand in a log"
        )


def _give_name(part: Path, file: Path) -> None:
    """Raises FileExistsError if somebody was faster, which a renaming alone would not."""
    try:
        os.link(part, file)
    except OSError as error:
        if error.errno not in _KNOWS_NO_LINKS:
            raise
        _rename(part, file)


def _rename(part: Path, file: Path) -> None:
    """On a stick: takes the name first, so that what is written over is our own and empty, and no ledger to anybody."""
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o640))
    try:
        part.rename(file)
    except BaseException:
        file.unlink()
        raise


def _remove(part: Path) -> None:
    for file in (*files_of(part), part.with_name(part.name + ".lock")):
        file.unlink(missing_ok=True)
