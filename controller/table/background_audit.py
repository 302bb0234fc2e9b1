"""Background audit of the whole journal file, beside a table that started from its snapshot."""

import asyncio
import itertools
import time
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
    journal: Journal | None = None
    try:
        journal = Journal.look(table.journal.path)
        await asyncio.to_thread(_check_and_close, journal)
    except JournalFault as fault:
        return str(fault)
    except asyncio.CancelledError:
        if journal is not None:
            journal.interrupt()
        raise
    return ""


def _check_and_close(journal: Journal) -> None:
    read = itertools.count(1)

    def breathe() -> None:
        if next(read) % AT_A_TIME == 0:
            time.sleep(PAUSE_S)  # in its own thread, so that the loop's has the interpreter meanwhile

    try:
        journal.audit(breathe)
    finally:
        journal.abandon()
