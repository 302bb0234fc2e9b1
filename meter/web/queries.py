"""What the page reads besides the stream: growth, history, evidence, statement; never through the store's writer."""

import asyncio
import io
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, date, datetime
from typing import Final, TypeVar

import msgspec
from aiohttp import web
from msgspec import Struct
from msgspec.structs import replace

from common.web.guard import RequestGuard
from common.web.server import as_json, bad
from link.messages import Award, Envelope, Wagers
from meter.ledger.awards import order_fault
from meter.ledger.decisions import EntryRef
from meter.ledger.open_items import OpenAward
from meter.ledger.records import Entered, Record
from meter.reports.formatting import write_csv
from meter.reports.gaming_day import Calendar
from meter.reports.statement_pdf import statement_pdf
from meter.service.link_desk import LinkDesk
from meter.settings import MeterSettings
from meter.store.audit_log import AWARD, CLOSED_ALARM, NOTE, RUN, STAFF, Note, read_note
from meter.store.base import OpenStore, Store, StoreFault
from meter.store.open import open_store
from meter.web.day_statement import Day, DayTask, read_day
from meter.web.growth import SPANS_MS, Hit, Point, growth, hits
from meter.web.view import outlook

BACK: Final = 50  # entries: a round's wagers stand just before its claims


class LedgerEvidence(Struct, frozen=True):
    """What the ledger says of a claim; no record of wagers means that none of this round were booked."""

    table: str
    journal: str
    seq: int
    record: int
    booked_ms: int
    round: int
    wagered_seats: tuple[int, ...] = ()
    coupon_seats: tuple[int, ...] = ()
    wagers_record: int = 0


def evidence(store: Store, link: str, claims: Iterable[OpenAward]) -> list[LedgerEvidence]:
    """What the ledger says of each of these claims."""
    return [_of(store, link, claim) for claim in claims]


def _of(store: Store, link: str, claim: OpenAward) -> LedgerEvidence:
    record, envelope = _found(store, link, claim.key)
    assert isinstance(envelope.entry, Award), "what is claimed was an award when it was booked"
    about = LedgerEvidence(*claim.key, record.number, record.booked_ms, envelope.entry.round)
    for seq in range(claim.seq - 1, max(0, claim.seq - 1 - BACK), -1):
        record, envelope = _found(store, link, (claim.table, claim.journal, seq))
        if isinstance(envelope.entry, Wagers) and envelope.entry.round == about.round:
            wagers = envelope.entry
            seats, coupons = wagers.seats, wagers.coupons
            return replace(about, wagered_seats=seats, coupon_seats=coupons, wagers_record=record.number)
    return about


def _found(store: Store, link: str, key: tuple[str, str, int]) -> tuple[Record, Envelope]:
    """The record of an entry; a table's entries are booked without gaps, so that none before a claim is missing."""
    record = store.find(link, *key)
    if record is None or not isinstance(record.cause, Entered):
        raise StoreFault(f"entry {key[2]} of table {key[0]} is not in the ledger of link {link}")
    return record, record.cause.envelope


LAST_NOTES: Final = 100
_KEPT: Final = 16

Key = TypeVar("Key")
Read = TypeVar("Read")


class Grown(Struct, frozen=True):
    """A meter over a span, and the awards that it paid meanwhile."""

    points: list[Point]
    hits: list[Hit]


class AlarmHistory(Struct, frozen=True):
    """The newest acknowledged alarms, and who did what and what happened, newest first."""

    alarms: tuple[Note, ...]
    notes: tuple[Note, ...]


class MeterQueries:
    """Answers questions about one meter's past."""

    def __init__(self, settings: MeterSettings, desks: Mapping[str, LinkDesk], wall_ms: Callable[[], int]) -> None:
        self._settings, self._desks, self._wall_ms = settings, desks, wall_ms
        self._growing, self._stating = asyncio.Lock(), asyncio.Lock()
        self._grown: OrderedDict[tuple[str, str, int], Grown] = OrderedDict()
        self._days: OrderedDict[tuple[str, date, date, int], Day] = OrderedDict()

    async def growth(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """How a meter grew over an hour, a day or a month."""
        guard.require_look(request)
        link, span = self._link(request), request.query.get("span", "day")
        if span not in SPANS_MS:
            raise bad(f"one of {', '.join(SPANS_MS)}", "span")
        key = (link, span, self._desks[link].head.number)
        async with self._growing:
            if key not in self._grown:
                _keep(self._grown, key, await self._read(lambda store: _grown(store, link, span, self._wall_ms())))
        return as_json(self._grown[key])

    async def history(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """Who acknowledged which alarm, and who did what."""
        guard.require(request, "see history")
        return as_json(await self._read(_history))

    async def outlook(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """What each claim would be paid in this order; nothing is decided."""
        guard.require_look(request)
        head = self._desks[self._link(request)].head
        try:
            order = msgspec.json.decode(request.query.get("order", ""), type=tuple[EntryRef, ...])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise bad(str(error), "order") from error
        keys = [claim.key for claim in order]
        fault = order_fault(head.pot, keys)
        if fault:
            return as_json({"error": fault, "where": "order"}, 409)
        return as_json({"amounts_cents": outlook(head.pot, head.terms, keys)})

    async def evidence(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """What the ledger says of every open award and claim of a link."""
        guard.require_look(request)
        link = self._link(request)
        pot = self._desks[link].head.pot
        found = await self._read(lambda store: evidence(store, link, (*pot.awards, *pot.claims)))
        return as_json({"claims": found})

    async def statement(self, request: web.Request, guard: RequestGuard) -> web.Response:
        """The statement of a gaming day; the ledger is read back for it, which takes as long as it takes."""
        guard.require(request, "see statement")
        link, settings = self._link(request), self._settings
        today = Calendar(settings.day_starts).day_of(self._wall_ms())
        day = _day(request.query.get("day", "")) or today
        key = (link, day, today, self._desks[link].head.number)  # an old day grows when the clock is set back
        if self._stating.locked():
            raise bad("another statement is being worked out: try again in a moment", "day", web.HTTPServiceUnavailable)
        async with self._stating:
            if key not in self._days:
                task = DayTask(settings.store, link, settings.day_starts, day, today)
                _keep(self._days, key, await _or_503(read_day(task)))
        return self._stated(link, day, self._days[key], request.query.get("format", "json"))

    def _stated(self, link: str, day: date, found: Day, form: str) -> web.Response:
        """The day as the page reads it, or as a file for accounting."""
        match form:
            case "json":
                return as_json({"link": link, "day": day, "found": found})
            case "csv" | "pdf" if not found.sheets:
                raise bad(f"link {link} has no gaming day {day}", "day", web.HTTPNotFound)
            case "csv":
                file = io.StringIO()
                write_csv((row for sheet in found.sheets for row in sheet.rows), file)
                body, kind = file.getvalue().encode(), "text/csv"
            case "pdf":
                now = datetime.fromtimestamp(self._wall_ms() / 1000, UTC)
                parts = [sheet.statement for sheet in found.sheets]
                body, kind = statement_pdf(parts, self._settings.papers, now), "application/pdf"
            case _:
                raise bad("one of json, csv, pdf", "format")
        name = f'inline; filename="statement-{link}-{day}.{form}"'
        return web.Response(body=body, content_type=kind, headers={"Content-Disposition": name})

    def _link(self, request: web.Request) -> str:
        link = request.match_info["link"]
        if link not in self._desks:
            raise bad(f"there is no link {link}", "link", web.HTTPNotFound)
        return link

    async def _read(self, question: Callable[[OpenStore], Read]) -> Read:
        def answer() -> Read:
            with _reading(self._settings.store) as store:
                return question(store)

        return await _or_503(asyncio.to_thread(answer))


@contextmanager
def _reading(address: str) -> Iterator[OpenStore]:
    store = open_store(address, reading=True)
    try:
        yield store
    finally:
        store.close()


def _grown(store: OpenStore, link: str, span: str, now_ms: int) -> Grown:
    return Grown(growth(store, link, span, now_ms), hits(store, link, span, now_ms))


def _history(store: OpenStore) -> AlarmHistory:
    alarms = tuple(map(read_note, store.last_lines(CLOSED_ALARM, "", LAST_NOTES)))
    lines = [line for kind in (NOTE, RUN, AWARD, STAFF) for line in store.last_lines(kind, "", LAST_NOTES)]
    newest = sorted(lines, key=lambda line: -line.number)[:LAST_NOTES]
    return AlarmHistory(alarms, tuple(map(read_note, newest)))


async def _or_503(answer: Awaitable[Read]) -> Read:
    try:
        return await answer
    except (StoreFault, msgspec.DecodeError) as fault:
        raise bad(str(fault), "store", web.HTTPServiceUnavailable) from fault


def _day(word: str) -> date | None:
    try:
        return date.fromisoformat(word) if word else None
    except ValueError as error:
        raise bad("write a day such as 2026-07-01", "day") from error


def _keep(kept: "OrderedDict[Key, Read]", key: Key, value: Read) -> None:
    kept[key] = value
    while len(kept) > _KEPT:
        kept.popitem(last=False)
