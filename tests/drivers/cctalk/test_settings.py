"""[return_device] of kind cctalk: what it means, and what it refuses."""

from typing import Any

import pytest

from common.settings import Section, SettingsFault
from drivers.cctalk.settings import HopperSettings, Security, read_hopper


def read(**keys: Any) -> tuple[HopperSettings, list[SettingsFault]]:
    faults: list[SettingsFault] = []
    section = Section("table.toml", "return_device", {"port": "/dev/ttyUSB0", **keys}, faults)
    return read_hopper(section), faults


def test_what_is_left_out_is_the_default() -> None:
    """A hopper needs nothing but its port."""
    assert read() == (HopperSettings("/dev/ttyUSB0"), [])


@pytest.mark.parametrize("security", Security)
def test_every_way_to_unlock_can_be_written(security: Security) -> None:
    """By its own word."""
    settings, faults = read(security=security.value)
    assert (settings.security, faults) == (security, [])


def test_a_pin_is_four_bytes() -> None:
    """As manuals print it; nothing else is sent to a hopper."""
    assert read(pin="3132333F")[0].pin == "3132333F"
    for wrong in ("1234", "3132333G", "31 32 33 34", 1234):
        _, faults = read(pin=wrong)
        assert [(fault.key, "eight hexadecimal digits" in fault.problem) for fault in faults] == [
            ("return_device.pin", True)
        ]
