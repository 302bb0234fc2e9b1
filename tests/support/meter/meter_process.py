"""A real meter process, and tables that keep the link's rules without a table's hardware."""

import asyncio
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from aiohttp import ClientConnectorError, ClientSession
from msgspec.structs import replace

from common.unix_http import CONTROL, ask
from demo.broker import free_port
from drivers.mqtt.client import Message, MqttClient, Outgoing
from drivers.mqtt.settings import BrokerSettings
from link.messages import (
    MAX_MESSAGE_BYTES,
    VERSION,
    Award,
    Entry,
    Envelope,
    Hello,
    Presence,
    Reply,
    State,
    Wagers,
    decode,
    encode,
)
from link.topics import entry_topic, hello_topic, presence_topic, reply_topic, state_topic
from meter.booking.booker import Booker, Work
from meter.daemon import AUDITED_AT_START
from meter.settings import read_meter_settings
from tests.support.meter.link_bench import WITHIN_S, Connected, Recorder, pipe_to
from tests.support.meter.postgres_bench import active_store
from tests.support.meter.proved import Paper, Unchecked
from tests.support.meter.staff_pins import ANN, DAN, SUE, Login, give_staff

LINK = "main"
BASE_CENTS, RESET_CENTS, RATE_BP = 1_000_000, 500_000, 7_037
ROUND_MS = 60_000  # as long as a hand takes
SETTINGS = """
store = "{store}"
floor_port = {control}
state_dir = "{state_dir}"
[broker]
host = "127.0.0.1"
port = {port}
{tls}
[[link]]
name = "main"
rate_bp = 7037
base_cents = 1000000
reset_cents = 500000
limit_cents = 0
reset_rate_bp = 0
shortest_round_ms = 0
shortest_claim_ms = 0
shortest_payout_ms = 0
tables = ["T1", "T2", "T3", "T4"]
[[link.game]]
name = "texas-holdem-bonus"
pay_tables = ["A"]
stakes_cents = [100]
"""


async def kept_state(port: int) -> State:
    """What a listener that comes late finds: the state that the broker has kept."""
    async with Connected(pipe_to(port, "late", state_topic(LINK))) as late:
        await late.recorder.until(lambda: bool(late.recorder.messages))
    assert late.recorder.messages[0].retained
    return decode(late.recorder.messages[0].payload, State)


class MeterProcess:
    """`pitlink meter` as a process of its own, to be killed and started again on the same ledger."""

    def __init__(
        self,
        folder: Path,
        port: int,
        tls: str = "",
        *,
        address: str = "",
        name: str = "meter",
        has_staff: bool = True,
    ) -> None:
        self.store = folder / "ledger.sqlite"
        self.address = address or str(self.store)
        self.config = folder / f"{name}.toml"
        self.control = free_port()
        self.state_dir = folder / name
        self.state_dir.mkdir(exist_ok=True)
        if has_staff:
            give_staff(self.state_dir)
        self.config.write_text(
            SETTINGS.format(store=self.address, control=self.control, state_dir=self.state_dir, port=port, tls=tls)
        )
        self._process: subprocess.Popen[str] | None = None
        self._more = threading.Condition()
        self.lines: list[dict[str, Any]] = []

    async def start(self) -> None:
        """Starts it; returns when its books are open."""
        begun = self.launch()
        await self.said("meter_started", since=begun)

    def launch(self) -> int:
        """Starts it without waiting; returns where its log begins."""
        begun = len(self.lines)
        words = [sys.executable, "-m", "cli.main", "meter", "--config", str(self.config)]
        self._process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
        self._reader = threading.Thread(target=self._drain, args=(self._process,), daemon=True)
        self._reader.start()
        return begun

    async def said(self, event: str, since: int = 0) -> dict[str, Any]:
        """Waits for a line of its log."""
        return await asyncio.to_thread(self._wait_for, event, since)

    async def look(self) -> dict[str, Any]:
        """The link as those see it who look after it; raises OSError or HTTPException while it is down."""
        return (await asyncio.to_thread(self._ask, "GET", "", None))[1]

    async def decide(
        self, decision: dict[str, Any], first: Login = ANN, second: Login = SUE, *, are_signed: bool = True
    ) -> tuple[int, dict[str, Any]]:
        """Two persons decide, with their PINs."""
        body = {"decision": decision, "by": first.number, "and_by": second.number, "reason": "reviewed"}
        body |= {"pins": (first.pin, second.pin)} if are_signed else {}
        return await asyncio.to_thread(self._ask, "POST", "/decisions", json.dumps(body))

    async def alarms(self, is_so: Callable[[list[dict[str, Any]]], bool]) -> list[dict[str, Any]]:
        """Waits until the floor's page shows alarms like that; a process that has just begun may not listen yet."""
        async with ClientSession() as session, asyncio.timeout(WITHIN_S):
            while True:
                with suppress(ClientConnectorError):
                    async with session.get(f"http://127.0.0.1:{self.control}/floor/stream") as stream:
                        async for line in stream.content:
                            if line.startswith(b"data: ") and is_so(shown := json.loads(line[6:])["alarms"]):
                                return list(shown)
                await asyncio.sleep(0.05)

    def _ask(self, method: str, path: str, body: str | None) -> tuple[int, dict[str, Any]]:
        content = None if body is None else body.encode()
        status, words = ask(self.state_dir / CONTROL, method, f"/api/links/{LINK}{path}", content, within_s=WITHIN_S)
        return status, json.loads(words)

    def kill(self) -> None:
        """Ends it as a power cut does."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(WITHIN_S)

    def freeze(self) -> None:
        """Stops it without ending it: it neither beats nor answers, and its connections stay."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Lets it run on as if nothing had been."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    async def stop(self) -> int:
        """Asks it to stop, and returns its exit code."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return await self.code()

    async def code(self) -> int:
        """Waits for its end and returns its exit code."""
        assert self._process is not None
        code = await asyncio.to_thread(self._process.wait, WITHIN_S)
        await asyncio.to_thread(self._reader.join, WITHIN_S)
        return code

    def close(self) -> None:
        if self._process is not None:
            self.kill()

    def _wait_for(self, event: str, since: int) -> dict[str, Any]:
        def found() -> dict[str, Any] | None:
            return next((line for line in self.lines[since:] if line.get("event") == event), None)

        with self._more:
            assert self._more.wait_for(lambda: found() is not None, WITHIN_S), f"no {event} in {self.lines}"
        line = found()
        assert line is not None
        return line

    def _drain(self, process: "subprocess.Popen[str]") -> None:
        assert process.stderr is not None
        with process.stderr:
            for text in process.stderr:
                with self._more:
                    self.lines.append(json.loads(text) if text.startswith("{") else {"text": text})
                    self._more.notify_all()


class LinkTable(Recorder):
    """A table's side of the link: numbers its entries, keeps them, and repeats them until they are booked."""

    def __init__(self, name: str, broker: BrokerSettings, *, journal: str = "", resend_s: float = 0.5) -> None:
        super().__init__()
        self.name, self._resend_s = name, resend_s
        self.hello = Hello(VERSION, name, journal or f"journal-{name}", "texas-holdem-bonus", "A", 100, 7, 1, "test")
        self.entries: list[Envelope] = []
        self._now_ms = 1_800_000_000_000
        self.booked_seq = 0
        self._is_welcome = False
        self.replies: list[Reply] = []
        self.states: list[State] = []
        self._work = asyncio.Event()
        gone = encode(Presence(VERSION, name, alive=False))
        self.mqtt = MqttClient(
            broker,
            name,
            topics=[reply_topic(LINK, name), state_topic(LINK)],
            will=Outgoing(presence_topic(LINK, name), gone, retain=True, qos=1),
            largest_bytes=MAX_MESSAGE_BYTES,
        )

    async def __aenter__(self) -> Self:
        self._tasks = [asyncio.create_task(self.mqtt.run(self)), asyncio.create_task(self._repeat())]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks, timeout=WITHIN_S)

    def enter(self, entry: Entry, *, after_ms: int = ROUND_MS) -> int:
        """Writes an entry into the journal, so long after the one before by the table's clock, and sends it."""
        seq = len(self.entries) + 1
        self._now_ms += after_ms
        self.entries.append(Envelope(VERSION, self.name, self.hello.journal, seq, self._now_ms, entry))
        self._work.set()
        return seq

    def wager(self, *seats: int, after_ms: int = ROUND_MS) -> int:
        """Registers a round."""
        return self.enter(Wagers(len(self.entries) + 1, 100, seats), after_ms=after_ms)

    def claim(self, award: Award) -> int:
        """A hand of the round that was registered last."""
        rounds = (envelope.entry.round for envelope in reversed(self.entries) if isinstance(envelope.entry, Wagers))
        return self.enter(replace(award, round=next(rounds)))

    def pay(self, seq: int, amount_cents: int, *, validator: Login = SUE, payer: Login = DAN) -> int:
        """The award of this claim is validated and paid, each with a PIN."""
        claim = self.entries[seq - 1].entry
        assert isinstance(claim, Award)
        paper = Paper(seq, claim.hand, amount_cents, claim.seat, claim.round, self.name, LINK, self.hello.journal)
        return self.enter(paper.payout(validator, payer))

    async def booked(self) -> None:
        """Waits until the meter has everything."""
        await self.until(lambda: self.booked_seq == len(self.entries))

    async def state(self, condition: Callable[[State], bool]) -> State:
        """Waits for a state like that and returns it."""
        await self.until(lambda: any(map(condition, self.states)))
        return next(state for state in self.states if condition(state))

    def went_up(self) -> None:
        super().went_up()
        self._is_welcome = False
        self.mqtt.publish(
            presence_topic(LINK, self.name), encode(Presence(VERSION, self.name, alive=True)), retain=True
        )
        self.greet()

    def greet(self) -> None:
        """Says hello."""
        hello = replace(self.hello, next_seq=len(self.entries) + 1)
        self.mqtt.publish(hello_topic(LINK, self.name), encode(hello), qos=1)

    def heard(self, message: Message) -> None:
        if message.topic.endswith("/state"):
            self.states.append(decode(message.payload, State))
            self._is_welcome = self._is_welcome and self.states[-1].alive
        else:
            self._take(decode(message.payload, Reply))
        super().heard(message)

    def _take(self, reply: Reply) -> None:
        if reply.journal == self.hello.journal:
            self.replies.append(reply)
            self._is_welcome = not reply.refusal
            self.booked_seq = max(self.booked_seq, reply.booked_seq)
            self._work.set()

    async def _repeat(self) -> None:
        sent = 0
        while True:
            try:
                async with asyncio.timeout(self._resend_s):
                    await self._work.wait()
            except TimeoutError:
                sent = self.booked_seq
            self._work.clear()
            if not self._is_welcome:
                self.greet()
                continue
            for envelope in self.entries[max(sent, self.booked_seq) : self.booked_seq + 200]:
                self.mqtt.publish(entry_topic(LINK, self.name), encode(envelope), qos=1)
                sent = envelope.seq


def write_long_ledger(meter: MeterProcess) -> None:
    """Books more rounds of one table than a start reads back."""
    settings = read_meter_settings(meter.config)
    store = active_store(meter.address)
    booker = Booker(store, settings.links, lambda: 1_800_000_000_000, Unchecked())
    booker.open()
    hello = LinkTable("T1", BrokerSettings("127.0.0.1")).hello
    booker.book([Work("main", hello)])
    rounds = [
        Envelope(VERSION, "T1", hello.journal, seq, seq, Wagers(seq, 100, (1, 2)))
        for seq in range(1, AUDITED_AT_START + 1)
    ]
    for first in range(0, len(rounds), 2_000):
        booker.book([Work("main", entry) for entry in rounds[first : first + 2_000]])
    store.close()
