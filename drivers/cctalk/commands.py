"""The ccTalk words between a host and a hopper: headers, status flags, payout counters."""

from enum import IntEnum, IntFlag
from typing import Final

from msgspec import Struct

PAYOUT: Final = "Payout"
ENABLE_CODE: Final = 165
ENCRYPTION_QUESTION: Final = bytes((170, 85, 0, 0, 85, 170))  # the data of header 111


class Header(IntEnum):
    """What a host may ask, and how a device answers."""

    REPLY = 0
    RESET_DEVICE = 1
    REQUEST_COMMS_REVISION = 4
    NAK = 5
    BUSY = 6
    REQUEST_ENCRYPTION_SUPPORT = 111
    REQUEST_HOPPER_POLLING_VALUE = 133
    DISPENSE_HOPPER_VALUE = 134
    REQUEST_CIPHER_KEY = 160
    PUMP_RNG = 161
    TEST_HOPPER = 163
    ENABLE_HOPPER = 164
    MODIFY_VARIABLE_SET = 165
    REQUEST_HOPPER_STATUS = 166
    DISPENSE_HOPPER_COINS = 167
    REQUEST_HOPPER_DISPENSE_COUNT = 168
    REQUEST_ADDRESS_MODE = 169
    REQUEST_HOPPER_COIN = 171
    EMERGENCY_STOP = 172
    REQUEST_BUILD_CODE = 192
    REQUEST_DATA_STORAGE_AVAILABILITY = 216
    REQUEST_PAYOUT_HIGH_LOW_STATUS = 217
    ENTER_PIN_NUMBER = 218
    REQUEST_SOFTWARE_REVISION = 241
    REQUEST_SERIAL_NUMBER = 242
    REQUEST_PRODUCT_CODE = 244
    REQUEST_EQUIPMENT_CATEGORY_ID = 245
    REQUEST_MANUFACTURER_ID = 246
    REQUEST_VARIABLE_SET = 247
    ADDRESS_CLASH = 252
    ADDRESS_POLL = 253
    SIMPLE_POLL = 254


class HopperFlag(IntFlag):
    """The three status registers of header 163, the first one lowest."""

    CURRENT_EXCEEDED = 1 << 0
    PAYOUT_TIMEOUT = 1 << 1
    MOTOR_REVERSED = 1 << 2
    EXIT_BLOCKED_IDLE = 1 << 3
    EXIT_DAZZLED_IDLE = 1 << 4
    EXIT_BLOCKED_PAYING = 1 << 5
    POWER_UP = 1 << 6
    DISABLED = 1 << 7
    EXIT_DAZZLED_PAYING = 1 << 8
    SINGLE_CHIP_MODE = 1 << 9
    USE_OTHER_HOPPER = 1 << 10
    FINGER_MISMATCH = 1 << 11
    REVERSE_LIMIT = 1 << 12
    COIL_FAULT = 1 << 13
    MEMORY_ERROR = 1 << 14
    PIN_NEEDED = 1 << 15
    POWER_LOST_PAYING = 1 << 16
    UNKNOWN_COIN_PAID = 1 << 17
    PIN_WRONG = 1 << 18
    CIPHER_WRONG = 1 << 19
    ENCRYPTION_REQUIRED = 1 << 20


FLAG_WORDS: Final[dict[HopperFlag, str]] = {
    HopperFlag.CURRENT_EXCEEDED: "motor current exceeded",
    HopperFlag.PAYOUT_TIMEOUT: "no chip came in time",
    HopperFlag.MOTOR_REVERSED: "motor reversed",
    HopperFlag.EXIT_BLOCKED_IDLE: "exit blocked at rest",
    HopperFlag.EXIT_DAZZLED_IDLE: "foreign light at the exit at rest",
    HopperFlag.EXIT_BLOCKED_PAYING: "exit blocked while paying",
    HopperFlag.POWER_UP: "power came up",
    HopperFlag.DISABLED: "payout disabled",
    HopperFlag.EXIT_DAZZLED_PAYING: "foreign light at the exit while paying",
    HopperFlag.SINGLE_CHIP_MODE: "one chip an order",
    HopperFlag.USE_OTHER_HOPPER: "cannot pay more, use another hopper",
    HopperFlag.FINGER_MISMATCH: "exit and finger disagree",
    HopperFlag.REVERSE_LIMIT: "motor reversed too often",
    HopperFlag.COIL_FAULT: "coil fault",
    HopperFlag.MEMORY_ERROR: "memory error",
    HopperFlag.PIN_NEEDED: "PIN in use",
    HopperFlag.POWER_LOST_PAYING: "power lost while paying",
    HopperFlag.UNKNOWN_COIN_PAID: "unknown coin paid",
    HopperFlag.PIN_WRONG: "PIN missing or wrong",
    HopperFlag.CIPHER_WRONG: "wrong cipher key",
    HopperFlag.ENCRYPTION_REQUIRED: "encryption required",
}

JAMMED: Final = (
    HopperFlag.CURRENT_EXCEEDED
    | HopperFlag.EXIT_BLOCKED_IDLE
    | HopperFlag.EXIT_BLOCKED_PAYING
    | HopperFlag.REVERSE_LIMIT
)
DAZZLED: Final = HopperFlag.EXIT_DAZZLED_IDLE | HopperFlag.EXIT_DAZZLED_PAYING | HopperFlag.FINGER_MISMATCH
BROKEN: Final = HopperFlag.COIL_FAULT | HopperFlag.UNKNOWN_COIN_PAID
LOCKED: Final = HopperFlag.PIN_WRONG | HopperFlag.CIPHER_WRONG
REFUSING: Final = JAMMED | DAZZLED | BROKEN | LOCKED | HopperFlag.POWER_LOST_PAYING
"""Each of these refuses every payout until the device is reset."""
RESTARTED: Final = HopperFlag.DISABLED | HopperFlag.POWER_LOST_PAYING
"""What a hopper shows that was enabled and has restarted since."""
LATCHED: Final = REFUSING | HopperFlag.MOTOR_REVERSED
"""Set until the device is reset; a reversal refuses nothing, but hides whether the next payout has one of its own."""


def named(flags: HopperFlag) -> str:
    """Each bit in words, with its register and place as manuals count them."""
    places = [place for place in range(flags.bit_length()) if flags & 1 << place]
    words = [FLAG_WORDS.get(HopperFlag(1 << place), "not in the standard") for place in places]
    return ", ".join(f"{word} ({place // 8 + 1}.{place % 8})" for place, word in zip(places, words, strict=True))


class Level(IntFlag):
    """The level byte of header 217."""

    LOW = 1 << 0
    HIGH = 1 << 1
    LOW_FITTED = 1 << 4
    HIGH_FITTED = 1 << 5


class PayoutStatus(Struct, frozen=True):
    """The four counters of header 166."""

    event: int
    remaining: int
    paid: int
    unpaid: int


def next_event(event: int) -> int:
    """The event counter after one more dispense: 0 only after a reset, then 1 to 255 round and round."""
    return event % 255 + 1
