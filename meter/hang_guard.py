"""A look-out for a disk or a database that hangs: whoever writes the books can do nothing else meanwhile."""

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
        self._closed = threading.Event()
        threading.Thread(target=self._look, name="hang guard", daemon=True).start()

    def __enter__(self) -> None:
        self._question = object()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._question = None

    def close(self) -> None:
        """Nobody writes any more."""
        self._closed.set()

    def _look(self) -> None:
        """Counts looks, not seconds: a machine that stood still altogether says nothing about the store."""
        known, looks = None, 0
        while not self._closed.wait(self._hang_s / _LOOKS):
            question = self._question
            looks = looks + 1 if question is not None and question is known else 0
            known = question
            if looks >= _LOOKS:
                self._end(f"the store has not answered for {self._hang_s:g} s; check the disk or the database")
                return
