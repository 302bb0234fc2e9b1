"""Backup retention: how many copies stay in a folder, and how much of the disk they leave free."""

import shutil
from pathlib import Path
from typing import Final

from msgspec import Struct

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
