"""Boards that are no Raspberry Pi: chips by number and label, lines by number and name, and what can be wrong."""

import asyncio
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.local import LocalPiFactory

from common.clock import ManualClock
from common.settings import SettingsError, SettingsFile
from drivers.gpio import chip as metal_module
from drivers.gpio.chip import GpioChip, open_metal
from drivers.gpio.light import GpioLight
from drivers.gpio.pins import PinRegistry
from drivers.gpio.settings import GpioSettings, read_gpio
from drivers.light_patterns import Pattern
from drivers.ports import PinFault, Signal
from tests.support.fake_lgpio import FakeChip, FakeLgpio


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeLgpio]:
    """Two chips; the header hangs on the second, whose lines have names."""
    lgpio = FakeLgpio(FakeChip("soc-audio", ["", "", ""]), FakeChip("pinctrl-x", [f"PIN_{n}" for n in range(1, 41)]))
    for name in ("gpiozero.pins.lgpio", "drivers.gpio.line_map"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    monkeypatch.setattr(LocalPiFactory, "pins", {})
    yield lgpio
    for name in ("gpiozero.pins.lgpio", "drivers.gpio.line_map"):
        sys.modules.pop(name, None)


@pytest.fixture
def dev(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A /dev with two chips."""
    for number in range(2):
        (tmp_path / f"gpiochip{number}").touch()
    monkeypatch.setattr(metal_module, "_DEV", tmp_path)
    return tmp_path


def fitted(metal: GpioChip) -> PinRegistry:
    loop, said = asyncio.get_running_loop(), list[Signal]()
    return PinRegistry(metal.pins, clock=ManualClock(), loop=loop, report=said.append, pin_errors=metal.errors)


async def test_a_light_on_a_named_line_shines_there_and_nowhere_else(board: FakeLgpio) -> None:
    """GPIO17 of the header is what the kernel of that board calls PIN_11."""
    metal = open_metal(GpioSettings(chip=1, lines={17: "PIN_11"}))
    light = GpioLight(fitted(metal), "seat 1 light", 17)
    assert board.chips[1].levels == {10: 0}
    light.show(Pattern.STEADY)
    assert board.chips[1].levels == {10: 1}
    light.close()
    metal.pins.close()
    assert board.open_handles == []


async def test_lines_without_a_word_keep_their_number(board: FakeLgpio) -> None:
    """A chip may be all there is to say."""
    metal = open_metal(GpioSettings(chip=1, lines={18: 30}))
    lights = [GpioLight(fitted(metal), f"seat {pin} light", pin) for pin in (18, 19)]
    for light in lights:
        light.show(Pattern.STEADY)
    assert board.chips[1].levels == {30: 1, 19: 1}
    for light in lights:
        light.close()
    metal.pins.close()


def test_a_chip_is_found_by_its_label(board: FakeLgpio, dev: Path) -> None:
    """Numbers move between kernels, labels do not."""
    # Not "from drivers.gpio import": the package still has the module that an earlier board imported.
    line_map = import_module("drivers.gpio.line_map")
    assert line_map.chip_number("pinctrl-x", dev) == 1
    assert board.open_handles == []
    with pytest.raises(PinFault, match=r"no chip 'nothing'.*soc-audio \(gpiochip0\), pinctrl-x \(gpiochip1\)"):
        line_map.chip_number("nothing", dev)


def test_a_chip_that_is_not_there_is_named_with_those_that_are(board: FakeLgpio, dev: Path) -> None:
    """The technician reads the right name in the message."""
    with pytest.raises(PinFault, match=r"there is no gpiochip7 .*only gpiochip0, gpiochip1; correct gpio.chip"):
        open_metal(GpioSettings(chip=7))


def test_a_chip_that_may_not_be_opened_asks_for_the_group(board: FakeLgpio, dev: Path) -> None:
    """Missing permission is told apart from a missing chip."""
    board.chips[1].may_open = False
    with pytest.raises(PinFault, match=r"gpiochip1 cannot be opened .*join the group gpio"):
        open_metal(GpioSettings(chip=1))


@pytest.mark.parametrize("line", ["PIN_99", 40])
def test_a_line_that_the_chip_does_not_have_is_named(board: FakeLgpio, line: Any) -> None:
    """And the chip is given back."""
    with pytest.raises(PinFault, match=r"GPIO17 is to be line .*lines 0 to 39, named PIN_1, PIN_2.*gpio.lines"):
        open_metal(GpioSettings(chip=1, lines={17: line}))
    assert board.open_handles == []


async def test_a_busy_line_says_who_may_hold_it(board: FakeLgpio) -> None:
    """gpioinfo shows the holder."""
    board.chips[1].busy.add(10)
    metal = open_metal(GpioSettings(chip=1, lines={17: "PIN_11"}))
    with pytest.raises(PinFault, match=r"seat 1 light: GPIO17 is held by another program or the kernel; see.*gpioinfo"):
        GpioLight(fitted(metal), "seat 1 light", 17)
    metal.pins.close()


def read(data: dict[str, Any]) -> GpioSettings:
    file = SettingsFile("table.toml", {"gpio": data})
    settings = read_gpio(file.root.section("gpio"))
    file.finish()
    return settings


def test_chips_and_lines_are_read_as_people_name_them() -> None:
    """A chip by number, name or label; a line by number or name."""
    assert read({}) == GpioSettings()
    assert read({"chip": "gpiochip4"}) == read({"chip": 4}) == GpioSettings(chip=4)
    assert read({"chip": "pinctrl-rp1", "lines": {"17": "PIN_11", "18": 97}}) == GpioSettings(
        "pinctrl-rp1", {17: "PIN_11", 18: 97}
    )


@pytest.mark.parametrize(
    ("data", "key"),
    [
        ({"chip": True}, "gpio.chip"),
        ({"chip": ""}, "gpio.chip"),
        ({"chip": -1}, "gpio.chip"),
        ({"lines": {"17": 2.5}}, "gpio.lines.17"),
        ({"lines": {"28": 5}}, "gpio.lines.28"),
        ({"lines": {"PIN_11": 17}}, "gpio.lines.PIN_11"),
        ({"chips": 1}, "gpio.chips"),
    ],
)
def test_what_is_no_chip_and_no_line_is_a_fault_at_its_key(data: dict[str, Any], key: str) -> None:
    """Before any pin is touched."""
    with pytest.raises(SettingsError) as caught:
        read(data)
    assert [fault.key for fault in caught.value.faults] == [key]
