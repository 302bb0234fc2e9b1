"""A table process is killed with SIGKILL at random moments of real rounds, on a real broker, beside a real meter."""

import asyncio
import json
import random
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import ClientError

from common.unix_http import CONTROL
from controller.journal.journal import Journal
from demo.broker import DemoBroker
from demo.floor import METER, METER_GAME
from drivers.simulated.hopper import SimulatedHopper
from drivers.simulated.hopper_board import HopperBoard
from drivers.simulated.hopper_mechanics import HopperMechanics
from games.round.events import ClaimValidated, HandClaimed, MismatchExplained, NoWinShown, PayoutConfirmed, TableOpened
from link.messages import Award, Entry, Payout, Release, Wagers
from meter.store.sqlite import SqliteStore
from tests.support.meter.staff_pins import give_staff
from tests.support.web.web_clients import program_session

ROOT = Path(__file__).parents[2]
SEED = 20261116
KILLS = 8
ROUNDS = 4
WITHIN_S = 120.0


class Process:
    """One life after the other of the same table."""

    def __init__(self, folder: Path, broker_port: int, hopper: SimulatedHopper) -> None:
        self._words = (str(folder), str(broker_port), hopper.port)
        self._hopper = hopper
        self._process: asyncio.subprocess.Process | None = None
        self._listener: asyncio.Task[None] | None = None
        self._session = program_session(folder / "T1" / CONTROL)
        self.lives = 0

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.support.table.table_process",
            *self._words,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            cwd=ROOT,
        )
        assert self._process.stdout is not None
        assert (await self._process.stdout.readline()).strip() == b"ready"
        self._listener = asyncio.create_task(self._listen(self._process.stdout))
        self.say("key")  # the simulated switch dies with its process
        self.lives += 1

    async def kill(self) -> None:
        assert self._process is not None
        assert self._listener is not None
        self._process.send_signal(signal.SIGKILL)
        await self._process.wait()
        await self._listener

    def say(self, words: str) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(words.encode() + b"\n")

    def tell(self, event: Any) -> None:
        self.say("tell " + msgspec.json.encode(event).decode())

    async def state(self) -> dict[str, Any] | None:
        try:
            async with self._session.get("/api/state") as answer:
                return json.loads(await answer.read())  # type: ignore[no-any-return]  # what the interface documents
        except (ClientError, TimeoutError):
            return None

    async def close(self) -> None:
        await self.kill()
        await self._session.close()

    async def _listen(self, stdout: asyncio.StreamReader) -> None:
        async for line in stdout:
            if line.strip() == b"chip":
                self._hopper.load(1)


async def act(table: Process, state: dict[str, Any], luck: random.Random) -> None:
    """What people do with the table as it stands; commands to a dead table are lost, as they are in life."""
    claim = state["claims"][0] if state["claims"] else None
    match state["phase"]:
        case "closed":
            table.say("key")
            table.tell(TableOpened("Ann"))
        case "open" if state["lights"] < 3:
            table.say(f"chip {luck.randint(1, 7)}")
        case "open":
            table.say("lock")
        case "locked" if state["chips"] is not None:
            table.tell(MismatchExplained("Sue", "the power failed while a chip fell"))
        case "counted" | "in play" if claim is None and (state["round"] % 2 or luck.random() < 0.7):
            lit = [seat["seat"] for seat in state["seats"] if seat["light"] == "lit"]
            table.tell(HandClaimed(luck.choice(lit), ("2h", "3h"), ("Th", "Jh", "Qh")))
        case "settling" if state["asks"]:
            table.tell(NoWinShown(tuple(state["asks"]), "Dan"))
        case "settling" if claim and claim["state"] == "waiting for the supervisor":
            table.tell(ClaimValidated(claim["seat"], "Sue"))
        case "settling" if claim and claim["state"] == "to be paid":
            table.tell(PayoutConfirmed(claim["seat"], "Dan"))
        case "settling" if claim and claim["state"] == "waiting for the meter":
            pass
        case "locked":
            pass
        case _:
            table.say("end")


@asynccontextmanager
async def meter_process(folder: Path, port: int) -> AsyncIterator[None]:
    config = folder / "meter.toml"
    give_staff(folder)
    link = METER.format(
        store=folder / "ledger.db",
        floor_port=0,
        port=port,
        rate=7_000,
        base=100_000_00,
        reset=5_000_00,
        tables=["T1"],
    )
    game = METER_GAME.format(name="texas-holdem-bonus", pay_tables=["A"], stakes=[100], shoe="")
    config.write_text(link + game)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "cli.main",
        "meter",
        "--config",
        str(config),
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        yield
        assert process.returncode is None, "the meter did not start or died"
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


@pytest.mark.timeout(600)
async def test_a_table_killed_at_random_moments_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """R51: SIGKILL again and again in few rounds; journal, meter, hopper and payouts agree to the cent and the chip."""
    luck = random.Random(SEED)
    hopper_metal = HopperMechanics(chip_ms=3)
    async with DemoBroker(tmp_path) as broker, meter_process(tmp_path, broker.address.port):
        with SimulatedHopper(HopperBoard(hopper_metal, time_factor=0.005)) as hopper:
            table = Process(tmp_path, broker.address.port, hopper)
            await table.start()
            await _play(table, luck)
            await _drain(tmp_path)
            await table.close()
    _audit(tmp_path, table.lives, hopper_metal)


async def _play(table: Process, luck: random.Random) -> None:
    async with asyncio.timeout(WITHIN_S * 2):
        rounds, next_kill = 0, luck.uniform(0.2, 0.8)
        clock = asyncio.get_running_loop().time
        began = clock()
        while table.lives <= KILLS or rounds <= ROUNDS:
            if table.lives <= KILLS and clock() - began > next_kill:
                await table.kill()
                await table.start()
                began, next_kill = clock(), luck.uniform(0.1, 0.9)
            state = await table.state()
            if state is not None and not state["link"]["reason"]:
                rounds = state["round"]
                await act(table, state, luck)
            await asyncio.sleep(0.02)


async def _drain(folder: Path) -> None:
    """Waits until the meter has acknowledged everything."""
    async with asyncio.timeout(WITHIN_S):
        while True:
            journal = Journal.look(folder / "T1" / "journal.db")
            waiting = journal.waiting()
            journal.abandon()
            if not waiting:
                return
            await asyncio.sleep(0.05)


def _audit(folder: Path, lives: int, hopper: HopperMechanics) -> None:
    journal = Journal.look(folder / "T1" / "journal.db")
    lines = list(journal.lines())
    rows = journal._database.execute("SELECT seq, entry FROM outbox ORDER BY seq").fetchall()
    entries = [msgspec.json.decode(body, type=Entry) for _, body in rows]
    assert journal.boot == lives
    assert journal.unclean_stops == lives - 1
    journal.abandon()
    wagers = [entry for entry in entries if isinstance(entry, Wagers)]
    payouts = [entry for entry in entries if isinstance(entry, Payout)]
    assert len({entry.round for entry in wagers}) == len(wagers) >= ROUNDS
    store = SqliteStore(folder / "ledger.db")
    saved = store.load("demo")
    store.close()
    assert saved is not None
    pot = saved.head.pot
    assert pot.in_cents == 100 * sum(len(entry.seats) for entry in wagers)
    assert pot.contribution_cents == 70 * sum(len(entry.seats) for entry in wagers)
    fixed = [entry for entry in entries if isinstance(entry, Award)]
    assert len(payouts) >= 1
    released = [entry for entry in entries if isinstance(entry, Release)]
    assert pot.deducted_cents == 50_00 * (len(fixed) - len(released))
    paid = [line for line in lines if isinstance(line.event, PayoutConfirmed) and line.refusal is None]
    assert len(paid) == len(payouts)
    assert hopper.lifetime == hopper.given
