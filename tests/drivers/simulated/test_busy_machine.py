"""The bench on a machine that is busy: its timers are late, but its chips fall no faster for it."""

import asyncio
import time

from common.clock import PacedClock
from drivers.gpio.acceptor import SlotAcceptor
from drivers.gpio.pins import InputWiring, PinRegistry
from drivers.ports import ChipEntered, Signal
from drivers.simulated.pins import SimulatedPins
from drivers.simulated.table import SimulatedLamp, SimulatedPanel, SlotWiring


async def test_a_chip_that_falls_while_the_loop_stands_still_is_seen() -> None:
    """Every timer of its fall is overdue at once, and it still breaks the beam for as long as a chip does."""
    loop, told = asyncio.get_running_loop(), asyncio.Queue[Signal]()
    clock = PacedClock(loop)
    pins = SimulatedPins(clock)
    slot = SlotWiring(beams=(InputWiring(4, active_high=False, pull_up=True),), gate=6, light=SimulatedLamp(7))
    metal = SimulatedPanel(pins, seats={1: slot}, buttons={}, lamps={}, on_chip_in=lambda seat: None)
    board = PinRegistry(pins, clock=clock, loop=loop, report=told.put_nowait)
    acceptor = SlotAcceptor(board, "seat 1 acceptor", channel=1, beams=slot.beams, gate=slot.gate)
    acceptor.open()
    metal.insert_chip(1)
    await asyncio.sleep(0.03)  # into the beam
    time.sleep(1.0)  # noqa: ASYNC251  the loop must stand still: that is what is tested
    signal = await asyncio.wait_for(told.get(), timeout=60)
    acceptor.close()
    assert isinstance(signal, ChipEntered)
