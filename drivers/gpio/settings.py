"""Which chips of the board carry the header's lines, which line stands for which GPIO number, and who drives them."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct

from common.settings import Section
from drivers.gpio.expander import EXPANDER_LINES, FIRST_ADDRESS, LAST_ADDRESS, ExpanderSettings
from drivers.gpio.header import LINES, ExpanderLine, Pin

Named: TypeAlias = int | str
FACTORIES: Final = ("gpiod", "lgpio")
_LINE: Final = (
    "a line of the chip: its number, the kernel's name for it such as PIN_11, "
    'or { chip = "label", line = … } on another chip'
)
_MOST: Final = 63
_PIN: Final = (
    f'a GPIO number from 0 to {_MOST}, or {{ chip = "label", line = 0 to {EXPANDER_LINES - 1} }} of an expander'
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
    expanders: tuple[ExpanderSettings, ...] = ()


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
    expanders = tuple(_read_expander(part, factory) for part in section.sections("expander"))
    return GpioSettings(chip=_read_chip(section), lines=mapped, factory=factory, expanders=expanders)


def read_pin(section: Section, key: str) -> Pin:
    """A line; whether it can do what it is to do is asked later, of all lines together."""
    if not section.has(key):
        return section.whole(key, low=0, high=_MOST)
    parse: Callable[[Any], Pin | None] = _pin
    return section.only(key, parse, _PIN) or 0


def read_moving_pin(section: Section, key: str) -> int:
    """A line for what must stand still without a program: on the header, where the kernel lets go of it."""
    pin = read_pin(section, key)
    if isinstance(pin, int):
        return pin
    problem = "is on an expander, which keeps its outputs as they were when the program dies or its cable is cut"
    section.fault(key, f"{problem}; take a line of the header")
    return 0


def read_pins(section: Section, key: str, most: int) -> tuple[Pin, ...]:
    """One to most lines."""
    if not section.has(key):
        return section.wholes(key, low=0, high=_MOST, most=most)
    return section.only(key, lambda value: _pins(value, most), f"a list of 1 to {most} lines, each {_PIN}") or ()


def _read_expander(section: Section, factory: str) -> ExpanderSettings:
    if factory == "lgpio":
        section.fault("chip", 'is a second chip, and lgpio has but one; write factory = "gpiod"')
    return ExpanderSettings(
        chip=section.only("chip", _label, _CHIP) or "",
        interrupt=section.whole("interrupt", low=0, high=max(LINES)),
        address=section.whole("address", FIRST_ADDRESS, low=FIRST_ADDRESS, high=LAST_ADDRESS),
    )


def _pins(value: object, most: int) -> tuple[Pin, ...] | None:
    if not isinstance(value, list) or not 1 <= len(value) <= most:
        return None
    read = [_pin(item) for item in value]
    return tuple(pin for pin in read if pin is not None) if None not in read else None


def _pin(value: object) -> Pin | None:
    if isinstance(value, dict) and value.keys() == {"chip", "line"}:
        chip, line = _label(value["chip"]), value["line"]
        fits = chip is not None and type(line) is int and 0 <= line < EXPANDER_LINES
        return ExpanderLine(chip, line) if chip is not None and fits else None
    return value if type(value) is int and 0 <= value <= _MOST else None


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
