"""`pitlink table` as systemd starts it, except that its pins are simulated."""

import sys

from cli import table
from cli.main import main
from common.clock import ManualClock
from drivers.gpio.chip import GpioChip
from drivers.simulated.pins import SimulatedPins

table.open_metal = lambda _settings: GpioChip(SimulatedPins(ManualClock()), ())
sys.exit(main())
