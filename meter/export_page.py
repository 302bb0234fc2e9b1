"""Every record and posting of a ledger as rows."""

from collections.abc import Iterable, Iterator

from meter.decisions import Decided
from meter.paper import Row, utc
from meter.records import Cause, Entered, Joined
from meter.replay import Told


def export_rows(history: Iterable[Told]) -> Iterator[Row]:
    """Every posting of every record, and records that posted nothing."""
    for entry in history:
        record = entry.record
        about: Row = {
            "link": record.link,
            "record": record.number,
            "time": utc(record.booked_ms),
            "cause": _cause(record.cause),
            "table": _table(record.cause),
        }
        nothing: Row = {"kind": "", "source": "", "target": "", "units": ""}
        for posting in record.postings:
            kind, source, target = posting.kind.value, posting.source.value, posting.target.value
            yield about | {"kind": kind, "source": source, "target": target, "units": posting.units}
        if not record.postings:
            yield about | nothing


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
