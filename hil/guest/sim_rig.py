"""SimRig: the rig of the contract suite on the kernel's simulated chip, under a clock as slow as the guest."""

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path

from drivers.gpio.board import Board
from drivers.gpio.metal import open_metal
from drivers.gpio.settings import GpioSettings
from drivers.ports import Signal
from house.clock import Timer

LINES = Path("/run/bench-lines")
SLOWER = float(os.environ.get("BENCH_SLOWER", "10"))
_EDGE_S = 0.015  # what an edge may need from the kernel to the loop of an emulated machine


class SlowClock:
    """An emulated machine is slower than a board, and its clock is not: this one is, in proportion."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def now(self) -> float:
        """Seconds of the slow clock."""
        return self._loop.time() / SLOWER

    def wall_ms(self) -> int:
        """The calendar."""
        return time.time_ns() // 1_000_000

    def is_synchronised(self) -> bool:
        """Nobody asks here."""
        return False

    def call_at(self, when: float, act: Callable[[], None]) -> Timer:
        """Calls act when the slow clock has reached when."""
        return self._loop.call_at(when * SLOWER, act)


class SimRig:
    """A board on real character devices whose wires are files of the kernel's simulator."""

    first_input, second_input, output = 5, 6, 13

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.said: list[Signal] = []
        metal = open_metal(GpioSettings(chip="bench-header"))
        self.board = Board(
            metal.pins, clock=SlowClock(loop), loop=loop, report=self.said.append, pin_errors=metal.errors
        )

    def drive(self, pin: int, level: bool) -> None:
        """Puts a level on a wire."""
        (LINES / f"sim_gpio{pin}" / "pull").write_text("pull-up" if level else "pull-down")

    def read(self, pin: int) -> bool:
        """The level of an output."""
        return (LINES / f"sim_gpio{pin}" / "value").read_text().strip() == "1"

    async def wait(self, ms: float) -> None:
        """Lets so much of the slow time pass."""
        await asyncio.sleep(max(ms / 1000 * SLOWER, _EDGE_S))
