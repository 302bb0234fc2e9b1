"""10,000 hostile connections to the network pages beside a dealt round: chip edge to light, entry to acknowledgement.

python -m benchmarks.hostile [--blocks N] [--rounds N]    quiet and hostile blocks in turn, in the same run

Each block has its own p99, and the medians of those are compared: other work on the machine spoils some blocks of
either kind, never the verdict. A run takes about BLOCKS minutes. Attackers, which have machines of their own in a pit,
run in a scheduling group of nice 19. So do the pages, and as root in a control group with cpu.idle, which is what
CPUWeight=idle of their unit does.
"""

import argparse
import asyncio
import os
import random
import signal
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks.table_latency import NOWHERE, SEATS, Thread
from common.clock import RealClock
from common.log import open_log
from demo.broker import DemoBroker, free_port
from demo.table import BEAMS, LIGHTS, SimulatedTable, bench_settings
from drivers.mqtt.settings import BrokerSettings
from games.round.events import TableOpened
from games.round.state import Phase
from tests.support.meter.certificates import self_signed
from tests.support.meter.meter_process import LinkTable, MeterProcess

CONNECTIONS = 10_000
HELD_S = 10.0
RAMP_S = 45.0  # for all connections to be tried once; a busy machine's attackers make fewer of them
GROUPS = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/cpu"))
GROUP = "pitlink-hostile"
PULSE_S = 0.14  # a chip's passage through the beam
APART_S = 0.05
LIMIT = 1.5
HEAD = b"GET /sign HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
BODY = (
    b"POST /panel/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"
)
STREAM = b"GET /sign/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"
KINDS = (None, None, None, None, None, None, None, HEAD, BODY, STREAM)  # None: not even a TLS handshake


Block: TypeAlias = tuple[list[float], list[float]]
"""Milliseconds from edge to light, and from entry to acknowledgement."""


class Stranger:
    """Connections of one attacker to one port, each of its own address, kept or made again."""

    def __init__(self, ports: list[int], certificate: str) -> None:
        self._ports, self._trusted = ports, ssl.create_default_context(cafile=certificate)
        self.tried = self.made = 0
        self.all_tried = asyncio.Event()

    async def attack(self) -> None:
        """CONNECTIONS at once, until the process is killed."""
        await asyncio.gather(*(self._hold(number) for number in range(CONNECTIONS)))

    async def _hold(self, number: int) -> None:
        kind, port = KINDS[number % len(KINDS)], self._ports[number % len(self._ports)]
        address = f"127.{10 + number // 50_000}.{number // 200 % 250}.{1 + number % 200}"
        tls: dict[str, Any] = {} if kind is None else {"ssl": self._trusted, "server_hostname": "localhost"}
        first = True
        while True:
            await asyncio.sleep(random.uniform(0, HELD_S))
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(HELD_S):
                    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0), **tls)
                    self.made += 1
                    first = self._count(first)
                    try:
                        writer.write(kind or b"")
                        while await reader.read(4096):
                            pass
                    finally:
                        writer.transport.abort()
            first = self._count(first)

    def _count(self, first: bool) -> bool:
        self.tried += first
        if self.tried >= CONNECTIONS:
            self.all_tried.set()
        return False


class AttackedFloor:
    """A table on simulated metal, a meter with its broker, and the processes of their network pages."""

    def __init__(self, table: SimulatedTable, link: LinkTable, ports: list[int]) -> None:
        self._table, self._link, self.ports = table, link, ports
        self._thread = Thread()

    async def block(self, rounds: int) -> Block:
        """Edge to light of so many rounds, and entry to acknowledgement meanwhile, in milliseconds."""
        acknowledged: list[float] = []
        entering = asyncio.create_task(self._enter(acknowledged))
        lit = [each for _ in range(rounds) for each in await self._deal()]
        entering.cancel()
        await asyncio.wait([entering])
        return lit, acknowledged

    async def _enter(self, acknowledged: list[float]) -> None:
        while True:
            began = time.perf_counter()
            self._link.wager(1, 2, 3)
            await self._link.booked()
            acknowledged.append((time.perf_counter() - began) * 1000)
            await asyncio.sleep(APART_S)

    async def _deal(self) -> list[float]:
        table, found = self._table, []
        for seat in range(1, SEATS + 1):
            took = None
            while took is None:
                took = await self._chip(seat)
            found.append(took)
        await table.press_lock_out()
        await table.settle()
        await table.press_end_of_round()
        await table.until(lambda: table.state.phase is Phase.OPEN)
        await table.settle()
        return found

    async def _chip(self, seat: int) -> float | None:
        """Edge to light; None where this thread was held up so long that the chip looked like two."""
        table, edges = self._table, list[float]()
        assert table.assembly is not None
        beam, light = table.pins.wire(BEAMS[seat - 1]), table.pins.wire(LIGHTS[seat - 1])
        await table.until(partial(_is_dark, light))
        await self._thread.drive(partial(_pass, beam, edges))
        await table.until(lambda: bool(table.state.faults) or _is_taken(table, seat))
        if table.state.faults:
            for device in table.state.faults:
                table.assembly.performer.retest(device)
            await table.until(lambda: not table.state.faults)
            return None
        table.hopper.load(1)
        return (light.history[-1].at - edges[0]) * 1000


def _pass(beam: Any, edges: list[float]) -> None:
    """Breaks a beam as long as a chip does, in the driving thread: the loop may be late."""
    beam.drive(True)
    time.sleep(PULSE_S)
    edges.append(time.monotonic())
    beam.drive(False)


def _is_dark(light: Any) -> bool:
    """Whether the light's pulse has just gone dark."""
    return not light.state and (not light.history or time.monotonic() - light.history[-1].at > 0.01)


def _is_taken(table: SimulatedTable, seat: int) -> bool:
    return seat in table.state.wagers and bool(table.metal.is_lit(seat))


@asynccontextmanager
async def attacked_floor(folder: Path) -> AsyncIterator[AttackedFloor]:
    """Everything that is attacked, and what it must not disturb."""
    pem, key = self_signed(folder)
    ports = [free_port(), free_port()]
    tls = [f'tls = {{ host = "127.0.0.1", port = {port}, certificate = "{pem}", key = "{key}" }}' for port in ports]
    settings = bench_settings(
        "T1",
        folder,
        panel={"port": 0, "tls": {"host": "127.0.0.1", "port": ports[0], "certificate": pem, "key": key}},
        link={"name": "bench", "when_lost": "queue"},
        timing={"slot": {"settle_ms": 0}},
        geometry={"diameter_mm": 200, "drop_mm": 1, "push_mm_s": 0, "slowest_fall": 0.9},
    )
    (folder / "table.toml").write_text(
        f'[table]\nid = "T1"\nstate_dir = "{settings.state_dir}"\n[panel]\n{tls[0]}\n', encoding="utf-8"
    )
    async with DemoBroker(folder, "mosquitto") as broker:
        meter = MeterProcess(folder, broker.address.port)
        meter.config.write_text(f"{meter.config.read_text()}\n[floor]\n{tls[1]}\n")
        await meter.start()
        with (folder / "log").open("w") as log, closing(meter):
            table = SimulatedTable(settings, NOWHERE, clock=RealClock(asyncio.get_running_loop()), log=open_log(log))
            address = BrokerSettings("127.0.0.1", broker.address.port)
            async with table, LinkTable("T1", address) as link:
                with _pages(folder / "table.toml"), _pages(meter.config):
                    await _open(table)
                    yield AttackedFloor(table, link, ports)


async def _open(table: SimulatedTable) -> None:
    await table.turn_key(on=True)
    await table.settle()
    assert table.assembly is not None
    await table.until(lambda: not table.settings.rules.why_cut_off(table.state), "the missing broker was not noticed")
    await table.assembly.table.ask(TableOpened("bench"))


@contextmanager
def _pages(config: Path) -> Iterator[None]:
    """`pitlink pages` as its unit runs it: it gives way to the daemons."""
    log = config.with_suffix(".pages.log")
    with _running(sys.executable, "-m", "cli.main", "pages", "--config", str(config), log=log) as process:
        while "pages_started" not in log.read_text():
            time.sleep(0.05)
        _give_way(process.pid)
        _idle(process.pid)
        yield
        print(f"{log.name}: {len(log.read_text().splitlines())} lines")


@asynccontextmanager
async def attacked(ports: list[int], certificate: Path) -> AsyncIterator[None]:
    """The attacker's process, after all its connections were tried once."""
    words = [sys.executable, "-m", "benchmarks.hostile", "--attack", str(certificate), *map(str, ports)]
    with _running(*words) as process:
        assert process.stdout is not None
        print("   ", (await asyncio.to_thread(process.stdout.readline)).decode().strip())
        _give_way(process.pid)
        yield
        process.send_signal(signal.SIGTERM)
        print("   ", (await asyncio.to_thread(process.stdout.readline)).decode().strip())


@contextmanager
def _running(*words: str, log: Path | None = None) -> Iterator["subprocess.Popen[bytes]"]:
    with (
        (log or Path(os.devnull)).open("w") as errors,
        subprocess.Popen(words, stdout=subprocess.PIPE, stderr=errors, start_new_session=True) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


def _idle(process: int) -> None:
    """As CPUWeight=idle of the unit does: it runs only while nobody else wants to."""
    for folder in GROUPS:
        if not (folder / "cgroup.procs").exists():
            continue  # no hierarchy of control groups, only a folder where some are mounted
        group = folder / GROUP
        with suppress(OSError):  # not root, or a hierarchy without processor time: it stays in its group of nice 19
            group.mkdir(exist_ok=True)
            with (group / "cpu.idle").open("r+") as idle:
                idle.write("1")
            (group / "cgroup.procs").write_text(str(process))
            return


def _give_way(process: int) -> None:
    """A scheduling group of its own that weighs next to nothing: in a pit attackers use other machines' processors."""
    os.setpriority(os.PRIO_PROCESS, process, 19)
    autogroup = Path(f"/proc/{process}/autogroup")
    if autogroup.exists():
        autogroup.write_text("19")


def _leave_groups() -> None:
    for folder in GROUPS:
        with suppress(OSError):
            (folder / GROUP).rmdir()


async def run(blocks: int, rounds: int) -> int:
    """Prints both percentiles with and without strangers; 1 where one is above LIMIT times the other."""
    quiet: list[Block] = []
    hostile: list[Block] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with attacked_floor(folder) as floor:
            await floor.block(1)  # the first round warms everything up
            for number in range(blocks):
                quiet.append(await floor.block(rounds))
                async with attacked(floor.ports, folder / "localhost.crt"):
                    hostile.append(await floor.block(rounds))
                print(
                    f"block {number + 1} of {blocks}: {_told(quiet[-1])} alone, {_told(hostile[-1])} beside", flush=True
                )
    _leave_groups()
    ratios = [
        _say("chip edge -> light on", [block[0] for block in quiet], [block[0] for block in hostile]),
        _say("entry published -> acknowledged", [block[1] for block in quiet], [block[1] for block in hostile]),
    ]
    return 0 if max(ratios) <= LIMIT else 1


def _told(block: Block) -> str:
    lit, acknowledged = map(_p99, block)
    return f"p99 {lit:.1f} ms and {acknowledged:.1f} ms"


def _say(name: str, quiet: list[list[float]], hostile: list[list[float]]) -> float:
    alone, beside = (statistics.median(map(_p99, blocks)) for blocks in (quiet, hostile))
    middle = statistics.median(chain(*hostile)) / statistics.median(chain(*quiet))
    print(
        f"{name}: median of the blocks' p99 {alone:.1f} ms alone (n={sum(map(len, quiet))}), {beside:.1f} ms beside "
        f"{CONNECTIONS:,} hostile connections (n={sum(map(len, hostile))}); ratio {beside / alone:.2f} (at most "
        f"{LIMIT}), of the medians {middle:.2f}"
    )
    return beside / alone


def _p99(values: list[float]) -> float:
    return sorted(values)[int(len(values) * 0.99)]


async def _attack(certificate: str, ports: list[int]) -> None:
    stranger, stop = Stranger(ports, certificate), asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    attacking = asyncio.create_task(stranger.attack())
    with suppress(TimeoutError):
        async with asyncio.timeout(RAMP_S):
            await stranger.all_tried.wait()
    print(f"{stranger.tried:,} connections tried, {stranger.made:,} made", flush=True)
    await stop.wait()
    print(f"{stranger.made:,} made at the end", flush=True)
    attacking.cancel()
    os._exit(0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=7)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--attack", nargs="+", default=[], help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.attack:
        asyncio.run(_attack(args.attack[0], [int(port) for port in args.attack[1:]]))
    else:
        sys.exit(asyncio.run(run(args.blocks, args.rounds)))
