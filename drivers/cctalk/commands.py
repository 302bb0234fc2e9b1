"""The ccTalk words between a host and a hopper: headers, status flags, payout counters."""

from enum import IntEnum, IntFlag
from typing import Final

from msgspec import Struct

PAYOUT: Final = "Payout"
ENABLE_CODE: Final = 165


class Header(IntEnum):
    """What a host may ask, and how a device answers."""

    REPLY = 0
    RESET_DEVICE = 1
    NAK = 5
    BUSY = 6
    REQUEST_CIPHER_KEY = 160
    TEST_HOPPER = 163
    ENABLE_HOPPER = 164
    MODIFY_VARIABLE_SET = 165
    REQUEST_HOPPER_STATUS = 166
    DISPENSE_HOPPER_COINS = 167
    REQUEST_HOPPER_DISPENSE_COUNT = 168
    EMERGENCY_STOP = 172
    REQUEST_PAYOUT_HIGH_LOW_STATUS = 217
    REQUEST_SERIAL_NUMBER = 242
    REQUEST_PRODUCT_CODE = 244
    REQUEST_EQUIPMENT_CATEGORY_ID = 245
    REQUEST_MANUFACTURER_ID = 246
    REQUEST_VARIABLE_SET = 247
    SIMPLE_POLL = 254


class HopperFlag(IntFlag):
    """The status registers of header 163, least significant register first."""

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
    PIN_NEEDED = 1 << 15


JAMMED: Final = HopperFlag.CURRENT_EXCEEDED | HopperFlag.EXIT_BLOCKED_IDLE | HopperFlag.EXIT_BLOCKED_PAYING
DAZZLED: Final = HopperFlag.EXIT_DAZZLED_IDLE | HopperFlag.EXIT_DAZZLED_PAYING
LATCHED: Final = JAMMED | DAZZLED | HopperFlag.MOTOR_REVERSED
"""Set until the device is reset; all but the last refuse every payout."""


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
