"""MQTT 3.1.1 codec of a client: bytes from and to packets, without a socket; incoming messages are QoS 0 only."""

import struct
from collections.abc import Sequence
from enum import IntEnum
from typing import Final, NamedTuple


class PacketKind(IntEnum):
    """The upper half of a packet's first byte (MQTT 3.1.1, table 2.1)."""

    CONNECT = 1
    CONNACK = 2
    PUBLISH = 3
    PUBACK = 4
    SUBSCRIBE = 8
    SUBACK = 9
    PINGREQ = 12
    PINGRESP = 13
    DISCONNECT = 14


PINGREQ: Final = bytes([PacketKind.PINGREQ << 4, 0])
DISCONNECT: Final = bytes([PacketKind.DISCONNECT << 4, 0])

CONNECT_REFUSALS: Final = {
    1: "it does not speak MQTT 3.1.1",
    2: "it does not accept our client identifier",
    3: "it is not available",
    4: "it does not know our user name or password",
    5: "it does not allow us to connect",
}

_RETAIN: Final = 1
_QOS_BITS: Final = 6


class MalformedPacket(Exception):  # noqa: N818  as paho calls it
    """The other side does not speak MQTT 3.1.1 as a broker must."""


class Publication(NamedTuple):
    """A PUBLISH packet: a message on a topic."""

    topic: str
    payload: bytes
    retain: bool = False
    qos: int = 0


class PacketReader:
    """Splits a stream of bytes into packets, wherever the stream is cut."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, received: bytes | memoryview) -> list[tuple[int, bytes]]:
        """First byte and body of every packet that is complete; raises MalformedPacket."""
        buffer, packets = self._rest, []
        buffer += received
        begin, end = 0, len(buffer)
        while (body := _body(buffer, begin, end)) is not None:
            packets.append((buffer[begin], bytes(buffer[body[0] : body[1]])))
            begin = body[1]
        del buffer[:begin]
        return packets


def connect(
    client_id: str,
    *,
    keepalive_s: int,
    will: Publication | None = None,
    username: str | None = None,
    password: str | None = None,
) -> bytes:
    """CONNECT with a clean session."""
    flags, fields = 0x02, [_text(client_id)]
    if will is not None:
        flags |= 0x04 | will.qos << 3 | will.retain << 5
        fields += [_text(will.topic), _prefixed(will.payload)]
    if username is not None:
        flags |= 0x80
        fields.append(_text(username))
    if password is not None:
        flags |= 0x40
        fields.append(_text(password))
    body = _text("MQTT") + bytes([4, flags]) + struct.pack("!H", keepalive_s) + b"".join(fields)
    return _packet(PacketKind.CONNECT << 4, body)


def subscribe(packet_id: int, topics: Sequence[str]) -> bytes:
    """SUBSCRIBE, each topic with QoS 0."""
    fields = b"".join(_text(topic) + b"\x00" for topic in topics)
    return _packet(PacketKind.SUBSCRIBE << 4 | 2, struct.pack("!H", packet_id) + fields)


def publish(publication: Publication, packet_id: int = 0) -> bytes:
    """PUBLISH; QoS 1 needs a packet identifier."""
    topic, payload, retain, qos = publication
    first = PacketKind.PUBLISH << 4 | qos << 1 | retain
    return _packet(first, _text(topic) + (struct.pack("!H", packet_id) if qos else b"") + payload)


def published(first: int, body: bytes) -> Publication:
    """Reads a PUBLISH of QoS 0; raises MalformedPacket."""
    if first & _QOS_BITS:
        raise MalformedPacket("a message came with a higher quality of service than we subscribed with")
    try:
        start = 2 + (body[0] << 8 | body[1])
        if start > len(body):
            raise MalformedPacket("a topic is longer than its packet")
        return Publication(body[2:start].decode(), body[start:], bool(first & _RETAIN))
    except (IndexError, UnicodeDecodeError) as error:
        raise MalformedPacket(f"a message without a readable topic: {error}") from error


def connect_refusal(body: bytes) -> str:
    """Reads a CONNACK: why the broker refuses the connection, or nothing."""
    code = body[1] if len(body) == 2 else -1
    return CONNECT_REFUSALS.get(code, f"it refuses the connection with code {code}") if code else ""


def acknowledged_id(body: bytes) -> int:
    """Reads the packet identifier of a PUBACK or SUBACK; raises MalformedPacket."""
    if len(body) < 2:
        raise MalformedPacket("an acknowledgement without a packet identifier")
    return body[0] << 8 | body[1]


def _body(buffer: bytearray, begin: int, end: int) -> tuple[int, int] | None:
    """Where the body of the packet at this place begins and ends, or None while it is not complete."""
    length = shift = 0
    for at in range(begin + 1, min(begin + 5, end)):
        length |= (buffer[at] & 0x7F) << shift
        shift += 7
        if buffer[at] < 0x80:
            return (at + 1, at + 1 + length) if at + 1 + length <= end else None
    if end >= begin + 5:
        raise MalformedPacket("a packet's length has more than four bytes")
    return None


def _packet(first: int, body: bytes) -> bytes:
    length, digits = len(body), []
    while length > 0x7F:
        digits.append(length & 0x7F | 0x80)
        length >>= 7
    digits.append(length)
    return bytes([first, *digits]) + body


def _prefixed(data: bytes) -> bytes:
    return struct.pack("!H", len(data)) + data


def _text(words: str) -> bytes:
    return _prefixed(words.encode())
