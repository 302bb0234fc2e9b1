"""What an idle table costs: start to ready, memory and CPU, each beside an idle loop with the same libraries.

python -m benchmarks.table_idle [--seconds N]    mock pins, no broker, no return device: the daemon as a process
"""

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parents[1]
DAEMON = str(ROOT / "tests" / "support" / "table" / "bench_daemon.py")
TICK = os.sysconf("SC_CLK_TCK")
# The least that a daemon with these libraries can cost: a loop that turns ten times a second.
IDLE_LOOP = """
import asyncio, os, socket, sys
import aiohttp, aiomqtt, gpiozero, msgspec, serial_asyncio_fast, structlog, transitions
async def main():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])
    while True:
        await asyncio.sleep(0.1)
asyncio.run(main())
"""


class Cost(Struct, frozen=True):
    """What a process cost."""

    ready_ms: int
    rss_mb: float
    cpu_percent: float


def measure(words: list[str], folder: Path, seconds: float) -> Cost:
    """Starts a process, waits until it says READY, lets it idle and reads /proc."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        path = folder / f"notify-{time.monotonic_ns()}"
        listener.bind(str(path))
        listener.settimeout(30)
        began = time.monotonic()
        process = subprocess.Popen(words, env={**os.environ, "NOTIFY_SOCKET": str(path)}, stderr=subprocess.DEVNULL)
        while b"READY=1" not in listener.recv(4096):
            pass
        ready_ms = round((time.monotonic() - began) * 1000)
        time.sleep(2)  # what still belongs to the start is not idling
        before, at = _cpu(process.pid), time.monotonic()
        time.sleep(seconds)  # the idling that is measured
        cpu = (_cpu(process.pid) - before) / (time.monotonic() - at) * 100
        rss = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
        process.kill()
        process.wait()
    return Cost(ready_ms, round(rss, 1), round(cpu, 2))


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20)
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = (ROOT / "config" / "table.toml").read_text().replace("/var/lib/pitlink/T1", str(folder / "T1"))
        (folder / "table.toml").write_text(text.replace("port = 8080", "port = 0"))
        bare = measure([sys.executable, "-c", IDLE_LOOP], folder, seconds)
        table = measure([sys.executable, DAEMON, "table", "--config", str(folder / "table.toml")], folder, seconds)
    print(
        f"start to ready: {table.ready_ms} ms; the libraries and an idle loop: {bare.ready_ms} ms; "
        f"ratio {table.ready_ms / bare.ready_ms:.2f}"
    )
    print(
        f"memory: {table.rss_mb} MB; the libraries and an idle loop: {bare.rss_mb} MB; "
        f"ratio {table.rss_mb / bare.rss_mb:.2f}"
    )
    print(f"idle CPU: {table.cpu_percent} %; a loop that wakes ten times a second: {bare.cpu_percent} %")


if __name__ == "__main__":
    main()
