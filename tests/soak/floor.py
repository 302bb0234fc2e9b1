"""A whole floor with a killer: broker, database, meters and tables die at random, and every cent is audited.

python -m tests.soak.floor --seconds 600 [--store sqlite|postgres] [--seed N]
"""

import argparse
import asyncio
import itertools
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

from msgspec import Struct

from controller.journal.file import JournalFault
from controller.journal.journal import looked_at
from games.round.state import Phase
from link.messages import Envelope, Payout, Wagers
from meter.ledger.link_state import LinkState
from meter.ledger.records import Entered, Record, SealedRecord, read_record
from meter.store.audit import audited
from meter.store.backup import back_up, restore
from meter.store.base import StoreFault
from meter.store.open import open_store
from meter.store.sqlite import SqliteStore
from tests.soak.real_table import LOSS_S, envelopes, is_linked, journal_path, taken
from tests.soak.tables import journal_of
from tests.support.meter.link_bench import BrokerProcess, plain_mosquitto
from tests.support.meter.meter_process import BASE_CENTS, RATE_BP, MeterProcess
from tests.support.meter.postgres_bench import PostgresServer, postgres_server

GROUPS = (("T1", "T2"), ("T3",))
REAL = "T4"
LATE_S = 1.5
"""What a busy machine may take to carry out what is due."""
DARK_S = LOSS_S + LATE_S + 0.5
ROOT = Path(__file__).parents[2]


class Account(Struct, frozen=True):
    """What happened on the floor and what the books say afterwards."""

    entries: int
    kills: dict[str, int]
    backups: int
    amount_cents: int
    chips_of_the_real_table: int


class Darkness(Struct, frozen=True):
    """From when until when nobody kept the books, by the machine's own clock."""

    way: str
    began: float
    ended: float


class TableGroup:
    """A process of several tables."""

    def __init__(
        self, folder: Path, port: int, seed: str, names: tuple[str, ...], *, program: str = "tests.soak.tables"
    ) -> None:
        self._words = [sys.executable, "-m", program, str(port), str(folder), seed, *names]
        self._starts = 0
        self.process: subprocess.Popen[bytes] | None = None

    def launch(self) -> None:
        self.process = subprocess.Popen(self._words, cwd=ROOT)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait(60)


class SoakFloor:
    """Two groups of tables on paper, a real one, a broker, and one meter on a file or two on a database."""

    def __init__(self, folder: Path, seed: int, server: PostgresServer | None) -> None:
        self._folder, self._server = folder, server
        self._luck = random.Random(seed)
        self.address = server.database() if server else str(folder / "ledger.sqlite")
        self._broker: BrokerProcess = plain_mosquitto(folder)
        names = ("first", "second") if server else ("first",)
        self._meters = [MeterProcess(folder, self._broker.port, address=self.address, name=name) for name in names]
        port = self._broker.port
        self._tables = [TableGroup(folder, port, str(seed), names) for names in GROUPS]
        self._tables.append(TableGroup(folder, port, str(seed), (REAL,), program="tests.soak.real_table"))
        self._ways = itertools.cycle(self._luck.sample(["kill", "freeze", "alone"], 3))
        self._darknesses: list[Darkness] = []
        self._light = asyncio.Event()
        self._light.set()
        self._kills: Counter[str] = Counter()
        self._backups: list[Path] = []

    async def run(self, seconds: float) -> Account:
        """Plays and kills for so long, lets everybody finish, and audits."""
        self._broker.start()
        parts: list[MeterProcess | TableGroup] = [*self._meters, *self._tables]
        for part in parts:
            part.launch()
        keepers = [asyncio.create_task(self._keep_running(meter)) for meter in self._meters]
        try:
            await self._kill_for(seconds)
            await self._finish()
        finally:
            for task in keepers:
                task.cancel()
            await asyncio.wait(keepers)
            self.close()
        return self._audit()

    def close(self) -> None:
        for group in self._tables:
            group.kill()
        for meter in self._meters:
            meter.close()
        self._broker.close()

    async def _keep_running(self, meter: MeterProcess) -> None:
        """What systemd does: starts a meter again that has ended, whatever the reason."""
        while True:
            with suppress(subprocess.TimeoutExpired):
                await meter.code()
                await asyncio.sleep(0.2)
                await self._light.wait()
                meter.launch()

    async def _kill_for(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        ways: dict[str, Callable[[], None]] = {
            "broker": self._kill_broker,
            "meter": lambda: self._luck.choice(self._meters).kill(),
            "tables": self._kill_tables,
        }
        if self._server:
            ways["database"] = self._kill_database
        while time.monotonic() < end:
            for victim in self._luck.sample([*ways, "backup", "light"], len(ways) + 2):  # each once, in any order
                await asyncio.sleep(self._luck.uniform(0.1, 1.0))
                self._kills[victim] += 1
                match victim:
                    case "backup":
                        await self._back_up()
                    case "light":
                        await self._darken(next(self._ways))
                    case _:
                        await asyncio.to_thread(ways[victim])

    async def _darken(self, way: str) -> None:
        """Takes the meter from a table that plays: by its will, in silence, or so that the broker is back alone."""
        await self._real_table_plays()
        self._light.clear()
        if way == "alone":
            await asyncio.to_thread(self._broker.kill)
        for meter in self._meters:
            await asyncio.to_thread(meter.freeze if way == "freeze" else meter.kill)
        began = time.monotonic()
        if way == "alone":
            await asyncio.to_thread(self._broker.start)
        await asyncio.sleep(DARK_S)
        self._darknesses.append(Darkness(way, began, time.monotonic()))
        if way == "freeze":
            for meter in self._meters:
                meter.thaw()
        self._light.set()

    async def _real_table_plays(self) -> None:
        """Waits until it takes chips."""
        begun = time.monotonic()
        async with asyncio.timeout(60):
            while not any(  # noqa: ASYNC110  it is another process: there is only its journal to look at
                at > begun for at in await asyncio.to_thread(self._taken_lately)
            ):
                await asyncio.sleep(0.05)

    def _taken_lately(self) -> list[float]:
        with suppress(JournalFault):  # before its first start there is none
            return taken(self._folder, REAL, lately=True)
        return []

    def _kill_broker(self) -> None:
        self._broker.kill()
        time.sleep(self._luck.uniform(0.0, 0.2))
        self._broker.start()

    def _kill_tables(self) -> None:
        group = self._luck.choice(self._tables)
        group.kill()
        group.launch()

    def _kill_database(self) -> None:
        assert self._server is not None
        self._server.kill()
        self._server.start()

    async def _back_up(self) -> None:
        """Copies the books while everybody works; where there is no record yet, or no database, there is no copy."""
        file = self._folder / f"backup{len(self._backups)}"
        with suppress(StoreFault):
            await asyncio.to_thread(back_up, self.address, file)
            self._backups.append(file)

    async def _finish(self) -> None:
        (self._folder / "closing").touch()
        for group in self._tables:
            assert group.process is not None
            assert await asyncio.to_thread(group.process.wait, 180) == 0, "a table could not finish"
        await self._back_up()

    def _audit(self) -> Account:
        """Reads the ledger as an auditor does, and compares it with the tables' own journals and with every backup."""
        state, rows = _ledger(self.address)
        records = [read_record(row.body) for row in rows]
        booked = [envelope for record in records if (envelope := _envelope(record))]
        journals = {name: journal_of(self._folder, name) for group in GROUPS for name in group}
        journals[REAL] = envelopes(self._folder, REAL)
        for name, journal in journals.items():
            assert [envelope for envelope in booked if envelope.table == name] == journal, f"{name}'s entries"
        pot = state.head.pot
        chips = sum(len(e.entry.seats) for e in booked if isinstance(e.entry, Wagers))
        paid = sum(50_00 for e in booked if isinstance(e.entry, Payout))
        expected = BASE_CENTS + Fraction(chips * 100 * RATE_BP, 10_000) - paid
        assert pot.amount_cents + pot.carry == expected, f"{pot.balances} of {chips} chips and {paid} cents paid"
        assert (pot.chips, pot.paid_cents, pot.awards) == (chips, paid, ())
        for file in self._backups:
            copied = _ledger(str(file))[1]
            assert copied == rows[: len(copied)], f"{file.name} is no beginning of the ledger"
        self._restore_the_last_backup(rows)
        chips_taken = self._audit_the_real_table()
        return Account(len(booked), dict(self._kills), len(self._backups), pot.amount_cents, chips_taken)

    def _restore_the_last_backup(self, rows: list[SealedRecord]) -> None:
        """It was made when everybody had finished: it comes back whole, and stopped."""
        again = self._folder / "restored.sqlite"
        restore(self._backups[-1], str(again), datetime.now(UTC))
        state, restored = _ledger(str(again))
        assert restored[:-1] == rows
        assert state.head.stopped.startswith(f"restored from {self._backups[-1].name}")

    def _audit_the_real_table(self) -> int:
        """In the dark it took no chip after loss_s and said so; in the end it is open, and owes nothing."""
        moments = taken(self._folder, REAL)
        for dark in self._darknesses:
            late = [at for at in moments if dark.began + LOSS_S + LATE_S < at < dark.ended]
            assert not late, (
                f"{dark}: {REAL} took {len(late)} chips without a meter, the last {late[-1] - dark.began} s after"
            )
            assert not is_linked(self._folder, REAL, dark.ended), f"{dark}: {REAL} said that its link is up"
        with looked_at(journal_path(self._folder, REAL)) as journal:
            state, rest = journal.recall()
            assert (rest, state.link_down, state.phase, journal.waiting()) == ([], "", Phase.OPEN, [])
        return len(moments)


def _ledger(address: str) -> tuple[LinkState, list[SealedRecord]]:
    store = open_store(address, reading=True)
    try:
        if isinstance(store, SqliteStore):
            store.check_file()
        return audited(store, "main"), list(store.records("main"))
    finally:
        store.close()


def _envelope(record: Record) -> Envelope | None:
    return record.cause.envelope if isinstance(record.cause, Entered) else None


def main() -> None:
    """The long run, as a command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--store", choices=["sqlite", "postgres"], default="postgres")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    args = parser.parse_args()
    print(f"seed {args.seed}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        if args.store == "sqlite":
            print(asyncio.run(SoakFloor(Path(name), args.seed, None).run(args.seconds)))
            return
        with postgres_server() as server:
            print(asyncio.run(SoakFloor(Path(name), args.seed, server).run(args.seconds)))


if __name__ == "__main__":
    main()
