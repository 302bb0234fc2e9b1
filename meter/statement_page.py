"""A gaming day's statement as text for the accountant's desk and as rows for a spreadsheet."""

from collections.abc import Iterator

from games.money import dollars
from meter.gaming_day import Span
from meter.paper import Row, in_dollars, line, spoken
from meter.statement import DayStatement, TableDay


def statement_text(statement: DayStatement) -> str:
    """A day's statement for the accountant's desk."""
    part = f", part {statement.part} of {statement.parts}" if statement.parts > 1 else ""
    records = f"records {statement.first_record} to {statement.last_record}"
    from_to = f"{dollars(statement.meter_opening_cents)} to {dollars(statement.meter_closing_cents)}"
    return "\n".join(
        (
            f"link {statement.link}, gaming day {statement.day}{part}, {records}",
            f"  {span_words(statement.lasts)}",
            line("opening", statement.opening_units),
            *(line(spoken(kind), units) for kind, units in statement.movements.items()),
            line("closing", statement.closing_units),
            line("variance", statement.variance_units),
            f"  the meter went from {from_to}; {dollars(statement.pending_cents)} are fixed and not yet paid",
            *map(_table_text, statement.tables),
        )
    )


def span_words(lasts: Span) -> str:
    """From when to when, with the distance from UTC, and the zone's name."""
    begins, ends = (moment.isoformat(sep=" ", timespec="minutes") for moment in (lasts.begins, lasts.ends))
    return f"from {begins} to {ends}, time zone {lasts.zone}"


def _table_text(table: TableDay) -> str:
    return (
        f"  table {table.table}: {table.chips} chips {dollars(table.chip_cents)}, {table.coupons} coupons "
        f"{dollars(table.coupon_cents)}, contribution {in_dollars(table.contribution_units)}, "
        f"{table.hits} paid {dollars(table.paid_cents)}"
    )


def statement_rows(statement: DayStatement) -> Iterator[Row]:
    """The same as rows: the link's movements, then its tables."""
    day: Row = {
        "link": statement.link,
        "day": str(statement.day),
        "part": statement.part,
        "begins": statement.lasts.begins.isoformat(),
        "ends": statement.lasts.ends.isoformat(),
        "zone": statement.lasts.zone,
    }
    figures = {"opening": statement.opening_units, **statement.movements, "closing": statement.closing_units}
    for name, units in (figures | {"variance": statement.variance_units}).items():
        yield day | {"table": "", "figure": name, "dollars": in_dollars(units).replace(",", ""), "count": ""}
    for table in statement.tables:
        cents = {"chips": (table.chip_cents, table.chips), "coupons": (table.coupon_cents, table.coupons)}
        cents["payout"] = (table.paid_cents, table.hits)
        for name, (amount, count) in cents.items():
            exact = in_dollars(amount * 10_000).replace(",", "")
            yield day | {"table": table.table, "figure": name, "dollars": exact, "count": count}
        exact = in_dollars(table.contribution_units).replace(",", "")
        yield day | {"table": table.table, "figure": "contribution", "dollars": exact, "count": ""}
