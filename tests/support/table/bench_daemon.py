"""`pitlink table` as systemd starts it, except that its pins are simulated."""

import sys
from collections.abc import Collection
from unittest import mock

from cli.main import main
from common.clock import ManualClock
from drivers.gpio import chip
from drivers.gpio.chip import GpioChip
from drivers.gpio.settings import GpioSettings
from drivers.simulated.pins import SimulatedPins


def simulated_metal(_settings: GpioSettings, _gates: Collection[int]) -> GpioChip:
    return GpioChip(SimulatedPins(ManualClock()), ())


# Before the command is loaded, as late as on a board.
with mock.patch.object(chip, "open_metal", simulated_metal):
    sys.exit(main())
