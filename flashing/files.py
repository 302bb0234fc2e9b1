"""Atomic, synced file changes: after a power cut there is the old or the new, never half."""

import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from common.files import FRESH, fresh_name, replacing, sync
from flashing.errors import flash_errors


class SyncedFiles:
    """Every change that a flash makes to files and links of its own."""

    def write(self, path: Path, data: bytes, mode: int = 0o644, *, like: Path | None = None) -> None:
        """Puts a whole file in place, synced, under its name at once; like another one: with its owner and mode."""
        with flash_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path, 0o600 if like else mode) as target:
                if like is not None:
                    _dress(target.fileno(), like)
                target.write(data)

    def link(self, path: Path, target: str) -> None:
        """Makes a link lead somewhere, whatever it led to before."""
        with flash_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh = fresh_name(path)
            fresh.symlink_to(target)
            fresh.rename(path)
            sync(path.parent)

    def rename(self, path: Path, target: Path) -> None:
        """Gives something another name in the same folder, even on a full disk."""
        with flash_errors(path):
            path.rename(target)
            sync(target.parent)

    def remove(self, path: Path) -> None:
        """Removes a file, a link or a whole folder; one that is not there is as good."""
        with flash_errors(path):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
            if path.parent.is_dir():
                sync(path.parent)

    def withdraw(self, path: Path, folder: int) -> None:
        """Takes back what a failed write may have left in this open folder; returns once it is known to be gone."""
        with flash_errors(path):
            for name in (path.name, f".{path.name}{FRESH}"):
                with suppress(FileNotFoundError):
                    os.unlink(name, dir_fd=folder)
            os.fsync(folder)

    def unfinished(self, folders: Iterable[Path]) -> list[Path]:
        """What a power cut has left of changes that never got their name."""
        return [path for folder in folders if folder.is_dir() for path in sorted(folder.glob(f".*{FRESH}"))]


@contextmanager
def kept_open(folder: Path) -> Iterator[int]:
    """A folder, made where it is missing, that stays the same one: a stick pulled out is not an empty folder."""
    with flash_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield handle
    finally:
        os.close(handle)


def _dress(handle: int, like: Path) -> None:
    """The owner first: until then only root can read it."""
    kept = like.stat()
    os.fchown(handle, kept.st_uid, kept.st_gid)
    os.fchmod(handle, stat.S_IMODE(kept.st_mode))
