"""How an award was arrived at, as text and as rows."""

from collections.abc import Iterator

from games.money import dollars
from games.paytable import Percent, words
from meter.ledger.accounts import UNITS_PER_CENT
from meter.ledger.open_items import OpenAward
from meter.reports.award import AwardReport
from meter.reports.award_outcome import MEANING, PAID, Outcome
from meter.reports.formatting import (
    PLAY_MONEY,
    Row,
    line,
    one_line,
    plain_dollars,
    spoken,
    utc,
)


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
            *([f"  {PLAY_MONEY}"] if report.rehearsal else []),
            f"  fixed in record {report.record} at {utc(report.booked_ms)}",
            line(start, report.start_units),
            *(line(spoken(kind), units) for kind, units in report.movements.items()),
            line("meter before this award", report.before_units),
            *(line(f"  of it by table {table}", units) for table, units in report.contributions.items()),
            f"  {dollars(award.taken_cents)} from the meter, {dollars(award.house_cents)} from the house: {shares}",
            f"  {dollars(award.after_cents)} left on the meter",
            f"  {_became(award, report.outcome)}",
            "  reproduced to the cent" if report.is_reproduced else "  NOT REPRODUCED: call accounting",
        )
    )


def _became(award: OpenAward, outcome: Outcome) -> str:
    if not outcome.record:
        return MEANING[outcome.status]
    differs = outcome.status == PAID and outcome.paid_cents != award.amount_cents
    by = f" with {dollars(outcome.paid_cents)}" if differs else ""
    by += f" by {one_line(' and '.join(outcome.persons))}" if outcome.persons else ""
    why = f": {one_line(outcome.reason)}" if outcome.reason else ""
    return f"{MEANING[outcome.status]}{by}, in record {outcome.record} at {utc(outcome.booked_ms)}{why}"


def award_rows(report: AwardReport) -> Iterator[Row]:
    """The same as rows, one for each figure; of is the table or the seat that it is of."""
    award, outcome = report.award, report.outcome
    about: Row = {
        "award": report.number,
        "link": report.link,
        "money": "play" if report.rehearsal else "real",
        "record": report.record,
        "time": utc(report.booked_ms),
        "table": award.table,
        "journal": award.journal,
        "seq": award.seq,
        "seat": award.seat,
        "hand": award.hand,
        "percent_bp": award.percent_bp,
        "since_record": report.since_record,
        "status": outcome.status,
        "status_record": outcome.record or "",
        "status_time": utc(outcome.booked_ms) if outcome.record else "",
        "persons": "; ".join(outcome.persons),
        "reason": outcome.reason,
        "reproduced": "yes" if report.is_reproduced else "no",
    }
    for figure, of, units in _figures(report):
        yield about | {"figure": figure, "of": of, "dollars": plain_dollars(units)}


def _figures(report: AwardReport) -> Iterator[tuple[str, str, int]]:
    """Every figure of a report, what it is of, and its units: start and movements make the meter before."""
    award = report.award
    yield "start", "", report.start_units
    yield from ((f"moved_by_{kind}", "", units) for kind, units in report.movements.items())
    yield "meter_before", "", report.before_units
    yield from (("contribution_by_table", table, units) for table, units in report.contributions.items())
    yield "amount", "", award.amount_cents * UNITS_PER_CENT
    yield "from_the_meter", "", award.taken_cents * UNITS_PER_CENT
    yield "from_the_house", "", award.house_cents * UNITS_PER_CENT
    yield from (("share_of_seat", str(seat), cents * UNITS_PER_CENT) for seat, cents in report.shares.items())
    yield "meter_after", "", award.after_cents * UNITS_PER_CENT
    yield "paid", "", report.outcome.paid_cents * UNITS_PER_CENT
