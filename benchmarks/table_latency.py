"""Chip edge to light and button edge to gates, beside the bare callback and one synced commit in the same run.

python -m benchmarks.table_latency [--rounds N]    mock pins, real clock, driven from another thread as on a board
"""

import argparse
import asyncio
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from gpiozero import InputDevice, OutputDevice

from common.clock import RealClock
from common.log import open_log
from demo.table import BEAMS, GATES, LIGHTS, PRESS_S, THROAT_S, SimulatedTable, bench_settings
from drivers.mqtt.settings import BrokerSettings
from drivers.simulated.pins import SimulatedPins
from games.round.events import TableOpened
from games.round.state import Phase

NOWHERE = BrokerSettings(host="127.0.0.1", port=1)
SEATS = 7
PULSE_S = 0.18  # a chip's passage through the beam
APART_S = 0.1  # between two measurements, so that neither side has warmer caches


class Thread:
    """Drives pins from a thread of its own and says when."""

    def __init__(self) -> None:
        self._jobs: list[Callable[[], None]] = []
        self._feed = threading.Semaphore(0)
        threading.Thread(target=self._serve, daemon=True).start()

    async def drive(self, act: Callable[[], None]) -> float:
        """Does something to a pin and returns the moment just before."""
        loop, done = asyncio.get_running_loop(), asyncio.get_running_loop().create_future()

        def job() -> None:
            at = time.monotonic()
            act()
            loop.call_soon_threadsafe(done.set_result, at)

        self._jobs.append(job)
        self._feed.release()
        return float(await done)

    def _serve(self) -> None:
        while True:
            self._feed.acquire()
            self._jobs.pop(0)()


class Bare:
    """What the machine can do: edge, thread-safe call, seven outputs off; and edge, call, one commit, one output on."""

    def __init__(self, thread: Thread, folder: Path) -> None:
        self._thread, self._loop = thread, asyncio.get_running_loop()
        self._pins = SimulatedPins(RealClock(self._loop))
        self._button = InputDevice(25, pull_up=True, pin_factory=self._pins)
        self._gates = [OutputDevice(pin, pin_factory=self._pins) for pin in GATES]
        self._light = OutputDevice(LIGHTS[0], pin_factory=self._pins)
        self._database, self._number = _database(folder), 0
        self.shut: list[float] = []
        self.lit: list[float] = []

    async def measure_shut(self) -> None:
        """One press of the bare button."""
        await asyncio.sleep(APART_S)
        for gate in self._gates:
            gate.on()
        edge = _Edge(self._button, self._loop, lambda done: _shut(self._gates, done))
        self.shut.append(await edge.measure(self._thread, partial(self._pins.wire(25).drive, False)))
        self._pins.wire(25).drive(True)

    async def measure_lit(self) -> None:
        """One edge of the bare beam."""
        await asyncio.sleep(APART_S)
        self._light.off()
        self._number += 1
        edge = _Edge(
            self._button, self._loop, lambda done: _commit_and_light(self._database, self._light, done, self._number)
        )
        self.lit.append(await edge.measure(self._thread, partial(self._pins.wire(25).drive, False)))
        self._pins.wire(25).drive(True)

    def close(self) -> None:
        """Lets go of the database."""
        self._database.close()


class _Edge:
    """One bare gpiozero callback; the pin keeps only a weak reference to it."""

    def __init__(self, button: Any, loop: asyncio.AbstractEventLoop, act: Callable[[Any], None]) -> None:
        self._loop, self._act, self._done, self._heard = loop, act, loop.create_future(), False
        button.pin.bounce, button.pin.edges = None, "both"
        button.pin.when_changed = self._changed

    async def measure(self, thread: Thread, edge: Callable[[], None]) -> float:
        at = await thread.drive(edge)
        return float(await self._done) - at

    def _changed(self, *_: object) -> None:
        if not self._heard:
            self._heard = True
            self._loop.call_soon_threadsafe(self._act, self._done)


def _shut(gates: list[Any], done: "asyncio.Future[float]") -> None:
    for gate in gates:
        gate.off()
    done.set_result(time.monotonic())


def _commit_and_light(database: sqlite3.Connection, light: Any, done: "asyncio.Future[float]", number: int) -> None:
    with database:
        database.execute("INSERT INTO events VALUES(?, ?)", (number, "x" * 150))
    light.on()
    done.set_result(time.monotonic())


def _database(folder: Path) -> sqlite3.Connection:
    database = sqlite3.connect(folder / "bare.db")
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("CREATE TABLE events(number INTEGER PRIMARY KEY, body TEXT)")
    return database


async def ours(thread: Thread, rounds: int, folder: Path, bare: Bare) -> tuple[list[float], list[float]]:
    """The whole table: beam edge to light on the pin, button edge to the last gate shut on the pin.

    Each is measured beside the bare one, in turn: what the machine does besides is the same for both.
    """
    settings = bench_settings(
        "T1",
        folder,
        link={"name": "bench", "when_lost": "queue"},
        timing={"slot": {"settle_ms": 0}},
        geometry={"diameter_mm": 200, "drop_mm": 1, "push_mm_s": 0, "slowest_fall": 0.9},  # sleeps are not exact
    )
    clock = RealClock(asyncio.get_running_loop())
    with (folder / "log").open("w") as log:
        table = SimulatedTable(settings, NOWHERE, clock=clock, log=open_log(log))
        async with table:
            await table.turn_key(on=True)
            await table.settle()
            assert table.assembly is not None
            table.assembly.table.journal.lengthen_log()  # as the daemon does when it starts
            await table.until(lambda: not settings.rules.why_cut_off(table.state), "the missing broker was not noticed")
            await table.assembly.table.ask(TableOpened("bench"))
            shut, lit = [], []
            for number in range(4 * rounds):
                if number % 4 == 0:
                    lit += await _chips(thread, table, bare)
                    await table.press_lock_out()
                else:
                    shut.append(await _lock(thread, table))
                    await bare.measure_shut()
                await table.settle()
                await table.press_end_of_round()
                await table.until(lambda: table.state.phase is Phase.OPEN)
                await table.settle()
    return shut, lit


async def _chips(thread: Thread, table: SimulatedTable, bare: Bare) -> list[float]:
    """One chip a seat, each measured from the edge that ends its passage, while the light's pulse is dark."""
    found = []
    for seat in range(1, SEATS + 1):
        beam, light = table.pins.wire(BEAMS[seat - 1]), table.pins.wire(LIGHTS[seat - 1])
        await table.until(partial(_has_gone_dark, light))
        await thread.drive(partial(beam.drive, True))
        await asyncio.sleep(PULSE_S)
        at = await thread.drive(partial(beam.drive, False))
        table.hopper.load(1)
        await table.until(partial(_is_taken, table, seat))
        found.append(light.history[-1].at - at)
        await bare.measure_lit()
    return found


def _has_gone_dark(light: Any) -> bool:
    return not light.state and _age(light) > 0.01


def _is_taken(table: SimulatedTable, seat: int) -> bool:
    return seat in table.state.wagers and bool(table.metal.is_lit(seat))


def _age(pin: Any) -> float:
    return time.monotonic() - pin.history[-1].at if pin.history else 9.0


async def _lock(thread: Thread, table: SimulatedTable) -> float:
    """A round without chips, so that all seven gates are open before."""
    assert all(table.metal.gate_is_open(seat) for seat in range(1, SEATS + 1))
    button = table.pins.wire(table.settings.lock_out)
    at = await thread.drive(partial(button.drive, False))
    await asyncio.sleep(PRESS_S)
    await thread.drive(partial(button.drive, True))
    await asyncio.sleep(PRESS_S + THROAT_S)  # until the release has settled and no chip may be on its way
    return max(table.pins.wire(pin).history[-1].at for pin in GATES) - at


async def run(rounds: int) -> None:
    thread = Thread()
    with tempfile.TemporaryDirectory() as name:
        bare = Bare(thread, Path(name))
        shut, lit = await ours(thread, rounds, Path(name), bare)
        bare.close()
    _say("chip edge -> light on", lit, "edge + one synced commit", bare.lit, 1.2)
    _say("button edge -> last gate shut", shut, "bare callback, seven outputs", bare.shut, 1.1)


def _say(name: str, mine: list[float], other: str, theirs: list[float], aim: float) -> None:
    ratio = statistics.median(mine) / statistics.median(theirs)
    quarter = statistics.quantiles(mine)[0] / statistics.quantiles(theirs)[0]
    print(
        f"{name}: median {_us(mine)} µs (n={len(mine)}); {other}: median {_us(theirs)} µs (n={len(theirs)});"
        f" ratio {ratio:.2f}, of the faster quarters {quarter:.2f} (aim {aim})"
    )


def _us(values: list[float]) -> int:
    return round(statistics.median(values) * 1e6)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    asyncio.run(run(parser.parse_args().rounds))
    sys.exit(0)
