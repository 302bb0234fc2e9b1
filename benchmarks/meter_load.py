"""What the benchmarks of the meter share: a broker, a meter process and its settings, and what tables say to it."""

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path

import aiomqtt

from benchmarks.raw_mqtt import publication
from demo.broker import free_port
from link.messages import VERSION, Envelope, Hello, Wagers, encode
from link.topics import entry_topic, hello_topic

LINK = "main"
NOW_MS = 1_800_000_000_000
SETTINGS = """
store = "{store}"
[broker]
port = {port}
[[link]]
name = "main"
rate_bp = 7037
base_cents = 1000000
reset_cents = 500000
limit_cents = 0
reset_rate_bp = 0
tables = {tables}
[[link.game]]
name = "texas-holdem-bonus"
pay_tables = ["A"]
stakes_cents = [100]
"""


def written_settings(config: Path, store: Path, port: int, tables: int) -> list[str]:
    """Writes a meter's settings; the words of the command that starts it."""
    config.write_text(SETTINGS.format(store=store, port=port, tables=json.dumps(table_names(tables))))
    return [sys.executable, "-m", "cli.main", "meter", "--config", str(config)]


class Broker:
    """Mosquitto as a pit has it, without certificates and without a limit to its queues."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        lines = [
            f"listener {self.port} 127.0.0.1",
            "allow_anonymous true",
            "persistence false",
            "set_tcp_nodelay true",
            "max_queued_messages 0",
            "user root" if os.geteuid() == 0 else "",
        ]
        (folder / "mosquitto.conf").write_text("\n".join(lines))
        program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        self._process = subprocess.Popen([program, "-c", str(folder / "mosquitto.conf")], stderr=subprocess.DEVNULL)
        _until_open(self.port)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


class MeterUnderLoad:
    """A meter process with a new ledger, and what it costs the machine."""

    def __init__(self, folder: Path, port: int, tables: int) -> None:
        folder.mkdir()
        words = written_settings(folder / "meter.toml", folder / "ledger.sqlite", port, tables)
        self._log = (folder / "meter.log").open("w+")
        self._process = subprocess.Popen(words, stderr=self._log)
        self._wait_for("broker_connected", folder / "meter.log")

    @property
    def cpu_s(self) -> float:
        """Processor time so far."""
        threads = Path(f"/proc/{self._process.pid}/task").iterdir()
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9

    @property
    def memory_bytes(self) -> int:
        """Memory in use."""
        return int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._log.close()

    def _wait_for(self, event: str, log: Path) -> None:
        end = time.monotonic() + 30
        while event not in log.read_text():
            if self._process.poll() is not None or time.monotonic() > end:
                raise SystemExit(log.read_text())
            time.sleep(0.01)  # a log file rings no bell


def sync_ms(folder: Path) -> list[float]:
    """How long the disk takes for one synced write, at the pace at which a paced meter makes them."""
    number, times = os.open(folder / "sync", os.O_RDWR | os.O_CREAT), []
    for _ in range(50):
        began = time.perf_counter()
        os.pwrite(number, b"x" * 8_192, 0)
        os.fdatasync(number)
        times.append((time.perf_counter() - began) * 1_000)
        time.sleep(0.002)  # that pace: a disk kept busy answers sooner
    os.close(number)
    return times


def table_names(tables: int) -> list[str]:
    """T1, T2, …"""
    return [f"T{number}" for number in range(1, tables + 1)]


def hello(table: str) -> Hello:
    """A table that the settings welcome."""
    return Hello(VERSION, table, f"journal-{table}", "texas-holdem-bonus", "A", 100, 7, 1, "bench")


def round_of(table: str, seq: int) -> Envelope:
    """A round's wagers; a round a minute by the table's own clock."""
    wagers = Wagers(seq, 100, (1, 2, 3, 5))
    return Envelope(VERSION, table, f"journal-{table}", seq, NOW_MS + seq * 60_000, wagers)


def hellos(tables: int) -> bytes:
    """Every table asks to join."""
    return b"".join(
        publication(hello_topic(LINK, table), encode(hello(table)), number)
        for number, table in enumerate(table_names(tables))
    )


def entries(tables: int, count: int) -> list[tuple[str, int, bytes]]:
    """So many rounds, the tables in turn: table, number, packet."""
    names = table_names(tables)
    return [_entry(names[at % tables], at // tables + 1, at) for at in range(count)]


def receive_all(port: int, count: int, told: Connection) -> None:
    """A bare aiomqtt subscriber in a process of its own: says when it listens and when it has heard so many."""

    async def listen() -> None:
        async with aiomqtt.Client("127.0.0.1", port, protocol=aiomqtt.ProtocolVersion.V311) as client:
            await client.subscribe(entry_topic(LINK, "+"), 1)
            told.send("listening")
            left = count
            async for _ in client.messages:
                left -= 1
                if not left:
                    told.send("done")
                    return

    asyncio.run(listen())


def _entry(table: str, seq: int, number: int) -> tuple[str, int, bytes]:
    return table, seq, publication(entry_topic(LINK, table), encode(round_of(table, seq)), number)


def _until_open(port: int) -> None:
    end = time.monotonic() + 10
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)  # a port that opens rings no bell
    raise SystemExit("the broker did not start")
