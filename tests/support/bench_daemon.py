"""`pitlink table` as systemd starts it, except that its pins are simulated."""

import sys

from cli import table
from cli.main import main
from common.clock import ManualClock
from drivers.gpio.chip import Metal
from drivers.simulated.pins import BenchPins

table.open_metal = lambda _settings: Metal(BenchPins(ManualClock()), ())
sys.exit(main())
