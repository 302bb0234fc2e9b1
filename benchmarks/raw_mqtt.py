"""One raw MQTT 3.1.1 connection, so that no library stands between a benchmark's clock and the socket."""

import select
import socket
import time
from typing import NamedTuple

from drivers.mqtt import codec
from drivers.mqtt.codec import PacketKind, Publication


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
        self._reader = codec.PacketReader()
        self._arrived: list[Heard] = []
        self._socket.sendall(codec.connect(name, keepalive_s=0))
        self._acknowledged(PacketKind.CONNACK)

    def subscribe(self, topic: str) -> None:
        """Asks for a topic, QoS 0, and waits for the answer."""
        self._socket.sendall(codec.subscribe(1, [topic]))
        self._acknowledged(PacketKind.SUBACK)

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
        received = self._socket.recv(1 << 20)
        now = time.perf_counter()
        for first, body in self._reader.feed(received):
            if first >> 4 == PacketKind.PUBLISH:
                message = codec.published(first, body)
                self._arrived.append(Heard(message.topic, message.payload, now))

    def _acknowledged(self, kind: PacketKind) -> None:
        while not any(first >> 4 == kind for first, _ in self._reader.feed(self._socket.recv(1 << 16))):
            pass


def publication(topic: str, payload: bytes, number: int) -> bytes:
    """A PUBLISH of QoS 1."""
    return codec.publish(Publication(topic, payload, qos=1), number % 65_535 + 1)
