"""pitlink cctalk: what is on a wire is said, with the settings for it or the reason why not."""

import tomllib
from pathlib import Path

import pytest
from msgspec.structs import replace

from cli import cctalk
from cli.main import main
from common.settings import Section
from drivers.cctalk.bus import Bus, BusSettings
from drivers.cctalk.commands import Header, HopperFlag
from drivers.cctalk.frame import Checksum
from drivers.cctalk.settings import HopperSettings, Security, read_hopper
from drivers.simulated.acceptor_board import AcceptorBoard
from drivers.simulated.cctalk_wire import SimulatedWire
from drivers.simulated.hopper import SimulatedHopper
from tests.support.drivers.return_rigs import DirectBus, hopper_board


class Bench:
    """A hopper at 3 and an acceptor at 11, and what the command says of them."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.hopper, self.acceptor = hopper_board(), AcceptorBoard()
        self.wire = SimulatedWire(self.hopper)
        self.wire.neighbours = {11: [self.acceptor]}
        self._capsys = capsys
        monkeypatch.setattr(cctalk, "Bus", self._bus)
        monkeypatch.setattr(cctalk, "_RESTART_MS", 0)

    def _bus(self, settings: BusSettings) -> Bus:
        return DirectBus(replace(settings, roll_call_ms=0, busy_ms=0), self.wire)

    def run(self, *words: str) -> tuple[int, str]:
        code = main(["cctalk", *words])
        said = self._capsys.readouterr()
        return code, said.out + said.err

    def about(self, address: int) -> str:
        """What the probe says of one address."""
        _, said = self.run("probe", "/dev/bench")
        return said.partition(f"\naddress {address}: ")[2].partition("\naddress ")[0]


@pytest.fixture
def bench(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(capsys, monkeypatch)


def hopper_settings(said: str) -> HopperSettings:
    """The printed settings, read as a table reads them."""
    lines = [line.strip() for line in said.splitlines() if " = " in line]
    data = tomllib.loads("\n".join(lines))
    assert data.pop("kind") == "cctalk"
    faults: list[object] = []
    settings = read_hopper(Section("probe", "return_device", data, faults))  # type: ignore[arg-type]
    assert faults == []
    return settings


def test_what_answers_is_named_with_its_settings(bench: Bench) -> None:
    """Both devices can be used; the settings printed are settings that a table reads."""
    code, said = bench.run("probe", "/dev/bench")
    assert code == 0
    assert "/dev/bench: checksum simple, the wire has an echo" in said
    assert hopper_settings(bench.about(3)) == HopperSettings("/dev/bench")
    acceptor = bench.about(11)
    assert "usable as the acceptor of a seat" in acceptor
    assert "coins = [1]" in acceptor
    assert "lock-out: header 228" in acceptor


def test_the_checksum_and_a_missing_echo_are_found(bench: Bench) -> None:
    """A technician need not know them."""
    bench.wire = SimulatedWire(bench.hopper, checksum=Checksum.CRC, echo=False)
    found = hopper_settings(bench.about(3))
    assert (found.checksum, found.echo) == (Checksum.CRC, False)


def test_a_probe_moves_no_chip_and_resets_nothing(bench: Bench) -> None:
    """Nothing is ordered, enabled or changed."""
    bench.hopper.metal.load(3, 0.0)
    bench.run("probe", "/dev/bench")
    changing = {Header.RESET_DEVICE, Header.ENABLE_HOPPER, Header.DISPENSE_HOPPER_COINS, Header.MODIFY_VARIABLE_SET}
    assert not changing & {message.header for message in bench.wire.messages}
    assert not {228, 231} & {message.header for message in bench.wire.messages}
    assert bench.hopper.metal.given == 0


def test_a_hopper_without_a_key_and_with_a_pin_gets_its_settings(bench: Bench) -> None:
    """What can be asked is in the settings, what cannot is a remark beside them."""
    bench.hopper.pin = b"1234"
    bench.hopper.security = Security.NONE
    said = bench.about(3)
    assert 'security = "serial"  # it has no cipher key; if it refuses, try "none"' in said
    assert 'pin = "…"' in said


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("pays_by_value", "it pays amounts"),
        ("is_encrypted", "its orders are encrypted"),
    ],
)
def test_a_hopper_that_cannot_be_used_says_why(bench: Bench, what: str, words: str) -> None:
    """Exit 1, and no settings for it."""
    setattr(bench.hopper, what, True)
    code, _ = bench.run("probe", "/dev/bench")
    said = bench.about(3)
    assert code == 1
    assert f"not usable: {words}" in said
    assert "[return_device]" not in said


def test_latched_bits_and_a_memory_error_are_named_and_cleared(bench: Bench) -> None:
    """The probe says what is wrong, reset says what it was and what is left."""
    bench.hopper.latches_power_loss = True
    bench.hopper.metal.load(9, 0.0)
    bench.hopper.metal.start(9, 1e6, timeout=1)  # pays while the power fails
    bench.hopper.metal.due = 1e9
    bench.hopper.restart(by_power=True, is_written=False)
    said = bench.about(3)
    assert "it will be reset because of: power lost while paying (3.0)" in said
    assert "its count is not to be believed (memory error)" in said
    code, cleared = bench.run("reset", "/dev/bench", "3")
    assert code == 0
    assert "memory error (2.6), power lost while paying (3.0)" in cleared.splitlines()[0]
    assert cleared.splitlines()[1] == "after:  payout disabled (1.7)"
    assert "usable as the return device" in bench.about(3)


def test_a_reset_of_nobody_says_so(bench: Bench) -> None:
    """Exit 1; an address that no device can have is refused at once."""
    code, said = bench.run("reset", "/dev/bench", "9")
    assert (code, said.count("no hopper answers there")) == (1, 2)
    with pytest.raises(SystemExit):
        bench.run("reset", "/dev/bench", "1")


def test_an_acceptor_that_cannot_be_used_says_why(bench: Bench) -> None:
    """A self-check that finds something; a second way to lock out where the first is missing."""
    bench.acceptor.self_check = 42
    assert "not usable: its gate is stuck open (self-check 42)" in bench.about(11)
    bench.acceptor.self_check, bench.acceptor.has_master = None, False
    said = bench.about(11)
    assert "lock-out: header 231, coin by coin" in said
    assert "usable as the acceptor of a seat" in said


def test_something_else_is_named_and_left_alone(bench: Bench) -> None:
    """A note validator on the same wire is no business of a table."""
    bench.acceptor.category = "Bill Validator"
    code, _ = bench.run("probe", "/dev/bench")
    assert code == 1
    assert "not used: it calls itself 'Bill Validator'" in bench.about(11)


def test_silence_says_what_to_look_at(bench: Bench) -> None:
    """No power on the wire."""
    bench.wire.neighbours = {}
    bench.hopper.wake_s = 1e9
    bench.hopper.restart(by_power=True)
    code, said = bench.run("probe", "/dev/bench")
    assert code == 1
    assert "nothing answers on /dev/bench at 9600 baud (checksum simple and crc)" in said


def test_a_port_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 3."""
    assert main(["cctalk", "probe", str(tmp_path / "ttyNOWHERE")]) == 3
    assert "ttyNOWHERE cannot be opened" in capsys.readouterr().err


def test_a_flag_that_only_the_driver_cares_about_is_told_on_a_real_port(capsys: pytest.CaptureFixture[str]) -> None:
    """From the command to the pty and back."""
    with SimulatedHopper(hopper_board()) as hopper:
        with hopper.hands_on() as board:
            board.metal.flags |= HopperFlag.MOTOR_REVERSED
        assert main(["cctalk", "reset", hopper.port, "3"]) == 0
    before, after = capsys.readouterr().out.splitlines()
    assert "motor reversed (1.2)" in before
    assert "motor reversed" not in after
