"""The rig of the contract suites on lines whose edges come from another thread: time waits until all have arrived."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from common.clock import ManualClock
from drivers.gpio.chip import GpioChip
from drivers.gpio.header import Pin
from drivers.simulated.pins import Switched
from tests.support.drivers.bench_rig import BenchRig

SUITES: Final = {
    "tests/contracts/test_acceptor.py": 0,
    "tests/contracts/test_beam_proof.py": 0,
    "tests/drivers/gpio/test_gate.py": 0,
    "tests/drivers/gpio/test_line.py": 6,
    "tests/drivers/gpio/test_acceptor.py": 6,
    "tests/drivers/gpio/test_button.py": 0,
    "tests/drivers/gpio/test_light.py": 0,
    "tests/contracts/test_return_device.py": 0,
    "tests/drivers/gpio/test_return_device.py": 2,
    "tests/drivers/gpio/test_pins.py": 0,
}
"""Every suite that a rig can run, and how many of its cases no line can be made to do on order."""
GATES: Final = (13, 19)
"""Held by one request, as a table's are; the suites know the first."""
FENCE, HEADER = 27, range(27)
_LATEST_S: Final = 120
_REMEMBERED: Final = 64
_FAR_FROM_THE_KERNELS: Final = 1e9  # so that no edge's stamp is taken for a time of ours


class Header(Struct, frozen=True):
    """The lines from the outside: how a wire is driven, and how its level is read."""

    put: Callable[[Pin, bool], None]
    level: Callable[[Pin], bool]


def line_rig(header: Header, metal: GpioChip, fence: "Fence") -> BenchRig:
    """A rig whose wires are these, every one of them low."""
    clock = FencedClock(header, fence, metal.pins)
    for line in HEADER:
        header.put(line, False)
    clock.wires.have_moved = True
    return BenchRig(clock, clock.wires, metal)


class Fence:
    """A line of its own behind all others: once its edges are heard in the loop, so were those before them."""

    def __init__(self, header: Header, pins: Any) -> None:
        self._header, self._level = header, False
        self._waiting: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None
        self._pin = pins.pin(FENCE)
        header.put(FENCE, False)
        self._pin.function = "input"
        self._pin.edges = "both"
        self._pin.when_changed = self._heard

    async def passed(self) -> None:
        """Sends two edges: the kernel has a thread for each line, so one of them may overtake, two do not."""
        for _ in range(2):
            arrived = asyncio.Event()
            self._waiting = asyncio.get_running_loop(), arrived
            self._level = not self._level
            self._header.put(FENCE, self._level)
            await asyncio.wait_for(arrived.wait(), _LATEST_S)

    def _heard(self, _stamp: float, _state: int) -> None:
        assert self._waiting is not None
        loop, arrived = self._waiting
        loop.call_soon_threadsafe(arrived.set)


class FencedClock(ManualClock):
    """Time that moves on only when kernel, listener and loop have delivered everything that was driven."""

    def __init__(self, header: Header, fence: Fence, pins: Any) -> None:
        super().__init__(now_s=_FAR_FROM_THE_KERNELS)
        self.wires, self._fence = Wires(self, header, pins), fence

    async def settle(self) -> None:
        """Waits for the edges, lets the loop work, and notes what the outputs became."""
        while self.wires.have_moved:
            self.wires.have_moved = False
            await self._fence.passed()
        await super().settle()
        self.wires.note()


class Wires:
    """The header from the outside, and what became of its levels."""

    def __init__(self, clock: FencedClock, header: Header, pins: Any) -> None:
        self.clock, self.header, self.pins, self.have_moved = clock, header, pins, False
        self._wires: dict[Pin, Wire] = {}

    def wire(self, line: Pin) -> "Wire":
        """What is soldered to this line."""
        if line not in self._wires:
            self._wires[line] = Wire(self, line)
        return self._wires[line]

    def note(self) -> None:
        """Notes every level that is not what it was."""
        for wire in self._wires.values():
            wire.note()


class Wire:
    """One line from the outside, and the history of its level."""

    def __init__(self, wires: Wires, line: Pin) -> None:
        self._wires, self._line = wires, line
        self.history: deque[Switched] = deque(maxlen=_REMEMBERED)
        self._known = self.state

    def drive(self, level: bool) -> None:
        """Something outside puts this level on the wire."""
        self._wires.header.put(self._line, level)
        self._wires.have_moved = True

    @property
    def state(self) -> bool:
        """The level at this moment, whoever holds it."""
        return self._wires.header.level(self._line)

    is_held_high = state

    @property
    def function(self) -> str:
        """What the program under test uses it for."""
        function: str = self._wires.pins.pin(self._line).function
        return function

    def note(self) -> None:
        """Remembers a change, and when it was."""
        if (level := self.state) != self._known:
            self._known = level
            self.history.append(Switched(self._wires.clock.now(), level))
