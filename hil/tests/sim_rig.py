"""The rig of the contract suites on the kernel's simulated chip, whose wires are files in sysfs."""

import tomllib
from functools import cache
from pathlib import Path

from drivers.gpio.chip import GpioChip, open_metal
from drivers.gpio.header import ExpanderLine, Pin
from drivers.gpio.settings import GpioSettings
from tests.support.drivers.bench_rig import BenchRig
from tests.support.drivers.line_rig import GATES, Fence, Header, line_rig

LINES, EXPANDER = Path("/run/bench-lines"), Path("/run/bench-expander")
# As the board's own table has it; a Raspberry Pi says nothing, and its chip is known by its label.
CHIP = tomllib.loads(Path("/etc/pitlink/table.toml").read_text()).get("gpio", {}).get("chip")


def sim_rig() -> BenchRig:
    """A rig on the kernel's lines; one factory and its thread serve all tests."""
    return line_rig(*_opened())


def expander_rig() -> BenchRig:
    """The same with its inputs on the second chip."""
    rig = sim_rig()
    rig.first_input, rig.second_input = ExpanderLine("mcp23017", 0), ExpanderLine("mcp23017", 15)
    for pin in (rig.first_input, rig.second_input):
        rig.drive(pin, False)
    return rig


@cache
def _opened() -> tuple[Header, GpioChip, Fence]:
    metal = open_metal(GpioSettings(chip=CHIP), GATES)
    header = Header(_put, _level)
    return header, metal, Fence(header, metal.pins)


def _put(pin: Pin, level: bool) -> None:
    (_place(pin) / "pull").write_text("pull-up" if level else "pull-down")


def _level(pin: Pin) -> bool:
    return (_place(pin) / "value").read_text().strip() == "1"


def _place(pin: Pin) -> Path:
    return LINES / f"sim_gpio{pin}" if isinstance(pin, int) else EXPANDER / f"sim_gpio{pin.line}"
