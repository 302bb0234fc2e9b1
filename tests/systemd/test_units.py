"""The units we ship: sound, sandboxed, and saying what the program really takes."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from cli.main import main
from common.pages.relay import AT_ONCE, MOST_STREAMS
from common.pages.server import BOUNDS
from common.tls import MOST_SIGNS

UNITS = Path(__file__).parents[2] / "systemd"
SERVICES = sorted(UNITS.glob("*.service"))
DROP_IN = UNITS.parent / "config" / "property" / "pitlink-meter.conf"
DAEMONS = [UNITS / f"pitlink-{name}.service" for name in ("table", "meter", "pages@", "fleet")]
FLASHERS = {"pitlink-flash@.service": 25, "pitlink-fleet-pull.service": 27}
SIGN = {"pitlink-sign.service": 55}
"""A browser has a screen and a sandbox of its own, which needs namespaces and memory that it writes and runs."""
with_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is missing: apt-get install systemd"
)


def lines(unit: Path) -> list[str]:
    return [line for line in unit.read_text().splitlines() if line and not line.startswith("#")]


@with_systemd
def test_every_unit_is_sound_and_so_is_what_it_refers_to(tmp_path: Path) -> None:
    """`systemd-analyze verify` has nothing to say; the program's place is the only thing put in."""
    for link in ("current", "flasher"):
        program = tmp_path / link / "bin" / "pitlink"
        program.parent.mkdir(parents=True)
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    folder = tmp_path / "units"
    folder.mkdir()
    for unit in [*SERVICES, *UNITS.glob("*.timer")]:
        (folder / unit.name).write_text(unit.read_text().replace("/opt/pitlink", str(tmp_path)))
    copies = sorted(str(unit) for unit in folder.iterdir())
    said = subprocess.run(
        ["systemd-analyze", "verify", "--recursive-errors=yes", *copies], capture_output=True, text=True, check=False
    )
    assert (said.returncode, said.stderr.strip()) == (0, "")


@with_systemd
def test_the_drop_in_of_a_property_is_sound_and_lifts_the_limit_of_starts(tmp_path: Path) -> None:
    """`systemd-analyze verify` reads it with its unit and has nothing to say; a misspelt one it would name."""
    program = tmp_path / "current" / "bin" / "pitlink"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = tmp_path / "units" / "pitlink-meter.service"
    drop_in = unit.with_name(f"{unit.name}.d") / DROP_IN.name
    drop_in.parent.mkdir(parents=True)
    unit.write_text((UNITS / unit.name).read_text().replace("/opt/pitlink", str(tmp_path)))

    def verified(text: str) -> str:
        drop_in.write_text(text)
        words = ["systemd-analyze", "verify", "--recursive-errors=yes", str(unit)]
        return subprocess.run(words, capture_output=True, text=True, check=False).stderr.strip()

    text = DROP_IN.read_text()
    assert verified(text) == ""
    assert "pitlink-meter.conf:5: Failed to parse" in verified(text.replace("Sec=0", "Sec=never"))
    assert lines(DROP_IN) == ["[Unit]", "StartLimitIntervalSec=0"]


@with_systemd
@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_the_exposure_of_every_service_is_below_two_or_documented(unit: Path) -> None:
    """`systemd-analyze security` counts what a taken-over process could reach; whoever flashes must be root."""
    limit = (FLASHERS | SIGN).get(unit.name, 19)
    words = ["systemd-analyze", "security", "--offline=true", f"--threshold={limit}", "--no-pager", str(unit)]
    said = subprocess.run(words, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout[-300:]


@pytest.mark.parametrize("unit", DAEMONS, ids=lambda unit: unit.name)
def test_a_daemon_is_watched_and_a_crash_loop_ends(unit: Path) -> None:
    """A hung one is restarted; after so many starts it stays down, which is shut; faulty settings are not retried."""
    said = set(lines(unit))
    assert {"Type=notify", "Restart=on-failure", "StartLimitBurst=5", "RestartPreventExitStatus=2 4"} <= said
    value = {key: int(number) for key, _, number in (line.partition("=") for line in said) if number.isdecimal()}
    assert 0 < value["WatchdogSec"] <= 30
    longest_loop_s = value["StartLimitBurst"] * (value["RestartSec"] + value["WatchdogSec"])
    assert longest_loop_s < value["StartLimitIntervalSec"]


def test_the_table_reaches_pins_and_serial_ports_and_nothing_else() -> None:
    """What lgpio and the wire need stays reachable; see docs/units.md."""
    said = lines(UNITS / "pitlink-table.service")
    assert "SupplementaryGroups=gpio dialout pitlink-pages" in said
    allowed = [line.removeprefix("DeviceAllow=") for line in said if line.startswith("DeviceAllow=")]
    assert allowed == [f"char-{kind} rw" for kind in ("gpiochip", "ttyUSB", "ttyACM", "ttyAMA", "ttyS")]
    assert not {"PrivateDevices=yes", "ProcSubset=pid"} & set(said)
    assert "Environment=LG_WD=/run/pitlink-table" in said


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_every_command_of_a_unit_is_one_the_program_knows(unit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A unit with a misspelt command would fail on the floor only."""
    commands = re.findall(r"/opt/pitlink/(?:current|flasher)/bin/pitlink ([a-z]+)", unit.read_text())
    assert commands
    for command in commands:
        with pytest.raises(SystemExit) as ended:
            main([command, "--help"])
        assert ended.value.code == 0


@pytest.mark.parametrize("timer", sorted(UNITS.glob("*.timer")), ids=lambda timer: timer.name)
def test_every_timer_starts_something_on_every_board(timer: Path) -> None:
    """It has its service, the recipe enables it, and the docs name it."""
    assert timer.with_suffix(".service") in SERVICES
    for place in ("flashing/recipe/table-board", "docs/units.md", "docs/flashing.md"):
        assert timer.name in (UNITS.parent / place).read_text(), place


def test_a_flash_that_was_cut_off_is_ended_before_anything_of_ours_starts() -> None:
    """By the version that began it, which its link names; and one that was killed goes back at once."""
    said = lines(UNITS / "pitlink-flash-resume.service")
    assert "ConditionPathExists=/opt/pitlink/flasher" in said
    assert "ExecStart=/opt/pitlink/flasher/bin/pitlink flash --resume" in said
    (before,) = [line.removeprefix("Before=").split() for line in said if line.startswith("Before=")]
    ours = {unit.name for unit in SERVICES if "flash" not in unit.name and "@" not in unit.name}
    ours |= {"pitlink-pages@table.service", "pitlink-pages@meter.service"}
    assert set(before) == ours
    (after_death,) = [line for line in lines(UNITS / "pitlink-flash@.service") if line.startswith("ExecStopPost=")]
    assert "/opt/pitlink/flasher/bin/pitlink flash --resume --live" in after_death


@pytest.mark.parametrize("unit", ["pitlink-flash@.service", "pitlink-flash-resume.service", "pitlink-stick@.service"])
def test_a_flash_reaches_no_network(unit: str) -> None:
    """The table is asked on a Unix socket; and no device but the stick that was plugged in."""
    said = lines(UNITS / unit)
    assert {"IPAddressDeny=any", "PrivateNetwork=yes", "RestrictAddressFamilies=AF_UNIX"} <= set(said)
    assert {line for line in said if line.startswith(("IPAddressAllow=", "DeviceAllow="))} <= {"DeviceAllow=block-sd r"}


def test_a_stick_with_our_label_starts_the_unit_that_reads_it() -> None:
    """And no other stick does."""
    text = (UNITS / "udev" / "61-pitlink.rules").read_text()
    (rule,) = [line for line in text.splitlines() if "pitlink-stick@" in line]
    assert 'SUBSYSTEM=="block", ENV{ID_BUS}=="usb", ENV{ID_FS_LABEL}=="PITLINK"' in rule
    assert 'ENV{SYSTEMD_WANTS}+="pitlink-stick@%k.service"' in rule


def test_every_adapter_has_a_name_that_outlives_it() -> None:
    """By its socket, after the system's own rules have found that out, and for the group the table is in."""
    (rules,) = (UNITS / "udev").glob("*.rules")
    assert rules.name > "60-serial.rules"
    text = rules.read_text()
    assert 'SYMLINK+="pitlink/serial-$env{ID_PATH}", GROUP="dialout"' in text
    known = {"ACTION", "SUBSYSTEM", "KERNEL", "ENV", "SYMLINK", "GROUP", "MODE", "TAG"}
    for line in (line for line in text.splitlines() if line and not line.startswith("#")):
        assert {re.split(r"[{=+]", part.strip(), maxsplit=1)[0] for part in line.split(",")} <= known


def test_15_9_table_meter_and_pages_have_users_of_their_own() -> None:
    """Each is made by sysusers.d, and no unit runs as another's."""
    made = re.findall(r"^u (\S+) ", (UNITS / "sysusers.d" / "pitlink.conf").read_text(), re.MULTILINE)
    assert sorted(made) == ["pitlink-fleet", "pitlink-meter", "pitlink-pages", "pitlink-sign", "pitlink-table"]
    users = {unit.name: line for unit in SERVICES for line in lines(unit) if line.startswith("User=")}
    assert {name: users.pop(name) for name in ("pitlink-meter.service", "pitlink-meter-backup.service")} == {
        "pitlink-meter.service": "User=pitlink-meter",
        "pitlink-meter-backup.service": "User=pitlink-meter",
    }
    assert users.pop("pitlink-pages@.service") == "User=pitlink-pages"
    assert users.pop("pitlink-sign.service") == "User=pitlink-sign"
    assert users.pop("pitlink-fleet.service") == "User=pitlink-fleet"
    assert set(users.values()) == {"User=pitlink-table"}


def test_15_3_strangers_use_up_what_the_unit_of_the_pages_allows_and_no_more() -> None:
    """Memory, files and tasks have limits there; files have one for every daemon, above what its servers take."""
    said = set(lines(UNITS / "pitlink-pages@.service"))
    assert {"MemoryMax=384M", "TasksMax=32", "LimitNOFILE=2048", "CPUWeight=idle"} <= said
    assert BOUNDS.most + MOST_SIGNS * BOUNDS.most_per_reserved + AT_ONCE + MOST_STREAMS < 2048
    for daemon in ("table", "meter"):
        assert "LimitNOFILE=4096" in lines(UNITS / f"pitlink-{daemon}.service")
