"""The 40-pin header that Pi-class boards share, and lines beside it: what each carries and does by itself."""

from typing import Final, TypeAlias

from msgspec import Struct

CONTACTS: Final[tuple[str | int, ...]] = (
    *("3V3", "5V", 2, "5V", 3, "GND", 4, 14, "GND", 15),
    *(17, 18, 27, "GND", 22, 23, "3V3", 24, 10, "GND"),
    *(9, 25, 11, 8, "GND", 7, 0, 1, 5, "GND"),
    *(6, 12, 13, "GND", 19, 16, 26, 20, "GND", 21),
)
"""Contact 1 first; a number is a GPIO in the chip maker's (BCM) counting."""

LINES: Final = frozenset(contact for contact in CONTACTS if isinstance(contact, int))
EEPROM: Final = frozenset({0, 1})  # read at power-on for the identity of a plug-on board
FIXED_PULL_UP: Final = frozenset({2, 3})  # 1.8 kΩ to 3.3 V, soldered for I2C
I2C: Final = FIXED_PULL_UP  # where expanders are
UART: Final = frozenset({14, 15})  # driven by the serial console from power-on, where there is one
HIGH_AT_POWER_ON: Final = frozenset(range(9))  # the chip pulls these up until a program says otherwise
USABLE: Final = LINES - EEPROM
HEADER_REVISION: Final = 0xC03114  # a Pi 4 B: the board whose 40-pin header gpiozero is to know on every board


class ExpanderLine(Struct, frozen=True):
    """A line of an expander, whose chip the kernel knows by this label."""

    chip: str
    line: int


Pin: TypeAlias = int | ExpanderLine
"""A GPIO number of the header, or a line beside it."""


def pin_name(pin: Pin) -> str:
    """A line as people call it."""
    return f"GPIO{pin}" if isinstance(pin, int) else f"{pin.chip} line {pin.line}"


def contact_of(line: int) -> int:
    """The number of the contact that carries this line."""
    return CONTACTS.index(line) + 1
