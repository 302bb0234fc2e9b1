"""The real pins of the board this program runs on."""

import importlib
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from drivers.gpio.labels import BOARD
from drivers.gpio.settings import GpioSettings
from drivers.ports import PinFault

USUAL: Final = GpioSettings()
_DEV: Final = Path("/dev")
_MODULES: Final = Path("/sys/module")


class GpioChip(Struct, frozen=True):
    """A gpiozero pin factory that can lower many outputs at once, and the errors its library raises besides."""

    pins: Any
    errors: tuple[type[Exception], ...]


def open_metal(settings: GpioSettings = USUAL, gates: Collection[int] = (), dev: Path = _DEV) -> GpioChip:
    """The pins, with these gates held shut from now on; PinFault when this machine has none, or not those asked for."""
    # Both libraries are for boards only: a bench has neither.
    if settings.factory == "lgpio":
        return _open_lgpio(settings, dev)
    try:
        factory = importlib.import_module("drivers.gpio.gpiod_factory").GpiodPins
    except ImportError as error:
        raise PinFault(BOARD, "gpiod is not installed; install pitlink[board], or set the table to bench") from error
    return GpioChip(pins=factory(settings, gates, dev), errors=(OSError,))


def _open_lgpio(settings: GpioSettings, dev: Path) -> GpioChip:
    try:
        lgpio = importlib.import_module("lgpio")
        factory = importlib.import_module("drivers.gpio.line_map").MappedPins
    except ImportError as error:
        advice = 'install pitlink[lgpio] (Python 3.12 at most), or take out [gpio] factory = "lgpio"'
        raise PinFault(BOARD, f"lgpio is not installed; {advice}") from error
    except OSError as error:
        problem = f"lgpio cannot make its pipe ({error}); set LG_WD or the working directory to one it may write"
        raise PinFault(BOARD, problem) from error
    return GpioChip(pins=factory(settings, dev), errors=(lgpio.error,))


def outputs_outlive_us(modules: Path = _MODULES) -> bool:
    """Whether this kernel leaves outputs as they were when a program dies: then a gate could stay open."""
    # Raspberry Pi kernels do so unless config.txt says dtparam=strict_gpiod.
    switches = modules.glob("pinctrl_*/parameters/persist_gpio_outputs")
    return any(switch.read_text(encoding="ascii").strip() in {"Y", "1"} for switch in switches)
