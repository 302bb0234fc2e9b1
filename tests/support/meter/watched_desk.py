"""A desk whose alarms are watched, on a real store, without a broker."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import structlog
from msgspec.structs import replace

from drivers.mqtt.client import Message
from link.messages import VERSION, Award, Presence, encode
from link.topics import presence_topic
from meter.booking.booker import Work
from meter.booking.results import BookingReport
from meter.ledger.decisions import Decided
from meter.service.alarms import FloorAlarms
from meter.service.link_desk import LinkDesk
from meter.store.sqlite import SqliteStore
from tests.support.meter.floor_bench import SilentPipe
from tests.support.meter.meter_bench import NOW_MS, MeterBench, envelope, link, wagers


async def at_once(act: Callable[[], None]) -> None:
    """Here the test books itself, so that there is no other thread."""
    act()


class WatchedDesk:
    """One desk and its watch on a real store."""

    def __init__(self, path: Path) -> None:
        self.store = SqliteStore(path)
        self.meter = MeterBench(self.store)
        self.now_ms, self.rings = NOW_MS, 0
        self.inbox: list[Work] = []
        self.set_back_ms = 0
        self.watch = FloorAlarms(
            self.store,
            at_once,
            wall_ms=lambda: self.now_ms - self.set_back_ms,
            now=lambda: self.now_ms / 1_000,
            ring=self._ring,
        )
        self.desk = LinkDesk(
            link(),
            self.meter.heads["main"],
            post=SilentPipe(),
            submit=self.inbox.append,
            wall_ms=lambda: self.now_ms,
            log=structlog.wrap_logger(structlog.testing.CapturingLogger(), processors=[]),
            members=self.meter.booker.members("main"),
            watch=self.watch,
        )

    def _ring(self) -> None:
        self.rings += 1

    def say(self, *messages: object) -> BookingReport:
        """Tables say this, the bookkeeper books it, the desk answers."""
        report = self.meter.say(*messages)  # type: ignore[arg-type]  # envelopes and hellos
        self.desk.took(report)
        return report

    def claim(self, award: Award, table: str = "T1", seq: int = 1) -> None:
        """Seat 3 of this table wagers by this entry, and claims by the next."""
        self.say(envelope(seq, wagers(3), table), envelope(seq + 1, replace(award, round=seq), table))

    def decide(self, decision: object) -> None:
        verdict = self.meter.booker.decide("main", Decided(decision, "Ann", "Ben", "reviewed"))  # type: ignore[arg-type]  # any
        assert not verdict.refusal
        self.desk.took(verdict.reports["main"])

    def presence(self, table: str, *, alive: bool) -> None:
        self.desk.heard(Message(presence_topic("main", table), encode(Presence(VERSION, table, alive))))

    @property
    def kinds(self) -> list[tuple[str, str]]:
        return [(one.alarm.kind, one.alarm.table) for one in self.watch.open_alarms]


@asynccontextmanager
async def watched_desk(path: Path) -> AsyncIterator[WatchedDesk]:
    floor = WatchedDesk(path)
    task = asyncio.create_task(floor.watch.run())
    try:
        yield floor
    finally:
        task.cancel()
        await asyncio.wait([task])
        floor.store.close()
