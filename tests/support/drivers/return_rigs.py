"""Return devices with their bench twins, ready for a test's hands."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, TypeVar

from drivers.cctalk.bus import Bus, BusSettings, _Line
from drivers.cctalk.frame import Checksum
from drivers.cctalk.hopper import CcTalkHopper
from drivers.cctalk.settings import HopperSettings
from drivers.gpio.pins import beam
from drivers.gpio.return_device import GpioReturn, GpioReturnSettings
from drivers.ports import Reading, ReturnFault, Signal
from drivers.recognise.chip_outlet import OutletTimings
from drivers.simulated.cctalk_wire import SimulatedWire
from drivers.simulated.hopper import SimulatedHopper
from drivers.simulated.hopper_board import HopperBoard
from drivers.simulated.hopper_mechanics import HopperMechanics, Jam
from drivers.simulated.solenoid import SolenoidModel
from tests.support.drivers.bench_rig import rig_under_test

Result = TypeVar("Result")

WITHIN_S = 60.0
BRISK: dict[str, Any] = {
    "poll_ms": 2,
    "reply_timeout_ms": 50,
    "gap_ms": 20,
    "restart_ms": 2,
    "stall_ms": 30_000,
    "busy_ms": 100,
}


class BenchBus(Bus):
    """A wire whose silence is the device's own: who waits for an answer also waits for a bench that is behind."""

    def __init__(self, settings: BusSettings, bench: SimulatedHopper) -> None:
        super().__init__(settings)
        self._bench = bench

    async def _open(self) -> _Line:
        line = await super()._open()
        said, heard, hear = _Count(line, "say"), _Count(line, "data_received"), line.hear
        with self._bench.hands_on():
            behind = self._bench.bytes_heard, self._bench.bytes_said

        def is_behind() -> bool:
            with self._bench.hands_on():
                now = self._bench.bytes_heard, self._bench.bytes_said
            return now != (behind[0] + said.bytes, behind[1] + heard.bytes)

        async def hear_out(wait_ms: float) -> bytes:
            over = asyncio.get_running_loop().time() + WITHIN_S
            while not (chunk := await hear(wait_ms)) and is_behind():
                assert asyncio.get_running_loop().time() < over, "the bench does not catch up"
            return chunk

        line.hear = hear_out  # type: ignore[method-assign]  # the one place where silence is judged
        return line


class DirectBus(Bus):
    """A wire without a port, a thread or real time: each frame takes a millisecond, and silence is skipped."""

    def __init__(self, settings: BusSettings, wire: SimulatedWire) -> None:
        super().__init__(settings)
        self.line = _DirectLine(settings.port, wire)

    async def _open(self) -> _Line:
        return self.line


class _DirectLine(_Line):
    def __init__(self, port: str, wire: SimulatedWire) -> None:
        super().__init__(port)
        self.now, self._wire = 0.0, wire

    def say(self, frame: bytes) -> None:
        self.now += 0.001
        self.data_received(b"".join(self._wire.hear(frame, self.now)))

    async def hear(self, wait_ms: float) -> bytes:
        await asyncio.sleep(0)
        if not self._heard:
            self.now += wait_ms / 1000
            self._wire.board.advance(self.now)
            self.data_received(self._wire.pause())
        return await super().hear(0)

    async def hang_up(self) -> None:
        """Nothing to close."""


class DirectRig:
    """A hopper's driver on a wire that is only a function: what happens depends on nothing but the calls."""

    def __init__(self, board: HopperBoard, **settings: Any) -> None:
        self.board, self.wire = board, SimulatedWire(board)
        self.settings = HopperSettings("direct", **(BRISK | {"poll_ms": 0, "restart_ms": 0} | settings))
        self.bus = DirectBus(self.settings.wire, self.wire)
        self.notes: list[str] = []
        self.device = CcTalkHopper(self.settings, self.bus, self.notes.append)

    def load(self, chips: int) -> None:
        """Chips fall in."""
        self.board.metal.load(chips, self.bus.line.now)


class _Count:
    """How many bytes have passed through a method of a line."""

    def __init__(self, line: _Line, method: str) -> None:
        self.bytes, self._pass_on = 0, getattr(line, method)
        setattr(line, method, self)

    def __call__(self, data: bytes) -> None:
        self.bytes += len(data)
        self._pass_on(data)


class HopperRig:
    """A driver, its wire and the hopper at the other end."""

    def __init__(self, bench: SimulatedHopper, settings: HopperSettings) -> None:
        self.bench, self.settings = bench, settings
        self.bus = BenchBus(settings.wire, bench)
        self.device = CcTalkHopper(settings, self.bus)

    def load(self, chips: int) -> None:
        """Chips fall in."""
        self.bench.load(chips)

    def jam(self, after: int) -> None:
        """The disc will not turn any more after so many chips."""
        with self.bench.hands_on() as board:
            board.metal.jam, board.metal.jam_after = Jam.DISC, after

    def clear_jam(self) -> None:
        """Somebody frees it."""
        with self.bench.hands_on() as board:
            board.metal.jam = None

    async def turn_once(self) -> None:
        """The disc of a running payout turns on: it gives a chip, or notices that there is none."""
        await self.until(self._is_running)
        with self.bench.hands_on() as board:
            board.metal.due = time.monotonic()

    def _is_running(self) -> bool:
        with self.bench.hands_on() as board:
            return board.metal.due is not None

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits for what must come."""
        async with asyncio.timeout(WITHIN_S):
            while not condition():  # noqa: ASYNC110  the bench is a thread of its own: no event to wait for
                await asyncio.sleep(0.002)

    async def wait_for(self, act: Awaitable[Result]) -> Result:
        """Lets real time pass until it is done."""
        return await asyncio.wait_for(act, WITHIN_S)

    @property
    def given(self) -> int:
        """Chips that left the hopper."""
        with self.bench.hands_on() as board:
            return board.metal.given

    @property
    def stock(self) -> int:
        """Chips still in it."""
        with self.bench.hands_on() as board:
            return board.metal.stock

    @property
    def orders(self) -> int:
        """Dispense commands that it obeyed."""
        with self.bench.hands_on() as board:
            return board.orders


class GpioRig:
    """A driver on pins, under a clock that runs while somebody waits."""

    def __init__(self, settings: GpioReturnSettings) -> None:
        self._rig = rig_under_test()
        self.clock, self.pins = self._rig.clock, self._rig.pins
        self.settings = settings
        self.model = SolenoidModel(self.pins, motor=settings.motor, beam=beam(settings.beam))
        self.device = self.new_device()

    def new_device(self, epoch: str = "run 1") -> GpioReturn:
        """The same metal under a program that starts afresh."""
        return GpioReturn(self._rig.new_board(_unexpected), self.settings, epoch=epoch)

    @property
    def is_running(self) -> bool:
        """Whether the motor has current."""
        return bool(self.pins.wire(self.settings.motor).is_held_high)

    @property
    def given(self) -> int:
        """Chips that left."""
        return self.model.given

    @property
    def stock(self) -> int:
        """Chips still in it."""
        return self.model.stock

    def load(self, chips: int) -> None:
        """Chips fall in."""
        self.model.load(chips)

    def jam(self, after: int) -> None:
        """A chip will stay in the beam after so many that pass."""
        self.model.jam_after = after

    def clear_jam(self) -> None:
        """Somebody frees it."""
        self.model.clear_jam()

    async def wait_for(self, act: Awaitable[Result]) -> Result:
        """Lets the clock run until it is done, but not for ever."""
        doing = asyncio.ensure_future(act)
        until = self.clock.now() + 60
        while not doing.done() and self.clock.now() < until:
            await self.clock.elapse(0.01)
        assert doing.done(), "nothing came of it in a minute"
        return await doing


def _unexpected(signal: Signal) -> None:
    raise AssertionError(f"a return device reports nothing by itself, but said {signal}")


@contextmanager
def gpio_rig(**timings: Any) -> Iterator[GpioRig]:
    """A return device on two pins."""
    rig = GpioRig(GpioReturnSettings(motor=20, beam=21, timings=OutletTimings(**timings)))
    yield rig
    rig.device.close()


def hopper_board(*, chip_ms: float = 0, lifetime: int = 0, time_factor: float = 0.0, **options: Any) -> HopperBoard:
    """A simulated hopper that wastes no time unless told to."""
    return HopperBoard(HopperMechanics(chip_ms=chip_ms, lifetime=lifetime), time_factor=time_factor, **options)


@asynccontextmanager
async def hopper_rig(
    board: HopperBoard | None = None,
    *,
    checksum: Checksum = Checksum.SIMPLE,
    adapter_echo: bool = True,
    baud: int | None = None,
    **settings: Any,
) -> AsyncIterator[HopperRig]:
    """The whole way from driver to chips."""
    with SimulatedHopper(board or hopper_board(), checksum=checksum, echo=adapter_echo, baud=baud) as bench:
        rig = HopperRig(bench, HopperSettings(bench.port, checksum=checksum, **(BRISK | settings)))
        try:
            yield rig
        finally:
            await rig.bus.close()


def ignore(_reading: Reading) -> None:
    """For callers who do not watch."""


async def patiently(act: Callable[[], Awaitable[Reading]], mend: Callable[[], None]) -> tuple[Reading, int]:
    """As a table does: on a fault somebody acts and the same is asked again; the answer and how often it was asked."""
    for tries in range(1, 6):
        try:
            return await act(), tries
        except ReturnFault:
            mend()
    raise AssertionError("five people in a row could not mend it")
