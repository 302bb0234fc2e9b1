"""Pins of any board through lgpio: GPIO numbers of the header mapped to the lines of one chip."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import lgpio  # type: ignore[import-not-found,unused-ignore]  # only boards have it
from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin

from drivers.gpio.settings import GpioSettings, Named
from drivers.ports import PinFault

_PI_4B: Final = 0xC03114  # so that gpiozero knows the 40-pin header on boards that are no Pi
_DEV: Final = Path("/dev")
_BOARD: Final = "board"


class MappedPin(LGPIOPin):  # type: ignore[misc]  # gpiozero ships no types
    """A pin that gpiozero knows by its GPIO number and lgpio by its line."""

    @property
    def _number(self) -> int:
        line: int = self.factory.lines.get(self._gpio, self._gpio)
        return line

    @_number.setter
    def _number(self, gpio: int) -> None:
        self._gpio = gpio


class MappedPins(LGPIOFactory):  # type: ignore[misc]  # gpiozero ships no types
    """The pins of one chip under the header's GPIO numbers."""

    def __init__(self, settings: GpioSettings, dev: Path = _DEV) -> None:
        super().__init__(chip=chip_number(settings.chip, dev))
        self.pin_class = MappedPin
        try:
            self.lines = self._resolve(settings.lines)
        except PinFault:
            self.close()
            raise

    def _get_revision(self) -> int:
        return _PI_4B

    def _resolve(self, wanted: Mapping[int, Named]) -> dict[int, int]:
        _, count, name, label = lgpio.gpio_get_chip_info(self._handle)
        names: dict[str, int] = {}
        for line in range(count):
            names.setdefault(lgpio.gpio_get_line_info(self._handle, line)[3], line)
        found = {gpio: names.get(line, count) if isinstance(line, str) else line for gpio, line in wanted.items()}
        for gpio in (gpio for gpio, line in found.items() if line >= count):
            problem = f"GPIO{gpio} is to be line {wanted[gpio]!r}, but {name} ({label}) has {_offer(names, count)}"
            raise PinFault(_BOARD, f"{problem}; correct [gpio.lines]")
        return found


def chip_number(chip: Named | None, dev: Path) -> int:
    """The number of a chip given by number or label."""
    if chip is None or isinstance(chip, int):
        return chip or 0
    labels = {_label(number): number for number in _chips(dev)}
    if chip not in labels:
        found = (
            ", ".join(f"{label} (gpiochip{number})" for label, number in labels.items()) or "none that may be opened"
        )
        raise PinFault(_BOARD, f"there is no chip {chip!r}; the board has {found}; correct gpio.chip")
    return labels[chip]


def _chips(dev: Path) -> list[int]:
    return sorted(int(place.name.removeprefix("gpiochip")) for place in dev.glob("gpiochip[0-9]*"))


def _label(number: int) -> str:
    try:
        handle: Any = lgpio.gpiochip_open(number)
    except lgpio.error:
        return f"gpiochip{number}, not ours to open"
    try:
        return str(lgpio.gpio_get_chip_info(handle)[3])
    finally:
        lgpio.gpiochip_close(handle)


def _offer(names: Mapping[str, int], count: int) -> str:
    known = ", ".join(name for name in names if name)
    return f"lines 0 to {count - 1}" + (f", named {known}" if known else " without names")
