"""Files and folders of a daemon: synced names, owners, and a folder of copies that never fills its disk."""

import os
import shutil
from pathlib import Path
from typing import Final

from msgspec import Struct


def sync_folder(folder: Path) -> None:
    """Returns when the names in it are on disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
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
    sync_folder(path.parent)


RESERVE_BYTES: Final = 128 * 2**20
"""What a copy leaves free, so that whatever it is a copy of can still be written."""


class NoRoom(Exception):  # noqa: N818  the pit says what is the matter
    """Another copy would fill the disk; the message says what to do."""


class RotatedCopies(Struct, frozen=True):
    """Files with dates for names in one folder, and what a power cut leaves of one, unless somebody else sees to it."""

    folder: Path
    names: str
    unfinished: str | None = None

    def newest_bytes(self) -> int:
        """The size of the newest copy, 0 if there is none."""
        return max(((path.name, path.stat().st_size) for path in self.folder.glob(self.names)), default=("", 0))[1]

    def make_room(self, size: int, *, keep: int) -> None:
        """Drops all but keep - 1 copies, and more until one of this size fits; never the last one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for rest in self.folder.glob(self.unfinished) if self.unfinished else ():
            rest.unlink(missing_ok=True)
        copies = sorted(self.folder.glob(self.names))
        while len(copies) > 1 and (len(copies) >= keep or not _fits(self.folder, size)):
            copies.pop(0).unlink()
        require_room(self.folder, size)

    def drop_old(self, made: Path, *, keep: int) -> None:
        """Drops the oldest; a board may believe that it is 1970: the copy just made stays, whatever it is called."""
        others = sorted(path for path in self.folder.glob(self.names) if path != made)
        for old in others[: max(0, len(others) + 1 - keep)]:
            old.unlink()


def require_room(folder: Path, size: int) -> None:
    """Raises NoRoom where a copy of this size would fill the disk."""
    if not _fits(folder, size):
        raise NoRoom(
            f"{folder}: no room for a copy of {_mb(size)} MB with {_mb(RESERVE_BYTES)} MB left free; "
            "free some space or name another folder"
        )


def _fits(folder: Path, size: int) -> bool:
    return shutil.disk_usage(folder).free - size >= RESERVE_BYTES


def _mb(size: int) -> int:
    return -(-size // 2**20)
