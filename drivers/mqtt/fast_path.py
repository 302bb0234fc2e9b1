"""Fast path past aiomqtt for a busy connection: fewer turns of the event loop per message."""

import asyncio
import os
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import aiomqtt
from paho.mqtt.enums import MQTTErrorCode

MOST_AT_ONCE_BYTES: Final = 1 << 15  # some 150 wagers, 15 ms of work: then others have their turn


class Inbox(asyncio.Queue[aiomqtt.Message]):
    """Hands each message on while it is read: the library's queue makes a task for each (half of what it costs)."""

    def __init__(self) -> None:
        super().__init__()
        self._hear: Callable[[aiomqtt.Message], None] | None = None
        self.failure: Exception | None = None

    def hand_to(self, hear: Callable[[aiomqtt.Message], None]) -> None:
        """Says who hears from now on, beginning with what has come already."""
        while not self.empty():
            hear(self.get_nowait())
        self._hear = hear

    def shut(self) -> None:
        """Nobody hears any more."""
        self._hear = None

    def put_nowait(self, message: aiomqtt.Message) -> None:
        """The library's way to say that a message is there; it takes an exception for the end of the connection."""
        if self._hear is None:
            super().put_nowait(message)
            return
        try:
            self._hear(message)
        except Exception as error:  # whatever it is: kept, since the library would say only that the line was lost
            self.failure = error
            raise


def hand_over(client: aiomqtt.Client, topic: str, payload: bytes, *, retain: bool) -> None:
    """Gives a message of QoS 0 to the library below, for which nobody can wait: nothing ever comes back.

    aiomqtt would wait for the loop to turn, once for each message: half of what a busy meter did (measured).
    """
    client._client.publish(topic, payload, 0, retain)  # noqa: SLF001  see above


def read_all(client: aiomqtt.Client, then: Callable[[], None]) -> None:
    """Reads all messages that have come in one turn of the loop, and says so.

    The library reads one in each turn, with four calls of the system; whoever gathers what has come would have to let
    turns pass to know it all.
    """
    library = client._client  # noqa: SLF001  there is no other way in
    is_tls = isinstance(library.socket(), ssl.SSLSocket)
    read_one, ahead = library.loop_read, _ReadAhead(library._sock_recv, in_records=is_tls)  # noqa: SLF001

    def read(max_packets: int = 1) -> MQTTErrorCode:
        ahead.begin_turn()
        code = read_one(max_packets)
        while ahead.has_more and code is MQTTErrorCode.MQTT_ERR_SUCCESS:
            code = read_one(max_packets)
        then()
        return code

    # Looked up by name each time: methods of this one client, replaced on purpose.
    library._sock_recv = ahead.take  # type: ignore[method-assign]  # noqa: SLF001
    library.loop_read = read  # type: ignore[method-assign]


class _ReadAhead:
    """Takes what there is from the socket, so much in a turn, and hands it out in the pieces that the library asks for.

    When a turn's share is used up the line looks empty: the library keeps the half of a message that it has, and the
    selector brings the rest, after everybody else had his turn.
    """

    def __init__(self, receive: Callable[[int], bytes], *, in_records: bool) -> None:
        self._receive = receive
        self._in_records = in_records  # TLS: each question brings one record, however much has come
        self._bytes, self._at = b"", 0
        self._left = 0

    @property
    def has_more(self) -> bool:
        """Whether this turn may bring another message."""
        return self._at < len(self._bytes) or self._left > 0

    def begin_turn(self) -> None:
        self._left = MOST_AT_ONCE_BYTES

    def take(self, bufsize: int) -> bytes:
        """Some of the next bytes, and no bytes where the connection has ended; raises BlockingIOError for not yet."""
        if self._at == len(self._bytes):
            self._refill()
        piece = self._bytes[self._at : self._at + bufsize]
        self._at += len(piece)
        return piece

    def _refill(self) -> None:
        if self._left <= 0:
            raise BlockingIOError
        left, self._left = self._left, 0  # and that is all, unless there may be another record
        self._bytes, self._at = self._receive(MOST_AT_ONCE_BYTES), 0
        if self._in_records:
            self._left = left - len(self._bytes)


def write_now(client: aiomqtt.Client) -> None:
    """Writes what is to be sent at once; not for those who are being told something by the library."""
    client._client.loop_write()  # noqa: SLF001  there is no other way in


def write_soon(client: aiomqtt.Client) -> None:
    """Writes what is to be sent in the next turn of the loop, and asks the selector only where that did not do.

    aiomqtt asks the selector each time whether it may write: two turns of the loop and four calls of the system for
    each answer of a meter (measured).
    """
    library, turn = client._client, asyncio.get_running_loop().call_soon  # noqa: SLF001  there is no other way in
    ask = library.on_socket_register_write

    def write() -> None:
        library.loop_write()
        line = library.socket()
        if library.want_write() and line is not None and ask is not None:
            ask(library, None, line)

    def register(*_: object) -> None:
        turn(write)

    library.on_socket_register_write = register


async def hang_up(client: aiomqtt.Client) -> None:
    """Says goodbye without a word, and returns when the broker has hung up, too: our will is forgotten by then.

    The library closes its end at once, and a broker may read our next connection before the end of this one: it takes
    that for a second client of our name, and says the will of the first (measured).
    """
    library = client._client  # noqa: SLF001  there is no other way in
    line = library.socket()
    if line is None:
        return
    with socket.socket(fileno=os.dup(line.fileno())) as same_line:
        same_line.setblocking(False)
        library.disconnect()
        write_now(client)
        with suppress(ConnectionError):
            while await asyncio.get_running_loop().sock_recv(same_line, MOST_AT_ONCE_BYTES):
                pass  # what comes now comes again: tables repeat what is not booked
