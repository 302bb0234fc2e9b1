"""Pins through lgpio: its chip by label, lines by number and name, and what can be wrong."""

import asyncio
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from gpiozero.pins.local import LocalPiFactory

from common.clock import ManualClock
from drivers.gpio.chip import GpioChip, open_metal
from drivers.gpio.light import GpioLight
from drivers.gpio.pins import PinRegistry
from drivers.gpio.settings import GpioSettings, HeaderLine
from drivers.light_patterns import Pattern
from drivers.ports import PinFault, Signal
from tests.support.drivers.fake_lgpio import FakeLgpio, FakeLgpioChip


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeLgpio]:
    """Two chips; the header hangs on the second, whose lines have names."""
    lgpio = FakeLgpio(
        FakeLgpioChip("soc-audio", ["", "", ""]), FakeLgpioChip("pinctrl-x", [f"PIN_{n}" for n in range(1, 41)])
    )
    for name in ("gpiozero.pins.lgpio", "drivers.gpio.line_map"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    monkeypatch.setattr(LocalPiFactory, "pins", {})
    yield lgpio
    for name in ("gpiozero.pins.lgpio", "drivers.gpio.line_map"):
        sys.modules.pop(name, None)


@pytest.fixture
def dev(tmp_path: Path) -> Path:
    """A /dev with two chips."""
    for number in range(2):
        (tmp_path / f"gpiochip{number}").touch()
    return tmp_path


def fitted(metal: GpioChip) -> PinRegistry:
    loop, said = asyncio.get_running_loop(), list[Signal]()
    return PinRegistry(metal.pins, clock=ManualClock(), loop=loop, report=said.append, pin_errors=metal.errors)


def opened(dev: Path, lines: dict[int, int | str], chip: str | None = "pinctrl-x") -> GpioChip:
    mapped = {gpio: HeaderLine(line) for gpio, line in lines.items()}
    return open_metal(GpioSettings(chip, mapped, factory="lgpio"), dev=dev)


async def test_a_light_on_a_named_line_shines_there_and_nowhere_else(board: FakeLgpio, dev: Path) -> None:
    """GPIO17 of the header is what the kernel of that board calls PIN_11."""
    metal = opened(dev, {17: "PIN_11"})
    light = GpioLight(fitted(metal), "seat 1 light", 17)
    assert board.chips[1].levels == {10: 0}
    light.show(Pattern.STEADY)
    assert board.chips[1].levels == {10: 1}
    light.close()
    metal.pins.close()
    assert board.open_handles == []


async def test_lines_without_a_word_keep_their_number(board: FakeLgpio, dev: Path) -> None:
    """A chip may be all there is to say; outputs are lowered one after the other."""
    metal = opened(dev, {18: 30})
    registry = fitted(metal)
    lights = [GpioLight(registry, f"seat {pin} light", pin) for pin in (18, 19)]
    for light in lights:
        light.show(Pattern.STEADY)
    assert board.chips[1].levels == {30: 1, 19: 1}
    registry.lower((18, 19))
    assert board.chips[1].levels == {30: 0, 19: 0}
    for light in lights:
        light.close()
    metal.pins.close()


def test_the_header_of_a_raspberry_pi_is_known_by_its_label(board: FakeLgpio, dev: Path) -> None:
    """Whatever its number is this time."""
    board.chips[1].label = "pinctrl-bcm2711"
    metal = opened(dev, {}, chip=None)
    assert metal.pins.chip == 1
    metal.pins.close()


def test_a_chip_that_is_not_there_is_named_with_those_that_are(board: FakeLgpio, dev: Path) -> None:
    """The technician reads the right label in the message."""
    with pytest.raises(PinFault, match=r"labelled 'nothing'.*soc-audio \(gpiochip0\), pinctrl-x \(gpiochip1\)"):
        opened(dev, {}, chip="nothing")
    assert board.open_handles == []


def test_a_chip_that_may_not_be_opened_asks_for_the_group(board: FakeLgpio, dev: Path) -> None:
    """Missing permission is told apart from a missing chip."""
    board.chips[1].may_open = False
    with pytest.raises(PinFault, match=r"gpiochip1 may not be opened; join the group gpio"):
        opened(dev, {})


@pytest.mark.parametrize("line", ["PIN_99", 40])
def test_a_line_that_the_chip_does_not_have_is_named(board: FakeLgpio, dev: Path, line: int | str) -> None:
    """And the chip is given back."""
    with pytest.raises(PinFault, match=r"no line .*lines 0 to 39, named PIN_1, PIN_2.*gpio.lines"):
        opened(dev, {17: line})
    assert board.open_handles == []


async def test_a_busy_line_says_who_may_hold_it(board: FakeLgpio, dev: Path) -> None:
    """gpioinfo shows the holder."""
    board.chips[1].busy.add(10)
    metal = opened(dev, {17: "PIN_11"})
    with pytest.raises(PinFault, match=r"seat 1 light: GPIO17 is held by another program or the kernel; see.*gpioinfo"):
        GpioLight(fitted(metal), "seat 1 light", 17)
    metal.pins.close()


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        (ImportError("no lgpio"), r"lgpio is not installed; install pitlink\[lgpio\] \(Python 3.12 at most\)"),
        (OSError(30, "Read-only file system"), "LG_WD"),
    ],
)
def test_lgpio_that_cannot_be_imported_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, dev: Path, missing: Exception, words: str
) -> None:
    """It makes a pipe when it is imported, in a directory that may be read-only."""
    monkeypatch.setattr(importlib, "import_module", mock.Mock(side_effect=missing))
    with pytest.raises(PinFault, match=words):
        opened(dev, {})
