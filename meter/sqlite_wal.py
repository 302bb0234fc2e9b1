"""The write-ahead log of a SQLite store, carried home beside the work: a wager never waits for a whole checkpoint."""

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Final

CARRY_EVERY_S: Final = 0.25
OWN_CHECKPOINT_PAGES: Final = 8_000
"""At that length whoever writes makes the checkpoint that begins the log anew; all but its end is home by then."""


class WalCarrier:
    """A thread with a connection of its own; a passive checkpoint makes no writer and no reader wait."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._carry, name="write-ahead log", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Nothing is carried any more; the log is left to whoever closes the file last."""
        self._is_over.set()
        self._thread.join()

    def _carry(self) -> None:
        # What fails here fails again, and is told, where the writer makes its own checkpoint.
        with suppress(sqlite3.Error), closing(self._connect()) as database:
            while not self._is_over.wait(CARRY_EVERY_S):
                with suppress(sqlite3.Error):
                    database.execute("PRAGMA wal_checkpoint(PASSIVE)")
