"""What an idle table costs: start to ready, memory and processor time, each beside the bare libraries in the same run.

python -m benchmarks.table_idle [--starts N] [--seconds N]   the daemon as a process, mock pins, no broker
"""

import argparse
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
DAEMON: Final = str(ROOT / "tests" / "support" / "table" / "bench_daemon.py")
MOST_START: Final = 1.3
MOST_MEMORY: Final = 1.15
MOST_CPU_PERCENT: Final = 0.5
SETTLES_S: Final = 3.0
"""What still belongs to the start is not idling."""
# The least that a daemon with what a table loads of others can cost: a loop that turns ten times a second.
IDLE_LOOP: Final = """
import asyncio, os, socket, sys
import aiohttp.web, aiomqtt, gpiozero, msgspec, serial_asyncio_fast, sqlite3, structlog, tomllib, transitions
import cryptography.hazmat.primitives.asymmetric.ed25519
async def main():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])
    while True:
        await asyncio.sleep(0.1)
asyncio.run(main())
"""


class MeasuredProgram:
    """A process that is started as a service manager would, until it says READY."""

    def __init__(self, words: list[str], folder: Path) -> None:
        self._words, self._folder = words, folder

    @contextmanager
    def running(self) -> Iterator[tuple[int, float]]:
        """Its process id and how long it took until READY."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
            path = self._folder / f"notify-{time.monotonic_ns()}"
            listener.bind(str(path))
            listener.settimeout(60)
            began = time.monotonic()
            process = subprocess.Popen(self._words, env=_environment(self._folder, path), stderr=subprocess.DEVNULL)
            try:
                while b"READY=1" not in listener.recv(4096):
                    pass
                yield process.pid, time.monotonic() - began
            finally:
                process.kill()
                process.wait()


def _environment(folder: Path, notify: Path) -> dict[str, str]:
    """Both programs are compiled once, as a board's are, and into a place of their own."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"NOTIFY_SOCKET": str(notify), "PYTHONPYCACHEPREFIX": str(folder / "compiled")}


def start_s(program: MeasuredProgram) -> float:
    """How long one start took."""
    with program.running() as (_, took):
        return took


def _cpu_s(pid: int) -> float:
    """Processor time of all threads of a process."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def _memory_mb(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def idle(programs: list[MeasuredProgram], seconds: float) -> list[tuple[float, float]]:
    """Memory and per cent of a core of each, all idling at the same time."""
    with ExitStack() as stack:
        pids = [stack.enter_context(program.running())[0] for program in programs]
        time.sleep(SETTLES_S)
        before, at = [_cpu_s(pid) for pid in pids], time.monotonic()
        time.sleep(seconds)  # the idling that is measured
        took = time.monotonic() - at
        spent = [(_cpu_s(pid) - cpu) / took * 100 for pid, cpu in zip(pids, before, strict=True)]
        return list(zip([_memory_mb(pid) for pid in pids], spent, strict=True))


def run(starts: int, seconds: float) -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = (ROOT / "config" / "table.toml").read_text().replace("/var/lib/pitlink/T1", str(folder / "T1"))
        (folder / "table.toml").write_text(text.replace("port = 8080", "port = 0"))
        bare = MeasuredProgram([sys.executable, "-c", IDLE_LOOP], folder)
        table = MeasuredProgram([sys.executable, DAEMON, "table", "--config", str(folder / "table.toml")], folder)
        start_s(bare), start_s(table)  # the first start compiles
        took = [(start_s(bare), start_s(table)) for _ in range(starts)]
        (bare_mb, bare_cpu), (table_mb, table_cpu) = idle([bare, table], seconds)
    bare_s, table_s = (statistics.median(each) for each in zip(*took, strict=True))
    kept = [
        _say("start to ready", table_s * 1000, bare_s * 1000, "ms", MOST_START),
        _say("memory", table_mb, bare_mb, "MB", MOST_MEMORY),
        table_cpu <= MOST_CPU_PERCENT,
    ]
    word = "kept" if kept[-1] else "NOT kept"
    print(
        f"idle processor time: {table_cpu:.2f} % of a core (limit {MOST_CPU_PERCENT} %: {word}); "
        f"a loop that wakes ten times a second: {bare_cpu:.2f} %"
    )
    return 0 if all(kept) else 1


def _say(what: str, ours: float, bare: float, unit: str, limit: float) -> bool:
    ratio = ours / bare
    word = "kept" if ratio <= limit else "NOT kept"
    print(
        f"{what}: {ours:.1f} {unit}; the libraries and an idle loop: {bare:.1f} {unit}; "
        f"ratio {ratio:.2f} (limit {limit}: {word})"
    )
    return ratio <= limit


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=20)
    args = parser.parse_args()
    sys.exit(run(args.starts, args.seconds))
