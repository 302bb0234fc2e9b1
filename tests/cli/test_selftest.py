"""pitlink selftest: every part of a board is looked at, and nothing moves."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from gpiozero import OutputDevice

from cli import selftest
from cli.main import main
from common.clock import ManualClock
from controller.devices import board_check as bring_up
from controller.journal.journal import Journal
from controller.journal.records import EventRecord, Moment
from drivers.gpio.chip import GpioChip
from drivers.ports import PinFault
from drivers.simulated.acceptor_board import AcceptorBoard
from drivers.simulated.board import SimulatedBoard
from drivers.simulated.hopper import SimulatedHopper
from drivers.simulated.hopper_board import HopperBoard
from drivers.simulated.hopper_mechanics import HopperMechanics
from drivers.simulated.pins import SimulatedPins
from games.round.events import ChipPlaced
from games.round.state import RoundState

EXAMPLE = Path(__file__).parents[2] / "config" / "table.toml"
_LAST_SEAT = 'acceptor = "slot"\nbeams = [8]\ngate = 17'


class Bench:
    """A board with simulated pins, a hopper and an acceptor at seat 7, on one wire."""

    def __init__(self, folder: Path, wire: SimulatedHopper) -> None:
        self.pins, self.folder, self.acceptor = SimulatedPins(ManualClock()), folder, AcceptorBoard()
        self.board = SimulatedBoard(folder / "board")
        wire.wire.neighbours = {17: [self.acceptor]}
        text = EXAMPLE.read_text().replace("/var/lib/pitlink/T1", str(folder))
        text = text.replace("/dev/serial/by-id/usb-return-device", wire.port)
        text = text.replace('checksum = "simple"', 'checksum = "simple"\nreply_timeout_ms = 5000', 1)
        self.config = folder / "table.toml"
        self.config.write_text(text.replace(_LAST_SEAT, 'acceptor = "cctalk"\naddress = 17'))

    def test(self, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, tuple[str, str]]]:
        """The exit code, and each part with its verdict and words."""
        code = main(["selftest", "--config", str(self.config)])
        lines = [re.fullmatch(r"(ok|FAULT) +([^:]+): (.+)", line) for line in capsys.readouterr().out.splitlines()]
        return code, {line[2]: (line[1], line[3]) for line in lines if line}


@pytest.fixture
def wire() -> Iterator[SimulatedHopper]:
    with SimulatedHopper(HopperBoard(HopperMechanics(chip_ms=1))) as wire:
        yield wire


@pytest.fixture
def bench(tmp_path: Path, wire: SimulatedHopper, monkeypatch: pytest.MonkeyPatch) -> Bench:
    bench = Bench(tmp_path, wire)
    monkeypatch.setattr(selftest, "open_metal", lambda _settings: GpioChip(bench.pins, ()))
    monkeypatch.setattr(selftest, "BoardFiles", lambda: bench.board.files)
    return bench


def test_a_board_that_can_serve_its_table(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """One line for each part, exit 0, and no output was ever driven."""
    code, said = bench.test(capsys)
    assert code == 0
    assert list(said) == ["settings", "journal", "kernel", "board", "pins", "return device", "seat 7 acceptor", "clock"]
    assert {verdict for verdict, _ in said.values()} == {"ok"}
    assert said["pins"][1] == "24 lines can be had"
    assert not any(switched.level for gate in (9, 10, 11, 12, 13, 16) for switched in bench.pins.wire(gate).history)


def test_every_fault_is_named_and_the_rest_is_still_looked_at(
    bench: Bench, wire: SimulatedHopper, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Journal, kernel, pins, return device and acceptor, all wrong at once."""
    journal = Journal.open(bench.folder / "journal.db")
    journal.write([EventRecord(ChipPlaced(1), None, 1, Moment(0, 0))], RoundState())
    journal.close()
    with closing(sqlite3.connect(journal.path)) as database, database:
        database.execute("UPDATE events SET at_ms = 9")

    def no_pins(_settings: object) -> GpioChip:
        raise PinFault("board", "there is no gpiochip7")

    monkeypatch.setattr(selftest, "open_metal", no_pins)
    monkeypatch.setattr(bring_up, "outputs_outlive_us", lambda: True)
    wire.unplug()
    code, said = bench.test(capsys)
    assert code == 1
    wrong = {part for part, (verdict, _) in said.items() if verdict == "FAULT"}
    assert wrong == {"journal", "kernel", "pins", "return device", "seat 7 acceptor"}
    assert "event 1 was altered" in said["journal"][1]
    assert "strict_gpiod" in said["kernel"][1]
    assert "plug in the adapter" in said["return device"][1]


def test_a_pin_that_somebody_holds_is_named(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """With its device."""
    holder = OutputDevice(25, pin_factory=bench.pins)
    code, said = bench.test(capsys)
    holder.close()
    assert (code, said["pins"]) == (1, ("FAULT", "lock-out button: GPIO25 is in use already; give it another pin"))


def test_a_running_table_is_left_alone(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """It holds its journal: its pins and its wire are not touched."""
    journal = Journal.open(bench.folder / "journal.db")
    assert main(["selftest", "--config", str(bench.config)]) == 3
    assert "another process runs this table" in capsys.readouterr().err
    journal.close()


def test_bad_settings_end_the_test(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is touched before the settings are whole."""
    bench.config.write_text(bench.config.read_text().replace("gate = 11", "gate = 0"))
    assert main(["selftest", "--config", str(bench.config)]) == 2
    assert "EEPROM" in capsys.readouterr().err


def test_a_machine_without_a_table_stays_without_one(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """No state directory and no lock are made, by whomever the test is run."""
    state = bench.folder / "state" / "T1"
    text = bench.config.read_text().replace(f'"{bench.folder}"', f'"{state}"')
    bench.config.write_text(text)
    code, said = bench.test(capsys)
    assert code == 0
    assert "journal.db is not there yet" in said["journal"][1]
    assert not state.parent.exists()


def test_a_lock_that_cannot_be_opened_is_named(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """The file that is in the way, not the journal beside it."""
    (bench.folder / "journal.lock").mkdir()
    assert main(["selftest", "--config", str(bench.config)]) == 3
    assert f"no self-test now: {bench.folder}/journal.lock: Is a directory" in capsys.readouterr().err


def test_a_board_in_poor_health_is_a_fault_with_its_remedy(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """Undervoltage and a full disk are named with what to do; the rest is looked at all the same."""
    bench.board.set_throttled(0x50001)
    bench.board.free_mb = 100
    code, said = bench.test(capsys)
    assert code == 1
    verdict, words = said["board"]
    assert verdict == "FAULT"
    assert "supply voltage too low (now). Check the power supply" in words
    assert "100 MB free, at least 256 MB are needed" in words
    assert said["pins"][0] == "ok"
