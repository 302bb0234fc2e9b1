"""What a ccTalk coin acceptor says: its headers, its event buffer, and what is new in it; pure."""

from enum import IntEnum
from typing import Final

from msgspec import Struct

from drivers.ports import FaultKind

COIN_ACCEPTOR: Final = "Coin Acceptor"
BUFFERED: Final = 5
_CYCLE: Final = 255  # the counter runs from 1 to 255 and on to 1; 0 is a fresh start


class AcceptorHeader(IntEnum):
    """What a host asks of an acceptor."""

    MODIFY_MASTER_INHIBIT_STATUS = 228
    READ_BUFFERED_CREDIT_OR_ERROR_CODES = 229
    MODIFY_INHIBIT_STATUS = 231


class CoinSeen(Struct, frozen=True):
    """A coin of this position went in."""

    coin: int


class ErrorSeen(Struct, frozen=True):
    """Something else happened, by the standard's code."""

    code: int


class NewEvents(Struct, frozen=True):
    """What happened since the last look, oldest first; lost is how many events nobody can tell any more."""

    counter: int
    seen: tuple[CoinSeen | ErrorSeen, ...] = ()
    lost: int = 0
    was_reset: bool = False


TROUBLE: Final[dict[int, tuple[FaultKind, str]]] = {
    6: (FaultKind.JAM, "a chip was let in and did not arrive: look for it"),
    13: (FaultKind.JAM, "its validation sensor is blocked: clear it"),
    14: (FaultKind.JAM, "its credit sensor is blocked: clear it"),
    15: (FaultKind.JAM, "its sorter is blocked: clear it"),
    16: (FaultKind.OUT_OF_ORDER, "a chip passed its sensors in the wrong order: look for a hand or a string"),
    17: (FaultKind.OUT_OF_ORDER, "a chip went backwards: look for a hand or a string"),
    20: (FaultKind.SPURIOUS, "its string detector was moved: look for a chip on a string"),
    26: (FaultKind.JAM, "its reject way is blocked: clear it"),
    29: (FaultKind.JAM, "its gate does not shut: clear it"),
    30: (FaultKind.JAM, "its gate does not open: clear it"),
}
"""Codes after which an acceptor is not to be believed; every other one is a chip that went back to the player."""


def read_news(before: int | None, data: bytes) -> NewEvents:
    """What the answer to header 229 says beyond a counter known before; None primes and finds nothing new."""
    counter, pairs = data[0], [(data[at], data[at + 1]) for at in range(1, 1 + 2 * BUFFERED, 2)]
    if before is None or counter == before:
        return NewEvents(counter)
    if counter == 0:
        return NewEvents(counter, was_reset=True)
    happened = (counter - before) % _CYCLE or _CYCLE if before else counter
    newest_first = [CoinSeen(coin) if coin else ErrorSeen(code) for coin, code in pairs[:happened]]
    return NewEvents(counter, tuple(reversed(newest_first)), lost=max(0, happened - BUFFERED))


def mask(coins: tuple[int, ...]) -> bytes:
    """The two bytes of header 231 that let these coin positions in and no other."""
    return sum(1 << (coin - 1) for coin in coins).to_bytes(2, "little")
