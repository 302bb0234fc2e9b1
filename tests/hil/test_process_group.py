"""Whoever ends the bench's command ends everything that it has started."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hil.image import PROJECT

RUNNER = """
import signal, sys
from pathlib import Path
from hil import process_group
signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a shell does for a command with & behind it
signal.signal(signal.SIGHUP, signal.{hangup})
words = [sys.executable, "-m", "pytest", "-q", "-s", "test_machine.py"]
sys.exit(process_group.run(words, Path({folder!r})))
"""
TESTS = """
import os, subprocess, sys
from pathlib import Path
import pytest

@pytest.fixture
def machines():
    processes = [subprocess.Popen(["sh", "-c", "sleep 600; true"]) for _ in range(2)]
    yield
    processes[0].kill()  # what it has started itself lives on, and so does the other
    processes[0].wait()
    print("cleared up")

def test_that_waits(machines):
    Path("number").write_text(str(os.getpid()))
    print("\\nmachines run", flush=True)
    assert sys.stdin.readline() == "go on\\n"
"""


@contextmanager
def errand(folder: Path, hangup: str = "SIG_DFL") -> Iterator[subprocess.Popen[str]]:
    """A run of one test whose machines are up; they inherit its output, which ends when the last of them is gone."""
    (folder / "test_machine.py").write_text(TESTS)
    (folder / "pytest.ini").write_text("[pytest]\n")
    words = [sys.executable, "-c", RUNNER.format(folder=str(folder), hangup=hangup)]
    plain = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    mqtt, same = subprocess.PIPE, subprocess.STDOUT
    with subprocess.Popen(words, cwd=PROJECT, env=plain, stdin=mqtt, stdout=mqtt, stderr=same, text=True) as process:
        try:
            assert process.stdout is not None
            assert "machines run\n" in process.stdout
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("ending", ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"])
def test_whoever_ends_the_tests_ends_what_they_started(tmp_path: Path, ending: str) -> None:
    """The fixtures clear up, the run has its last words, and what no fixture has ended is gone, too."""
    with errand(tmp_path) as run:
        run.send_signal(signal.Signals[ending])
        run.wait(60)  # its input stays open until then: the test itself never ends
        words, _ = run.communicate(timeout=60)
    assert run.returncode == pytest.ExitCode.INTERRUPTED, words
    assert "cleared up" in words
    assert "KeyboardInterrupt" in words


def test_tests_that_end_by_themselves_leave_nobody_behind(tmp_path: Path) -> None:
    """Their result is the command's."""
    with errand(tmp_path) as run:
        words, _ = run.communicate("go on\n", timeout=60)
    assert run.returncode == pytest.ExitCode.OK, words


def test_an_impatient_ending_as_the_tests_end_leaves_nobody_behind(tmp_path: Path) -> None:
    """Signals that come between the end of the tests and the end of their machines change nothing about either."""
    with errand(tmp_path) as run:
        run.send_signal(signal.SIGSTOP)  # it learns of all that follows at once
        tests = os.pidfd_open(int((tmp_path / "number").read_text()))
        assert run.stdin is not None
        run.stdin.write("go on\n")
        run.stdin.flush()
        has_ended, _, _ = select.select([tests], [], [], 60)
        os.close(tests)
        assert has_ended
        for ending in (signal.SIGTERM, signal.SIGINT, signal.SIGCONT):
            run.send_signal(ending)
        words, _ = run.communicate(timeout=60)
    assert run.returncode == pytest.ExitCode.OK, words


def test_tests_under_nohup_outlive_their_terminal(tmp_path: Path) -> None:
    """Who is told not to mind a hang-up plays on to the end."""
    with errand(tmp_path, hangup="SIG_IGN") as run:
        run.send_signal(signal.SIGHUP)
        words, _ = run.communicate("go on\n", timeout=60)
    assert run.returncode == pytest.ExitCode.OK, words
