"""MQTT client of a table, by aiomqtt: stays connected; delivery is at most once, certainty is made above it."""

import asyncio
import math
import socket
import zlib
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final, NoReturn, Protocol

import aiomqtt
from msgspec import Struct

from drivers.mqtt.settings import BrokerSettings, tls_context

STABLE_S: Final = 5.0  # a connection that held so long was a good one: the next retry is fast again
FIRST_PAUSE_S: Final = 0.1
LONGEST_PAUSE_S: Final = 2.0
ANSWER_WITHIN_S: Final = 5.0
LOST: Final = "the connection was lost"
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


class MqttClient:
    """One connection to the broker, for ever; publish() never waits and never promises."""

    def __init__(
        self, broker: BrokerSettings, client_id: str, *, topics: Sequence[str], will: Outgoing, largest_bytes: int
    ) -> None:
        self._broker, self._client_id, self._topics, self._will = broker, client_id, tuple(topics), will
        self._largest_bytes = largest_bytes
        self._outgoing: asyncio.Queue[Outgoing] | None = None
        """While messages have a chance to arrive."""
        self.lost_outgoing = 0
        self.oversized = 0

    @property
    def is_up(self) -> bool:
        """Whether messages have a chance to arrive at this moment."""
        return self._outgoing is not None

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> None:
        """Sends this if it can; whether it arrived is for the receiver to say."""
        if self._outgoing is None or self._outgoing.full():
            self.lost_outgoing += 1
        else:
            self._outgoing.put_nowait(Outgoing(topic, payload, retain, qos))

    async def run(self, listener: Listener) -> None:
        """Keeps the connection until cancelled; then says the will itself and leaves."""
        await stay_connected(lambda went_up: self._connection(listener, went_up), self._client_id, listener)

    async def _connection(self, listener: Listener, went_up: Callable[[], None]) -> str:
        """One connection from first to last; returns why it ended."""
        try:
            client = self._client()
        except (OSError, UnicodeDecodeError) as error:  # a certificate or a password that cannot be read now
            return explanation(self._broker, str(error))
        try:
            async with client:
                await self._session(client, listener, went_up)
        except aiomqtt.MqttError as error:
            _heed_cancellation()
            words = str(error)
            return explanation(self._broker, LOST if words.startswith("Disconnected") else words)

    async def _session(self, client: aiomqtt.Client, listener: Listener, went_up: Callable[[], None]) -> NoReturn:
        # QoS 0: a connection that stands loses nothing, and nobody waits for what we would acknowledge.
        await client.subscribe([(topic, 0) for topic in self._topics])
        _heed_cancellation()
        outgoing: asyncio.Queue[Outgoing] = asyncio.Queue(MOST_WAITING)
        self._outgoing = outgoing
        try:
            went_up()
            await self._carry(client, outgoing, listener)
        except aiomqtt.MqttError:  # the connection is gone, and the broker says the will
            raise
        except BaseException:
            with suppress(TimeoutError):
                async with asyncio.timeout(ANSWER_WITHIN_S):
                    await _publish(client, self._will)  # a clean goodbye makes the broker forget it
            raise
        finally:
            self._outgoing = None

    async def _carry(self, client: aiomqtt.Client, outgoing: asyncio.Queue[Outgoing], listener: Listener) -> NoReturn:
        """Sends and receives until one of the two fails, and fails with it."""
        tasks = [asyncio.create_task(part) for part in (_send(client, outgoing), self._receive(client, listener))]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        raise next((error for error in ended if isinstance(error, Exception)), aiomqtt.MqttError("it was closed"))

    async def _receive(self, client: aiomqtt.Client, listener: Listener) -> None:
        async for message in client.messages:
            payload = message.payload
            if not isinstance(payload, bytes) or len(payload) > self._largest_bytes:
                self.oversized += 1
            else:
                listener.heard(Message(message.topic.value, payload, message.retain))

    def _client(self) -> aiomqtt.Client:
        # A new client for every connection: an old one would send again what it still holds (measured), and the
        # certificates may have changed. MQTT 3.1.1 and a clean session are what every broker speaks.
        broker, will = self._broker, self._will
        client = aiomqtt.Client(
            broker.host,
            broker.port,
            username=broker.username,
            password=broker.password,
            identifier=self._client_id,
            protocol=aiomqtt.ProtocolVersion.V311,
            clean_session=True,
            will=aiomqtt.Will(will.topic, will.payload, will.qos, will.retain),
            keepalive=broker.keepalive_s,
            timeout=ANSWER_WITHIN_S,
            tls_context=tls_context(broker.tls) if broker.tls else None,
            socket_options=((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),),
        )
        client.pending_calls_threshold = MOST_IN_FLIGHT + 1  # no warning about what is meant
        return client


async def stay_connected(
    connection: Callable[[Callable[[], None]], Awaitable[str | None]], client_id: str, listener: Listener
) -> NoReturn:
    """Makes one connection after the other.

    Each is told whom to call when it is up, and returns why it ended, or None if the next shall follow at once.
    """
    clock = asyncio.get_running_loop().time
    failures, last_reason = 0, ""

    def went_up() -> None:
        nonlocal last_reason
        last_reason = ""
        listener.went_up()

    while True:
        began = clock()
        reason = await connection(went_up)
        if reason is None:
            continue
        if reason != last_reason:
            listener.went_down(reason)
        last_reason = reason
        failures = 0 if clock() - began >= STABLE_S else failures + 1
        await asyncio.sleep(pause_s(failures, client_id))


def explanation(broker: BrokerSettings, words: str) -> str:
    """Why a connection ended, or did not come up."""
    if "timed out" in words and broker.tls:
        words += " (a broker that does not accept our certificate says nothing)"  # TLS 1.3, measured
    return f"broker {broker.address}: {words}"


def pause_s(failures: int, client_id: str) -> float:
    """How long to wait before the next try: fast at first, bounded, and not the same for every table of a floor."""
    spread = 0.75 + (zlib.crc32(client_id.encode()) % 100) / 200
    return float(min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** min(failures, 10)) * spread)


async def _send(client: aiomqtt.Client, outgoing: asyncio.Queue[Outgoing]) -> NoReturn:
    """Sends in order; a PUBACK proves nothing, but waiting for one keeps us from drowning the broker."""
    in_flight: set[asyncio.Task[None]] = set()
    try:
        while True:
            message = await outgoing.get()
            if len(in_flight) >= MOST_IN_FLIGHT:
                await asyncio.wait(in_flight, return_when=asyncio.FIRST_COMPLETED)
            task = asyncio.create_task(_publish(client, message))
            in_flight.add(task)
            task.add_done_callback(in_flight.discard)
    finally:
        for task in in_flight:
            task.cancel()


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
