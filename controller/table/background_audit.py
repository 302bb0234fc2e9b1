"""Background audit of the whole journal file, beside a table that started from its snapshot."""

import asyncio
import itertools
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from controller.journal.file import JournalFault
from controller.journal.journal import Journal
from controller.settings.device_names import JOURNAL
from controller.table.loop import TableLoop
from games.round.events import DeviceFaulted, DeviceMended

AT_A_TIME: Final = 50
PAUSE_S: Final = 0.005
"""A few milliseconds at a time: a press of the button never waits longer for the audit."""


async def audit(table: TableLoop) -> None:
    """Looks once, shuts a table whose journal is damaged until it was started on a whole one, then waits for ever."""
    problem = await _problem(table)
    if problem:
        table.post(DeviceFaulted(JOURNAL, "damaged", problem))
    elif JOURNAL in table.state.faults:
        table.post(DeviceMended(JOURNAL))
    await asyncio.Event().wait()


async def _problem(table: TableLoop) -> str:
    reader = _Reader(table.journal.path)
    try:
        await asyncio.to_thread(reader.run)
    except JournalFault as fault:
        return str(fault)
    except asyncio.CancelledError:
        reader.interrupt()
        raise
    return ""


class _Reader:
    """Reads a journal in a thread, which opens and closes it: one that is cancelled before it began opens nothing."""

    def __init__(self, path: Path) -> None:
        self._path, self._is_over = path, False
        self._journal: Journal | None = None

    def run(self) -> None:
        """Raises JournalFault with what is damaged."""
        self._journal = Journal.look(self._path)
        try:
            if not self._is_over:
                self._journal.audit(_breathing())
        finally:
            self._journal.abandon()

    def interrupt(self) -> None:
        """Ends the reading from another thread."""
        self._is_over = True
        if self._journal is not None:
            self._journal.interrupt()


def _breathing() -> Callable[[], None]:
    read = itertools.count(1)

    def breathe() -> None:
        if next(read) % AT_A_TIME == 0:
            time.sleep(PAUSE_S)  # in its own thread, so that the loop's has the interpreter meanwhile

    return breathe
