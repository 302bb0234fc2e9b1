"""BenchRig: the rig of the contract suite on simulated pins and a clock that the test moves."""

import asyncio

from drivers.bench.pins import BenchPins
from drivers.gpio.board import Board
from drivers.ports import Signal
from house.clock import ManualClock


class BenchRig:
    """What any rig offers: a board under test, wires to drive and to read, time to pass, what was reported."""

    first_input, second_input, output = 5, 6, 13

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.pins = BenchPins(self.clock)
        self.said: list[Signal] = []
        self.board = self.new_board()

    def new_board(self) -> Board:
        """The same pins under a program that starts afresh."""
        return Board(self.pins, clock=self.clock, loop=asyncio.get_running_loop(), report=self.said.append)

    def drive(self, pin: int, level: bool) -> None:
        """Puts a level on a wire."""
        self.pins.wire(pin).drive(level)

    def read(self, pin: int) -> bool:
        """The level of an output."""
        return bool(self.pins.wire(pin).state)

    def waiting_timers(self) -> int:
        """How many timers would still ring."""
        return sum(timer.act is not None for _, _, timer in self.clock._timers)

    async def wait(self, ms: float) -> None:
        """Lets so much time pass."""
        await self.clock.elapse(ms / 1000)
