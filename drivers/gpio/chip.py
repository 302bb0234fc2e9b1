"""The real pins of the board this program runs on."""

import importlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from gpiozero import PinUnknownPi
from msgspec import Struct

from drivers.gpio.settings import GpioSettings
from drivers.ports import PinFault

USUAL: Final = GpioSettings()
_BOARD: Final = "board"
_DEV: Final = Path("/dev")
_MODULES: Final = Path("/sys/module")


class GpioChip(Struct, frozen=True):
    """A gpiozero pin factory and the errors its library raises besides gpiozero's own."""

    pins: Any
    errors: tuple[type[Exception], ...]


def open_metal(settings: GpioSettings = USUAL) -> GpioChip:
    """The pins through lgpio; PinFault when this machine has none, or not those that are asked for."""
    try:
        lgpio = importlib.import_module("lgpio")
        factory = _factory(settings)
    except ImportError as error:
        raise PinFault(_BOARD, "lgpio is not installed; install pitlink[board], or set the table to bench") from error
    except OSError as error:
        problem = f"lgpio cannot make its pipe ({error}); set LG_WD or the working directory to one it may write"
        raise PinFault(_BOARD, problem) from error
    try:
        return GpioChip(pins=factory(), errors=(lgpio.error,))
    except PinUnknownPi as error:
        raise PinFault(_BOARD, "this is no Raspberry Pi; say in [gpio] which chip has the header's lines") from error
    except lgpio.error as error:
        raise PinFault(_BOARD, _words(settings, error)) from error


def _factory(settings: GpioSettings) -> Callable[[], Any]:
    # gpiozero's own factory for a Pi, ours for any other chip; both import lgpio, which only boards have.
    if settings.is_usual:
        usual: Callable[[], Any] = importlib.import_module("gpiozero.pins.lgpio").LGPIOFactory
        return usual
    return partial(importlib.import_module("drivers.gpio.line_map").MappedPins, settings)


def _words(settings: GpioSettings, error: Exception) -> str:
    """Why a chip cannot be opened, and what to do about it."""
    chips = sorted(place.name for place in _DEV.glob("gpiochip*"))
    if not chips:
        return f"there is no GPIO chip in {_DEV} ({error}); this machine has no pins, or the unit hides them"
    name = "gpiochip0" if settings.chip is None else f"gpiochip{settings.chip}"
    if isinstance(settings.chip, int) and name not in chips:
        return f"there is no {name} ({error}), only {', '.join(chips)}; correct gpio.chip"
    return f"{_DEV / name} cannot be opened ({error}); join the group gpio: adduser pitlink gpio"


def outputs_outlive_us(modules: Path = _MODULES) -> bool:
    """Whether this kernel leaves outputs as they were when a program dies: then a gate could stay open."""
    # Raspberry Pi kernels do so unless config.txt says dtparam=strict_gpiod.
    switches = modules.glob("pinctrl_*/parameters/persist_gpio_outputs")
    return any(switch.read_text(encoding="ascii").strip() in {"Y", "1"} for switch in switches)
