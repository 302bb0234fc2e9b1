"""The table daemon as a process: what systemd hears from it, and how it ends."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.journal.journal import Journal
from demo.broker import free_port

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tests" / "support" / "table" / "bench_daemon.py"
WITHIN_S = 120


class Manager:
    """The socket systemd would listen on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self._socket.settimeout(WITHIN_S)

    def wait_for(self, words: str) -> None:
        """Reads until something is said."""
        while words not in self._socket.recv(4096).decode():
            pass

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    manager = Manager(tmp_path / "notify")
    yield manager
    manager.close()


@contextmanager
def daemon(tmp_path: Path, manager: Manager) -> Iterator["subprocess.Popen[str]"]:
    """A running table daemon; killed if the test leaves it running."""
    text = (ROOT / "config" / "table.toml").read_text()
    text = text.replace("/var/lib/pitlink/T1", str(tmp_path / "T1")).replace("port = 8080", "port = 0")
    text = text.replace("port = 1883", f"port = {free_port()}")
    config = tmp_path / "table.toml"
    config.write_text(text)
    environment = {**os.environ, "NOTIFY_SOCKET": str(manager.path), "WATCHDOG_USEC": "2000000"}
    process = subprocess.Popen(
        [sys.executable, str(SCRIPT), "table", "--config", str(config)],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_systemd_hears_ready_watchdog_status_and_stopping(tmp_path: Path, manager: Manager) -> None:
    """Type=notify and WatchdogSec have what they need, and SIGTERM is a clean end."""
    with daemon(tmp_path, manager) as process:
        manager.wait_for("READY=1")
        manager.wait_for("WATCHDOG=1")
        process.send_signal(signal.SIGTERM)
        manager.wait_for("STOPPING=1")
        _, log = process.communicate(timeout=WITHIN_S)
    assert process.returncode == 0
    assert '"event": "table_started"' in log
    assert '"table": "T1"' in log
    assert '"event": "table_stopped"' in log


def test_a_clean_stop_and_a_kill_are_told_apart_at_the_next_start(tmp_path: Path, manager: Manager) -> None:
    """The journal counts the unclean stops only."""
    with daemon(tmp_path, manager) as process:
        manager.wait_for("READY=1")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=WITHIN_S)
    with daemon(tmp_path, manager) as process:
        manager.wait_for("READY=1")
        process.kill()
        process.communicate(timeout=WITHIN_S)
    with daemon(tmp_path, manager) as process:
        manager.wait_for("READY=1")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=WITHIN_S)
    journal = Journal.look(tmp_path / "T1" / "journal.db")
    assert (journal.boot, journal.unclean_stops) == (3, 1)
    journal.abandon()


def test_a_missing_serial_port_is_a_fault_the_status_shows(tmp_path: Path, manager: Manager) -> None:
    """The daemon runs, the table stays closed, and systemctl status says why."""
    with daemon(tmp_path, manager):
        manager.wait_for("STATUS=return device: ")


def test_a_second_daemon_on_the_same_journal_is_refused(tmp_path: Path, manager: Manager) -> None:
    """Exit 3 and a sentence; the first one is not disturbed."""
    with daemon(tmp_path, manager) as first:
        manager.wait_for("READY=1")
        with daemon(tmp_path, manager) as second:
            _, log = second.communicate(timeout=WITHIN_S)
            assert second.returncode == 3
            assert "another process runs this table" in log
        assert first.poll() is None


def test_a_damaged_journal_keeps_the_daemon_from_starting(tmp_path: Path, manager: Manager) -> None:
    """Exit 3; no gate was ever opened."""
    (tmp_path / "T1").mkdir()
    (tmp_path / "T1" / "journal.db").write_bytes(b"this is no journal" * 1000)
    with daemon(tmp_path, manager) as process:
        _, log = process.communicate(timeout=WITHIN_S)
        assert process.returncode == 3
        assert "table cannot start" in log


def test_why_it_did_not_start_is_in_the_status_of_the_next_start(tmp_path: Path, manager: Manager) -> None:
    """systemctl status says it beside what the table waits for, until somebody at the panel has acknowledged it."""
    journal = tmp_path / "T1" / "journal.db"
    journal.parent.mkdir()
    journal.write_bytes(b"this is no journal" * 1000)
    with daemon(tmp_path, manager) as process:
        process.communicate(timeout=WITHIN_S)
    journal.unlink()
    with daemon(tmp_path, manager):
        manager.wait_for("UTC: cannot start: ")
