"""`pitlink table` as systemd starts it, except that its pins are simulated."""

import sys

from controller.command_line import main
from controller.commands import table
from drivers.bench.pins import BenchPins
from drivers.gpio.metal import Metal
from house.clock import ManualClock

table.open_metal = lambda _settings: Metal(BenchPins(ManualClock()), ())
sys.exit(main())
