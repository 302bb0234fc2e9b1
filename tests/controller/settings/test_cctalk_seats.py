"""Seats with ccTalk acceptors: their settings, and a table that takes chips and locks out over one wire."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from common.clock import PacedClock
from common.log import open_log
from common.settings import SettingsError
from controller.assembly import Assembly
from controller.settings.seats import CcTalkSeatSettings
from controller.settings.table import load
from drivers.gpio.chip import GpioChip
from drivers.simulated.acceptor_board import AcceptorBoard
from drivers.simulated.hopper import SimulatedHopper
from drivers.simulated.hopper_board import HopperBoard
from drivers.simulated.hopper_mechanics import HopperMechanics
from drivers.simulated.pins import SimulatedPins
from games.round.events import LinkRestored, LockOutPressed, SupervisorKeyTurned, TableOpened
from games.round.state import Phase

EXAMPLE = Path(__file__).parents[3] / "config" / "table.toml"
_SLOT = re.compile(r'number = (\d+)\nacceptor = "slot"\nbeams = \[\d+\]\ngate = \d+')


def on_a_wire(text: str) -> str:
    """The example with every acceptor on the return device's wire, at 12 to 18."""
    return _SLOT.sub(lambda found: f'number = {found[1]}\nacceptor = "cctalk"\naddress = {11 + int(found[1])}', text)


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(text)
    return path


def faults(tmp_path: Path, text: str) -> dict[str, str]:
    with pytest.raises(SettingsError) as caught:
        load(write(tmp_path, text))
    return {fault.key: fault.problem for fault in caught.value.faults}


def test_acceptors_share_the_return_devices_wire_unless_told_otherwise(tmp_path: Path) -> None:
    """One adapter for all of them, and no pin but the lights'."""
    settings = load(write(tmp_path, on_a_wire(EXAMPLE.read_text())))
    assert [seat.place.address for seat in settings.seats if isinstance(seat, CcTalkSeatSettings)] == [*range(12, 19)]
    assert settings.acceptor_wire is not None
    assert settings.acceptor_wire.port == "/dev/serial/by-id/usb-return-device"
    own = on_a_wire(EXAMPLE.read_text()) + '\n[acceptors]\nport = "/dev/pitlink/serial-2"\nbaud = 19200\n'
    wire = load(write(tmp_path, own)).acceptor_wire
    assert wire is not None
    assert (wire.port, wire.baud) == ("/dev/pitlink/serial-2", 19200)


def test_one_address_for_two_devices_is_refused(tmp_path: Path) -> None:
    """Two seats, or a seat and the return device on the same wire."""
    text = on_a_wire(EXAMPLE.read_text())
    assert "that of seat[1], too" in faults(tmp_path, text.replace("address = 14", "address = 12"))["seat[3].address"]
    assert "return_device" in faults(tmp_path, text.replace("address = 14", "address = 3"))["seat[3].address"]


def test_one_port_is_spoken_to_in_one_way(tmp_path: Path) -> None:
    """The hopper and the acceptors of one wire cannot have two speeds."""
    text = on_a_wire(EXAMPLE.read_text()) + "\n[acceptors]\nbaud = 19200\n"
    assert "return device's wire, too" in faults(tmp_path, text)["acceptors.port"]


def test_a_wire_without_a_port_is_missing(tmp_path: Path) -> None:
    """A return device on pins has no wire to share."""
    hopper = 'kind = "cctalk"\nport = "/dev/serial/by-id/usb-return-device"\naddress = 3\nchecksum = "simple"'
    text = on_a_wire(EXAMPLE.read_text()).replace(hopper, 'kind = "gpio"\nmotor = 9\nbeam = 10')
    assert "missing" in faults(tmp_path, text)["acceptors.port"]


class NoBroker:
    """A connection that never comes."""

    def __init__(self, *_words: Any, **_more: Any) -> None: ...

    async def run(self, _listener: Any) -> None:
        await asyncio.Event().wait()

    def publish(self, *_words: Any, **_more: Any) -> None: ...


class WiredTable:
    """A table whose seven acceptors and hopper are on one pty."""

    def __init__(self, bench: SimulatedHopper, config: Path) -> None:
        self.bench = bench
        self.boards = {seat: AcceptorBoard() for seat in range(1, 8)}
        bench.wire.neighbours = {11 + seat: [board] for seat, board in self.boards.items()}
        clock = PacedClock(asyncio.get_running_loop())
        metal = GpioChip(SimulatedPins(clock), ())
        self.assembly = Assembly(load(config), metal, clock=clock, log=open_log(), connect=NoBroker)

    def is_open(self, seat: int) -> bool:
        with self.bench.hands_on():
            return self.boards[seat].is_open(time.monotonic())

    def insert(self, seat: int) -> bool:
        with self.bench.hands_on():
            return self.boards[seat].insert(1, time.monotonic())

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not condition():  # noqa: ASYNC110  the bench is a thread of its own: no event to wait for
                await asyncio.sleep(0.005)


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[WiredTable]:
    with SimulatedHopper(HopperBoard(HopperMechanics(chip_ms=1), time_factor=0.001)) as bench:
        text = on_a_wire(EXAMPLE.read_text()).replace("/var/lib/pitlink/T1", str(tmp_path / "T1"))
        text = text.replace("/dev/serial/by-id/usb-return-device", bench.port).replace("port = 8080", "port = 0")
        text = text.replace('checksum = "simple"', 'checksum = "simple"\nreply_timeout_ms = 5000', 1)
        table = WiredTable(bench, write(tmp_path, text))
        await table.assembly.start()
        tasks = [asyncio.create_task(part) for part in table.assembly.parts()]
        yield table
        for task in tasks:
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*tasks, return_exceptions=True)
        await table.assembly.stop()
        assert not any(table.is_open(seat) for seat in table.boards)


async def test_chips_become_wagers_and_lock_out_shuts_every_acceptor(table: WiredTable) -> None:
    """The whole way: open, three chips, a press on the button, and no fourth chip."""
    asked = table.assembly.table
    for event in (LinkRestored(), SupervisorKeyTurned(on=True), TableOpened("Ann")):
        step = await asked.ask(event)
        assert step.refusal is None, step.refusal
    await table.until(lambda: all(table.is_open(seat) for seat in table.boards))
    for seat in (2, 5, 7):
        await table.until(lambda seat=seat: table.insert(seat))  # type: ignore[misc]  # bound at once
    await table.until(lambda: set(asked.state.wagers) == {2, 5, 7})
    assert [table.assembly.look().health[seat].chips for seat in (1, 2)] == [0, 1]
    table.assembly.performer.lock_out_touched()
    await table.until(lambda: not any(table.is_open(seat) for seat in table.boards))
    assert not table.insert(1)
    assert (await asked.ask(LockOutPressed())).refusal is None
    assert asked.state.phase is not Phase.OPEN
    assert set(asked.state.wagers) == {2, 5, 7}
