"""A gaming day's statement as text for the accountant's desk and as rows for a spreadsheet."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import asdict

from common.columns import columns
from games.money import dollars
from meter.ledger.accounts import UNITS_PER_CENT
from meter.reports.formatting import PLAY_MONEY, Row, in_dollars, plain_dollars, spoken
from meter.reports.gaming_day import Span
from meter.reports.statement import TRANSFER_OUT, AccountTotals, DayStatement, Movement, StillHeld, TableDay

_COLUMNS: Final = ("meter", "reset meter", "overflow", "awards not yet paid", "together")


def statement_text(statement: DayStatement) -> str:
    """A day's statement for the accountant's desk."""
    part = f", part {statement.part} of {statement.parts}" if statement.parts > 1 else ""
    is_silent = statement.first_record == 0
    records = "no records" if is_silent else f"records {statement.first_record} to {statement.last_record}"
    from_to = f"{dollars(statement.meter_opening_cents)} to {dollars(statement.meter_closing_cents)}"
    return "\n".join(
        (
            f"link {statement.link}, gaming day {statement.day}{part}, {records}",
            *([f"  {PLAY_MONEY}"] if statement.rehearsal else []),
            f"  {span_words(statement.lasts)}",
            *_accounts(statement),
            f"  the meter went from {from_to}; {dollars(statement.pending_cents)} are fixed and not yet paid",
            *([f"  {held_words(statement.held)}"] if statement.held.entries else []),
            *map(_table_text, statement.tables),
        )
    )


def span_words(lasts: Span) -> str:
    """From when to when, with the distance from UTC, and the zone's name."""
    begins, ends = (moment.isoformat(sep=" ", timespec="minutes") for moment in (lasts.begins, lasts.ends))
    return f"from {begins} to {ends}, time zone {lasts.zone}"


def held_words(held: StillHeld) -> str:
    """What waits to be decided, and that it counts nowhere."""
    return f"held: entries {held.entries}, wagers {held.wagers}, {dollars(held.cents)}; they do not count yet"


def _accounts(statement: DayStatement) -> list[str]:
    rows = ((_words(line), *_cells(line.units)) for line in _lines(statement))
    return columns([("", *_COLUMNS), *rows], "<>>>>>", indent=2)


def _lines(statement: DayStatement) -> Iterator[Movement]:
    """The whole table of a statement, from opening to variance."""
    yield Movement("opening", statement.opening_units)
    yield from statement.movements
    yield Movement("closing", statement.closing_units)
    yield Movement("variance", statement.variance_units)


def _words(line: Movement) -> str:
    towards = "to" if line.figure == TRANSFER_OUT else "from"
    return f"{spoken(line.figure)} {towards} {line.other_link}" if line.other_link else spoken(line.figure)


def _cells(units: AccountTotals) -> tuple[str, ...]:
    return tuple(map(in_dollars, asdict(units).values()))


def _table_text(table: TableDay) -> str:
    return (
        f"  table {table.table}: {table.chips} chips {dollars(table.chip_cents)}, {table.coupons} coupons "
        f"{dollars(table.coupon_cents)}, contribution {in_dollars(table.contribution_units)}, reset contribution "
        f"{in_dollars(table.reset_contribution_units)}, overflow {in_dollars(table.overflow_units)}, "
        f"{table.hits} paid {dollars(table.paid_cents)}"
    )


def statement_rows(statement: DayStatement) -> Iterator[Row]:
    """The same as rows: the link's figures by account, what is held, then its tables."""
    about: Row = {
        "link": statement.link,
        "money": "play" if statement.rehearsal else "real",
        "day": str(statement.day),
        "part": statement.part,
        "parts": statement.parts,
        "first_record": statement.first_record,
        "last_record": statement.last_record,
        "begins": statement.lasts.begins.isoformat(),
        "ends": statement.lasts.ends.isoformat(),
        "zone": statement.lasts.zone,
    }
    for line in _lines(statement):
        figure: Row = {"table": "", "figure": line.figure, "other_link": line.other_link}
        for account, units in asdict(line.units).items():
            yield about | figure | {"account": account, "dollars": plain_dollars(units), "count": ""}
    held = statement.held
    yield about | _row("", "held_and_not_counted", held.cents * UNITS_PER_CENT, held.wagers)
    yield about | _row("", "held_entries", held.cents * UNITS_PER_CENT, held.entries)
    for table in statement.tables:
        yield from (about | row for row in _table_rows(table))


def _table_rows(table: TableDay) -> Iterator[Row]:
    yield _row(table.table, "chips", table.chip_cents * UNITS_PER_CENT, table.chips)
    yield _row(table.table, "coupons", table.coupon_cents * UNITS_PER_CENT, table.coupons)
    yield _row(table.table, "contribution", table.contribution_units)
    yield _row(table.table, "reset_contribution", table.reset_contribution_units)
    yield _row(table.table, "overflow", table.overflow_units)
    yield _row(table.table, "payout", table.paid_cents * UNITS_PER_CENT, table.hits)


def _row(table: str, figure: str, units: int, count: int | str = "") -> Row:
    about: Row = {"table": table, "figure": figure, "other_link": "", "account": ""}
    return about | {"dollars": plain_dollars(units), "count": count}
