"""The gaming day's statement of a link: what stood, what came, what went, per table, reconciled to nothing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from itertools import groupby
from typing import Final

from msgspec import Struct
from msgspec.structs import fields, replace

from meter.book import Head
from meter.gaming_day import Calendar, Span
from meter.ledger import Account, Kind, Posting
from meter.replay import Told
from meter.wagered import Wagered, wagered

_BY_WAGERS: Final = frozenset({Kind.CONTRIBUTION, Kind.RESET_CONTRIBUTION, Kind.OVERFLOW})
_KEPT: Final = (Account.METER, Account.RESET_METER, Account.OVERFLOW, Account.AWARDS)
"""What the house keeps for the players."""

_FIGURES: Final = {Kind.CLOSING: "closed_to_the_house"}
"""What a statement calls a movement, where the ledger's word means something else on paper."""


class TableDay(Struct, frozen=True):
    """One table's part of a day."""

    table: str
    chips: int = 0
    chip_cents: int = 0
    coupons: int = 0
    coupon_cents: int = 0
    contribution_units: int = 0
    hits: int = 0
    paid_cents: int = 0


_TABLE_SUMS: Final = tuple(field.name for field in fields(TableDay) if field.name != "table")


class DayStatement(Struct, frozen=True):
    """One link's day, or a part of it: opening + movements = closing; units are ten-thousandths of a cent.

    Contributions are worked out from the wagers and the rates, not taken from the postings: variance_units is what the
    two differ by, and must be zero (R108).
    """

    link: str
    day: date
    lasts: Span
    part: int
    parts: int
    first_record: int
    last_record: int
    opening_units: int
    movements: Mapping[str, int]
    closing_units: int
    variance_units: int
    meter_opening_cents: int
    meter_closing_cents: int
    pending_cents: int
    tables: tuple[TableDay, ...]


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


def _statement(day: date, lasts: Span, history: Iterator[Told]) -> DayStatement:
    sums = _Sums(next(history))
    for entry in history:
        sums.add(entry)
    return sums.statement(day, lasts)


class _Sums:
    """A day's figures as its records come: none of them is kept, for a large floor has millions in a day."""

    def __init__(self, first: Told) -> None:
        self._first = self._last = first
        self._moved = {Kind.CONTRIBUTION.value: 0}
        self._tables: dict[str, TableDay] = {}
        self.add(first)

    def add(self, entry: Told) -> None:
        """Takes the next record."""
        self._last = entry
        wagers = wagered(entry)
        if wagers:
            self._moved[Kind.CONTRIBUTION.value] += wagers.units
            self._add_to(wagers.table, _wagered_day(wagers))
        for posting in entry.record.postings:
            if posting.kind not in _BY_WAGERS and _into_keeping(posting):
                figure = _FIGURES.get(posting.kind, posting.kind.value)
                self._moved[figure] = self._moved.get(figure, 0) + _into_keeping(posting)
        if entry.after.pot.hits > entry.before.pot.hits:
            paid = entry.after.pot.last_paid[-1]
            self._add_to(paid.table, TableDay(paid.table, hits=1, paid_cents=paid.amount_cents))

    def statement(self, day: date, lasts: Span) -> DayStatement:
        """What they make."""
        first, last = self._first, self._last
        opening, closing = _kept(first.before), _kept(last.after)
        return DayStatement(
            link=first.record.link,
            day=day,
            lasts=lasts,
            part=1,
            parts=1,
            first_record=first.record.number,
            last_record=last.record.number,
            opening_units=opening,
            movements=self._moved,
            closing_units=closing,
            variance_units=closing - opening - sum(self._moved.values()),
            meter_opening_cents=first.before.pot.amount_cents,
            meter_closing_cents=last.after.pot.amount_cents,
            pending_cents=last.after.pot.cents(Account.AWARDS),
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
        contribution_units=wagers.units,
    )


def _kept(head: Head) -> int:
    return sum(head.pot.balances.get(account, 0) for account in _KEPT)


def _into_keeping(posting: Posting) -> int:
    return ((posting.target in _KEPT) - (posting.source in _KEPT)) * posting.units
