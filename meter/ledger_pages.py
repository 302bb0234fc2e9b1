"""Statements, award reports and ledgers as pages that people and spreadsheets read."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from games.money import dollars
from games.paytable import Percent, words
from meter.award_report import AwardReport
from meter.decisions import Decided
from meter.gaming_day import Span
from meter.records import Cause, Entered, Joined
from meter.replay import Told
from meter.statement import DayStatement, TableDay, in_dollars

Row: TypeAlias = dict[str, str | int]


def statement_text(statement: DayStatement) -> str:
    """A day's statement for the accountant's desk."""
    part = f", part {statement.part} of {statement.parts}" if statement.parts > 1 else ""
    records = f"records {statement.first_record} to {statement.last_record}"
    from_to = f"{dollars(statement.meter_opening_cents)} to {dollars(statement.meter_closing_cents)}"
    return "\n".join(
        (
            f"link {statement.link}, gaming day {statement.day}{part}, {records}",
            f"  {span_words(statement.lasts)}",
            _line("opening", statement.opening_units),
            *(_line(spoken(kind), units) for kind, units in statement.movements.items()),
            _line("closing", statement.closing_units),
            _line("variance", statement.variance_units),
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


def award_text(report: AwardReport) -> str:
    """How one award was arrived at."""
    award = report.award
    what = f"{dollars(award.amount_cents)} for {spoken(award.hand)} at table {award.table} seat {award.seat}"
    part = words(Percent(award.percent_bp)) if award.percent_bp else "a fixed amount"
    shares = ", ".join(f"seat {seat} {dollars(cents)}" for seat, cents in report.shares.items())
    start = f"meter after record {report.since_record}" if report.number > 1 else "before the link was opened"
    return "\n".join(
        (
            f"award {report.number} of link {report.link}: {what}, {part}",
            f"  fixed in record {report.record} at {_moment(report.booked_ms)}",
            _line(start, report.start_units),
            *(_line(spoken(kind), units) for kind, units in report.movements.items()),
            _line("meter before this award", report.before_units),
            *(_line(f"  of it by table {table}", units) for table, units in report.contributions.items()),
            f"  {dollars(award.taken_cents)} from the meter, {dollars(award.house_cents)} from the house: {shares}",
            f"  {dollars(award.after_cents)} left on the meter",
            "  reproduced to the cent" if report.is_reproduced else "  NOT REPRODUCED: call accounting",
        )
    )


def award_row(report: AwardReport) -> Row:
    """The same as one row."""
    award = report.award
    return {
        "award": report.number,
        "link": report.link,
        "record": report.record,
        "time": _moment(report.booked_ms),
        "table": award.table,
        "seat": award.seat,
        "hand": award.hand,
        "percent_bp": award.percent_bp,
        "amount_cents": award.amount_cents,
        "taken_cents": award.taken_cents,
        "house_cents": award.house_cents,
        "before_cents": award.before_cents,
        "after_cents": award.after_cents,
        "since_record": report.since_record,
        "reproduced": "yes" if report.is_reproduced else "no",
    }


def export_rows(history: Iterable[Told]) -> Iterator[Row]:
    """Every posting of every record, and records that posted nothing."""
    for entry in history:
        record = entry.record
        about: Row = {
            "link": record.link,
            "record": record.number,
            "time": _moment(record.booked_ms),
            "cause": _cause(record.cause),
            "table": _table(record.cause),
        }
        nothing: Row = {"kind": "", "source": "", "target": "", "units": ""}
        for posting in record.postings:
            kind, source, target = posting.kind.value, posting.source.value, posting.target.value
            yield about | {"kind": kind, "source": source, "target": target, "units": posting.units}
        if not record.postings:
            yield about | nothing


def spoken(name: str) -> str:
    """A name of the ledger as people say it."""
    return name.replace("_", " ")


def _line(name: str, units: int) -> str:
    return f"  {name:<32}{in_dollars(units):>22}"


def _moment(at_ms: int) -> str:
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at_ms)
    return moment.isoformat(timespec="milliseconds")


def _cause(cause: Cause) -> str:
    match cause:
        case Entered(envelope=envelope, held=held):
            return f"{type(envelope.entry).__name__}{' held' if held else ''}"
        case Decided(decision=decision):
            return type(decision).__name__
        case other:
            return type(other).__name__


def _table(cause: Cause) -> str:
    match cause:
        case Entered(envelope=envelope):
            return envelope.table
        case Joined(hello=hello):
            return hello.table
        case _:
            return ""
