"""[gpio] in a settings file: chips by label, lines by number and name, and what is refused."""

from typing import Any

import pytest

from common.settings import SettingsError, SettingsFile
from drivers.gpio.settings import GpioSettings, HeaderLine, read_gpio


def read(data: dict[str, Any]) -> GpioSettings:
    file = SettingsFile("table.toml", {"gpio": data})
    settings = read_gpio(file.root.section("gpio"))
    file.finish()
    return settings


def test_chips_and_lines_are_read_as_people_name_them() -> None:
    """A chip by its label; a line by number or name, on the header's chip or on another."""
    assert read({}) == GpioSettings(chip=None, lines={}, factory="gpiod")
    assert read({"chip": "pinctrl-rp1", "factory": "lgpio"}) == GpioSettings("pinctrl-rp1", {}, "lgpio")
    lines = {"17": "PIN_11", "18": 97, "19": {"chip": "1-0020", "line": 3}, "20": {"chip": "1-0020", "line": "P4"}}
    assert read({"lines": lines}).lines == {
        17: HeaderLine("PIN_11"),
        18: HeaderLine(97),
        19: HeaderLine(3, "1-0020"),
        20: HeaderLine("P4", "1-0020"),
    }


@pytest.mark.parametrize(
    ("data", "key", "words"),
    [
        ({"chip": True}, "gpio.chip", "label of a chip"),
        ({"chip": ""}, "gpio.chip", "label of a chip"),
        ({"chip": 4}, "gpio.chip", "numbers move from kernel to kernel"),
        ({"chip": "4"}, "gpio.chip", "numbers move from kernel to kernel"),
        ({"chip": "gpiochip4"}, "gpio.chip", "numbers move from kernel to kernel"),
        ({"chip": "/dev/gpiochip4"}, "gpio.chip", "numbers move from kernel to kernel"),
        ({"factory": "pigpio"}, "gpio.factory", '"gpiod", "lgpio"'),
        ({"lines": {"17": 2.5}}, "gpio.lines.17", "a line of the chip"),
        ({"lines": {"17": {"chip": "gpiochip1", "line": 3}}}, "gpio.lines.17", "a line of the chip"),
        ({"lines": {"17": {"chip": "1-0020"}}}, "gpio.lines.17", "a line of the chip"),
        ({"lines": {"17": {"chip": "1-0020", "line": 3, "pull": 1}}}, "gpio.lines.17", "a line of the chip"),
        ({"lines": {"28": 5}}, "gpio.lines.28", "from 0 to 27"),
        ({"lines": {"PIN_11": 17}}, "gpio.lines.PIN_11", "from 0 to 27"),
        ({"factory": "lgpio", "lines": {"17": {"chip": "1-0020", "line": 3}}}, "gpio.lines.17", "lgpio has but one"),
        ({"chips": 1}, "gpio.chips", "unknown key"),
    ],
)
def test_what_is_no_chip_and_no_line_is_a_fault_at_its_key(data: dict[str, Any], key: str, words: str) -> None:
    """Before any pin is touched."""
    with pytest.raises(SettingsError, match=words) as caught:
        read(data)
    assert [fault.key for fault in caught.value.faults] == [key]
