"""Which GPIO chip carries the header: found by its label, because kernels number their chips as they come."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from drivers.ports import PinFault

BOARD: Final = "board"
PI_HEADERS: Final = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""A Raspberry Pi 5, a 4, and those before them."""


class BoardChips(Struct, frozen=True):
    """The chips of a board by the kernel's names: label and device of each that could be opened, and the others."""

    labels: Mapping[str, str]
    devices: Mapping[str, str]
    denied: Sequence[str] = ()

    def named(self, label: str | None) -> str:
        """The chip of this label or device, or without one that of a Pi's header; PinFault if it is not there."""
        wanted = PI_HEADERS if label is None else (label,)
        fitting = [name for name, its_label in self.labels.items() if its_label in wanted]
        fitting = fitting or [name for name, device in self.devices.items() if device in wanted]
        if len(fitting) == 1:
            return fitting[0]
        raise PinFault(BOARD, self._twice(label, fitting) if fitting else self._missing(label))

    def _twice(self, label: str | None, fitting: Sequence[str]) -> str:
        problem = f"{' and '.join(fitting)} are both labelled {label or 'as a header'}"
        devices = [f'"{self.devices[name]}"' for name in fitting if name in self.devices]
        if len(devices) == len(fitting):
            return f"{problem}; name each by its device instead: chip = {' or '.join(devices)}"
        return f"{problem}; take one of them out: a label must name one chip"

    def _missing(self, label: str | None) -> str:
        if self.denied:
            return f"{', '.join(self.denied)} may not be opened; join the group gpio: adduser pitlink-table gpio"
        if not self.labels:
            return "there is no GPIO chip in /dev; this machine has no pins, or the unit hides them"
        offer = ", ".join(f"{its_label} ({name})" for name, its_label in self.labels.items())
        if label is None:
            return f"no chip is a Raspberry Pi's header; say in [gpio] chip which one has it; the board has {offer}"
        return f"there is no chip labelled {label!r}; the board has {offer}; correct [gpio]"


def sysfs_devices(names: Iterable[str], dev: Path) -> dict[str, str]:
    """The device that each chip belongs to, such as 1-0020: I2C wire 1, address 20; two expanders share a label."""
    places = {name: dev.parent / "sys/bus/gpio/devices" / name for name in names}
    return {name: place.resolve().parent.name for name, place in places.items() if place.exists()}


def line_offered(wanted: int | str, names: Sequence[str | None], chip: str) -> int:
    """The number of a line given by number or name, among those of a chip; PinFault if it has no such line."""
    if isinstance(wanted, str) and wanted in names:
        return names.index(wanted)
    if isinstance(wanted, int) and wanted < len(names):
        return wanted
    known = ", ".join(name for name in names if name)
    offer = f"lines 0 to {len(names) - 1}" + (f", named {known}" if known else " without names")
    raise PinFault(BOARD, f"there is no line {wanted!r}: {chip} has {offer}; correct [gpio.lines]")
