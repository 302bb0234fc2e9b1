"""Work apart: another process is told its task, and ends with whoever told it."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from meter.service.worker_process import run_worker

ECHO = """
from meter.service.worker_process import worker_task
print(worker_task(niceness=1).decode().strip()[::-1], end="")
raise SystemExit(7)
"""
WAIT = """
import time
from meter.service.worker_process import worker_task
worker_task(niceness=0)
print("told", flush=True)
time.sleep(60)
"""


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two modules to be run apart."""
    (tmp_path / "echo_apart.py").write_text(ECHO)
    (tmp_path / "wait_apart.py").write_text(WAIT)
    here = str(Path(__file__).parents[3])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), here]))


@pytest.mark.usefixtures("modules")
async def test_it_answers_with_its_code_and_its_words() -> None:
    """What it was told went in, what it found comes out."""
    assert await asyncio.wait_for(run_worker("echo_apart", b"task"), 60) == (7, b"ksat")


@pytest.mark.usefixtures("modules")
async def test_no_module_comes_from_the_folder_we_stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever can write the state does not answer in the meter's place."""
    state = tmp_path / "state"
    state.mkdir()
    (state / "echo_apart.py").write_text("print('sound', end='')")
    monkeypatch.chdir(state)
    assert await asyncio.wait_for(run_worker("echo_apart", b"task"), 60) == (7, b"ksat")


@pytest.mark.usefixtures("modules")
async def test_whoever_is_cancelled_leaves_no_process_behind() -> None:
    """The other process is ended before the cancellation goes on."""
    task = asyncio.create_task(run_worker("wait_apart", b"task"))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 60)


@pytest.mark.usefixtures("modules")
def test_it_ends_with_the_meter() -> None:
    """Standard input that ends is a meter that is gone: a process apart does not outlive it."""
    words = [sys.executable, "-m", "wait_apart"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        worker.stdin.write(b"task\n")
        worker.stdin.flush()
        assert worker.stdout.readline() == b"told\n"
        worker.stdin.close()
        assert worker.wait(60) == 1
