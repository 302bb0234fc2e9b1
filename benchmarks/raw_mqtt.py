"""One raw MQTT 3.1.1 connection, so that no library stands between a benchmark's clock and the socket."""

import select
import socket
import struct
import time
from collections.abc import Iterator
from typing import NamedTuple


class Heard(NamedTuple):
    """A message that arrived, and when."""

    topic: str
    payload: bytes
    at_s: float


class RawConnection:
    """A connection that notes the time of everything it hears, even while it sends."""

    def __init__(self, port: int, name: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._rest = b""
        self._arrived: list[Heard] = []
        variable = _text("MQTT") + bytes([4, 2]) + struct.pack("!H", 0)  # a clean session, no keep-alive
        self._socket.sendall(_packet(0x10, variable + _text(name)))
        self._acknowledged(0x20)

    def subscribe(self, topic: str) -> None:
        """Asks for a topic, QoS 0, and waits for the answer."""
        self._socket.sendall(_packet(0x82, struct.pack("!H", 1) + _text(topic) + b"\x00"))
        self._acknowledged(0x90)

    def send(self, packets: bytes) -> None:
        """Sends packets as fast as the broker takes them."""
        left = memoryview(packets)
        while left:
            readable, writable, _ = select.select([self._socket], [self._socket], [])
            if readable:
                self._read()  # acknowledgements must not fill the line
            if writable:
                left = left[self._socket.send(left[: 1 << 16]) :]

    def heard(self, within_s: float) -> list[Heard]:
        """What has arrived, after waiting for at most so long if it is nothing."""
        end = time.perf_counter() + within_s
        while not self._arrived and select.select([self._socket], [], [], max(end - time.perf_counter(), 0))[0]:
            self._read()  # perhaps only an acknowledgement
        arrived, self._arrived = self._arrived, []
        return arrived

    def close(self) -> None:
        self._socket.close()

    def _read(self) -> None:
        self._rest += self._socket.recv(1 << 20)
        now = time.perf_counter()
        for kind, body in self._packets():
            if kind >> 4 == 3:
                length = struct.unpack_from("!H", body)[0]
                start = 2 + length + (2 if kind & 0x06 else 0)
                self._arrived.append(Heard(body[2 : 2 + length].decode(), body[start:], now))

    def _acknowledged(self, kind: int) -> None:
        while not any(found & 0xF0 == kind & 0xF0 for found, _ in self._packets()):
            self._rest += self._socket.recv(1 << 16)

    def _packets(self) -> Iterator[tuple[int, bytes]]:
        while (found := _first_packet(self._rest)) is not None:
            kind, body, self._rest = found
            yield kind, body


def publication(topic: str, payload: bytes, number: int) -> bytes:
    """A PUBLISH of QoS 1."""
    return _packet(0x32, _text(topic) + struct.pack("!H", number % 65_535 + 1) + payload)


def _packet(kind: int, body: bytes) -> bytes:
    length, digits = len(body), b""
    while True:
        length, digit = divmod(length, 128)
        digits += bytes([digit | (0x80 if length else 0)])
        if not length:
            return bytes([kind]) + digits + body


def _first_packet(received: bytes) -> tuple[int, bytes, bytes] | None:
    length = shift = 0
    for at, digit in enumerate(received[1:5], start=2):
        length |= (digit & 0x7F) << shift
        shift += 7
        if not digit & 0x80:
            complete = len(received) >= at + length
            return (received[0], received[at : at + length], received[at + length :]) if complete else None
    return None


def _text(words: str) -> bytes:
    return struct.pack("!H", len(words)) + words.encode()
