"""Which chip of the board carries the header, and which of its lines stands for which GPIO number."""

import re
from collections.abc import Mapping
from typing import Final, TypeAlias, cast

from msgspec import Struct

from common.settings import Section
from drivers.gpio.header import LINES

Named: TypeAlias = int | str
_MEANING: Final = "a line of the chip: its number, or the kernel's name for it such as PIN_11"
_CHIP: Final = "the number of a chip, its name such as gpiochip4, or its label as gpiodetect shows it"


class GpioSettings(Struct, frozen=True):
    """Nothing said: a Raspberry Pi, which knows its own chip and lines."""

    chip: Named | None = None
    lines: Mapping[int, Named] = {}

    @property
    def is_usual(self) -> bool:
        """Whether the board may be asked what it is."""
        return self.chip is None and not self.lines


def read_gpio(section: Section) -> GpioSettings:
    """Reads [gpio]; whether such a chip is there is asked when it is opened."""
    lines = section.section("lines")
    given: dict[str, Named] = lines.each(_line, _MEANING)
    for key in (key for key in given if not _is_on_header(key)):
        lines.fault(key, f"is no line of the header; write a GPIO number from 0 to {max(LINES)}")
    mapped = {int(key): line for key, line in given.items() if _is_on_header(key)}
    return GpioSettings(chip=_read_chip(section), lines=mapped)


def _read_chip(section: Section) -> Named | None:
    if not section.has("chip"):
        return None
    chip = cast("Named | None", section.only("chip", _line, _CHIP))  # mypy joins the two kinds to object
    return int(chip.removeprefix("gpiochip")) if isinstance(chip, str) and re.fullmatch(r"gpiochip\d+", chip) else chip


def _line(value: object) -> Named | None:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1024:
        return value
    return value if isinstance(value, str) and re.fullmatch(r"[!-~][ -~]{0,31}", value) else None


def _is_on_header(key: str) -> bool:
    return key.isascii() and key.isdecimal() and int(key) in LINES
