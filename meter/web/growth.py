"""Growth of a meter: exact from its newest records, measured before them."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from meter.ledger.accounts import UNITS_PER_CENT, Account
from meter.ledger.records import Record, read_record
from meter.reports.formatting import spoken
from meter.store.audit_log import AWARD, GROWTH, LOOKED_BACK, Awarded, Measured, read_note
from meter.store.base import OpenStore

RECORDS: Final = 2_000
MEASURED: Final = 4_500  # a month of ten minutes
MOST_POINTS: Final = 240
MOST_HITS: Final = 12
SPANS_MS: Final = {"hour": 3_600_000, "day": 86_400_000, "month": 30 * 86_400_000}


class Point(Struct, frozen=True, array_like=True):
    """Where the meter stood at a moment, after which record."""

    at_ms: int
    cents: int
    record: int


class Hit(Struct, frozen=True):
    """An award that took its amount from the meter; what is paid, or fixed and not yet paid."""

    at_ms: int
    table: str
    seat: int
    hand: str
    amount_cents: int
    what: str


def hits(store: OpenStore, link: str, span: str, now_ms: int) -> list[Hit]:
    """The greatest awards fixed in this span that were not given back, oldest first."""
    since_ms, fixed = now_ms - SPANS_MS[span], dict[tuple[str, str, int, int], Hit]()
    for note in reversed([read_note(line) for line in store.last_lines(AWARD, link, LOOKED_BACK)]):
        said = note.said
        if not isinstance(said, Awarded):
            continue
        key = said.table, said.journal, said.seq, said.seat
        if said.what == "fixed" and note.at_ms >= since_ms:
            fixed[key] = Hit(note.at_ms, said.table, said.seat, spoken(said.hand), said.amount_cents, said.what)
        elif said.what == "given back":
            fixed.pop(key, None)
        elif key in fixed:
            fixed[key] = replace(fixed[key], what=said.what)
    greatest = sorted(fixed.values(), key=lambda hit: -hit.amount_cents)[:MOST_HITS]
    return sorted(greatest, key=lambda hit: hit.at_ms)


def growth(store: OpenStore, link: str, span: str, now_ms: int) -> list[Point]:
    """The meter over this span, oldest first, with its lowest and highest points; raises StoreFault."""
    saved = store.load(link)
    if saved is None:
        return []
    newest = [record for record in _newest(store, link) if record.number <= saved.head.number]
    exact = list(_walked_back(newest, saved.head.pot.balances.get(Account.METER, 0)))
    oldest = exact[-1].record if exact else saved.head.number
    points = sorted(chain(_measured(store, link, oldest), exact), key=lambda point: point.record)
    since_ms = now_ms - SPANS_MS[span]
    before = [point for point in points if point.at_ms < since_ms][-1:]  # where the span began
    return thinned([*before, *(point for point in points if point.at_ms >= since_ms)])


def thinned(points: list[Point]) -> list[Point]:
    """At most so many of them: of each stretch its lowest and its highest, and the very first and last."""
    if len(points) <= MOST_POINTS:
        return points
    stretch = -(-(len(points) - 2) * 2 // (MOST_POINTS - 2))
    kept = {points[0].record: points[0], points[-1].record: points[-1]}
    for start in range(1, len(points) - 1, stretch):
        part = points[start : min(start + stretch, len(points) - 1)]
        for point in (min(part, key=_cents), max(part, key=_cents)):
            kept[point.record] = point
    return [kept[record] for record in sorted(kept)]


def _newest(store: OpenStore, link: str) -> Iterator[Record]:
    return (read_record(row.body) for row in store.latest(link, RECORDS))


def _walked_back(newest: Iterable[Record], units: int) -> Iterator[Point]:
    """From where the meter stands now, back over what moved it."""
    for record in newest:
        yield Point(record.booked_ms, units // UNITS_PER_CENT, record.number)
        for posting in record.postings:
            units -= ((posting.target is Account.METER) - (posting.source is Account.METER)) * posting.units


def _measured(store: OpenStore, link: str, before_record: int) -> Iterator[Point]:
    for note in map(read_note, store.last_lines(GROWTH, link, MEASURED)):
        if isinstance(note.said, Measured) and note.said.record < before_record:
            yield Point(note.at_ms, note.said.units // UNITS_PER_CENT, note.said.record)


def _cents(point: Point) -> int:
    return point.cents
