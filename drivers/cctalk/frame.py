"""ccTalk frames: messages to bytes and back, by code that has never seen a port."""

import binascii
from enum import Enum
from typing import Final

from msgspec import Struct

HOST: Final = 1
BROADCAST: Final = 0
UNTOLD: Final = 0  # no device has address 0, so it stands for the source that a CRC frame leaves out
LONGEST: Final = 260
SHORTEST: Final = 5


class Checksum(Enum):
    """How a frame is protected; both ends of a wire must agree."""

    SIMPLE = "simple"  # all bytes add up to 0
    CRC = "crc"  # CRC-CCITT, its low byte in the place of the source address


class CcTalkMessage(Struct, frozen=True):
    """One ccTalk message."""

    destination: int
    source: int
    header: int
    data: bytes = b""


def encode(message: CcTalkMessage, checksum: Checksum) -> bytes:
    """The bytes of a message on the wire."""
    address = bytes((message.destination, len(message.data)))
    content = bytes((message.header,)) + message.data
    if checksum is Checksum.CRC:
        low, high = _crc(address + content)
        return address + low + content + high
    body = address + bytes((message.source,)) + content
    return body + bytes((-sum(body) % 256,))


def decode(frame: bytes, checksum: Checksum) -> CcTalkMessage | None:
    """The message of exactly one frame, or None if it is not sound."""
    if len(frame) < SHORTEST or len(frame) != frame[1] + SHORTEST:
        return None
    if checksum is Checksum.CRC:
        is_sound = (frame[2:3], frame[-1:]) == _crc(frame[:2] + frame[3:-1])
        source = UNTOLD
    else:
        is_sound = sum(frame) % 256 == 0
        source = frame[2]
    return CcTalkMessage(frame[0], source, frame[3], frame[4:-1]) if is_sound else None


class Parser:
    """Finds the frames in a stream, whatever stands before, between or behind them.

    ccTalk has no mark for the start of a frame. Every byte may be one, so a place that does not hold a sound frame is
    given up by one byte; where two sound frames overlap, the one that starts first is taken.
    """

    def __init__(self, checksum: Checksum) -> None:
        self._checksum = checksum
        self._heard = bytearray()

    @property
    def is_waiting(self) -> bool:
        """Whether bytes have been heard that may yet become a frame."""
        return bool(self._heard)

    def feed(self, chunk: bytes) -> list[CcTalkMessage]:
        """The frames that this chunk completes."""
        self._heard += chunk
        return self._frames(is_all=False)

    def silence(self) -> list[CcTalkMessage]:
        """The frames in what is left, now that the wire is quiet and nothing can complete the rest."""
        return self._frames(is_all=True)

    def _frames(self, *, is_all: bool) -> list[CcTalkMessage]:
        found = []
        while self._heard and (is_all or self._is_decidable()):
            size = self._size()
            message = decode(bytes(self._heard[:size]), self._checksum)
            if message is None:
                del self._heard[0]
            else:
                found.append(message)
                del self._heard[:size]
        return found

    def _is_decidable(self) -> bool:
        return len(self._heard) >= SHORTEST and len(self._heard) >= self._size()

    def _size(self) -> int:
        return self._heard[1] + SHORTEST if len(self._heard) > 1 else SHORTEST


def _crc(covered: bytes) -> tuple[bytes, bytes]:
    crc = binascii.crc_hqx(covered, 0)
    return bytes((crc & 0xFF,)), bytes((crc >> 8,))
