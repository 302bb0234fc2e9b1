"""A return device on two pins: an output that turns a motor or pulls a solenoid, and a beam that counts the chips."""

import asyncio
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from drivers.gpio.header import Pin, pin_name
from drivers.gpio.pins import InputWiring, PinRegistry
from drivers.gpio.watch import LineWatch
from drivers.ports import FaultKind, FaultReported, Identity, PinFault, Reading, ReturnFault
from drivers.recognise.chip_outlet import ChipLeft, ChipOutlet, Leaving, OutletTimings, RanEmpty

DEVICE: Final = "return device"


class GpioReturnSettings(Struct, frozen=True):
    """Where it is wired; the output must be off without a program, by its own resistor."""

    motor: int
    beam: Pin
    motor_active_high: bool = True
    beam_active_high: bool = True  # a receiver that sees light holds the line low: a cut cable reads as a jam
    pull_up: bool = True
    timings: OutletTimings = OutletTimings()


class GpioReturn:
    """Runs its output until no chip comes; its count lives as long as the program, and epoch names that life."""

    def __init__(self, board: PinRegistry, settings: GpioReturnSettings, *, epoch: str) -> None:
        self._board, self._settings, self._epoch = board, settings, epoch
        self._count = 0
        self._last: int | None = None
        self._progress: Callable[[Reading], None] | None = None
        self._end: asyncio.Future[None] | None = None
        self._motor = board.output(f"{DEVICE}'s motor", settings.motor, active_high=settings.motor_active_high)
        self._outlet = ChipOutlet(DEVICE, settings.timings)
        try:
            self._watch: LineWatch[Leaving] = LineWatch(
                board,
                f"{DEVICE}'s beam",
                wires=(InputWiring(settings.beam, settings.beam_active_high, settings.pull_up),),
                recogniser=self._outlet,
                reread_ms=settings.timings.reread_ms,
                act=self._saw,
            )
        except PinFault:
            self._let_go_of_motor()
            raise

    async def identify(self) -> Identity:
        """It has no name of its own: its pins and this run of the program."""
        product = f"motor on GPIO{self._settings.motor}, beam on {pin_name(self._settings.beam)}"
        return Identity(maker="GPIO", product=product, serial=self._epoch)

    async def reading(self) -> Reading:
        """Chips that passed the beam in this life of the program."""
        return Reading(self._epoch, self._count)

    async def empty(self, progress: Callable[[Reading], None], *, most: int | None = None) -> Reading:
        """Runs until no chip comes, or most came; every chip is told at once: nothing else will remember it."""
        if self._end is not None:
            raise ReturnFault(FaultKind.GARBLED, f"{DEVICE} is being emptied already; wait for it")
        self._end, self._progress = self._board.loop.create_future(), progress
        self._last = None if most is None else self._count + most
        try:
            self._motor.on()
            self._watch.retest()
            await self._end
        finally:
            self._hold()
            self._end = self._progress = self._last = None
        return await self.reading()

    async def stop(self) -> None:
        """Switches the output off; an empty() under way ends with a fault."""
        self._hold()
        self._fail(FaultKind.STOPPED, f"{DEVICE} was stopped before it was empty; recount or retest")

    def close(self) -> None:
        """Switches the output off and gives the pins back."""
        self._hold()
        self._watch.close()
        self._let_go_of_motor()

    def _saw(self, seen: Leaving) -> None:
        match seen:
            case ChipLeft():
                self._count += 1
                if self._progress is not None:
                    self._progress(Reading(self._epoch, self._count))
                if self._count == self._last:
                    self._finish()
            case RanEmpty():
                self._finish()
            case FaultReported(kind=kind, detail=detail):
                self._hold()
                self._fail(kind, detail)

    def _finish(self) -> None:
        self._hold()
        if self._end is not None and not self._end.done():
            self._end.set_result(None)

    def _fail(self, kind: FaultKind, detail: str) -> None:
        if self._end is not None and not self._end.done():
            self._end.set_exception(ReturnFault(kind, detail))

    def _hold(self) -> None:
        """The output goes off where the verdict falls, not where it is heard."""
        self._motor.off()
        self._outlet.hold()

    def _let_go_of_motor(self) -> None:
        self._motor.close()
        self._board.release(self._settings.motor)
