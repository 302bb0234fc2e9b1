"""The gaming day's statement of a link: what stood on each account, what came, what went, reconciled to nothing."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import groupby
from typing import Final

from msgspec import Struct
from msgspec.structs import fields, replace

from meter.ledger.accounts import Account
from meter.ledger.pot import Pot
from meter.reports.gaming_day import Calendar, Span
from meter.reports.movements import (
    Kept,
    Movement,
    Movements,
    kept,
)
from meter.reports.wagered import Wagered, wagered
from meter.store.replay import Told


class TableDay(Struct, frozen=True):
    """One table's part of a day: its wagers, what they added to each account, what was paid there."""

    table: str
    chips: int = 0
    chip_cents: int = 0
    coupons: int = 0
    coupon_cents: int = 0
    contribution_units: int = 0
    reset_contribution_units: int = 0
    overflow_units: int = 0
    hits: int = 0
    paid_cents: int = 0


_TABLE_SUMS: Final = tuple(field.name for field in fields(TableDay) if field.name != "table")


class StillHeld(Struct, frozen=True):
    """Wagers that wait to be decided (R2): they are in none of the figures."""

    entries: int
    wagers: int
    cents: int


class DayStatement(Struct, frozen=True):
    """One link's day, or a part of it: opening + movements = closing; units are ten-thousandths of a cent.

    A day without records has none from 0 to 0.
    Contributions are worked out from the wagers, the rates and the limit, not taken from the postings: variance_units
    is what the two differ by, and must be zero on every account (R108).
    """

    link: str
    rehearsal: bool
    day: date
    lasts: Span
    part: int
    parts: int
    first_record: int
    last_record: int
    opening_units: Kept
    movements: tuple[Movement, ...]
    closing_units: Kept
    variance_units: Kept
    meter_opening_cents: int
    meter_closing_cents: int
    pending_cents: int
    held: StillHeld
    tables: tuple[TableDay, ...]

    @property
    def is_reconciled(self) -> bool:
        """Whether nothing is left over on any account."""
        return self.variance_units == Kept()


def statements(history: Iterable[Told], calendar: Calendar) -> list[DayStatement]:
    """A statement for each stretch of records of one gaming day, in the ledger's order.

    A clock that was set makes a day come in several parts, one of which may be far ahead: each reconciles (R81).
    """
    dated = groupby(history, key=lambda entry: calendar.day_of(entry.record.booked_ms))
    found = [_statement(day, calendar.span(day), stretch) for day, stretch in dated]
    parts, part = Counter(statement.day for statement in found), Counter[date]()
    for place, statement in enumerate(found):
        part[statement.day] += 1
        found[place] = replace(statement, part=part[statement.day], parts=parts[statement.day])
    return found


def silent(before: DayStatement, day: date, lasts: Span) -> DayStatement:
    """The statement of a day without records: it stands as the last part before it left it."""
    return replace(
        before,
        day=day,
        lasts=lasts,
        part=1,
        parts=1,
        first_record=0,
        last_record=0,
        opening_units=before.closing_units,
        movements=Movements().lines(),
        variance_units=Kept(),
        meter_opening_cents=before.meter_closing_cents,
        tables=(),
    )


def _statement(day: date, lasts: Span, history: Iterator[Told]) -> DayStatement:
    sums = _Sums(next(history))
    for entry in history:
        sums.add(entry)
    return sums.statement(day, lasts)


class _Sums:
    """A day's figures as its records come: none of them is kept, for a large floor has millions in a day."""

    def __init__(self, first: Told) -> None:
        self._first = self._last = first
        self._movements = Movements()
        self._tables: dict[str, TableDay] = {}
        self.add(first)

    def add(self, entry: Told) -> None:
        """Takes the next record."""
        self._last = entry
        wagers = wagered(entry)
        self._movements.add(entry, wagers)
        if wagers:
            self._add_to(wagers.table, _wagered_day(wagers))
        if entry.after.pot.hits > entry.before.pot.hits:
            paid = entry.after.pot.last_paid[-1]
            hits = entry.after.pot.hits - entry.before.pot.hits
            self._add_to(paid.table, TableDay(paid.table, hits=hits, paid_cents=paid.amount_cents))

    def statement(self, day: date, lasts: Span) -> DayStatement:
        """What they make."""
        first, last = self._first, self._last
        opening, closing = first.before.pot, last.after.pot
        return DayStatement(
            link=first.record.link,
            rehearsal=last.after.terms.rehearsal,
            day=day,
            lasts=lasts,
            part=1,
            parts=1,
            first_record=first.record.number,
            last_record=last.record.number,
            opening_units=kept(opening.balances),
            movements=self._movements.lines(),
            closing_units=kept(closing.balances),
            variance_units=self._movements.left_over(opening.balances, closing.balances),
            meter_opening_cents=opening.amount_cents,
            meter_closing_cents=closing.amount_cents,
            pending_cents=closing.cents(Account.AWARDS),
            held=_still_held(closing),
            tables=tuple(self._tables[table] for table in sorted(self._tables)),
        )

    def _add_to(self, table: str, more: TableDay) -> None:
        day = self._tables.get(table, TableDay(table))
        sums = {name: getattr(day, name) + getattr(more, name) for name in _TABLE_SUMS}
        self._tables[table] = replace(day, **sums)


def _wagered_day(wagers: Wagered) -> TableDay:
    return TableDay(
        wagers.table,
        chips=wagers.chips,
        chip_cents=wagers.chips * wagers.stake_cents,
        coupons=wagers.coupons,
        coupon_cents=wagers.coupons * wagers.stake_cents,
        contribution_units=wagers.meter_units,
        reset_contribution_units=wagers.reset_meter_units,
        overflow_units=wagers.overflow_units,
    )


def _still_held(pot: Pot) -> StillHeld:
    counts = [held.chips + held.coupons for held in pot.held]
    cents = sum(held.stake_cents * count for held, count in zip(pot.held, counts, strict=True))
    return StillHeld(len(counts), sum(counts), cents)
