"""Files and folders: synced, replaced at once, locked, given to their owners."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, Generic, TypeVar

T = TypeVar("T")
FRESH: Final = ".pitlink-new"
"""The end of a file's name until it is whole."""


def sync(path: Path) -> None:
    """Returns when a file, or the names in a folder, are on disk."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def fresh_name(path: Path) -> Path:
    """Where a new file or link is made before it gets this name; what a power cut left there is removed."""
    fresh = path.with_name(f".{path.name}{FRESH}")
    fresh.unlink(missing_ok=True)
    return fresh


@contextmanager
def replacing(path: Path, mode: int = 0o644) -> Iterator[BinaryIO]:
    """A new file for this name, which it gets at once and synced: after a power cut there is the old or the new."""
    fresh = fresh_name(path)
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as file:
        os.fchmod(handle, mode)  # whatever the umask of a technician's shell
        yield file
        file.flush()
        os.fsync(handle)
    fresh.replace(path)
    sync(path.parent)


def write_privately(path: Path, content: bytes) -> None:
    """Replaces a file at once and for good, readable by this user only; of two who write, one waits."""
    with locked_folder(path.parent), replacing(path, 0o600) as file:
        leave_to_owner(file.fileno(), path)
        file.write(content)


class WatchedFile(Generic[T]):
    """What a file says, read again only after it was replaced; raises OSError, or what its reader raises."""

    def __init__(self, path: Path, read: Callable[[bytes], T]) -> None:
        self.path, self._read = path, read
        self._known: tuple[tuple[int, int, int], T] | None = None

    def now(self) -> T:
        """What it says now."""
        found = self.path.stat()
        seen = found.st_ino, found.st_size, found.st_mtime_ns
        if self._known is None or self._known[0] != seen:
            self._known = None
            self._known = seen, self._read(self.path.read_bytes())
        return self._known[1]


def lock_file(path: Path) -> int:
    """Locks this file, made where it is missing, until the handle is closed or the process ends, however it ends.

    Raises BlockingIOError if another process has it. Follows no link: a daemon's user must not lead root to
    another's file.
    """
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
    try:
        leave_to_owner(handle, path)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(handle)
        raise
    return handle


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Has a folder's lock, after waiting for it."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def leave_to_owner(file: int, path: Path) -> None:
    """Gives root's open file to the owner of what is at its path, or of the folder: the daemon itself is not root."""
    if os.geteuid() != 0:
        return
    owners = [place.stat() for place in (path, path.parent) if place.exists()]
    for owner in [owner for owner in owners if owner.st_uid != 0][:1]:
        os.fchown(file, owner.st_uid, owner.st_gid)


def make_folder(path: Path) -> None:
    """Makes a folder and those around it, each its parent's owner's; returns when their names are on disk."""
    if path.exists():
        return
    make_folder(path.parent)
    path.mkdir(exist_ok=True)
    around = path.parent.stat()
    if os.geteuid() == 0:
        os.chown(path, around.st_uid, around.st_gid, follow_symlinks=False)
    sync(path.parent)
