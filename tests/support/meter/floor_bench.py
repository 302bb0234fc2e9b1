"""A meter's floor without a broker: real books, desks that nobody hears, the real pages."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import structlog
from aiohttp import web
from msgspec.structs import replace
from structlog.testing import CapturingLogger

from common.auth.lockout import LockOut
from common.clock import RealClock
from common.web.events import ChangeFeed
from drivers.mqtt.client import Message, Outgoing
from drivers.mqtt.settings import BrokerSettings
from link.messages import VERSION, Award, Entry, Envelope, Hello, Presence, Wagers, encode
from link.topics import presence_topic
from meter.booking.booker import Booker, Work
from meter.booking.group_commit import GroupCommit
from meter.booking.proofs import ProofCheck
from meter.booking.results import BookingReport
from meter.ledger.balances import LinkTerms
from meter.ledger.decisions import Decided, Stop
from meter.service.alarms import FloorAlarms, standing
from meter.service.link_desk import LinkDesk
from meter.settings import AllowedGame, FloorSettings, Link, MeterSettings
from meter.staff.keeper import StaffKeeper
from meter.staff.sign_in_check import SignInCheck
from meter.store.sqlite import SqliteStore
from meter.web.server import MeterServer
from tests.support.games.paces import ANY_PACE
from tests.support.meter.meter_bench import with_cards
from tests.support.meter.proved import Paper
from tests.support.meter.staff_pins import DAN, SUE, give_staff

GAME = "texas-holdem-bonus"
TABLES = ("T1", "T2", "T3")


def link(name: str, tables: Sequence[str], limit_cents: int = 0) -> Link:
    """A link of hold 'em bonus tables."""
    terms = LinkTerms(rate_bp=7_037, base_cents=1_000_000, reset_cents=500_000, limit_cents=limit_cents)
    return Link(name, terms, tuple(tables), (AllowedGame(GAME, ("A",), (100,)),), **ANY_PACE)


class SilentPipe:
    """A pipe that forgets everything."""

    oversized = 0

    def flush(self) -> None: ...

    def bequeath(self, will: Outgoing) -> None: ...

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> None: ...


class FloorBench:
    """One meter that serves its floor; say something to it, and look at the page."""

    def __init__(
        self,
        folder: Path,
        port: int = 0,
        floor: FloorSettings | None = None,
        tables: Sequence[str] = TABLES,
        *,
        limit_cents: int = 0,
    ) -> None:
        links = (link("main", tables, limit_cents), link("side", TABLES))
        store = str(folder / "ledger.sqlite")
        self.settings = MeterSettings(
            store, BrokerSettings("127.0.0.1", 1), links, floor_port=port, floor=floor or FloorSettings()
        )
        give_staff(folder)
        self.clock = RealClock(asyncio.get_running_loop())
        self.staff = StaffKeeper(folder, self.clock.wall_ms)
        self.store = SqliteStore(Path(store))
        booker = Booker(self.store, links, self.clock.wall_ms, ProofCheck(self.staff.secret_of))
        heads = booker.open()
        self.books = GroupCommit(booker, self._hear)
        self.feed = ChangeFeed()
        clock = self.clock
        self.watch = FloorAlarms(
            self.store, self.books.errand, wall_ms=clock.wall_ms, now=clock.now, ring=self.feed.ring
        )
        self.watch.begin(heads, machine="bench", program="0.1.0 (not from a bundle)")
        self.desks = {each.name: self._desk(each, booker, heads[each.name]) for each in links}
        self.check = SignInCheck(self.staff, LockOut(folder / "attempts.json", clock.now), wall_ms=clock.wall_ms)
        self.web_server = MeterServer(
            self.settings,
            self.desks,
            self.books.decide,
            staff=self.staff,
            check=self.check,
            watch=self.watch,
            feed=self.feed,
            clock=self.clock,
        )
        self.seqs: dict[tuple[str, str], int] = {
            (name, table): member.booked_seq
            for name, desk in self.desks.items()
            for table, member in desk.members.items()
        }
        self._booked = asyncio.Event()

    def _desk(self, each: Link, booker: Booker, head: object) -> LinkDesk:
        desk = LinkDesk(
            each,
            head,  # type: ignore[arg-type]  # where the link stands
            post=SilentPipe(),
            submit=self.books.submit,
            wall_ms=self.clock.wall_ms,
            log=structlog.wrap_logger(CapturingLogger(), processors=[]),
            members=booker.members(each.name),
            watch=self.watch,
        )
        for alarm in standing(each.name, desk.head):
            self.watch.raised(alarm)
        desk.went_up()
        return desk

    def _hear(self, name: str, report: BookingReport) -> None:
        self.desks[name].took(report)
        self._booked.set()

    async def say(self, message: Envelope | Hello, name: str = "main") -> None:
        """A table says this; returns when it is booked or refused."""
        self._booked.clear()
        self.books.submit(Work(name, message))
        async with asyncio.timeout(60):
            await self._booked.wait()

    async def join(self, *tables: str, **other: object) -> None:
        """These tables join and are present."""
        for table in tables or TABLES:
            asked = Hello(VERSION, table, f"journal-{table}", GAME, "A", 100, 7, 1, "test", **other)  # type: ignore[arg-type]  # of Hello
            await self.say(asked)
            self.present(table)

    async def drain(self, *tables: str) -> None:
        """Two persons stop the link, and every table, or these, say that nothing is left there."""
        await self.books.decide("main", Decided(Stop(), "Ann", "Ben", "after closing time"))
        for table in tables or TABLES:
            seq = self.seqs.get(("main", table), 0) + 1
            await self.say(Hello(VERSION, table, f"journal-{table}", GAME, "A", 100, 7, seq, "test", idle=True))

    def present(self, table: str, *, alive: bool = True) -> None:
        """The broker says so."""
        body = encode(Presence(VERSION, table, alive))
        self.desks["main"].heard(Message(presence_topic("main", table), body))

    async def enter(self, table: str, entry: Entry) -> int:
        """A table's next entry."""
        seq = self.seqs[("main", table)] = self.seqs.get(("main", table), 0) + 1
        await self.say(Envelope(VERSION, table, f"journal-{table}", seq, self.clock.wall_ms(), entry))
        return seq

    async def pay(self, table: str, seq: int, paid_cents: int = 0) -> None:
        """Sue validates this award and Dan pays it: its own amount, or another one by mistake."""
        (award,) = (each for each in self.desks["main"].head.pot.awards if (each.table, each.seq) == (table, seq))
        payout = Paper(seq, award.hand, award.amount_cents, award.seat, award.round, table).payout(SUE, DAN)
        await self.enter(table, replace(payout, amount_cents=paid_cents or award.amount_cents))

    async def wager(self, table: str = "T1", *seats: int) -> int:
        """The next round's wagers; says which round it is."""
        number = self.seqs.get(("main", table), 0) + 1
        await self.enter(table, Wagers(number, 100, seats or (1, 2, 3)))
        return number

    async def contest(self) -> None:
        """A royal flush at T1, a straight flush at T2, each with its round's wagers before it."""
        one, two = await self.wager("T1"), await self.wager("T2")
        await self.enter("T1", with_cards(Award(one, 3, "royal_flush", percent_bp=10_000, clock="synchronised, 2 ms")))
        await self.enter("T2", with_cards(Award(two, 2, "straight_flush", percent_bp=1_000, clock="not synchronised")))

    @asynccontextmanager
    async def running(self) -> AsyncIterator["FloorBench"]:
        """Books and pages at work; the store is left to the next one."""
        tasks = [asyncio.create_task(self.books.run()), asyncio.create_task(self.watch.run())]
        try:
            async with self.web_server.served():
                yield self
        finally:
            for task in reversed(tasks):
                task.cancel()
                await asyncio.wait([task])
            self.store.close()

    def application(self) -> web.Application:
        return self.web_server.application()
