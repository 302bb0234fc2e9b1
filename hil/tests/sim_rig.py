"""The rig of the contract suites on the kernel's simulated chip: time stands still until every edge has arrived."""

import asyncio
import time
import tomllib
from collections import deque
from functools import cache
from pathlib import Path

import lgpio

from common.clock import ManualClock
from drivers.gpio.chip import GpioChip, open_metal
from drivers.gpio.line_map import chip_number
from drivers.gpio.settings import GpioSettings
from drivers.simulated.pins import Switched
from tests.support.bench_rig import BenchRig

LINES = Path("/run/bench-lines")
# As the board's own table has it; a Raspberry Pi says nothing, and gpiozero finds the chip.
CHIP = tomllib.loads(Path("/etc/pitlink/table.toml").read_text()).get("gpio", {}).get("chip")
FENCE, HEADER = 27, range(27)
_LATEST_S, _ASLEEP_S = 120, 5
_REMEMBERED = 64
_FAR_FROM_THE_KERNELS = 1e9  # so that no edge's stamp is taken for a time of ours


def sim_rig() -> BenchRig:
    """A rig whose wires are files of the kernel's simulator, every one of them low."""
    clock = FencedClock()
    for line in HEADER:
        put(line, False)
    clock.wires.have_moved = True
    return BenchRig(clock, clock.wires, _metal())


def put(line: int, level: bool) -> None:
    """Puts a level on a wire."""
    (LINES / f"sim_gpio{line}" / "pull").write_text("pull-up" if level else "pull-down")


class FencedClock(ManualClock):
    """Time that moves on only when the kernel, lgpio and the loop have delivered everything that was driven."""

    def __init__(self) -> None:
        super().__init__(now_s=_FAR_FROM_THE_KERNELS)
        self.wires = Wires(self)

    async def settle(self) -> None:
        """Waits for the edges, lets the loop work, and notes what the outputs became."""
        while self.wires.have_moved:
            self.wires.have_moved = False
            await _fence().passed()
        await super().settle()
        self.wires.note()


class Wires:
    """The header from the outside."""

    def __init__(self, clock: FencedClock) -> None:
        self.clock, self.have_moved = clock, False
        self._wires: dict[int, Wire] = {}

    def wire(self, line: int) -> "Wire":
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

    def __init__(self, wires: Wires, line: int) -> None:
        self._wires, self._line = wires, line
        self._place = LINES / f"sim_gpio{line}"
        self.history: deque[Switched] = deque(maxlen=_REMEMBERED)
        self._known = self.state

    def drive(self, level: bool) -> None:
        """Something outside puts this level on the wire."""
        put(self._line, level)
        self._wires.have_moved = True

    @property
    def state(self) -> bool:
        """The level at this moment, whoever holds it."""
        return (self._place / "value").read_text().strip() == "1"

    is_held_high = state

    @property
    def function(self) -> str:
        """What the program under test uses it for."""
        function: str = _metal().pins.pin(self._line).function
        return function

    def note(self) -> None:
        """Remembers a change, and when it was."""
        if (level := self.state) != self._known:
            self._known = level
            self.history.append(Switched(self._wires.clock.now(), level))


class Fence:
    """A line of its own behind all others: once its edges are heard in the loop, so were those before them."""

    def __init__(self) -> None:
        self._level = False
        self._waiting: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None
        self._chip = lgpio.gpiochip_open(chip_number(CHIP, Path("/dev")))
        self._listen()
        self._callback = lgpio.callback(self._chip, FENCE, lgpio.BOTH_EDGES, self._heard)

    async def passed(self) -> None:
        """Sends two edges: the kernel has a thread for each line, so one of them may overtake, two do not."""
        for _ in range(2):
            while not await self._is_heard():
                # lgpio falls asleep when its newest line is closed: nobody's loss while nobody but us listens.
                assert not _is_listening(), "lgpio is deaf, and the program under test listens"
                self._listen()

    async def _is_heard(self) -> bool:
        """One edge down the line, and whether it came back."""
        arrived = asyncio.Event()
        self._waiting = asyncio.get_running_loop(), arrived
        self._level = not self._level
        put(FENCE, self._level)
        try:
            await asyncio.wait_for(arrived.wait(), _LATEST_S if _is_listening() else _ASLEEP_S)
        except TimeoutError:
            return False
        return True

    def _listen(self) -> None:
        until = time.monotonic() + _LATEST_S
        while True:
            try:
                lgpio.gpio_claim_alert(self._chip, FENCE, lgpio.BOTH_EDGES)
            except lgpio.error:  # its thread may hold the line for a moment longer
                if time.monotonic() > until:
                    raise
            else:
                return

    def _heard(self, *_: int) -> None:
        assert self._waiting is not None
        loop, arrived = self._waiting
        loop.call_soon_threadsafe(arrived.set)


def _is_listening() -> bool:
    return any(pin.when_changed for pin in _metal().pins.pins.values())


@cache
def _fence() -> Fence:
    return Fence()


@cache
def _metal() -> GpioChip:
    return open_metal(GpioSettings(chip=CHIP))
