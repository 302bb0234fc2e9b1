"""The gaming day's statement of a link: each account's opening, movements and closing, reconciled to nothing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from itertools import groupby
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import fields, replace

from link.messages import Wagers
from meter.ledger.accounts import UNITS_PER_CENT, Account, Kind, Posting
from meter.ledger.balances import LinkBalances
from meter.ledger.decisions import Decided, DecideHeld, Receive, Transfer
from meter.ledger.open_items import HeldWagers
from meter.ledger.records import Cause, Entered, read_record
from meter.reports.gaming_day import Calendar, Span
from meter.store.base import OpenStore
from meter.store.replay import ReplayedRecord


class Wagered(Struct, frozen=True):
    """Wagers of one stake at one table, and the units that they add to each account."""

    table: str
    stake_cents: int
    chips: int
    coupons: int
    meter_units: int
    overflow_units: int
    reset_meter_units: int


def wagered(entry: ReplayedRecord) -> Wagered | None:
    """The wagers that count with this record, and what they add by the rates and the limit that ruled."""
    held = _counted(entry)
    if held is None:
        return None
    terms, cents = entry.before.terms, held.stake_cents * (held.chips + held.coupons)
    units = cents * terms.rate_bp
    room = terms.limit_cents * UNITS_PER_CENT - entry.before.pot.balances.get(Account.METER, 0)
    over = max(0, units - max(0, room)) if terms.limit_cents else 0
    return Wagered(
        held.table,
        held.stake_cents,
        held.chips,
        held.coupons,
        meter_units=units - over,
        overflow_units=over,
        reset_meter_units=cents * terms.reset_rate_bp,
    )


def _counted(entry: ReplayedRecord) -> HeldWagers | None:
    match entry.record.cause:
        case Entered(envelope=envelope, held="") if isinstance(envelope.entry, Wagers):
            wagers, coupons = envelope.entry, len(envelope.entry.coupons)
            key = (envelope.table, envelope.journal, envelope.seq)
            return HeldWagers(*key, wagers.stake_cents, len(wagers.seats) - coupons, coupons, "")
        case Decided(decision=DecideHeld(entry=named, counts=True)):
            return next((held for held in entry.before.pot.held if held.key == named.key), None)
        case _:
            return None


KEPT: Final = (Account.METER, Account.RESET_METER, Account.OVERFLOW, Account.AWARDS)
"""What a link keeps (R87): all of it the players', but for an overflow that does not seed the next jackpot (R85)."""
TRANSFER_IN: Final = "transfer_in"
TRANSFER_OUT: Final = "transfer_out"
CLOSED_TO_THE_HOUSE: Final = "closed_to_the_house"

_BY_WAGERS: Final = (Kind.CONTRIBUTION, Kind.RESET_CONTRIBUTION, Kind.OVERFLOW)
_IN_ORDER: Final = (
    *(kind.value for kind in Kind if kind not in (Kind.TRANSFER, Kind.CLOSING)),
    TRANSFER_IN,
    TRANSFER_OUT,
    CLOSED_TO_THE_HOUSE,
)
_Part: TypeAlias = tuple[str, str, Account, int]
"""A figure, the other link, the account and the units."""


class AccountTotals(Struct, frozen=True):
    """Units by account, and together."""

    meter: int = 0
    reset_meter: int = 0
    overflow: int = 0
    awards: int = 0
    together: int = 0


class Movement(Struct, frozen=True):
    """What one figure of a statement did to each account; a transfer names the other link."""

    figure: str
    units: AccountTotals
    other_link: str = ""


def kept(units: Mapping[Account, int]) -> AccountTotals:
    """These accounts as a statement shows them."""
    by_account = {account.value: units.get(account, 0) for account in KEPT}
    return AccountTotals(**by_account, together=sum(by_account.values()))


class Movements:
    """What records moved, added up as they come; contributions are always a figure, also of nothing."""

    def __init__(self) -> None:
        self._sums: dict[tuple[str, str], dict[Account, int]] = {(kind.value, ""): {} for kind in _BY_WAGERS}

    def add(self, entry: ReplayedRecord, wagers: Wagered | None) -> None:
        """Takes the next record, and the wagers that count with it."""
        for figure, other_link, account, units in (*_contributed(wagers), *_moved(entry)):
            sums = self._sums.setdefault((figure, other_link), {})
            sums[account] = sums.get(account, 0) + units

    def lines(self) -> tuple[Movement, ...]:
        """The sums, always in the same order."""
        names = sorted(self._sums, key=lambda name: (_IN_ORDER.index(name[0]), name[1]))
        return tuple(Movement(figure, kept(self._sums[figure, other]), other) for figure, other in names)

    def left_over(self, opening: Mapping[Account, int], closing: Mapping[Account, int]) -> AccountTotals:
        """What closing has that opening and the movements do not explain."""
        moved = {account: sum(sums.get(account, 0) for sums in self._sums.values()) for account in KEPT}
        return kept({each: closing.get(each, 0) - opening.get(each, 0) - moved[each] for each in KEPT})


def _contributed(wagers: Wagered | None) -> Iterator[_Part]:
    """By the wagers and the rates: the postings are what is to be checked (R108)."""
    if wagers:
        yield Kind.CONTRIBUTION.value, "", Account.METER, wagers.meter_units
        yield Kind.RESET_CONTRIBUTION.value, "", Account.RESET_METER, wagers.reset_meter_units
        yield Kind.OVERFLOW.value, "", Account.OVERFLOW, wagers.overflow_units


def _moved(entry: ReplayedRecord) -> Iterator[_Part]:
    """Everything else, as it was posted."""
    for posting in entry.record.postings:
        if posting.source is Account.WAGERS:
            continue
        figure, other_link = _figure(posting), _other_link(posting, entry.record.cause)
        if posting.target in KEPT:
            yield figure, other_link, posting.target, posting.units
        if posting.source in KEPT:
            yield figure, other_link, posting.source, -posting.units


def _figure(posting: Posting) -> str:
    """What a statement calls it: "closing" would be read as the balance at the end of the day."""
    if posting.kind is Kind.TRANSFER:
        return TRANSFER_IN if posting.source is Account.OTHER_LINKS else TRANSFER_OUT
    return CLOSED_TO_THE_HOUSE if posting.kind is Kind.CLOSING else posting.kind.value


def _other_link(posting: Posting, cause: Cause) -> str:
    match cause:
        case Decided(decision=Transfer(to=link) | Receive(source=link)) if posting.kind is Kind.TRANSFER:
            return link
        case _:
            return ""


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

    A day without records has none from 0 to 0, and no seal: that is the last record's.
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
    opening_units: AccountTotals
    movements: tuple[Movement, ...]
    closing_units: AccountTotals
    variance_units: AccountTotals
    meter_opening_cents: int
    meter_closing_cents: int
    pending_cents: int
    held: StillHeld
    tables: tuple[TableDay, ...]
    seal: str = ""

    @property
    def is_reconciled(self) -> bool:
        """Whether nothing is left over on any account."""
        return self.variance_units == AccountTotals()


def statements(history: Iterable[ReplayedRecord], calendar: Calendar) -> list[DayStatement]:
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
        variance_units=AccountTotals(),
        meter_opening_cents=before.meter_closing_cents,
        tables=(),
        seal="",
    )


def _statement(day: date, lasts: Span, history: Iterator[ReplayedRecord]) -> DayStatement:
    sums = _Sums(next(history))
    for entry in history:
        sums.add(entry)
    return sums.statement(day, lasts)


class _Sums:
    """A day's figures as its records come: none of them is kept, for a large floor has millions in a day."""

    def __init__(self, first: ReplayedRecord) -> None:
        self._first = self._last = first
        self._movements = Movements()
        self._tables: dict[str, TableDay] = {}
        self.add(first)

    def add(self, entry: ReplayedRecord) -> None:
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
            seal=last.sealed.seal.hex(),
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


def _still_held(pot: LinkBalances) -> StillHeld:
    counts = [held.chips + held.coupons for held in pot.held]
    cents = sum(held.stake_cents * count for held, count in zip(pot.held, counts, strict=True))
    return StillHeld(len(counts), sum(counts), cents)


class StatementDays(Struct, frozen=True):
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


def days_of(found: list[DayStatement], until: date) -> StatementDays:
    """The days of a link that has these statements, told until this day of its meter."""
    days = [part.day for part in found]
    return StatementDays(found, min(days), max(*days, until))


def newest_day(store: OpenStore, calendar: Calendar) -> date:
    """The day of the newest record of any link; one that cannot be read is found where its own link is told."""
    newest = date.min
    for row in (row for link in store.links() for row in store.latest(link, 1)):
        with suppress(msgspec.DecodeError):
            newest = max(newest, calendar.day_of(read_record(row.body).booked_ms))
    return newest
