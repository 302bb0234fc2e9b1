"""Supervision: what dies is explained and ends the process, what is told to stop stops cleanly."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import textwrap
from io import StringIO
from pathlib import Path

import pytest

from common.log import Log, open_log
from common.supervision import DIED, STOPPED, ServiceManager, run_all


@pytest.fixture
def lines() -> StringIO:
    return StringIO()


@pytest.fixture
def log(lines: StringIO) -> Log:
    return open_log(lines, readable=False)


def silent() -> ServiceManager:
    """Nobody to notify."""
    return ServiceManager({})


async def forever(ended: list[str]) -> None:
    """A part that only ends when it is told to, and tidies up."""
    try:
        await asyncio.Event().wait()
    finally:
        ended.append("tidy")


async def test_a_part_that_dies_ends_all_with_a_reason(lines: StringIO, log: Log) -> None:
    """The others are ended properly, the code is not zero, the log names part and reason."""

    async def doomed() -> None:
        raise LookupError("no such seat")

    ended: list[str] = []
    assert await run_all(forever(ended), doomed(), log=log, manager=silent()) == DIED
    (line,) = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert (line["event"], line["reason"]) == ("part_died", "LookupError: no such seat")
    assert "doomed" in line["part"]
    assert "Traceback" in line["exception"]
    assert ended == ["tidy"]


async def test_a_part_that_simply_ends_has_died_as_well(lines: StringIO, log: Log) -> None:
    """Parts run for ever; one that returns is a bug that must not go unnoticed."""

    async def idle() -> None:
        return

    assert await run_all(idle(), log=log, manager=silent()) == DIED
    assert "never should" in lines.getvalue()


async def test_what_is_under_way_is_seen_through_before_the_parts_end(log: Log) -> None:
    """After a signal the parts run on while the process winds down; after a death nobody waits."""
    told: list[str] = []

    async def signaller() -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.Event().wait()

    async def dead() -> None:
        return

    async def wind_down() -> None:
        told.append("wound down")

    assert await run_all(forever(told), signaller(), log=log, manager=silent(), wind_down=wind_down) == STOPPED
    assert told == ["wound down", "tidy"]
    told.clear()
    assert await run_all(forever(told), dead(), log=log, manager=silent(), wind_down=wind_down) == DIED
    assert told == ["tidy"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_stops_cleanly(lines: StringIO, log: Log, number: int) -> None:
    """Every part tidies up, the code is zero, the log has nothing to explain."""
    ended: list[str] = []

    async def signaller() -> None:
        os.kill(os.getpid(), number)
        await asyncio.Event().wait()

    assert await run_all(forever(ended), signaller(), log=log, manager=silent()) == STOPPED
    assert ended == ["tidy"]
    assert lines.getvalue() == ""


async def test_a_part_that_fails_while_stopping_is_explained(lines: StringIO, log: Log) -> None:
    """A clean stop that was not clean does not return zero."""

    async def clumsy() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            raise OSError("disk full")

    async def signaller() -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.Event().wait()

    assert await run_all(clumsy(), signaller(), log=log, manager=silent()) == DIED
    assert "disk full" in lines.getvalue()


async def test_systemd_hears_ready_status_watchdog_and_stopping(tmp_path: Path, log: Log) -> None:
    """The words of sd_notify, the watchdog at twice the asked pace."""
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(path))
        systemd.settimeout(60)
        manager = ServiceManager({"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": "1000000"})

        async def listen() -> None:
            manager.status("all well")
            heard.extend([await asyncio.to_thread(systemd.recv, 1000) for _ in range(4)])

        heard: list[bytes] = []
        assert await run_all(listen(), log=log, manager=manager, ready="two links") == DIED
        while b"STOPPING" not in heard[-1]:
            heard.append(systemd.recv(1000))
    assert heard[:4] == [b"READY=1\nSTATUS=two links", b"STATUS=all well", b"WATCHDOG=1", b"WATCHDOG=1"]


def test_a_watchdog_meant_for_another_process_is_not_ours() -> None:
    """WATCHDOG_PID names whom it is meant for."""
    mine = ServiceManager({"WATCHDOG_USEC": "1000000", "WATCHDOG_PID": str(os.getpid())})
    other = ServiceManager({"WATCHDOG_USEC": "1000000", "WATCHDOG_PID": "1"})
    assert (mine._watchdog_us, other._watchdog_us) == (1_000_000, 0)


def test_a_manager_that_does_not_listen_stops_nobody(tmp_path: Path) -> None:
    """A stale socket path is no reason to fail."""
    ServiceManager({"NOTIFY_SOCKET": str(tmp_path / "nobody")}).ready("hello?")


def test_a_second_signal_ends_a_process_that_hangs(tmp_path: Path) -> None:
    """A part that does not let go cannot keep the operator from stopping the process."""
    program = """
        import asyncio
        from common.log import open_log
        from common.supervision import ServiceManager, run_all
        async def stubborn():
            print("up", flush=True)
            while True:
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    print("no", flush=True)
        asyncio.run(run_all(stubborn(), log=open_log(), manager=ServiceManager({})))
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
        process.terminate()
        assert process.stdout.readline() == "no\n"
        process.terminate()
        assert process.wait(60) == -signal.SIGTERM
