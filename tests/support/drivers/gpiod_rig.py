"""The rig of the contract suites on our gpiod factory, with a chip of Python in place of a kernel's."""

import tempfile
from functools import cache
from pathlib import Path
from typing import Final
from unittest import mock

import gpiod

from drivers.gpio.chip import GpioChip
from drivers.gpio.gpiod_factory import GpiodPins
from drivers.gpio.header import ExpanderLine, Pin
from drivers.gpio.settings import GpioSettings
from tests.support.drivers.bench_rig import BenchRig
from tests.support.drivers.fake_gpiod import FakeBoard, FakeGpiodChip
from tests.support.drivers.line_rig import GATES, Fence, Header, line_rig

EXPANDER: Final = "mcp23017"


def gpiod_rig() -> BenchRig:
    """A rig on the lines of a Raspberry Pi 5 that is none; one factory and its thread serve all tests."""
    return line_rig(*_opened())


def expander_rig() -> BenchRig:
    """The same with its inputs on an expander."""
    rig = line_rig(*_opened())
    rig.first_input, rig.second_input = ExpanderLine(EXPANDER, 0), ExpanderLine(EXPANDER, 15)
    for pin in (rig.first_input, rig.second_input):
        rig.drive(pin, False)
    return rig


@cache
def _opened() -> tuple[Header, GpioChip, Fence]:
    dev = Path(tempfile.mkdtemp())
    chip = FakeGpiodChip("pinctrl-rp1", [f"GPIO{line}" for line in range(54)])
    expander = FakeGpiodChip(EXPANDER, [""] * 16)
    with mock.patch.object(gpiod, "Chip", FakeBoard(dev, chip, expander).open):
        metal = GpioChip(GpiodPins(GpioSettings(), GATES, dev), (OSError,))

    def place(pin: Pin) -> tuple[FakeGpiodChip, int]:
        return (chip, pin) if isinstance(pin, int) else (expander, pin.line)

    def put(pin: Pin, level: bool) -> None:
        its_chip, line = place(pin)
        its_chip.drive(line, level)

    def level(pin: Pin) -> bool:
        its_chip, line = place(pin)
        return its_chip.lines[line].level

    header = Header(put, level)
    return header, metal, Fence(header, metal.pins)
