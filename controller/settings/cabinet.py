"""The cabinet's own contacts: its door and the battery of the board's clock; both may be left out."""

from typing import Final

from msgspec import Struct

from common.settings import Section
from drivers.gpio.header import Pin
from drivers.gpio.settings import read_pin

CABINET_DOOR: Final = "cabinet door"
CLOCK_BATTERY: Final = "clock battery"


class CabinetSettings(Struct, frozen=True):
    """A contact that the shut door closes, and an output that is active while the clock's battery is low."""

    door: Pin | None = None
    clock_battery: Pin | None = None


def read_cabinet(section: Section) -> CabinetSettings:
    """Reads [cabinet]."""
    return CabinetSettings(
        door=read_pin(section, "door") if section.has("door") else None,
        clock_battery=read_pin(section, "clock_battery") if section.has("clock_battery") else None,
    )
