"""Every record and posting of a ledger, or a range of them, as text and as rows."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from link.messages import CouponAnswer, Hello, Release
from meter.ledger.decisions import Decided
from meter.ledger.records import Entered, HelloRefused, Joined, Opened, Record, Stopped
from meter.reports.formatting import Row, figures, one_line, spoken, utc
from meter.store.replay import ReplayedRecord


class ExportRange:
    """The records from first to last of one link's history; without a last one all that follow."""

    def __init__(self, link: str, history: Iterable[ReplayedRecord], first: int, last: int | None) -> None:
        self._link, self._history, self._first, self._last = link, history, first, last
        self._after = b""
        self._records = 0

    def entries(self) -> Iterator[ReplayedRecord]:
        """Those in the range; the history is read to its end, for what is not shown must be sound, too."""
        for entry in self._history:
            self._records = entry.record.number
            if self._records == self._first:
                self._after = entry.before.seal
            if self._first <= self._records and (self._last is None or self._records <= self._last):
                yield entry

    @property
    def is_there(self) -> bool:
        """Whether the link has any record of the range, once all of it was read."""
        return self._first <= self._records

    @property
    def left_out(self) -> str:
        """What was not shown, once all of it was read, and after which seal the first one stands; or nothing."""
        if not self.is_there:
            return f"link {self._link} has no record {self._first}; it has {self._records}"
        last = min(self._last or self._records, self._records)
        if (self._first, last) == (1, self._records):
            return ""
        where = f"link {self._link}: records {self._first} to {last} of {self._records}"
        seal = f"record {self._first} is sealed after {self._after.hex()}"
        return f"{where}; those before and after are proved and not shown; {seal}"


class _Account(Struct, frozen=True):
    """What a cause says of itself: where it came from, who answers for it, why, and everything else that it states."""

    cause: str
    table: str = ""
    journal: str = ""
    seq: int = 0
    at_ms: int = 0
    persons: tuple[str, ...] = ()
    reason: str = ""
    details: str = ""


def export_text(entry: ReplayedRecord) -> str:
    """A record in a line, what it says in the next ones, and what it posted in a line each."""
    record, account = entry.record, _account(entry.record)
    at = f" at table {account.table}" if account.table else ""
    at += f", entry {account.seq}" if account.seq else ""
    at += f" of journal {account.journal}" if account.journal else ""
    by = f"by {'; '.join(account.persons)}" if account.persons else ""
    why = ": ".join(filter(None, (by, account.reason)))
    postings = (
        (f"  {spoken(each.kind.value)}: {spoken(each.source.value)} to {spoken(each.target.value)}", each.units)
        for each in record.postings
    )
    head = f"link {record.link}, record {record.number}, {utc(record.booked_ms)}: {account.cause}{at}"
    said = (f"  {one_line(words)}" for words in (why, account.details) if words)
    return "\n".join((head, *said, *figures(postings)))


def export_rows(entry: ReplayedRecord) -> Iterator[Row]:
    """Every posting of a record, or the record alone if it posted nothing."""
    record, account = entry.record, _account(entry.record)
    about: Row = {
        "link": record.link,
        "record": record.number,
        "time": utc(record.booked_ms),
        "cause": account.cause,
        "table": account.table,
        "journal": account.journal,
        "seq": account.seq or "",
        "table_time": utc(account.at_ms) if account.at_ms else "",
        "persons": "; ".join(account.persons),
        "reason": account.reason,
        "details": account.details,
    }
    for posting in record.postings:
        kind, source, target = posting.kind.value, posting.source.value, posting.target.value
        yield about | {"kind": kind, "source": source, "target": target, "units": posting.units}
    if not record.postings:
        yield about | {"kind": "", "source": "", "target": "", "units": ""}


def _account(record: Record) -> _Account:
    cause = record.cause
    match cause:
        case Entered():
            return _entered(cause, record.coupon)
        case Decided(decision=decision, by=by, and_by=and_by, reason=reason):
            details = _details(decision)
            return _Account(type(decision).__name__, persons=(by, and_by), reason=reason, details=details)
        case Joined(hello=Hello(table=table, journal=journal) as hello):
            return _Account("Joined", table, journal, details=_details(hello, "table", "journal"))
        case HelloRefused(table=table, journal=journal, refusal=refusal):
            details = _details(cause, "table", "journal", "refusal")
            return _Account("HelloRefused", table, journal, reason=refusal, details=details)
        case Stopped(reason=reason):
            return _Account("Stopped", reason=reason)
        case Opened():
            return _Account(type(cause).__name__, details=_details(cause))


def _entered(entered: Entered, coupon: CouponAnswer | UnsetType) -> _Account:
    """Persons and reasons of an entry stand where those of a decision do; nothing else of it is left out."""
    envelope, held, proved = entered.envelope, entered.held, entered.persons
    persons = () if proved is UNSET else tuple(filter(None, (proved.validated_by, proved.paid_by)))
    reason = held
    match envelope.entry:
        case Release(rejected_by=rejected_by, reason=why):
            persons, reason = (rejected_by,), why
    is_refused = coupon is not UNSET and not coupon.accepted
    if coupon is not UNSET and coupon.first:
        first = coupon.first
        reason = f"redeemed at table {first.table}, seat {first.seat}, round {first.round}, {utc(first.at_ms)}"
    return _Account(
        cause=f"{type(envelope.entry).__name__}{' held' if held else ' refused' if is_refused else ''}",
        table=envelope.table,
        journal=envelope.journal,
        seq=envelope.seq,
        at_ms=envelope.at_ms,
        persons=persons,
        reason=reason,
        details=_details(envelope.entry, "rejected_by", "reason"),
    )


def _details(said: Struct, *elsewhere: str) -> str:
    """What a record states, field by field, but for what has a place of its own."""
    stated: dict[str, Any] = msgspec.to_builtins(said)
    named = ((name, value) for name, value in stated.items() if name not in ("type", *elsewhere))
    return "; ".join(f"{name}={_plain(value)}" for name, value in named)


def _plain(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
