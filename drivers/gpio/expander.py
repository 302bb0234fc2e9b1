"""Expanders: 16 more lines each on the board's I2C wires, which the kernel offers as a chip of its own."""

from typing import Any, Final

from gpiozero import PinInfo
from msgspec import Struct

from drivers.gpio.header import ExpanderLine

EXPANDER_LINES: Final = 16
FIRST_ADDRESS, LAST_ADDRESS = 0x20, 0x27  # three address contacts


class ExpanderSettings(Struct, frozen=True):
    """An MCP23017: the label of its chip, its address on I2C, and the header's line that its INTA drives."""

    chip: str
    interrupt: int
    address: int = FIRST_ADDRESS

    @property
    def overlay(self) -> str:
        """What config.txt says, so that the kernel drives it."""
        return f"dtoverlay=mcp23017,addr={self.address:#x},gpiopin={self.interrupt}"


def expander_pin(line: ExpanderLine) -> Any:
    """What gpiozero wants to know of a pin: it has an input's and an output's part and no pull of its own."""
    names = frozenset({line})
    return PinInfo(line.line, f"GPIO{line.line}", names, "", row=1, col=1, interfaces=frozenset({"gpio"}))
