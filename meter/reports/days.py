"""The days of a link's books: the statements of all of them, or of the one that somebody asks for."""

from contextlib import suppress
from datetime import date

import msgspec
from msgspec import Struct

from meter.ledger.records import read_record
from meter.reports.gaming_day import Calendar
from meter.reports.statement import DayStatement, silent
from meter.store.base import OpenStore


class Days(Struct, frozen=True):
    """Every statement of a link in the ledger's order, and the first and the last day that they speak of.

    The last one is the meter's: a link on which nothing happened any more stands there as it was left.
    """

    found: list[DayStatement]
    first: date
    last: date

    def of(self, day: date, calendar: Calendar) -> list[DayStatement]:
        """The parts of this day, or one of nothing where the link was silent; none of a day before or after all."""
        parts = [part for part in self.found if part.day == day]
        if parts or not self.first <= day <= self.last:
            return parts
        before = [part for part in self.found if part.day < day][-1]
        return [silent(before, day, calendar.span(day))]


def days_of(found: list[DayStatement], until: date) -> Days:
    """The days of a link that has these statements, told until this day of its meter."""
    days = [part.day for part in found]
    return Days(found, min(days), max(*days, until))


def newest_day(store: OpenStore, calendar: Calendar) -> date:
    """The day of the newest record of any link; one that cannot be read is found where its own link is told."""
    newest = date.min
    for row in (row for link in store.links() for row in store.latest(link, 1)):
        with suppress(msgspec.DecodeError):
            newest = max(newest, calendar.day_of(read_record(row.body).booked_ms))
    return newest
