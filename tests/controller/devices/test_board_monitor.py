"""The board monitor: alarms of board and cabinet, journaled once, shown until their cause is gone."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from common.board_health import ClockSource
from common.clock import ManualClock
from controller.devices.board_monitor import QUIET_LOOKS, BoardMonitor
from controller.settings.cabinet import CABINET_DOOR, CLOCK_BATTERY, CabinetSettings
from controller.settings.pins import pins
from drivers.gpio.pins import contact
from drivers.simulated.board import SimulatedBoard
from drivers.simulated.contacts import Contact
from games.round.events import PanelUsed
from tests.support.table.paper_floor import Bench
from tests.support.web.panel_page import Page, events

DOOR = 14


@pytest.fixture
def board(tmp_path: Path) -> SimulatedBoard:
    return SimulatedBoard(tmp_path / "board")


def parts(monitor: BoardMonitor) -> list[str]:
    return [alarm.part for alarm in monitor.alarms]


def alarms_in_journal(bench: Bench) -> list[tuple[str, str]]:
    return [(event.action, event.detail) for event in events(bench, PanelUsed) if event.by == "board"]


async def test_an_alarm_is_journaled_once_and_ends_after_a_quiet_while(bench: Bench, board: SimulatedBoard) -> None:
    """A temperature that swings about its limit is one alarm, not one a minute."""
    assert bench.assembly is not None
    monitor = BoardMonitor(bench.assembly.table, ManualClock(), board.files, Path("/"), CabinetSettings())
    await monitor.look()
    assert (parts(monitor), monitor.health and monitor.health.clock) == ([], ClockSource.TIME_SERVER)
    for celsius in (81, 79, 82, 79):
        board.set_temperature(celsius)
        await monitor.look()
    await bench.assembly.table.settled()
    assert parts(monitor) == ["temperature"]
    assert alarms_in_journal(bench) == [("alarm", "temperature: 81 °C, limit 80 °C")]
    for _ in range(QUIET_LOOKS - 1):
        await monitor.look()
    await bench.assembly.table.settled()
    assert parts(monitor) == []
    assert alarms_in_journal(bench)[-1] == ("alarm over", "temperature")


async def test_the_panel_shows_health_and_what_to_do(bench: Bench, page: Page, board: SimulatedBoard) -> None:
    """Values in the view, the alarm beside the faults, with its advice."""
    assert bench.assembly is not None
    board.set_throttled(0x50005)
    bench.assembly.monitor.files = board.files
    await bench.assembly.monitor.look()
    await bench.assembly.table.settled()
    seen = await page.view()
    assert seen["state"]["board"]["undervoltage"] == "now"
    told = {line["device"]: line["advice"] for line in seen["advice"]}
    assert "Check the power supply" in told["supply voltage"]
    assert "slows itself down" in told["processor"]


async def test_door_and_battery_hang_on_pins_of_the_settings(bench: Bench) -> None:
    """A shut door closes its contact to ground; opened, it is an alarm of the running table."""
    bench.settings = replace(bench.settings, cabinet=CabinetSettings(door=DOOR))
    assert (DOOR, "cabinet.door", CABINET_DOOR) in list(pins(bench.settings))
    await bench.power_cut()
    door = Contact(bench.pins, contact(DOOR))
    door.set(True)
    await bench.power_on()
    assert bench.assembly is not None
    monitor = bench.assembly.monitor
    await bench.pass_time(1.5)
    assert parts(monitor) == []
    door.set(False)
    await bench.pass_time(0.5)
    assert parts(monitor) == [CABINET_DOOR]


async def test_a_door_that_opens_is_an_alarm_at_once(bench: Bench) -> None:
    """And it is over as soon as the door is shut; the battery's alarm waits for quiet looks."""
    assert bench.assembly is not None
    monitor = BoardMonitor(bench.assembly.table, ManualClock(), None, Path("/"), CabinetSettings(door=DOOR))
    monitor.hear_contact(CABINET_DOOR, True)
    assert parts(monitor) == []
    monitor.hear_contact(CABINET_DOOR, False)
    assert parts(monitor) == [CABINET_DOOR]
    monitor.hear_contact(CABINET_DOOR, True)
    monitor.hear_contact(CLOCK_BATTERY, True)
    assert parts(monitor) == [CLOCK_BATTERY]
    await bench.assembly.table.settled()
    assert alarms_in_journal(bench) == [
        ("alarm", "cabinet door: open, or its cable is cut"),
        ("alarm over", "cabinet door"),
        ("alarm", "clock battery: low"),
    ]


async def test_a_cut_door_cable_is_an_open_door(bench: Bench) -> None:
    """Nobody has heard the contact at the first look: that is an alarm."""
    assert bench.assembly is not None
    monitor = BoardMonitor(bench.assembly.table, ManualClock(), None, Path("/"), CabinetSettings(door=DOOR))
    await monitor.look()
    assert parts(monitor) == [CABINET_DOOR]
