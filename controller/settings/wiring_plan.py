"""A table's wiring as people read it: every line with its contact, its direction and the resistor it needs."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from common.columns import columns
from controller.settings.pins import MOVING, OUTPUTS, pins, role
from controller.settings.table import LevelSettings, TableSettings
from drivers.gpio.expander import EXPANDER_LINES
from drivers.gpio.header import CONTACTS, FIXED_PULL_UP, I2C, USABLE, ExpanderLine, Pin, contact_of, pin_name

_TO_GROUND: Final = "10 kΩ to GND"
_TO_SUPPLY: Final = "10 kΩ to 3V3"
NO_RESISTOR: Final = "none"


class WiredLine(Struct, frozen=True):
    """One line of the header and what hangs on it."""

    contact: int | None  # of the header; an expander's lines have none there
    pin: Pin
    device: str
    role: str
    resistor: str

    @property
    def is_output(self) -> bool:
        """Whether the board drives it."""
        return self.role in OUTPUTS


def wired_lines(settings: TableSettings) -> list[WiredLine]:
    """Every line of a table: those of the header by contact, then those of expanders."""
    beams = {beam: name for seat in settings.seats if seat.kind == "slot" for beam, name in _named_beams(seat.beams)}
    lines = [
        WiredLine(
            contact_of(pin) if isinstance(pin, int) else None,
            pin,
            device + beams.get(pin, ""),
            role(key),
            _resistor(pin, role(key), settings.levels),
        )
        for pin, key, device in (*pins(settings), *_of_expanders(settings))
    ]
    return sorted(lines, key=lambda line: (line.contact or len(CONTACTS) + 1, _place(line.pin)))


def _of_expanders(settings: TableSettings) -> Iterator[tuple[Pin, str, str]]:
    if settings.gpio.expanders:
        yield from ((pin, "i2c", f"expanders' {name}") for pin, name in zip(sorted(I2C), ("SDA", "SCL"), strict=True))
    for expander in settings.gpio.expanders:
        yield expander.interrupt, "interrupt", f"expander {expander.chip}'s INTA"


def _place(pin: Pin) -> tuple[str, int]:
    return ("", pin) if isinstance(pin, int) else (pin.chip, pin.line)


def plan(settings: TableSettings) -> str:
    """The pin list of a table as text."""
    lines = wired_lines(settings)
    rows = [("contact", "line", "way", "device", "resistor")]
    rows += [
        (str(line.contact or "–"), pin_name(line.pin), "out" if line.is_output else "in", line.device, line.resistor)
        for line in lines
    ]
    return "\n".join([*columns(rows, "<<<<<"), "", *_totals(settings, lines)])


def _totals(settings: TableSettings, lines: Sequence[WiredLine]) -> Iterator[str]:
    expanders = settings.gpio.expanders
    yield f"{sum(line.contact is not None for line in lines)} of {len(USABLE)} lines in use"
    for expander in expanders:
        used = sum(isinstance(line.pin, ExpanderLine) and line.pin.chip == expander.chip for line in lines)
        yield f"{used} of {EXPANDER_LINES} lines of {expander.chip} in use; config.txt: {expander.overlay}"


def _named_beams(beams: tuple[Pin, ...]) -> list[tuple[Pin, str]]:
    names = ("'s beam",) if len(beams) == 1 else ("'s outer beam", "'s inner beam")
    return list(zip(beams, names, strict=True))


def _resistor(pin: Pin, does: str, levels: LevelSettings) -> str:
    """What keeps the line where it belongs while no program holds it."""
    if does in MOVING or does == "emitters":
        return _TO_GROUND
    if does in OUTPUTS:
        return _TO_GROUND if levels.lights_active_high else _TO_SUPPLY
    if pin in FIXED_PULL_UP or does == "interrupt":
        return NO_RESISTOR
    return _TO_SUPPLY if levels.pull_up else _TO_GROUND
