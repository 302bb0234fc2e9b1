"""A floor without sockets: a broker in memory, the real meter behind it, and bench tables on a clock the test moves."""

import asyncio
import io
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from common.clock import ManualClock
from common.log import open_log
from controller.web.text import Told, told
from demo.table import SimulatedTable, bench_settings
from drivers.mqtt.client import Listener, Message, Outgoing
from drivers.mqtt.settings import BrokerSettings
from games.catalogue import GAMES
from games.paytable import Pay
from games.round.events import ClaimValidated, Event, TableOpened
from link import topics
from meter.booking.booker import Booker
from meter.booking.group_commit import GroupCommit
from meter.booking.proofs import ProofCheck
from meter.booking.results import BookingReport
from meter.ledger.balances import LinkBalances, LinkTerms
from meter.service.link_desk import LinkDesk
from meter.service.state import last_will
from meter.settings import AllowedGame, Link
from meter.store.sqlite import SqliteStore
from tests.support.meter.proved import STAFF, proved
from tests.support.meter.staff_pins import STAFF_KEY

LINK = "demo"
NOWHERE = BrokerSettings(host="127.0.0.1", port=1)


class PaperBroker:
    """Delivers, retains and speaks last wills; can be switched off, and lose, repeat or hold messages."""

    def __init__(self) -> None:
        self.pipes: list[PaperPipe] = []
        self.retained: dict[str, bytes] = {}
        self.is_on = True
        self.deaf_to: set[str] = set()  # kinds of topics (their last word) whose messages are lost
        self.twice: set[str] = set()  # kinds of topics whose messages come twice
        self.log: list[tuple[str, bytes]] = []

    def connect(
        self, _broker: BrokerSettings, client_id: str, *, topics: Sequence[str], will: Outgoing, largest_bytes: int
    ) -> "PaperPipe":
        """What Assembly calls a connection."""
        del largest_bytes
        return PaperPipe(self, client_id, topics, will)

    def deliver(self, topic: str, payload: bytes, *, retain: bool) -> None:
        """Hands a message to everybody who wants it."""
        self.log.append((topic, payload))
        kind = topic.rsplit("/", maxsplit=1)[-1]
        if kind in self.deaf_to or not self.is_on:
            return
        if retain:
            self.retained[topic] = payload
        for mqtt in self.pipes:
            for _ in range(2 if kind in self.twice else 1):
                mqtt.hear(Message(topic, payload, retained=False))

    def switch_off(self) -> None:
        """The broker dies and forgets everything."""
        self.is_on = False
        self.retained.clear()
        for mqtt in list(self.pipes):
            mqtt.drop("the broker is gone")

    def switch_on(self) -> None:
        """The broker is back, empty."""
        self.is_on = True


class PaperPipe:
    """One connection to the paper broker."""

    def __init__(self, broker: PaperBroker, client_id: str, topics: Sequence[str], will: Outgoing) -> None:
        self._broker, self.client_id, self._topics, self._will = broker, client_id, topics, will
        self.oversized = 0
        self._listener: Listener | None = None
        self._dropped = asyncio.Event()

    def flush(self) -> None: ...

    def bequeath(self, will: Outgoing) -> None:
        """A will is fixed at the connection: with another one it is made anew, and nobody is told."""
        if will != self._will and self in self._broker.pipes:
            self._broker.pipes.remove(self)
            self._dropped.set()
        self._will = will

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> None:
        del qos
        if self in self._broker.pipes:
            self._broker.deliver(topic, payload, retain=retain)

    async def run(self, listener: Listener) -> None:
        """Stays connected while the broker is on."""
        self._listener = listener
        try:
            while True:
                if self._broker.is_on:
                    self._dropped.clear()
                    self._broker.pipes.append(self)
                    listener.went_up()
                    for topic, payload in list(self._broker.retained.items()):
                        self.hear(Message(topic, payload, retained=True))
                    await self._dropped.wait()
                await asyncio.sleep(0.005)
        finally:
            if self in self._broker.pipes:
                self._broker.pipes.remove(self)
                self._broker.deliver(self._will.topic, self._will.payload, retain=self._will.retain)

    def hear(self, message: Message) -> None:
        """A message comes in, if it is wanted here."""
        if self._listener is not None and any(_matches(wanted, message.topic) for wanted in self._topics):
            asyncio.get_running_loop().call_soon(self._listener.heard, message)

    def drop(self, reason: str) -> None:
        """The connection is lost."""
        self._broker.pipes.remove(self)
        if self._listener is not None:
            self._listener.went_down(reason)
        self._dropped.set()


def _matches(wanted: str, topic: str) -> bool:
    parts, words = wanted.split("/"), topic.split("/")
    return len(parts) == len(words) and all(part in ("+", word) for part, word in zip(parts, words, strict=True))


class PaperMeter:
    """The real meter, its books in a file, its voice on paper."""

    def __init__(
        self,
        folder: Path,
        broker: PaperBroker,
        tables: Sequence[str],
        game: str,
        *,
        decks: int | None = None,
        pays: Mapping[str, Pay] | None = None,
        shortest_round_ms: int = 0,
    ) -> None:
        self._folder, self._broker = folder, broker
        terms = LinkTerms(rate_bp=7_037, base_cents=10_000_00, reset_cents=5_000_00)
        wager = GAMES[game].progressive
        assert wager is not None
        allowed = AllowedGame(game, wager.pay_table_names, wager.stakes, pays or {}, decks)
        self._link = Link(
            LINK, terms, tuple(tables), (allowed,), shortest_round_ms, shortest_claim_ms=0, shortest_payout_ms=0
        )
        self._clock = ManualClock()
        self._tasks: list[asyncio.Task[None]] = []
        self._store: SqliteStore | None = None

    def start(self) -> None:
        """Opens the books and speaks."""
        self._store = SqliteStore(self._folder / "ledger.db")
        booker = Booker(self._store, [self._link], self._wall_ms, ProofCheck(STAFF.get))
        heads = booker.open()
        spoken = topics.entry_topic, topics.hello_topic, topics.presence_topic, topics.lights_topic
        heard = [topic(LINK, "+") for topic in spoken]
        will = last_will(LINK, heads[LINK])
        mqtt = self._broker.connect(NOWHERE, "meter", topics=heard, will=will, largest_bytes=16_384)
        log = open_log(Silent())
        self._head = heads[LINK]
        self.books = books = GroupCommit(booker, lambda _link, report: self._took(report))
        self.desk = LinkDesk(self._link, heads[LINK], post=mqtt, submit=books.submit, wall_ms=self._wall_ms, log=log)
        parts = (books.run(), mqtt.run(self.desk), self.desk.run())
        self._tasks = [asyncio.create_task(part) for part in parts]

    async def kill(self) -> None:
        """Ends it between two transactions, as kill -9 does."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        if self._store is not None:
            self._store.close()
            self._store = None

    @property
    def pot(self) -> LinkBalances:
        """Where the money stands."""
        return self._head.pot

    def pass_time(self, seconds: float) -> None:
        """Lets the meter's calendar go on."""
        self._clock.advance(seconds)

    def _wall_ms(self) -> int:
        """No two states are of the same moment."""
        self._clock.advance(0.001)
        return self._clock.wall_ms()

    def _took(self, report: BookingReport) -> None:
        self._head = report.head
        self.desk.took(report)


class Silent(io.StringIO):
    """A stream for logs that nobody reads."""

    def write(self, _text: str) -> int:
        return 0


class Bench(SimulatedTable):
    """A bench table with its floor, in the words of the pit."""

    floor: "PaperFloor"

    async def tell(self, event: Event) -> Told | None:
        """Says to the table what hardware does not say; the refusal comes back."""
        assert self.assembly is not None
        table = self.assembly.table
        said = proved(event, table.state, link=LINK, table=self.settings.table, journal=table.journal.id)
        asked = asyncio.ensure_future(table.ask(said))
        try:
            await self.until(asked.done, f"{event} was not answered")
            refusal = asked.result().refusal
            return None if refusal is None else told(refusal)
        finally:
            asked.cancel()

    async def must(self, *happenings: Event) -> None:
        """Says what the table must accept."""
        for event in happenings:
            refusal = await self.tell(event)
            assert refusal is None, refusal
            if isinstance(event, ClaimValidated):
                await self.until(self._is_checked, "the meter has not checked the validation")

    def _is_checked(self) -> bool:
        return all(claim.is_agreed or claim.waits for claim in self.state.open_claims if claim.validation_seq)

    async def linked(self) -> None:
        """Waits until the table has heard the meter in this life and says so."""
        await self.until(lambda: self._has_heard_the_meter and not self.state.link_down, "no link")

    @property
    def _has_heard_the_meter(self) -> bool:
        return self.assembly is not None and self.assembly.client.state is not None

    async def booked(self) -> None:
        """Waits until the meter has acknowledged everything this table wrote."""
        assert self.assembly is not None
        async with asyncio.timeout(60):
            while await self.assembly.table.waiting():
                self.raise_if_dead()
                await asyncio.sleep(0.005)

    @property
    def lit(self) -> list[int]:
        """The seats whose lamp shines, read from the pins."""
        return [seat for seat in self.settings.rules.seats if self.metal.is_lit(seat)]

    @property
    def open_gates(self) -> list[int]:
        """The seats whose gate is held open, read from the pins."""
        return [seat for seat in self.settings.rules.seats if self.metal.gate_is_open(seat)]

    async def hang_a_chip(self) -> None:
        """Chips at seats 2 and 3, one of them hangs in the throat at lock-out: the return device counts one."""
        await self.drop_chip(2)
        await self.drop_chip(3)
        await self.settle()
        with self.hopper.hands_on() as board:
            board.metal.stock -= 1
        await self.press_lock_out()
        await self.until(lambda: self.state.counted == 1)

    def hold_the_disc(self) -> None:
        """The hopper runs and gives no chip until its disc is let go, however fast or slow the machine is."""
        with self.hopper.hands_on() as board:
            board.metal.chip_ms = 60_000

    async def turn_the_disc_once(self) -> None:
        """A disc that is held gives one chip."""
        await self.until(lambda: self.hopper_metal.due is not None, "the hopper does not run")
        with self.hopper.hands_on() as board:
            board.metal.due = time.monotonic()

    def let_the_disc_go(self) -> None:
        """It gives what there is, at once."""
        with self.hopper.hands_on() as board:
            board.metal.chip_ms = 0
            board.metal.due = board.metal.due and time.monotonic()

    async def deal(self, *seats: int) -> None:
        """Chips at these seats, locked, counted, registered."""
        for seat in seats:
            self.insert_chip(seat)
        await self.pass_time(0.12)
        await self.settle()
        await self.press_lock_out()
        await self.settle()
        if seats:
            await self.until(lambda: self.state.registered, "not registered")


class PaperFloor:
    """Broker, meter and tables."""

    def __init__(
        self,
        folder: Path,
        *,
        tables: Sequence[str] = ("T1",),
        pays: Mapping[str, Pay] | None = None,
        shortest_round_ms: int = 0,
        **changes: Any,
    ) -> None:
        self.folder, self._changes, self._names = folder, changes, tables
        self.clock = ManualClock()
        self.broker = PaperBroker()
        table = changes.get("table", {})
        game = table.get("game", "texas-holdem-bonus")
        self.meter = PaperMeter(
            folder,
            self.broker,
            tables,
            game,
            decks=table.get("decks"),
            pays=pays,
            shortest_round_ms=shortest_round_ms,
        )
        self.tables: dict[str, Bench] = {}

    def bench(self, name: str) -> Bench:
        """A new table of this floor."""
        settings = bench_settings(name, self.folder, **self._changes)
        settings = replace(settings, link=replace(settings.link, staff_key=STAFF_KEY))
        log = open_log(Silent())
        bench = Bench(settings, NOWHERE, clock=self.clock, log=log, connect=self.broker.connect)
        bench.floor = self
        return bench


@asynccontextmanager
async def paper_floor(folder: Path, *, is_open: bool = True, **changes: Any) -> AsyncIterator[PaperFloor]:
    """A floor with one open table."""
    floor = PaperFloor(folder, **changes)
    floor.meter.start()
    async with floor.bench("T1") as bench:
        floor.tables["T1"] = bench
        await bench.linked()
        if is_open:
            await open_table(bench)
        yield floor
    await floor.meter.kill()


@asynccontextmanager
async def two_dealt_tables(folder: Path) -> AsyncIterator[PaperFloor]:
    """A floor with the open tables T1 and T2, a wager at seat 3 of each."""
    floor = PaperFloor(folder, tables=("T1", "T2"))
    floor.meter.start()
    async with floor.bench("T1") as one, floor.bench("T2") as two:
        floor.tables |= {"T1": one, "T2": two}
        for bench in (one, two):
            await open_table(bench)
            await bench.deal(3)
        yield floor
    await floor.meter.kill()


async def open_table(bench: Bench) -> None:
    """The supervisor turns his key and opens the table."""
    await bench.turn_key(on=True)
    await bench.settle()
    await bench.linked()
    await bench.must(TableOpened("Ann"))
    await bench.settle()
