"""Real units under a real systemd: hung, crashing and caged daemons."""

import shlex
import time

import pytest

from hil.machines import chosen
from hil.operator import GATES, LOCK_OUT, TableOperator
from hil.rig import Rig

UNIT = "pitlink-table.service"


@pytest.fixture
def up(table: TableOperator) -> TableOperator:
    """A table that runs and has its link."""
    table.until(lambda state: not state["link"]["reason"], "not up", 400)
    return table


def shown(rig: Rig, key: str) -> str:
    """One property of the table's unit."""
    return rig.must("systemctl", "show", UNIT, "--property", key, "--value").strip()


def wait_for(rig: Rig, key: str, value: str, within_s: float) -> None:
    """Waits until a property of the unit is so."""
    until = time.monotonic() + within_s
    while (found := shown(rig, key)) != value:
        assert time.monotonic() < until, f"{key} is {found}, not {value}"
        time.sleep(1)


def inside(rig: Rig, *argv: str, user: str = "pitlink-table") -> str:
    """Runs a command in the cgroup and the namespaces of the running table; code and words."""
    cage = "/sys/fs/cgroup/system.slice/pitlink-table.service/cgroup.procs"
    become = ("setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups")
    enter = ("nsenter", "-t", shown(rig, "MainPID"), "-m", *become)
    done = rig.run("sh", "-c", f"echo $$ >{cage} && exec {shlex.join((*enter, *argv))}")
    return f"{done.code} {done.out}{done.err}"


def test_a_hung_daemon_is_restarted_and_the_table_stands_where_it_stood(table: TableOperator, rig: Rig) -> None:
    """SIGSTOP in the middle of a round: the watchdog ends it, and lights and phase come back."""
    table.open()
    for seat in (1, 6):
        assert table.insert_chip(seat)
    table.until(lambda state: state["lights"] == 2, "no wagers")
    table.press(LOCK_OUT)
    before = table.until(lambda state: state["phase"] == "in play", "not registered")
    rig.must("systemctl", "kill", "--signal=SIGSTOP", UNIT)
    wait_for(rig, "NRestarts", "1", 120)
    wait_for(rig, "ActiveState", "active", 240)
    after = table.until(lambda state: not state["link"]["reason"], "not up again", 240)
    assert (after["round"], after["phase"], after["lights"]) == (before["round"], "in play", 2)
    assert table.lit() == {1, 6}
    assert table.open_gates() == set()
    assert "Watchdog timeout" in rig.must("journalctl", "-b", "-u", UNIT, "--no-pager", "-n", "50")


def test_a_crash_loop_ends_closed_with_its_reason(table: TableOperator, rig: Rig) -> None:
    """Killed at every start: the unit gives up, every gate is low, and systemctl status says why."""
    table.open()
    assert table.open_gates() == set(GATES)
    for _ in range(6):
        rig.must("systemctl", "kill", "--signal=SIGKILL", UNIT)
        time.sleep(4)
    wait_for(rig, "ActiveState", "failed", 120)
    assert table.open_gates() == set()
    assert shown(rig, "Result") in {"signal", "start-limit-hit"}
    assert "killed" in rig.run("systemctl", "status", "--no-pager", UNIT).out


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("echo x >/etc/pitlink/table.toml", "Read-only file system"),
        ("echo x >/opt/pitlink/current/x", "Read-only file system"),
        ("ls /root", "Permission denied"),
        ("cat /var/lib/pitlink-flash/nothing; echo x >/var/lib/pitlink-flash/x", "Read-only file system"),
    ],
)
def test_what_is_not_the_tables_is_denied(up: TableOperator, script: str, complaint: str) -> None:
    """Inside the table's own namespace, as its user, nothing but its state can be written."""
    said = inside(up.rig, "sh", "-c", script)
    assert not said.startswith("0 "), said
    assert complaint in said


def test_the_table_may_write_its_own_state(up: TableOperator) -> None:
    """So that the test above is not green because nothing works."""
    assert inside(up.rig, "sh", "-c", "touch /var/lib/pitlink/T1/x && rm /var/lib/pitlink/T1/x").startswith("0 ")


@pytest.mark.parametrize(
    ("probe", "is_allowed"),
    [
        ("open('/dev/gpiochip0', 'rb', 0)", True),
        (f"open('{chosen().hopper_port}', 'rb', 0)", True),
        ("open('/dev/vdb', 'rb', 0)", False),
        ("open('/dev/mem', 'rb', 0)", False),
        ("open('/dev/watchdog', 'wb', 0)", False),
        ("socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('10.0.2.100', 9))", True),
        ("socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('93.184.216.34', 9))", False),
    ],
)
def test_only_named_devices_and_networks_are_reachable(up: TableOperator, probe: str, is_allowed: bool) -> None:
    """In the table's cgroup pins, serial ports and the house's networks are there; the rest is denied to root, too."""
    said = inside(up.rig, "python3", "-c", f"import socket; {probe}", user="root")
    assert said.startswith("0 ") == is_allowed, said


def test_the_running_table_has_no_privileges(up: TableOperator) -> None:
    """The kernel's own word: system calls filtered, no capability left, no way to gain one."""
    status = up.rig.must("cat", f"/proc/{shown(up.rig, 'MainPID')}/status")
    found = dict(line.split(":\t") for line in status.splitlines() if ":\t" in line)
    assert (found["Seccomp"], found["NoNewPrivs"], found["CapBnd"], found["CapEff"]) == ("2", "1", "0" * 16, "0" * 16)


@pytest.mark.parametrize(
    ("unit", "words"), [("pitlink-backup", "events, chain whole"), ("pitlink-archive", "nothing to archive")]
)
def test_copies_and_archives_work_in_their_cages_beside_a_running_table(
    up: TableOperator, unit: str, words: str
) -> None:
    """What their timers start; on a board of today there is nothing old yet."""
    up.rig.must("systemctl", "start", unit, within_s=600)
    assert words in up.rig.must("journalctl", "-b", "-u", unit, "--no-pager", "-o", "cat")
    assert up.state() is not None


def test_nothing_listens_but_what_is_configured(up: TableOperator) -> None:
    """The panel's port on loopback; no other socket takes a connection."""
    listening = [line.split()[3] for line in up.rig.must("ss", "-Hltn").splitlines()]
    assert listening == ["127.0.0.1:8080"]
    datagrams = [line.split()[3].rpartition(":")[2] for line in up.rig.must("ss", "-Hlun").splitlines()]
    assert set(datagrams) <= {"68"}  # the lease of its address


def test_the_root_file_system_is_read_only_and_nothing_failed(rig: Rig) -> None:
    """The recipe's promise after a boot: one writable partition, every unit well, the hardware watchdog armed."""
    assert rig.run("touch", "/usr/x").code != 0
    assert rig.must("systemctl", "--failed", "--no-legend", "--plain").strip() == ""
    assert rig.must("cat", "/sys/class/watchdog/watchdog0/state").strip() == "active"
