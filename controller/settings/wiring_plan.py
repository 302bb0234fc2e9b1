"""A table's wiring as people read it: every line with its contact, its direction and the resistor it needs."""

from typing import Final

from msgspec import Struct

from common.columns import columns
from controller.settings.pins import MOVING, OUTPUTS, pins, role
from controller.settings.table import LevelSettings, TableSettings
from drivers.gpio.header import FIXED_PULL_UP, USABLE, contact_of

_TO_GROUND: Final = "10 kΩ to GND"
_TO_SUPPLY: Final = "10 kΩ to 3V3"
NO_RESISTOR: Final = "none"


class WiredLine(Struct, frozen=True):
    """One line of the header and what hangs on it."""

    contact: int
    pin: int
    device: str
    role: str
    resistor: str

    @property
    def is_output(self) -> bool:
        """Whether the board drives it."""
        return self.role in OUTPUTS


def wired_lines(settings: TableSettings) -> list[WiredLine]:
    """Every line of a table, by contact."""
    beams = {beam: name for seat in settings.seats if seat.kind == "slot" for beam, name in _named_beams(seat.beams)}
    lines = [
        WiredLine(
            contact_of(pin), pin, device + beams.get(pin, ""), role(key), _resistor(pin, role(key), settings.levels)
        )
        for pin, key, device in pins(settings)
    ]
    return sorted(lines, key=lambda line: line.contact)


def plan(settings: TableSettings) -> str:
    """The pin list of a table as text."""
    lines = wired_lines(settings)
    rows = [("contact", "line", "way", "device", "resistor")]
    rows += [
        (str(line.contact), f"GPIO{line.pin}", "out" if line.is_output else "in", line.device, line.resistor)
        for line in lines
    ]
    return "\n".join([*columns(rows, "<<<<<"), "", f"{len(lines)} of {len(USABLE)} lines in use"])


def _named_beams(beams: tuple[int, ...]) -> list[tuple[int, str]]:
    names = ("'s beam",) if len(beams) == 1 else ("'s outer beam", "'s inner beam")
    return list(zip(beams, names, strict=True))


def _resistor(pin: int, does: str, levels: LevelSettings) -> str:
    """What keeps the line where it belongs while no program holds it."""
    if does in MOVING:
        return _TO_GROUND
    if does in OUTPUTS:
        return _TO_GROUND if levels.lights_active_high else _TO_SUPPLY
    if pin in FIXED_PULL_UP:
        return NO_RESISTOR
    return _TO_SUPPLY if levels.pull_up else _TO_GROUND
