"""How an award was arrived at: everything that moved the meter since the one before, and the sum again (R68)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from games.money import part_up
from meter.ledger.accounts import (
    UNITS_PER_CENT,
    Account,
    Kind,
    Posting,
)
from meter.ledger.decisions import Decided, DecideHeld
from meter.ledger.open_items import OpenAward
from meter.ledger.pot import Pot
from meter.ledger.records import Entered
from meter.reports.award_outcome import (
    PENDING,
    Outcome,
    open_outcome,
    outcomes,
)
from meter.store.replay import Told

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
    outcome: Outcome


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


def award_reports(history: Iterable[Told]) -> list[AwardReport]:
    """Every award that was ever fixed, in order, and what became of it.

    One that management had put back and fixed again comes twice.
    """
    fixings, pot = _Fixings(), Pot()
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

    def of(self, entry: Told) -> Iterator[AwardReport]:
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


def _report(number: int, entry: Told, award: OpenAward, since: _Since) -> AwardReport:
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
        outcome=Outcome(PENDING),
    )


def _stood_earlier(entry: Told, award: OpenAward, there: int) -> int:
    """The meter that an award was taken from: as it is there, or as it stood at the first of the open claims (R69)."""
    stood = next((stood for stood in entry.after.pot.stood if stood.key == award.key), None)
    is_earlier = stood is not None and any(other.meter == stood.meter for other in entry.before.pot.stood)
    return stood.meter if stood and is_earlier else there


def _newly_fixed(entry: Told) -> list[OpenAward]:
    """The awards of this record: not open before, or open with another amount."""
    return [award for award in entry.after.pot.awards if award not in entry.before.pot.awards]


def _fixes(posting: Posting) -> bool:
    """Whether this posting is an award's own; those before it are of one that was put back in the same record."""
    is_refill = posting.kind is Kind.REFILL and posting.target is Account.METER
    return posting.target is Account.AWARDS or is_refill


def _own_postings(award: OpenAward) -> int:
    """How many postings fixed it: what moves nothing is not posted."""
    parts = (award.taken_cents, award.house_cents, award.refill_cents, award.collected_cents, award.seeded_cents)
    return sum(1 for cents in parts if cents)


def _table(entry: Told) -> str:
    match entry.record.cause:
        case Entered(envelope=envelope):
            return envelope.table
        case Decided(decision=DecideHeld(entry=held)):
            return held.table
        case _:
            return ""
