"""Award report (R68): how an award was arrived at, as text and as rows."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from msgspec import UNSET, Struct
from msgspec.structs import replace

from games.money import Cents, dollars, part_up
from games.paytable import Percent, words
from link.messages import Payout, Release
from meter.ledger.accounts import UNITS_PER_CENT, Account, Kind, Posting
from meter.ledger.awards import is_contested
from meter.ledger.balances import LinkBalances
from meter.ledger.decisions import Decided, DecideHeld, OrderClaims, SettleAward
from meter.ledger.open_items import OpenAward
from meter.ledger.records import Cause, Entered
from meter.reports.formatting import PLAY_MONEY, Row, figures, one_line, plain_dollars, spoken, utc
from meter.store.replay import ReplayedRecord

PENDING: Final = "pending"
CONTESTED: Final = "contested"
PAID: Final = "paid"
REJECTED: Final = "rejected"
PUT_BACK: Final = "put_back"
MEANING: Final = {
    PENDING: "pending: neither paid nor rejected yet",
    CONTESTED: "pending and contested: management decides who comes first",
    PAID: "paid",
    REJECTED: "rejected and returned",
    PUT_BACK: "put back by the order of the claims, to wait for its turn",
}


class AwardOutcome(Struct, frozen=True):
    """What became of an award, in which record, when, by whom and why; nothing of that while it is pending.

    paid_cents is what was paid, which two persons may have settled otherwise than it was fixed (R72).
    """

    status: str
    record: int = 0
    booked_ms: int = 0
    persons: tuple[str, ...] = ()
    reason: str = ""
    paid_cents: Cents = 0


_Said: TypeAlias = tuple[str, tuple[str, ...], str]
"""A status, who said so, and why."""


def outcomes(entry: ReplayedRecord) -> dict[tuple[str, str, int], AwardOutcome]:
    """What this record settled, by the entry that had claimed it."""
    said = _said(entry.record.cause)
    if said is None:
        return {}
    status, persons, reason = said
    paid = entry.after.pot.paid_cents - entry.before.pot.paid_cents
    outcome = AwardOutcome(
        status, entry.record.number, entry.record.booked_ms, tuple(filter(None, persons)), reason, paid
    )
    return {award.key: outcome for award in entry.before.pot.awards if award not in entry.after.pot.awards}


def open_outcome(pot: LinkBalances, award: OpenAward) -> AwardOutcome:
    """What an award is while it is open."""
    return AwardOutcome(CONTESTED if is_contested(pot, award) else PENDING)


def _said(cause: Cause) -> _Said | None:
    """What a cause that settles awards says of them; nothing else takes a fixed award away."""
    match cause:
        case Entered(envelope=envelope, persons=persons) if isinstance(envelope.entry, Payout):
            return PAID, () if persons is UNSET else (persons.validated_by, persons.paid_by), ""
        case Entered(envelope=envelope) if isinstance(envelope.entry, Release):
            return REJECTED, (envelope.entry.rejected_by,), envelope.entry.reason
        case Decided(decision=SettleAward(paid=paid), by=by, and_by=and_by, reason=reason):
            return PAID if paid else REJECTED, (by, and_by), reason
        case Decided(decision=OrderClaims(), by=by, and_by=and_by, reason=reason):
            return PUT_BACK, (by, and_by), reason
        case _:
            return None


KEPT_FOR_THE_NEXT: Final = "kept_for_the_next"


class AwardReport(Struct, frozen=True):
    """One award that was fixed, by its place in the link's ledger; units are ten-thousandths of a cent.

    start_units is the meter after the award before (nothing before the first), movements what each kind did to it
    since, contributions the wagers' part of that by table, before_units the meter that this award was taken from;
    outcome is what became of it until the ledger's end.
    """

    number: int
    link: str
    record: int
    booked_ms: int
    award: OpenAward
    shares: Mapping[int, int]
    since_record: int
    start_units: int
    movements: Mapping[str, int]
    contributions: Mapping[str, int]
    before_units: int
    is_reproduced: bool
    rehearsal: bool
    outcome: AwardOutcome


class _Since:
    """What moved the meter since the last award was fixed."""

    def __init__(self, record: int, units: int) -> None:
        self.record, self.start, self.units = record, units, units
        self.movements: dict[str, int] = {}
        self.contributions: dict[str, int] = {}

    def add(self, posting: Posting, table: str) -> None:
        moved = ((posting.target is Account.METER) - (posting.source is Account.METER)) * posting.units
        if moved:
            self.units += moved
            self.movements[posting.kind.value] = self.movements.get(posting.kind.value, 0) + moved
            if posting.source is Account.WAGERS:
                self.contributions[table] = self.contributions.get(table, 0) + moved


def award_reports(history: Iterable[ReplayedRecord]) -> list[AwardReport]:
    """Every award that was ever fixed, in order, and what became of it.

    One that management had put back and fixed again comes twice.
    """
    fixings, pot = _Fixings(), LinkBalances()
    found: list[AwardReport] = []
    pending: dict[tuple[str, str, int], int] = {}
    for entry in history:
        pot = entry.after.pot
        for key, outcome in outcomes(entry).items():
            place = pending.pop(key)
            found[place] = replace(found[place], outcome=outcome)
        for report in fixings.of(entry):
            pending[report.award.key] = len(found)
            found.append(report)
    for place in pending.values():
        found[place] = replace(found[place], outcome=open_outcome(pot, found[place].award))
    return found


class _Fixings:
    """Awards as they are fixed, and what moved the meter between them."""

    def __init__(self) -> None:
        self._since, self._number = _Since(1, 0), 0

    def of(self, entry: ReplayedRecord) -> Iterator[AwardReport]:
        """The awards that this record fixed; everything else that it posted is for the next one."""
        postings = list(entry.record.postings)
        for award in _newly_fixed(entry):
            self._number += 1
            while postings and not _fixes(postings[0]):
                self._since.add(postings.pop(0), _table(entry))
            yield _report(self._number, entry, award, self._since)
            for _ in range(_own_postings(award)):
                self._since.add(postings.pop(0), "")
            self._since = _Since(entry.record.number, self._since.units)
        for posting in postings:
            self._since.add(posting, _table(entry))


def _report(number: int, entry: ReplayedRecord, award: OpenAward, since: _Since) -> AwardReport:
    movements = dict(since.movements)  # copies: the award's own postings are added next
    there = since.start + sum(movements.values())
    explained = _stood_earlier(entry, award, there)
    if explained != there:
        movements[KEPT_FOR_THE_NEXT] = explained - there
    cents = explained // UNITS_PER_CENT
    expected = part_up(cents, award.percent_bp) if award.percent_bp else award.amount_cents
    is_taken = award.percent_bp or award.taken_cents == min(award.amount_cents, cents)
    return AwardReport(
        number=number,
        link=entry.record.link,
        record=entry.record.number,
        booked_ms=entry.record.booked_ms,
        award=award,
        shares=award.shares,
        since_record=since.record,
        start_units=since.start,
        movements=movements,
        contributions=dict(since.contributions),
        before_units=explained,
        is_reproduced=cents == award.before_cents and expected == award.amount_cents and bool(is_taken),
        rehearsal=entry.after.terms.rehearsal,
        outcome=AwardOutcome(PENDING),
    )


def _stood_earlier(entry: ReplayedRecord, award: OpenAward, there: int) -> int:
    """The meter that an award was taken from: as it is there, or as it stood at the first of the open claims (R69)."""
    stood = next((stood for stood in entry.after.pot.stood if stood.key == award.key), None)
    is_earlier = stood is not None and any(other.meter == stood.meter for other in entry.before.pot.stood)
    return stood.meter if stood and is_earlier else there


def _newly_fixed(entry: ReplayedRecord) -> list[OpenAward]:
    """The awards of this record: not open before, or open with another amount; who validated it changes nothing."""
    before = [_amounts(award) for award in entry.before.pot.awards]
    return [award for award in entry.after.pot.awards if _amounts(award) not in before]


def _amounts(award: OpenAward) -> tuple[object, ...]:
    return award.key, award.before_cents, award.after_cents, *_parts(award)


def _fixes(posting: Posting) -> bool:
    """Whether this posting is an award's own; those before it are of one that was put back in the same record."""
    is_refill = posting.kind is Kind.REFILL and posting.target is Account.METER
    return posting.target is Account.AWARDS or is_refill


def _own_postings(award: OpenAward) -> int:
    """How many postings fixed it: what moves nothing is not posted."""
    return sum(1 for cents in _parts(award) if cents)


def _parts(award: OpenAward) -> tuple[Cents, ...]:
    return award.taken_cents, award.house_cents, award.refill_cents, award.collected_cents, award.seeded_cents


def _table(entry: ReplayedRecord) -> str:
    match entry.record.cause:
        case Entered(envelope=envelope):
            return envelope.table
        case Decided(decision=DecideHeld(entry=held)):
            return held.table
        case _:
            return ""


def award_text(report: AwardReport) -> str:
    """How one award was arrived at."""
    award = report.award
    what = f"{dollars(award.amount_cents)} for {spoken(award.hand)} at table {award.table} seat {award.seat}"
    part = words(Percent(award.percent_bp)) if award.percent_bp else "a fixed amount"
    shares = ", ".join(f"seat {seat} {dollars(cents)}" for seat, cents in report.shares.items())
    return "\n".join(
        (
            f"award {report.number} of link {report.link}: {what}, {part}",
            *([f"  {PLAY_MONEY}"] if report.rehearsal else []),
            f"  fixed in record {report.record} at {utc(report.booked_ms)}",
            *figures(_meter_figures(report)),
            f"  {dollars(award.taken_cents)} from the meter, {dollars(award.house_cents)} from the house: {shares}",
            f"  {dollars(award.after_cents)} left on the meter",
            f"  {_became(award, report.outcome)}",
            "  reproduced to the cent" if report.is_reproduced else "  NOT REPRODUCED: call accounting",
        )
    )


def _meter_figures(report: AwardReport) -> Iterator[tuple[str, int]]:
    """How the meter came to stand where it stood before this award."""
    start = f"meter after record {report.since_record}" if report.number > 1 else "before the link was opened"
    yield start, report.start_units
    yield from ((spoken(kind), units) for kind, units in report.movements.items())
    yield "meter before this award", report.before_units
    yield from ((f"  of it by table {table}", units) for table, units in report.contributions.items())


def _became(award: OpenAward, outcome: AwardOutcome) -> str:
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
