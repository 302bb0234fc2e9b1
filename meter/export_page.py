"""Every record and posting of a ledger as text and as rows."""

from collections.abc import Iterator

from meter.decisions import Decided
from meter.paper import Row, line, spoken, utc
from meter.records import Cause, Entered, Joined, TurnedAway
from meter.replay import Told


def export_text(entry: Told) -> str:
    """A record in a line, and what it posted in a line each."""
    record, table = entry.record, _table(entry.record.cause)
    at = f" at table {table}" if table else ""
    postings = (
        line(f"  {spoken(each.kind.value)}: {spoken(each.source.value)} to {spoken(each.target.value)}", each.units)
        for each in record.postings
    )
    head = f"link {record.link}, record {record.number}, {utc(record.booked_ms)}: {_cause(record.cause)}{at}"
    return "\n".join((head, *postings))


def export_rows(entry: Told) -> Iterator[Row]:
    """Every posting of a record, or the record alone if it posted nothing."""
    record = entry.record
    about: Row = {
        "link": record.link,
        "record": record.number,
        "time": utc(record.booked_ms),
        "cause": _cause(record.cause),
        "table": _table(record.cause),
    }
    for posting in record.postings:
        kind, source, target = posting.kind.value, posting.source.value, posting.target.value
        yield about | {"kind": kind, "source": source, "target": target, "units": posting.units}
    if not record.postings:
        yield about | {"kind": "", "source": "", "target": "", "units": ""}


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
        case TurnedAway(table=table):
            return table
        case _:
            return ""
