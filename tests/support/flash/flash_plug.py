"""The plug of a board in a folder: pulled, or the disk failed, at any step that touches disk or units."""

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock


class PowerCut(Exception):  # noqa: N818  it is what happens
    """The plug was pulled here."""


class Plug:
    """Counts everything that touches the disk or a unit; at one of these steps the power goes, or the disk fails."""

    def __init__(self, at: int | None = None, *, fault: int | None = None) -> None:
        """The fault is what the system answers from then on: ENOSPC on a full disk, EROFS on a read-only one."""
        self._at, self._fault, self.steps = at, fault, 0

    @property
    def is_read_only(self) -> bool:
        """Whether nothing on this disk can be changed any more."""
        return self._fault == errno.EROFS and self._has_come

    def step(self, *, changes: bool = False, needs_space: bool = False) -> None:
        """Once the power is gone nothing works any more; on a full disk only what needs no space does."""
        self.steps += 1
        if not self._has_come:
            return
        if self._fault is None:
            raise PowerCut
        if needs_space if self._fault == errno.ENOSPC else changes:
            raise OSError(self._fault, os.strerror(self._fault))

    @contextmanager
    def in_the_way(self) -> Iterator[None]:
        """Every call that changes names or contents on disk passes the plug; after one is before the next."""
        with (
            mock.patch("os.sync"),
            mock.patch("os.fsync", side_effect=lambda _file: self.step()),
            mock.patch("os.open", self._before(os.open, needs_space=True)),
            mock.patch("shutil.rmtree", self._before(shutil.rmtree)),
            mock.patch.object(Path, "rename", self._before(Path.rename)),
            mock.patch.object(Path, "unlink", self._before(Path.unlink)),
            mock.patch.object(Path, "symlink_to", self._before(Path.symlink_to, needs_space=True)),
            mock.patch.object(Path, "write_bytes", self._before(Path.write_bytes, needs_space=True)),
        ):
            yield

    @property
    def _has_come(self) -> bool:
        return self._at is not None and self.steps >= self._at

    def _before(self, act: Callable[..., Any], *, needs_space: bool = False) -> Callable[..., Any]:
        def step_and_act(*args: Any, **kwargs: Any) -> Any:
            if not _only_opens(args):
                self.step(changes=True, needs_space=needs_space)
            return act(*args, **kwargs)

        return step_and_act


def _only_opens(args: tuple[Any, ...]) -> bool:
    """Opening a file that is there makes nothing and needs no space, whatever the flags allow."""
    if len(args) < 2 or not isinstance(args[1], int):
        return False
    return not args[1] & os.O_CREAT or (not args[1] & os.O_EXCL and Path(args[0]).exists())
