"""MQTT client of a meter: reads all that has come, and writes all that is to be sent, in one turn of the loop.

aiomqtt takes several turns of the loop for each message, more than a meter's whole booking costs.
"""

import asyncio
import itertools
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from drivers.mqtt import codec
from drivers.mqtt.client import ANSWER_WITHIN_S, LOST, Listener, Message, Outgoing, explanation, stay_connected
from drivers.mqtt.codec import PacketKind, Publication
from drivers.mqtt.settings import BrokerSettings, tls_context

READ_BYTES: Final = 1 << 15  # in one turn of the loop, some 150 wagers: then others have their turn
MOST_WAITING_BYTES: Final = 1 << 22  # to be sent; what does not fit is lost, as anything here may be


def _always() -> None:
    """Where nobody else may speak in our place."""


class BufferedMqttClient:
    """One connection to the broker, for ever; publish() never waits and never promises.

    prove is asked before each connection and before its first word; what it raises ends the client without a word.
    read is called when everything that has come was heard.
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
        self._up: BrokerConnection | None = None
        self.lost_outgoing = 0
        self.oversized = 0

    @property
    def is_up(self) -> bool:
        """Whether messages have a chance to arrive at this moment."""
        return self._up is not None

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> None:
        """Sends this if it can, in the next turn of the loop; whether it arrived is for the receiver to say."""
        if self._up is None or self._up.is_full:
            self.lost_outgoing += 1
        else:
            self._up.publish(Publication(topic, payload, retain, qos))

    def flush(self) -> None:
        """Sends what was published now and not in the next turn of the loop."""
        if self._up is not None:
            self._up.flush()

    def leave_with(self, farewell: Callable[[], bytes]) -> None:
        """What to say and have kept instead of the will when we leave by ourselves, asked for at that moment."""
        self._farewell = farewell

    def bequeath(self, will: Outgoing) -> None:
        """What to say for us from now on when we die: a connection that was made with another will is made anew.

        What was published before is sent before; the listener is told nothing, and misses us for a moment.
        """
        if will != self._will:
            self._will = will
            self._has_other_will.set()

    async def run(self, listener: Listener) -> None:
        """Keeps the connection until cancelled; then says the will itself and leaves."""
        await stay_connected(lambda went_up: self._connection(listener, went_up), self._client_id, listener)

    async def _connection(self, listener: Listener, went_up: Callable[[], None]) -> str | None:
        """One connection from first to last; returns why it ended, or None if only to be made with another will."""
        self._prove()  # a connection in our name ends that of whoever has it
        self._has_other_will.clear()
        try:
            connection = await self._connected()
        except (OSError, UnicodeDecodeError) as error:  # a certificate or a password that cannot be read now, too
            return explanation(self._broker, _words(error))
        says_last_word = False
        try:
            self._prove()  # re-check the lock: we may have been suspended and replaced, and must not publish
            says_last_word = True
            self._up = connection
            went_up()
            reason = await self._session(connection, listener)
            says_last_word = False  # lost, or only to be made with another will
            return reason
        finally:
            self._up = None
            await connection.leave(self._last_word() if says_last_word else None)

    async def _session(self, connection: "BrokerConnection", listener: Listener) -> str | None:
        """Hears until the connection ends, or until there is another will."""

        def hear(publication: Publication) -> None:
            if len(publication.payload) > self._largest_bytes:
                self.oversized += 1
            else:
                listener.heard(Message(publication.topic, publication.payload, publication.retain))

        connection.listen(hear, self._read)
        other_will = asyncio.create_task(self._has_other_will.wait())
        ends: list[asyncio.Future[Any]] = [connection.closed, connection.failed, other_will]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            other_will.cancel()
        if connection.failed.done():
            raise connection.failed.result()
        return explanation(self._broker, connection.closed.result()) if connection.closed.done() else None

    async def _connected(self) -> "BrokerConnection":
        """A connection that the broker has accepted and on which it has taken our subscriptions; raises OSError.

        MQTT 3.1.1 and a clean session are what every broker speaks; certificates are read anew each time.
        """
        broker, loop = self._broker, asyncio.get_running_loop()
        hello = codec.connect(
            self._client_id,
            keepalive_s=broker.keepalive_s,
            will=_publication(self._will),
            username=broker.username,
            password=broker.password,
        )
        context = tls_context(broker.tls) if broker.tls else None
        connection = BrokerConnection(broker.keepalive_s)
        try:
            async with asyncio.timeout(ANSWER_WITHIN_S):
                await loop.create_connection(lambda: connection, broker.host, broker.port, ssl=context)
                await connection.accepted(hello)
                await connection.subscribe(self._topics)
        except BaseException:
            connection.close()
            raise
        return connection

    def _last_word(self) -> Publication:
        """A clean goodbye makes the broker forget the will, so whoever leaves says it himself, or better."""
        if self._farewell is None:
            return _publication(self._will)
        return Publication(self._will.topic, self._farewell(), retain=True, qos=self._will.qos)


class BrokerConnection(asyncio.BufferedProtocol):
    """One connection: reads at most READ_BYTES in a turn, gathers what is to be sent, keeps the line alive."""

    def __init__(self, keepalive_s: int) -> None:
        self._loop, self._keepalive_s = asyncio.get_running_loop(), keepalive_s
        self.closed: asyncio.Future[str] = self._loop.create_future()
        """Why the connection is gone."""
        self.failed: asyncio.Future[Exception] = self._loop.create_future()
        """What the listener raised."""
        self.is_full = False
        self._why = LOST
        self._transport: asyncio.Transport | None = None
        self._buffer = memoryview(bytearray(READ_BYTES))
        self._reader = codec.PacketReader()
        self._outgoing: list[bytes] = []
        self._packet_ids = itertools.cycle(range(1, 1 << 16))
        self._answers: dict[tuple[int, int], asyncio.Future[bytes]] = {}
        self._early: list[Publication] = []
        self._hear: Callable[[Publication], None] = self._early.append
        self._read: Callable[[], None] = _always
        self._unanswered_since: float | None = None
        self._next_ping: asyncio.TimerHandle | None = None

    async def answered(self, packet: bytes, kind: PacketKind, packet_id: int = 0) -> bytes:
        """Sends a packet and returns the body of the broker's answer; raises ConnectionError."""
        answer: asyncio.Future[bytes] = self._loop.create_future()
        self._answers[kind, packet_id] = answer
        self._outgoing.append(packet)
        self.flush()
        ends: list[asyncio.Future[Any]] = [answer, self.closed]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            raise ConnectionError(self.closed.result())
        return answer.result()

    async def accepted(self, connect: bytes) -> None:
        """Sends CONNECT; raises ConnectionError with the broker's reason if it refuses us."""
        refusal = codec.connect_refusal(await self.answered(connect, PacketKind.CONNACK))
        if refusal:
            raise ConnectionError(refusal)

    async def subscribe(self, topics: Sequence[str]) -> None:
        """Subscribes with QoS 0: a connection that stands loses nothing, and nobody waits for what we acknowledge."""
        packet_id = next(self._packet_ids)
        await self.answered(codec.subscribe(packet_id, topics), PacketKind.SUBACK, packet_id)

    def listen(self, hear: Callable[[Publication], None], read: Callable[[], None]) -> None:
        """Says who hears from now on, beginning with what has come already; keeps the line alive."""
        self._ping_later()
        self._hear, self._read = hear, read
        for publication in self._early:
            hear(publication)
        read()

    def publish(self, publication: Publication) -> None:
        """Sends this in the next turn of the loop, or when flushed."""
        if not self._outgoing:
            self._loop.call_soon(self.flush)
        self._outgoing.append(codec.publish(publication, next(self._packet_ids) if publication.qos else 0))

    def flush(self) -> None:
        """Sends what waits."""
        if self._outgoing and self._transport is not None and not self._transport.is_closing():
            self._transport.write(b"".join(self._outgoing))
        self._outgoing.clear()

    async def leave(self, last: Publication | None) -> None:
        """Says the last word, if any, and goodbye; returns when the broker has hung up: it has forgotten the will.

        A broker may read our next connection before the end of this one: it would take that for a second client of
        our name, and say the will of the first (measured).
        """
        self._hear, self._read = _ignore, _always
        try:
            with suppress(TimeoutError, ConnectionError):
                async with asyncio.timeout(ANSWER_WITHIN_S):
                    await self._say(last)
                    self._outgoing.append(codec.DISCONNECT)
                    self.flush()
                    await asyncio.wait([self.closed])
        finally:
            self.close()

    async def _say(self, last: Publication | None) -> None:
        if last is not None and last.qos:
            packet_id = next(self._packet_ids)
            await self.answered(codec.publish(last, packet_id), PacketKind.PUBACK, packet_id)
        elif last is not None:
            self.publish(last)

    def close(self) -> None:
        """Ends the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.set_write_buffer_limits(MOST_WAITING_BYTES)
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        if self._next_ping is not None:
            self._next_ping.cancel()
        is_plain = exc is None or isinstance(exc, ConnectionError)
        self.closed.set_result(self._why if is_plain else f"{self._why} ({exc})")

    def pause_writing(self) -> None:
        self.is_full = True

    def resume_writing(self) -> None:
        self.is_full = False

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002  the protocol's signature
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._unanswered_since = None
        try:
            for first, body in self._reader.feed(self._buffer[:nbytes]):
                self._take(first, body)
            self._read()
        except codec.MalformedPacket as error:
            self._lose(f"it does not speak MQTT 3.1.1: {error}")
        except Exception as error:  # noqa: BLE001  the listener's: it ends the client, not only this connection
            self._hear, self._read = _ignore, _always
            if not self.failed.done():
                self.failed.set_result(error)

    def _take(self, first: int, body: bytes) -> None:
        kind = first >> 4
        if kind == PacketKind.PUBLISH:
            self._hear(codec.published(first, body))
        elif kind in (PacketKind.CONNACK, PacketKind.SUBACK, PacketKind.PUBACK):
            packet_id = 0 if kind == PacketKind.CONNACK else codec.acknowledged_id(body)
            answer = self._answers.pop((kind, packet_id), None)
            if answer is not None:
                answer.set_result(body)
        elif kind != PacketKind.PINGRESP:
            raise codec.MalformedPacket(f"a packet of kind {kind}")

    def _ping_later(self) -> None:
        self._next_ping = self._loop.call_later(self._keepalive_s / 2, self._ping)

    def _ping(self) -> None:
        """Asks the broker for a sign of life, and gives it up if it has sent none since we asked before."""
        now = self._loop.time()
        if self._unanswered_since is not None and now - self._unanswered_since >= self._keepalive_s:
            self._lose(f"no answer for {self._keepalive_s} s")
            return
        self._unanswered_since = self._unanswered_since or now
        self._outgoing.append(codec.PINGREQ)
        self.flush()
        self._ping_later()

    def _lose(self, why: str) -> None:
        self._why = why
        self.close()


def _publication(message: Outgoing) -> Publication:
    return Publication(message.topic, message.payload, message.retain, message.qos)


def _words(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "timed out"
    if isinstance(error, ConnectionError) and error.errno:
        return os.strerror(error.errno)  # asyncio says only that a call failed
    return str(error)


def _ignore(publication: Publication) -> None:
    """What comes now comes again: tables repeat what is not booked."""
