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

    REQUEST_COIN_ID = 184
    REQUEST_MASTER_INHIBIT_STATUS = 227
    MODIFY_MASTER_INHIBIT_STATUS = 228
    READ_BUFFERED_CREDIT_OR_ERROR_CODES = 229
    REQUEST_INHIBIT_STATUS = 230
    MODIFY_INHIBIT_STATUS = 231
    PERFORM_SELF_CHECK = 232
    REQUEST_POLLING_PRIORITY = 249


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


class StatusCode(Struct, frozen=True):
    """What one code of part 3, table 2 means for a chip."""

    words: str
    fault: FaultKind | None = None  # the acceptor is not to be believed until somebody has looked
    is_chip_back: bool = False  # a chip went back to the player


def _back(words: str) -> StatusCode:
    return StatusCode(words, is_chip_back=True)


_LOOK: Final = "look for it and check the count"
_FRAUD: Final = "it went in without a credit; look for a hand or a string and check the count"
STATUS_CODES: Final[dict[int, StatusCode]] = {
    0: StatusCode("nothing happened"),
    1: _back("chip rejected"),
    2: _back("chip inhibited"),
    3: _back("chip fits more than one coin"),
    4: StatusCode("something woke it and did not come in"),
    5: StatusCode("something did not get past its validation"),
    6: StatusCode(f"a chip was let in and did not arrive: {_LOOK}", FaultKind.JAM),
    7: StatusCode(f"a chip went into its sorter and did not come out: {_LOOK}", FaultKind.JAM),
    8: _back("two chips too close together"),
    9: _back("its gate was not ready"),
    10: _back("its credit sensor was not ready"),
    11: _back("its sorter was not ready"),
    12: _back("the last rejected chip was still there"),
    13: StatusCode("its validation sensor is blocked: clear it", FaultKind.JAM),
    14: StatusCode("its credit sensor is blocked: clear it", FaultKind.JAM),
    15: StatusCode("its sorter is blocked: clear it", FaultKind.JAM),
    16: StatusCode("a chip passed its sensors in the wrong order: look for a hand or a string", FaultKind.OUT_OF_ORDER),
    17: StatusCode("a chip went backwards: look for a hand or a string", FaultKind.OUT_OF_ORDER),
    18: StatusCode(f"a chip was too fast over its credit sensor: {_FRAUD}", FaultKind.OUT_OF_ORDER),
    19: StatusCode(f"a chip was too slow over its credit sensor: {_FRAUD}", FaultKind.OUT_OF_ORDER),
    20: StatusCode("its string detector was moved: look for a chip on a string", FaultKind.SPURIOUS),
    21: StatusCode("something did not get through its double entry"),
    22: _back("chip not seen by its double entry"),
    23: StatusCode(f"a chip was too early at its credit sensor: {_FRAUD}", FaultKind.OUT_OF_ORDER),
    24: _back("the same chip rejected again and again"),
    25: _back("known false chip"),
    26: StatusCode("its reject way is blocked: clear it", FaultKind.JAM),
    27: StatusCode("it is set up to count games: have it set up anew", FaultKind.REFUSED),
    28: StatusCode("it is set up to count pulses: have it set up anew", FaultKind.REFUSED),
    29: StatusCode("its gate does not shut: clear it", FaultKind.JAM),
    30: StatusCode("its gate does not open: clear it", FaultKind.JAM),
    31: StatusCode(f"a chip went into its manifold and did not come out: {_LOOK}", FaultKind.JAM),
    32: StatusCode("its manifold is blocked: clear it", FaultKind.JAM),
    33: _back("its manifold was not ready"),
    34: StatusCode("it has become stricter about what it takes"),
    35: StatusCode("its motor does not turn: clear it", FaultKind.JAM),
    36: StatusCode("it swallowed a chip that it had rejected: check its gate and the count", FaultKind.SPURIOUS),
    37: _back("chip too fast over its validation sensor"),
    38: _back("chip too slow over its validation sensor"),
    39: StatusCode(f"a chip was taken and went the wrong way: {_LOOK}", FaultKind.OUT_OF_ORDER),
    40: StatusCode("somebody shines a light into it: look for tampering", FaultKind.SPURIOUS),
    **{code: _back(f"coin {code - 127} inhibited") for code in range(128, 160)},
    253: StatusCode("it asks for data, which it does not need"),
    254: StatusCode("its coin return was opened"),
    255: StatusCode("it raised an alarm without a name: see its manual and check the count", FaultKind.SPURIOUS),
}


def status_code(code: int) -> StatusCode:
    """What a code means; one that the standard does not have may hide a chip, so it is a fault."""
    unknown = StatusCode("it told something that is not in the standard: see its manual", FaultKind.SPURIOUS)
    return STATUS_CODES.get(code, unknown)


SELF_CHECK: Final[dict[int, tuple[FaultKind, str]]] = {
    1: (FaultKind.REFUSED, "its memory is corrupt"),
    2: (FaultKind.REFUSED, "its coils are faulty"),
    3: (FaultKind.JAM, "its credit sensor is faulty or blocked"),
    4: (FaultKind.REFUSED, "its piezo sensor is faulty"),
    5: (FaultKind.REFUSED, "its reflective sensor is faulty"),
    6: (FaultKind.REFUSED, "its diameter sensor is faulty"),
    7: (FaultKind.REFUSED, "its wake-up sensor is faulty"),
    8: (FaultKind.JAM, "its sorter's sensors are faulty or blocked"),
    9: (FaultKind.REFUSED, "its battery-backed memory is corrupt"),
    17: (FaultKind.REFUSED, "its audit memory is corrupt"),
    18: (FaultKind.JAM, "its reject sensor is faulty or blocked"),
    19: (FaultKind.JAM, "its coin return is open or faulty"),
    20: (FaultKind.SPURIOUS, "its string detector is faulty or held"),
    21: (FaultKind.REFUSED, "its rim sensor is faulty"),
    22: (FaultKind.REFUSED, "its thermistor is faulty"),
    28: (FaultKind.REFUSED, "its personality module is missing"),
    29: (FaultKind.REFUSED, "its personality module is corrupt"),
    30: (FaultKind.REFUSED, "its program is corrupt"),
    32: (FaultKind.REFUSED, "a part inside it does not answer"),
    33: (FaultKind.REFUSED, "its supply voltage is out of range"),
    34: (FaultKind.REFUSED, "it is too hot or too cold"),
    35: (FaultKind.JAM, "its double entry is faulty or blocked"),
    42: (FaultKind.JAM, "its gate is stuck open"),
    43: (FaultKind.JAM, "its gate is stuck shut"),
    49: (FaultKind.JAM, "one of its light barriers is faulty or blocked"),
    52: (FaultKind.REFUSED, "a switch in it is faulty"),
    54: (FaultKind.REFUSED, "its program failed"),
    55: (FaultKind.REFUSED, "it could not start"),
    56: (FaultKind.REFUSED, "its supply current is out of range"),
    57: (FaultKind.REFUSED, "it is in its bootloader"),
}
"""The codes of part 3, table 3 that a coin acceptor can have; every other one is named by its number."""


def self_check(code: int) -> tuple[FaultKind, str] | None:
    """What a self-check found, or None where all is well."""
    if not code:
        return None
    return SELF_CHECK.get(code, (FaultKind.REFUSED, "its self-check failed: see its manual"))


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
