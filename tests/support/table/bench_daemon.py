"""`pitlink table` as systemd starts it, except that its pins are simulated."""

import sys
from collections.abc import Collection
from unittest import mock

from cli import table
from cli.main import main
from common.clock import ManualClock
from drivers.gpio.chip import GpioChip
from drivers.gpio.settings import GpioSettings
from drivers.simulated.pins import SimulatedPins


def simulated_metal(_settings: GpioSettings, _gates: Collection[int]) -> GpioChip:
    return GpioChip(SimulatedPins(ManualClock()), ())


with mock.patch.object(table, "open_metal", simulated_metal):
    sys.exit(main())
