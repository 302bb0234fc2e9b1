"""Pin levels: every input and output of a table as it stands on its pins now."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from controller.settings.pins import OUTPUTS, pins
from controller.settings.table import TableSettings
from drivers.gpio.header import Pin, pin_name


class LineView(Struct, frozen=True):
    """One pin: whose it is, which way it goes, and whether it is active."""

    line: str
    device: str
    direction: str
    active: bool


def read_lines(settings: TableSettings, factory: Any) -> tuple[LineView, ...]:
    """All pins of a table; factory is gpiozero's, which ships no types."""
    return tuple(
        LineView(pin_name(pin), device, "output" if is_output else "input", bool(factory.pin(pin).state) is active_high)
        for pin, device, is_output, active_high in _lines(settings)
    )


def _lines(settings: TableSettings) -> Iterator[tuple[Pin, str, bool, bool]]:
    levels = settings.levels
    active_high: Mapping[str, bool] = {
        "beams": levels.beams_active_high,
        "beam": levels.beams_active_high,
        "sensor": levels.sensors_active_high,
        "button": levels.buttons_active_high,
        "key": levels.buttons_active_high,
        "door": levels.buttons_active_high,
        "clock_battery": levels.buttons_active_high,
        "light": levels.lights_active_high,
        "lamp": levels.lights_active_high,
    }
    for pin, key, device in pins(settings):
        kind = key.rsplit(".", maxsplit=1)[-1]
        yield pin, device, kind in OUTPUTS, active_high.get(kind, True)
