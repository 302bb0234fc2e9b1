"""gate_calls.py: opens every gate of this table and shuts all at once; prints the system calls of that, by name.

With --apart each gate is a request of its own. The kernel itself counts, by its tracepoint for system calls.
"""

import asyncio
import os
import platform
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from common.clock import RealClock
from controller.settings.pins import gates
from controller.settings.table import load
from drivers.gpio.chip import open_metal
from drivers.gpio.pins import PinRegistry

TRACING = Path("/sys/kernel/tracing")
LINES = Path("/run/bench-lines")
NAMES = {"x86_64": {"16": "ioctl", "1": "write"}, "aarch64": {"29": "ioctl", "64": "write"}}[platform.machine()]


async def main() -> None:
    settings = load(Path("/etc/pitlink/table.toml"))
    pins = gates(settings)
    metal = open_metal(settings.gpio, () if "--apart" in sys.argv else pins)
    loop = asyncio.get_running_loop()
    board = PinRegistry(metal.pins, clock=RealClock(loop), loop=loop, report=print, pin_errors=metal.errors)
    opened = [board.output(f"gate on GPIO{pin}", pin) for pin in pins]
    for gate in opened:
        gate.on()
    print("open", *_levels(pins))
    print("calls", *_calls(lambda: board.lower(pins)))
    print("shut", *_levels(pins))
    metal.pins.close()


def _levels(pins: Sequence[int]) -> list[str]:
    return [(LINES / f"sim_gpio{pin}" / "value").read_text().strip() for pin in pins]


def _calls(act: Callable[[], None]) -> list[str]:
    event = TRACING / "events/raw_syscalls/sys_enter"
    (TRACING / "tracing_on").write_text("0")
    (TRACING / "trace").write_text("")
    (event / "filter").write_text(f"common_pid == {os.getpid()}")
    (event / "enable").write_text("1")
    switch = os.open(TRACING / "tracing_on", os.O_WRONLY)
    os.write(switch, b"1")
    act()
    os.write(switch, b"0")  # the last call of the trace is this one
    os.close(switch)
    (event / "enable").write_text("0")
    numbers = re.findall(r"sys_enter: NR (\d+)", (TRACING / "trace").read_text())
    return [NAMES.get(number, number) for number in numbers[:-1]]


asyncio.run(main())
