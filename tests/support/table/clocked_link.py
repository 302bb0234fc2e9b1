"""A table's side of the link on a clock that the test moves: real table, real client, a line to cut, a voice."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

from msgspec.structs import replace

from common.clock import ManualClock, Timer
from common.log import open_log
from controller.journal.journal import Journal
from controller.meter_link.client import MeterClient
from controller.table.loop import TableLoop
from drivers.mqtt.client import Message
from games.round.effects import Effect, OpenGate, SendToMeter, ShutGate
from games.round.events import ChipPlaced, ChipsCounted, Event, LinkLost, LockOutPressed, TableOpened
from link.messages import VERSION, Envelope, Gone, Hello, Reply, State, decode, encode
from link.topics import reply_topic, state_topic
from tests.support.games.pit import table_rules
from tests.support.table.paper_floor import Silent

LINK, TABLE = "demo", "T1"
BEAT_S = 1.0
SHUT_DOWN = "the meter was shut down"
FIRST = State(VERSION, LINK, alive=True, number=7, amount_cents=10_000_00)
RESTING = 2
"""The client, and its lookout."""
CALM = 4
"""Turns of the loop in which nothing happens: then nothing does before time goes on."""


class Gates:
    """Carries out nothing but gates and errands to the meter, and remembers when the last gate shut."""

    def __init__(self, clock: ManualClock, wake_meter: Callable[[], None]) -> None:
        self._clock, self._wake_meter = clock, wake_meter
        self.open: set[int] = set()
        self.shut_at = 0.0

    def perform(self, effect: Effect) -> None:
        match effect:
            case OpenGate(seat=seat):
                self.open.add(seat)
            case ShutGate(seat=seat) if seat in self.open:
                self.open.discard(seat)
                self.shut_at = self._clock.now()
            case SendToMeter():
                self._wake_meter()

    def make_safe(self) -> None:
        self.open.clear()


class Rest:
    """The test's clock as the client sees it; knows whether the client rests until a time or has something to do."""

    def __init__(self, clock: ManualClock) -> None:
        self._clock, self.alarms = clock, 0
        self.now, self.wall_ms, self.is_synchronised = clock.now, clock.wall_ms, clock.is_synchronised

    def call_at(self, when: float, act: Callable[[], None]) -> Timer:
        self.alarms += 1
        return _Alarm(self, self._clock.call_at(when, act))


class _Alarm:
    def __init__(self, rest: Rest, timer: Timer) -> None:
        self._rest, self._timer = rest, timer

    def cancel(self) -> None:
        self._rest.alarms -= 1
        self._timer.cancel()


class Say(Protocol):
    """How a meter gets to be heard."""

    def __call__(self, topic: str, payload: bytes, *, retained: bool = False) -> None: ...


class Voice:
    """A meter as the line hears it: beats, takes hellos, books entries; it can fall silent with or without a will."""

    def __init__(self, clock: ManualClock, say: Say) -> None:
        self._clock, self._say = clock, say
        self.state = FIRST
        self.booked_seq = 0
        self.answers = {"hello", "entry"}
        self.refusal = ""
        self.nonce = ""
        self._moments = 0
        self._beats: Timer | None = None

    def start(self) -> None:
        """It says where it stands, now and once a beat."""
        self.come_back()
        self.say(self.state)

    def come_back(self) -> None:
        """It answers at once, and has not said yet where it stands."""
        self._beats = self._clock.call_at(self._clock.now() + BEAT_S, self.start)

    def fall_silent(self) -> None:
        """As one whose power or network is cut, and nobody knows yet."""
        if self._beats is not None:
            self._beats.cancel()
        self._beats = None

    def die(self) -> None:
        """As one whose broker speaks its will."""
        self.fall_silent()
        self._say(state_topic(LINK), encode(Gone(VERSION, LINK)))

    def shut_down(self) -> None:
        """As one that is updated, and says so."""
        self.fall_silent()
        self.say(replace(self.state, alive=False, notice=SHUT_DOWN, notices=(SHUT_DOWN,)))

    def say(self, state: State, *, retained: bool = False) -> None:
        """To everybody; each state has a moment of its own."""
        self._moments += 1
        self.repeat(replace(state, at_ms=self._clock.wall_ms() + self._moments), retained=retained)

    def repeat(self, state: State, *, retained: bool = False) -> None:
        """Word for word."""
        self._say(state_topic(LINK), encode(state), retained=retained)

    def take(self, topic: str, payload: bytes) -> None:
        """A table's message; who is silent takes none."""
        kind = topic.rsplit("/", 1)[-1]
        message: Hello | Envelope = decode(payload, Hello) if kind == "hello" else decode(payload, Envelope)
        if isinstance(message, Hello):
            self.nonce = message.nonce
        if self._beats is None or kind not in self.answers:
            return
        if isinstance(message, Envelope) and message.seq == self.booked_seq + 1:
            self.booked_seq += 1
        answer = self.answer(message.journal)
        self._say(answer.topic, answer.payload)

    def answer(self, journal: str) -> Message:
        """How far it has booked what this table's journal sent."""
        reply = Reply(VERSION, journal, self.booked_seq, refusal=self.refusal, nonce=self.nonce)
        return Message(reply_topic(LINK, TABLE), encode(reply))


class ClockedLink:
    """One table, its client, a line between both and the meter's voice; time goes when the test says so."""

    def __init__(self, folder: Path, loss_s: float, **house: Any) -> None:
        self.clock, log = ManualClock(), open_log(Silent())
        self.table = TableLoop(table_rules(**house), Journal.open(folder / "journal.db"), self.clock, log)
        self._rest = Rest(self.clock)
        hello = Hello(VERSION, TABLE, self.table.journal.id, "texas-holdem-bonus", "A", 100, 7, 1, "test")
        self.client = MeterClient(self.table, hello, link_name=LINK, loss_s=loss_s, clock=self._rest, log=log)
        self.gates = Gates(self.clock, self.client.wake)
        self.is_connected = False
        self.meter = Voice(self.clock, self.say)

    async def run(self) -> None:
        """Table and client, for ever."""
        async with asyncio.TaskGroup() as parts:
            parts.create_task(self.table.run(self.gates))
            parts.create_task(self.client.run(self))

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> None:
        """What the client says gets to the meter, if there is a line."""
        del retain, qos
        if self.is_connected and topic.endswith(("/hello", "/entry")):
            self.meter.take(topic, payload)

    def say(self, topic: str, payload: bytes, *, retained: bool = False) -> None:
        """What the meter says, or the broker for it, gets to the table, if there is a line."""
        if self.is_connected:
            asyncio.get_running_loop().call_soon(self.client.heard, Message(topic, payload, retained))

    def connect(self) -> None:
        self.is_connected = True
        self.client.went_up()

    def cut(self) -> None:
        self.is_connected = False
        self.client.went_down("the broker is gone")

    async def settle(self) -> None:
        """Waits until everybody rests: whatever happens next, happens by the clock."""
        calm = 0
        async with asyncio.timeout(30):
            while calm < CALM:
                await asyncio.sleep(0)
                calm = calm + 1 if self.table.is_idle and self._rest.alarms == RESTING else 0

    async def pass_time(self, seconds: float) -> None:
        """Goes from one moment at which something is due to the next, and lets everybody act in between."""
        until = self.clock.now() + seconds
        await self.settle()
        while self.clock.due <= until:
            self.clock.advance(max(0.0, self.clock.due - self.clock.now()))
            await self.settle()
        self.clock.advance(until - self.clock.now())
        await self.settle()

    async def must(self, *happenings: Event) -> None:
        for event in happenings:
            refusal = (await self.table.ask(event)).refusal
            assert refusal is None, refusal

    async def deal(self, *seats: int) -> None:
        """Wagers at these seats, locked and counted."""
        await self.must(*map(ChipPlaced, seats), LockOutPressed(), ChipsCounted(len(seats)))
        await self.settle()

    @property
    def is_open(self) -> bool:
        """Whether a chip would be taken."""
        return bool(self.gates.open)

    @property
    def is_shut(self) -> bool:
        """Whether no chip would be taken."""
        return not self.is_open

    @property
    def why_lost(self) -> list[str]:
        """Why the link was lost, as often as the journal says that it was."""
        return [line.event.reason for line in self.table.journal.lines() if isinstance(line.event, LinkLost)]


@asynccontextmanager
async def clocked_link(
    folder: Path, loss_s: float = 5.0, *, is_up: bool = True, **house: Any
) -> AsyncIterator[ClockedLink]:
    """An open table that has just heard its meter, or one that stands where its journal says and has heard nothing."""
    link = ClockedLink(folder, loss_s, **house)
    running = asyncio.create_task(link.run())
    try:
        if is_up:
            link.connect()
            await link.settle()
            link.meter.start()
            await link.pass_time(3 * BEAT_S)
            await link.must(TableOpened("Ann"))
            assert link.is_open
        await link.settle()
        yield link
    finally:
        running.cancel()
        await asyncio.wait([running])
        link.table.close()
