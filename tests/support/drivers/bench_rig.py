"""BenchRig: the rig of the contract suites on simulated pins and a clock that the test moves, or on others' pins."""

import asyncio
import importlib
import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest

from common.clock import ManualClock
from drivers.gpio.chip import GpioChip
from drivers.gpio.header import Pin
from drivers.gpio.pins import PinRegistry
from drivers.ports import Signal
from drivers.simulated.pins import SimulatedPins

SignalT = TypeVar("SignalT")


def rig_under_test() -> "BenchRig":
    """The rig that PITLINK_RIG=module:name makes; simulated pins without it."""
    module, _, name = os.environ.get("PITLINK_RIG", "tests.support.drivers.bench_rig:BenchRig").partition(":")
    rig: BenchRig = getattr(importlib.import_module(module), name)()
    return rig


def all_of(kind: type[SignalT], said: Sequence[object]) -> list[SignalT]:
    """What was said, every word of it of this kind."""
    found = [signal for signal in said if isinstance(signal, kind)]
    assert found == said
    return found


def only_simulated(why: str) -> pytest.MarkDecorator:
    """For what no line of a kernel can be made to do on order."""
    return pytest.mark.skipif("PITLINK_RIG" in os.environ, reason=why)


class BenchRig:
    """What any rig offers: a board under test, wires to drive and to read, time to pass, what was reported."""

    first_input: Pin = 5
    second_input: Pin = 6
    output = 13

    def __init__(self, clock: ManualClock | None = None, pins: Any = None, metal: GpioChip | None = None) -> None:
        """Pins are the wires in the tester's hands; metal is what the board gets, the same when it is simulated."""
        self.clock = clock or ManualClock()
        self.pins = pins or SimulatedPins(self.clock)
        self._metal = metal or GpioChip(self.pins, ())
        self.said: list[Signal] = []
        self.board = self.new_board()

    def new_board(self, report: Callable[[Signal], None] | None = None) -> PinRegistry:
        """The same pins under a program that starts afresh."""
        return PinRegistry(
            self._metal.pins,
            clock=self.clock,
            loop=asyncio.get_running_loop(),
            report=report or self.said.append,
            pin_errors=self._metal.errors,
        )

    def drive(self, pin: Pin, level: bool) -> None:
        """Puts a level on a wire."""
        self.pins.wire(pin).drive(level)

    def read(self, pin: Pin) -> bool:
        """The level of an output."""
        return bool(self.pins.wire(pin).state)

    def waiting_timers(self) -> int:
        """How many timers would still ring."""
        return sum(timer.act is not None for _, _, timer in self.clock._timers)

    async def wait(self, ms: float) -> None:
        """Lets so much time pass."""
        await self.clock.elapse(ms / 1000)
