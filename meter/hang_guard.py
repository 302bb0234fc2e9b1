"""A look-out for a disk or a database that hangs: whoever writes the books can do nothing else meanwhile."""

import math
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final

HANG_S: Final = 5.0


class HangGuard:
    """Entered around everything that the store is asked; a thread of its own says when that takes too long."""

    def __init__(self, end: Callable[[str], None], hang_s: float = HANG_S) -> None:
        self._end, self._hang_s = end, hang_s
        self._began_s = math.inf
        self._closed = threading.Event()
        threading.Thread(target=self._look, name="hang guard", daemon=True).start()

    def __enter__(self) -> None:
        self._began_s = time.monotonic()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._began_s = math.inf

    def close(self) -> None:
        """Nobody writes any more."""
        self._closed.set()

    def _look(self) -> None:
        while not self._closed.wait(self._hang_s / 5):
            if time.monotonic() - self._began_s > self._hang_s:
                self._end(f"the store has not answered for {self._hang_s:g} s; check the disk or the database")
                return
