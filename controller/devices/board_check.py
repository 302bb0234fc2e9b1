"""What a board must be able to do before its table starts: journal, pins, wire and clock, each looked at once."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from msgspec import Struct

from common.board_health import BoardFiles, alarms, health_words
from common.clock import RealClock
from controller.journal.file import JournalFault
from controller.journal.journal import Journal
from controller.settings.device_names import RETURN_DEVICE, seat_device
from controller.settings.pins import pins
from controller.settings.seats import CcTalkSeatSettings
from controller.settings.table import TableSettings
from drivers.cctalk.acceptor import CcTalkAcceptor
from drivers.cctalk.bus import Bus
from drivers.cctalk.hopper import CcTalkHopper
from drivers.cctalk.settings import HopperSettings
from drivers.gpio.chip import GpioChip, outputs_outlive_us
from drivers.gpio.pins import PinRegistry
from drivers.gpio.settings import GpioSettings
from drivers.ports import FaultReported, PinFault, ReturnFault, Signal


class Finding(Struct, frozen=True):
    """One thing looked at: what was found, and whether that is well."""

    part: str
    words: str
    is_well: bool = True

    def __str__(self) -> str:
        return f"{'ok   ' if self.is_well else 'FAULT'}  {self.part}: {self.words}"


async def findings(
    settings: TableSettings, open_metal: Callable[[GpioSettings], GpioChip], board: BoardFiles
) -> AsyncIterator[Finding]:
    """Looks at everything, whatever is wrong on the way; moves no gate and no motor."""
    yield _journal(Path(settings.state_dir) / "journal.db")
    yield _kernel()
    yield _board(board, Path(settings.state_dir))
    yield _pins(settings, open_metal)
    buses: dict[str, Bus] = {}
    try:
        async for finding in _on_wires(settings, buses):
            yield finding
    finally:
        for bus in buses.values():
            await bus.close()
    is_synced = RealClock(asyncio.get_running_loop()).is_synchronised()
    yield Finding("clock", "synchronised" if is_synced else "not synchronised: events are marked so until it is")


def _journal(path: Path) -> Finding:
    if not path.exists():
        return Finding("journal", f"{path} is not there yet: the table will begin a new one")
    try:
        journal = Journal.look(path)
        try:
            journal.check()
        finally:
            journal.abandon()
    except JournalFault as fault:
        return Finding("journal", str(fault), is_well=False)
    return Finding("journal", f"{journal.last_number} events, the newest sound; pitlink journal verify reads them all")


def _kernel() -> Finding:
    if outputs_outlive_us():
        words = "keeps gates open when the program dies; set dtparam=strict_gpiod in config.txt and reboot"
        return Finding("kernel", words, is_well=False)
    return Finding("kernel", "lets go of outputs when the program dies")


def _board(files: BoardFiles, state_dir: Path) -> Finding:
    """A clock that nobody sets is no fault: events are marked, and the last line says so."""
    health = files.read(state_dir)
    wrong = [f"{alarm.part} {alarm.words}. {alarm.advice}" for alarm in alarms(health) if alarm.part != "clock"]
    return Finding("board", " ".join(wrong) or health_words(health), is_well=not wrong)


def _pins(settings: TableSettings, open_metal: Callable[[GpioSettings], GpioChip]) -> Finding:
    try:
        metal = open_metal(settings.gpio)
        loop = asyncio.get_running_loop()
        board = PinRegistry(
            metal.pins, clock=RealClock(loop), loop=loop, report=lambda _: None, pin_errors=metal.errors
        )
        try:
            lines = list(pins(settings))
            for pin, _, device in lines:
                board.probe(device, pin)
        finally:
            metal.pins.close()
    except PinFault as fault:
        return Finding("pins", str(fault), is_well=False)
    return Finding("pins", f"{len(lines)} lines can be had")


async def _on_wires(settings: TableSettings, buses: dict[str, Bus]) -> AsyncIterator[Finding]:
    hopper = settings.return_device
    if isinstance(hopper, HopperSettings):
        yield await _return_device(CcTalkHopper(hopper, buses.setdefault(hopper.port, Bus(hopper.wire))))
    wire = settings.acceptor_wire
    for seat in settings.seats:
        if isinstance(seat, CcTalkSeatSettings) and wire is not None:
            yield await _acceptor(seat, buses.setdefault(wire.port, Bus(wire)))


async def _return_device(device: CcTalkHopper) -> Finding:
    try:
        who, count = await device.identify(), await device.reading()
    except ReturnFault as fault:
        return Finding(RETURN_DEVICE, fault.detail, is_well=False)
    name = " ".join(filter(None, (who.maker, who.product, who.serial)))
    return Finding(RETURN_DEVICE, f"{name} answers; its counter stands at {count.count}")


async def _acceptor(seat: CcTalkSeatSettings, bus: Bus) -> Finding:
    said: list[Signal] = []
    acceptor = CcTalkAcceptor(bus, seat_device(seat.seat), seat.place, channel=seat.seat, report=said.append)
    await acceptor.meet(RealClock(asyncio.get_running_loop()))
    faults = [signal.detail for signal in said if isinstance(signal, FaultReported)]
    return Finding(seat_device(seat.seat), faults[0] if faults else "answers and is shut", is_well=not faults)
