"""The rig of the contract suites on our gpiod factory, with a chip of Python in place of a kernel's."""

import tempfile
from functools import cache
from pathlib import Path
from unittest import mock

import gpiod

from drivers.gpio.chip import GpioChip
from drivers.gpio.gpiod_factory import GpiodPins
from drivers.gpio.settings import GpioSettings
from tests.support.bench_rig import BenchRig
from tests.support.fake_gpiod import FakeBoard, FakeChip
from tests.support.line_rig import GATES, Fence, Header, line_rig


def gpiod_rig() -> BenchRig:
    """A rig on the lines of a Raspberry Pi 5 that is none; one factory and its thread serve all tests."""
    return line_rig(*_opened())


@cache
def _opened() -> tuple[Header, GpioChip, Fence]:
    dev = Path(tempfile.mkdtemp())
    chip = FakeChip("pinctrl-rp1", [f"GPIO{line}" for line in range(54)])
    board = FakeBoard(dev, chip)
    with mock.patch.object(gpiod, "Chip", board.open):
        metal = GpioChip(GpiodPins(GpioSettings(), GATES, dev), (OSError,))
    header = Header(chip.drive, lambda line: chip.lines[line].level)
    return header, metal, Fence(header, metal.pins)
