"""MQTT client: stays connected; delivery is at most once here, certainty is made above it."""

import asyncio
import math
import socket
import zlib
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NoReturn, Protocol, cast

import aiomqtt
from msgspec import Struct
from msgspec.structs import replace

from drivers.mqtt.fast_path import Inbox, hand_over, hang_up, read_all, write_now, write_soon
from drivers.mqtt.settings import BrokerSettings, tls_context

STABLE_S: Final = 5.0  # a connection that held so long was a good one: the next retry is fast again
FIRST_PAUSE_S: Final = 0.1
LONGEST_PAUSE_S: Final = 2.0
ANSWER_WITHIN_S: Final = 5.0
MOST_WAITING: Final = 10_000  # outgoing messages; what does not fit is lost, as anything here may be
MOST_IN_FLIGHT: Final = 20  # sent and not acknowledged: what a broker takes from one client by default


class Message(Struct, frozen=True):
    """What arrived; retained says that the broker had it in store before we asked."""

    topic: str
    payload: bytes
    retained: bool = False


class Outgoing(Struct, frozen=True):
    """What is to be sent, or said for us by the broker when we die."""

    topic: str
    payload: bytes
    retain: bool = False
    qos: int = 0


class Outbound(Protocol):
    """The part of a pipe that takes letters."""

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> None: ...


class Listener(Protocol):
    """Who hears what a pipe has to say, always in the loop's thread."""

    def heard(self, message: Message) -> None: ...

    def went_up(self) -> None:
        """Connected and subscribed; everything said before may be lost."""
        ...

    def went_down(self, reason: str) -> None:
        """Not connected: said once for each new reason, the broker absent at the start included."""
        ...


class _WillChanged(Exception):  # noqa: N818  no error: what has changed
    """The connection that stands was made with a will that is not ours any more."""


def _always() -> None:
    """Where nobody else may speak in our place."""


class MqttClient:
    """One connection to the broker, for ever; publish() never waits and never promises.

    prove is asked before each connection and before its first word; what it raises ends the pipe without a word.
    """

    def __init__(
        self,
        broker: BrokerSettings,
        client_id: str,
        *,
        topics: Sequence[str],
        will: Outgoing,
        largest_bytes: int,
        prove: Callable[[], None] = _always,
        read: Callable[[], None] = _always,
    ) -> None:
        self._broker, self._client_id, self._topics, self._will = broker, client_id, tuple(topics), will
        self._largest_bytes, self._prove, self._read = largest_bytes, prove, read
        self._farewell: Callable[[], bytes] | None = None
        self._has_other_will = asyncio.Event()
        self._outgoing: deque[Outgoing] = deque()
        self._has_outgoing = asyncio.Event()
        self._up: aiomqtt.Client | None = None
        self._last_reason = ""
        self.lost_outgoing = 0
        self.oversized = 0

    @property
    def is_up(self) -> bool:
        """Whether messages have a chance to arrive at this moment."""
        return self._up is not None

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> None:
        """Sends this if it can; whether it arrived is for the receiver to say. QoS 0 does not wait for QoS 1."""
        if self._up is None or len(self._outgoing) >= MOST_WAITING:
            self.lost_outgoing += 1
        elif qos == 0:
            hand_over(self._up, topic, payload, retain=retain)
        else:
            self._outgoing.append(Outgoing(topic, payload, retain, qos))
            self._has_outgoing.set()

    def flush(self) -> None:
        """Sends what was published now and not in the next turn of the loop; not to be called by who is hearing."""
        if self._up is not None:
            write_now(self._up)

    def leave_with(self, farewell: Callable[[], bytes]) -> None:
        """What to say and have kept instead of the will when we leave by ourselves, asked for at that moment."""
        self._farewell = farewell

    def bequeath(self, will: Outgoing) -> None:
        """What to say for us from now on when we die: a connection that was made with another will is made anew.

        What was published before is sent before; whoever hears us is told nothing, and misses us for a moment.
        """
        if will != self._will:
            self._will = will
            self._has_other_will.set()

    async def run(self, listener: Listener) -> None:
        """Keeps the connection until cancelled; then says the will itself and leaves."""
        clock = asyncio.get_running_loop().time
        failures = 0
        while True:
            began = clock()
            reason = await self._connection(listener)
            if reason is None:
                continue
            if reason != self._last_reason:
                listener.went_down(reason)
            self._last_reason = reason
            failures = 0 if clock() - began >= STABLE_S else failures + 1
            await asyncio.sleep(pause_s(failures, self._client_id))

    async def _connection(self, listener: Listener) -> str | None:
        """One connection from first to last; returns why it ended, or None if only to be made with another will."""
        self._prove()  # a connection in our name ends that of whoever has it
        self._has_other_will.clear()
        inbox = Inbox()
        try:
            client = self._client(inbox)
        except (OSError, UnicodeDecodeError) as error:  # a certificate or a password that cannot be read now
            return self._explanation(error)
        try:
            async with client:
                await self._session(client, inbox, listener)
        except (_WillChanged, aiomqtt.MqttError) as error:
            _heed_cancellation()
            return None if isinstance(error, _WillChanged) else self._explanation(error)

    async def _session(self, client: aiomqtt.Client, inbox: Inbox, listener: Listener) -> NoReturn:
        # QoS 0: a connection that stands loses nothing, and nobody waits for what we would acknowledge.
        await client.subscribe([(topic, 0) for topic in self._topics])
        _heed_cancellation()
        self._prove()  # re-check the lock: we may have been suspended and replaced, and must not publish
        is_leaving = True
        try:
            read_all(client, self._read)
            write_soon(client)
            self._up, self._last_reason = client, ""
            listener.went_up()
            await self._carry(client, inbox, listener)
        except _WillChanged:
            is_leaving = False
            with suppress(TimeoutError):
                async with asyncio.timeout(ANSWER_WITHIN_S):
                    await hang_up(client)
            raise
        finally:
            self._up = None
            self._outgoing.clear()
            if is_leaving:
                await self._take_leave(client)

    async def _carry(self, client: aiomqtt.Client, inbox: Inbox, listener: Listener) -> NoReturn:
        """Sends and receives until one of the two fails, and fails with it, or until there is another will."""
        parts = (self._send(client), self._receive(client, inbox, listener), self._meet_other_will())
        tasks = [asyncio.create_task(part) for part in parts]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        raise next((error for error in ended if isinstance(error, Exception)), aiomqtt.MqttError("it was closed"))

    async def _meet_other_will(self) -> NoReturn:
        await self._has_other_will.wait()
        raise _WillChanged

    async def _send(self, client: aiomqtt.Client) -> None:
        # A PUBACK proves nothing, but waiting for the oldest keeps us from drowning the broker.
        in_flight: set[asyncio.Task[None]] = set()
        try:
            while True:
                await self._has_outgoing.wait()
                while self._outgoing:
                    message = self._outgoing.popleft()
                    if len(in_flight) >= MOST_IN_FLIGHT:
                        await asyncio.wait(in_flight, return_when=asyncio.FIRST_COMPLETED)
                    task = asyncio.create_task(_publish(client, message))
                    in_flight.add(task)
                    task.add_done_callback(in_flight.discard)
                self._has_outgoing.clear()
        finally:
            for task in in_flight:
                task.cancel()

    async def _receive(self, client: aiomqtt.Client, inbox: Inbox, listener: Listener) -> None:
        def hear(message: aiomqtt.Message) -> None:
            payload = message.payload
            if not isinstance(payload, bytes) or len(payload) > self._largest_bytes:
                self.oversized += 1
            else:
                listener.heard(Message(message.topic.value, payload, message.retain))

        inbox.hand_to(hear)
        try:
            await anext(client.messages)  # the inbox keeps none: this ends with the connection
        except aiomqtt.MqttError:
            if inbox.failure:
                raise inbox.failure from None
            raise
        finally:
            inbox.shut()  # whoever leaves hears no more, not even his own goodbye

    async def _take_leave(self, client: aiomqtt.Client) -> None:
        """A clean goodbye makes the broker forget the will, so whoever leaves says it himself, or better."""
        last = replace(self._will, payload=self._farewell(), retain=True) if self._farewell else self._will
        with suppress(TimeoutError):  # the connection is gone, and the broker says it
            async with asyncio.timeout(ANSWER_WITHIN_S):
                await _publish(client, last)

    def _client(self, inbox: Inbox) -> aiomqtt.Client:
        # A new client for every connection: an old one would send again what it still holds (measured), and the
        # certificates may have changed. MQTT 3.1.1 and a clean session are what every broker speaks.
        broker, will = self._broker, self._will
        password = Path(broker.password_file).read_text(encoding="utf-8").strip() if broker.password_file else None
        client = aiomqtt.Client(
            broker.host,
            broker.port,
            username=broker.username,
            password=password,
            identifier=self._client_id,
            protocol=aiomqtt.ProtocolVersion.V311,
            clean_session=True,
            will=aiomqtt.Will(will.topic, will.payload, will.qos, will.retain),
            keepalive=broker.keepalive_s,
            timeout=ANSWER_WITHIN_S,
            tls_context=tls_context(broker.tls) if broker.tls else None,
            socket_options=((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),),
            queue_type=cast("type[asyncio.Queue[aiomqtt.Message]]", lambda **_: inbox),
        )
        client.pending_calls_threshold = MOST_IN_FLIGHT + 1  # no warning about what is meant
        return client

    def _explanation(self, error: Exception) -> str:
        words = str(error)
        if words.startswith("Disconnected"):
            words = "the connection was lost"
        elif "timed out" in words and self._broker.tls:
            words += " (a broker that does not accept our certificate says nothing)"  # TLS 1.3, measured
        return f"broker {self._broker.address}: {words}"


def pause_s(failures: int, client_id: str) -> float:
    """How long to wait before the next try: fast at first, bounded, and not the same for every table of a floor."""
    spread = 0.75 + (zlib.crc32(client_id.encode()) % 100) / 200
    return float(min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** min(failures, 10)) * spread)


async def _publish(client: aiomqtt.Client, message: Outgoing) -> None:
    """Sends it, or not: a connection that is gone is noticed by the one who receives."""
    with suppress(aiomqtt.MqttError):
        # Without a limit of time: asyncio.wait_for of Python 3.11 can swallow the cancellation that ends us.
        await client.publish(message.topic, message.payload, message.qos, message.retain, timeout=math.inf)


def _heed_cancellation() -> None:
    """Stops if we were told to: the library's time limits may have swallowed it (asyncio.wait_for, Python 3.11)."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
