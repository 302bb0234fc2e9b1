"""Which chips of the board carry the header's lines, which line stands for which GPIO number, and who drives them."""

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from common.settings import Section
from drivers.gpio.header import LINES

Named: TypeAlias = int | str
FACTORIES: Final = ("gpiod", "lgpio")
_LINE: Final = (
    "a line of the chip: its number, the kernel's name for it such as PIN_11, "
    'or { chip = "label", line = … } on another chip'
)
_CHIP: Final = "the label of a chip as gpiodetect shows it, such as pinctrl-rp1; numbers move from kernel to kernel"


class HeaderLine(Struct, frozen=True):
    """A line by number or name, on the chip with this label; without a label on the header's own chip."""

    line: Named
    chip: str | None = None


class GpioSettings(Struct, frozen=True):
    """Nothing said: a Raspberry Pi, whose chip has a label that we know, through gpiod."""

    chip: str | None = None
    lines: Mapping[int, HeaderLine] = {}
    factory: str = "gpiod"


def read_gpio(section: Section) -> GpioSettings:
    """Reads [gpio]; whether such a chip is there is asked when it is opened."""
    factory = section.choice("factory", FACTORIES, default="gpiod")
    lines = section.section("lines")
    given: dict[str, HeaderLine] = lines.each(_header_line, _LINE)
    for key in (key for key in given if not _is_on_header(key)):
        lines.fault(key, f"is no line of the header; write a GPIO number from 0 to {max(LINES)}")
    for key in (key for key, line in given.items() if line.chip is not None and factory == "lgpio"):
        lines.fault(key, 'is on a second chip, and lgpio has but one; write factory = "gpiod"')
    mapped = {int(key): line for key, line in given.items() if _is_on_header(key)}
    return GpioSettings(chip=_read_chip(section), lines=mapped, factory=factory)


def _read_chip(section: Section) -> str | None:
    return section.only("chip", _label, _CHIP) if section.has("chip") else None


def _header_line(value: object) -> HeaderLine | None:
    if isinstance(value, dict):
        chip, line = _label(value.get("chip")), _line(value.get("line"))
        return None if chip is None or line is None or len(value) != 2 else HeaderLine(line, chip)
    line = _line(value)
    return None if line is None else HeaderLine(line)


def _label(value: object) -> str | None:
    label = _word(value)
    return None if label is None or re.fullmatch(r"(/dev/)?gpiochip\d+|\d+", label) else label


def _line(value: object) -> Named | None:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1024:
        return value
    return _word(value)


def _word(value: object) -> str | None:
    return value if isinstance(value, str) and re.fullmatch(r"[!-~][ -~]{0,31}", value) else None


def _is_on_header(key: str) -> bool:
    return key.isascii() and key.isdecimal() and int(key) in LINES
