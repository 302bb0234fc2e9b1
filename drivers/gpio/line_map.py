"""Pins of any board through lgpio: GPIO numbers of the header mapped to the lines of one chip."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import lgpio  # type: ignore[import-not-found,unused-ignore]  # only boards have it
from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin

from drivers.gpio.header import HEADER_REVISION
from drivers.gpio.labels import BoardChips, line_offered, sysfs_devices
from drivers.gpio.settings import GpioSettings, HeaderLine
from drivers.ports import PinFault


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

    def __init__(self, settings: GpioSettings, dev: Path) -> None:
        super().__init__(chip=chip_number(settings.chip, dev))
        self.pin_class = MappedPin
        try:
            self.lines = {gpio: self._offset(line) for gpio, line in settings.lines.items()}
        except PinFault:
            self.close()
            raise

    def lower(self, pins: Iterable[MappedPin]) -> None:
        """Takes these outputs low, one after the other."""
        for pin in pins:
            pin.state = False

    def _get_revision(self) -> int:
        return HEADER_REVISION

    def _offset(self, wanted: HeaderLine) -> int:
        _, count, name, label = lgpio.gpio_get_chip_info(self._handle)
        names = [lgpio.gpio_get_line_info(self._handle, line)[3] for line in range(count)]
        return line_offered(wanted.line, names, f"{name} ({label})")


def chip_number(label: str | None, dev: Path) -> int:
    """The number of the chip with this label; without one, of a Raspberry Pi's header."""
    labels: dict[str, str] = {}
    denied: list[str] = []
    for place in sorted(place for place in dev.glob("gpiochip*") if not place.is_symlink()):
        try:
            handle: Any = lgpio.gpiochip_open(_number(place.name))
        except lgpio.error:
            denied.append(place.name)
            continue
        labels[place.name] = str(lgpio.gpio_get_chip_info(handle)[3])
        lgpio.gpiochip_close(handle)
    return _number(BoardChips(labels, sysfs_devices(labels, dev), denied).named(label))


def _number(name: str) -> int:
    return int(name.removeprefix("gpiochip"))
