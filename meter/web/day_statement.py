"""Statement of a day for the page, worked out in a worker process."""

import sys
from datetime import date
from typing import Final

import msgspec
from msgspec import Struct

from meter.reports.formatting import Row
from meter.reports.gaming_day import Calendar
from meter.reports.statement import DayStatement, days_of, newest_day, statements
from meter.reports.statement_text import held_words, span_words, statement_rows
from meter.service.worker_process import run_worker, worker_task
from meter.store.base import StoreFault
from meter.store.open import open_store
from meter.store.replay import replayed

DAMAGED: Final = 3


class DayTask(Struct, frozen=True):
    """Which day of which link; told on standard input, for an address is nobody else's business."""

    store: str
    link: str
    day_starts: str
    day: date
    today: date


class StatementSheet(Struct, frozen=True):
    """A statement, from when to when, what is held, and its rows as `pitlink ledger statement` has them."""

    statement: DayStatement
    lasts: str
    held: str
    rows: tuple[Row, ...]


class Day(Struct, frozen=True):
    """A day's sheets, one unless the clock was set, the days with records before and after it, the first and last."""

    sheets: tuple[StatementSheet, ...]
    day_before: date | None
    day_after: date | None
    first_day: date
    last_day: date


async def read_day(task: DayTask) -> Day:
    """The day, worked out from the first record on; raises StoreFault if the ledger does not agree with itself."""
    code, found = await run_worker(__name__, msgspec.json.encode(task))
    if code:
        raise StoreFault(found.decode() or f"the statement could not be read: code {code}")
    return msgspec.json.decode(found, type=Day)


def day_of_books(task: DayTask) -> Day:
    """The same, in this process."""
    store = open_store(task.store, reading=True)
    try:
        calendar = Calendar(task.day_starts)
        stated = statements(replayed(store, task.link), calendar)
        days = days_of(stated, max(newest_day(store, calendar), task.today))
    finally:
        store.close()
    sheets = tuple(map(_sheet, days.of(task.day, calendar)))
    before = max((part.day for part in days.found if part.day < task.day), default=None)
    after = min((part.day for part in days.found if part.day > task.day), default=None)
    return Day(sheets, before, after, days.first, days.last)


def _sheet(part: DayStatement) -> StatementSheet:
    held = held_words(part.held) if part.held.entries else ""
    return StatementSheet(part, span_words(part.lasts), held, tuple(statement_rows(part)))


def main() -> int:
    """Reads what standard input says; the day, or what is wrong, stands on standard output."""
    task = msgspec.json.decode(worker_task(niceness=10), type=DayTask)
    try:
        day = day_of_books(task)
    except (StoreFault, msgspec.DecodeError) as fault:
        print(fault, end="", flush=True)
        return DAMAGED
    sys.stdout.buffer.write(msgspec.json.encode(day))
    sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
