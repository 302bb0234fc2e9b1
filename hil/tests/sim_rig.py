"""The rig of the contract suites on the kernel's simulated chip, whose wires are files in sysfs."""

import tomllib
from functools import cache
from pathlib import Path

from drivers.gpio.chip import GpioChip, open_metal
from drivers.gpio.header import Pin
from drivers.gpio.settings import GpioSettings
from tests.support.bench_rig import BenchRig
from tests.support.line_rig import GATES, Fence, Header, line_rig

LINES = Path("/run/bench-lines")
# As the board's own table has it; a Raspberry Pi says nothing, and its chip is known by its label.
CHIP = tomllib.loads(Path("/etc/pitlink/table.toml").read_text()).get("gpio", {}).get("chip")


def sim_rig() -> BenchRig:
    """A rig on the kernel's lines; one factory and its thread serve all tests."""
    return line_rig(*_opened())


@cache
def _opened() -> tuple[Header, GpioChip, Fence]:
    metal = open_metal(GpioSettings(chip=CHIP), GATES)
    header = Header(_put, _level)
    return header, metal, Fence(header, metal.pins)


def _put(line: Pin, level: bool) -> None:
    (LINES / f"sim_gpio{line}" / "pull").write_text("pull-up" if level else "pull-down")


def _level(line: Pin) -> bool:
    return (LINES / f"sim_gpio{line}" / "value").read_text().strip() == "1"
