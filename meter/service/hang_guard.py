"""Hang guard: a watchdog for a disk or database that does not answer."""

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Final

HANG_S: Final = 5.0
_LOOKS: Final = 5


class HangGuard:
    """Entered around everything that the store is asked; a thread of its own says when that takes too long."""

    def __init__(self, end: Callable[[str], None], hang_s: float = HANG_S) -> None:
        self._end, self._hang_s = end, hang_s
        self._question: object | None = None
        self._known: object | None = None
        self._looks = 0
        self._closed = threading.Event()
        threading.Thread(target=self._watch, name="hang guard", daemon=True).start()

    def __enter__(self) -> None:
        self._question = object()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._question = None

    def close(self) -> None:
        """Nobody writes any more."""
        self._closed.set()

    def hangs(self) -> bool:
        """One look: whether the same question has outlived five of them, whatever the clock says.

        A machine that stood still altogether says nothing about the store.
        """
        question = self._question
        self._looks = self._looks + 1 if question is not None and question is self._known else 0
        self._known = question
        return self._looks >= _LOOKS

    def _watch(self) -> None:
        while not self._closed.wait(self._hang_s / _LOOKS):
            if self.hangs():
                self._end(f"the store has not answered for {self._hang_s:g} s; check the disk or the database")
                return
