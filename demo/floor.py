"""A small floor: a broker, a meter in a process of its own, and bench tables, all on one link."""

import asyncio
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final, Self

from common.auth.directory import Directory
from common.auth.roles import Role
from common.clock import Clock
from common.files import write_privately
from common.log import Log
from demo.broker import DemoBroker, free_port
from demo.configuration import DemoGame, on_link, terms
from demo.network_cut import NetworkCable
from demo.table import SimulatedTable, bench_settings
from games.round.events import TableOpened
from link.messages import State
from meter.staff.book import StaffBook
from meter.staff.changes import AddPerson, with_person
from meter.staff.keeper import STAFF_FILE, StaffKeeper, StaffSecret

METER: Final = """
store = "{store}"
floor_port = {floor_port}

[broker]
host = "127.0.0.1"
port = {port}

[[link]]
name = "demo"
rate_bp = {rate}
base_cents = {base}
reset_cents = {reset}
limit_cents = 0
reset_rate_bp = 0
shortest_round_ms = 0  # whoever plays against the clock here is a program, or somebody who wants to see it work
shortest_claim_ms = 0
shortest_payout_ms = 0
tables = {tables}
"""
METER_GAME: Final = """
[[link.game]]
name = "{name}"
pay_tables = {pay_tables}
stakes_cents = {stakes}
{shoe}
"""


STAFF: Final = (
    ("1001", "Dan", Role.DEALER, "246802"),
    ("2001", "Sue", Role.SUPERVISOR, "135713"),
    ("2002", "Sam", Role.SUPERVISOR, "864213"),
    ("3001", "Tim", Role.TECHNICIAN, "975310"),
    ("4001", "Ann", Role.ACCOUNTING, "864208"),
)
"""Staff numbers, names, roles and PINs."""


def staff_book() -> StaffBook:
    """Everybody of STAFF, with a PIN."""
    book = StaffBook(Directory(1))
    for number, name, role, pin in STAFF:
        book = with_person(book, AddPerson(number, name, role, pin))
    return book


class DemoFloor:
    """Everything the demo runs."""

    def __init__(
        self,
        folder: Path,
        *,
        deals: Sequence[DemoGame],
        clock: Clock,
        log: Log,
        chip_ms: float,
        broker: str = "",
        loss_s: float = 5.0,
    ) -> None:
        self.folder, self._clock, self._log = folder, clock, log
        self._chip_ms, self._loss_s = chip_ms, loss_s
        self.broker = DemoBroker(folder, broker)
        self.meter_port = free_port()
        self._deals = {f"T{number}": each for number, each in enumerate(deals, start=1)}
        self.names = tuple(self._deals)
        self.tables: dict[str, SimulatedTable] = {}
        self.cables: dict[str, NetworkCable] = {}
        self.missing_since: dict[str, int] = {}
        """The round in which a table's chip went missing."""
        self._staff_key = ""
        self.secrets: dict[str, StaffSecret] = {}
        """What everybody's PIN proves to the meter, by name."""
        self._meter: asyncio.subprocess.Process | None = None
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self.broker)
            self._staff_key = await asyncio.to_thread(self._make_staff)
            await self.start_meter()
            stack.push_async_callback(self.stop_meter)
            for name in self.names:
                self.cables[name] = await stack.enter_async_context(NetworkCable(self.broker.address))
                self.tables[name] = await stack.enter_async_context(self._bench_table(name))
            await asyncio.gather(*(self._open(table) for table in self.tables.values()))
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def start_meter(self) -> None:
        """Starts the meter's process; it keeps its ledger from before."""
        config = self.folder / "meter.toml"
        config.write_text(self._meter_settings(), encoding="utf-8")
        words = ("-m", "cli.main", "meter", "--config", str(config))
        # The meter's log goes to a file: stdout is the demo's own, and a terminal has a table to show.
        with (self.folder / "meter.log").open("ab") as log:
            self._meter = await asyncio.create_subprocess_exec(sys.executable, *words, stdout=log, stderr=log)

    async def stop_meter(self) -> None:
        """Ends the meter's process at once, as a crash would."""
        if self._meter is not None and self._meter.returncode is None:
            self._meter.kill()
            await self._meter.wait()

    def state(self) -> State:
        """The meter as the tables last heard it."""
        heard = [table.assembly.client.state for table in self.tables.values() if table.assembly is not None]
        return max((state for state in heard if state is not None), key=lambda state: (state.number, state.at_ms))

    def commands(self) -> list[tuple[str, str]]:
        """What can be tried on the data of the running demo, in another terminal, and what it shows."""
        ledger, first = self.folder / "ledger.db", self.names[0]
        journal = self.folder / first / "journal.db"
        return [
            (f"./dev pitlink ledger statement --store {ledger}", "the day of the meter, reconciled"),
            (f"./dev pitlink ledger verify --store {ledger}", "every seal and every figure of the ledger again"),
            (f"./dev pitlink ledger award --store {ledger}", "how each award was arrived at"),
            (f"./dev pitlink journal show {journal}", f"table {first}, event by event"),
            (f"./dev pitlink journal verify {journal}", "its hash chain"),
        ]

    def _make_staff(self) -> str:
        """Everybody of STAFF has a PIN at the meter, which tells the tables; returns the public key."""
        keeper, book = StaffKeeper(self.folder, self._clock.wall_ms), staff_book()
        keeper.make_key()
        for number, name, role, _ in STAFF:
            self.secrets[name] = StaffSecret(number, name, role, bytes.fromhex(book.secrets[number].secret))
        write_privately(self.folder / STAFF_FILE, keeper.content(book))
        return keeper.table_key()

    def _meter_settings(self) -> str:
        deals = tuple(self._deals.values())
        promised = terms(deals)
        link = METER.format(
            store=self.folder / "ledger.db",
            floor_port=self.meter_port,
            port=self.broker.address.port,
            rate=promised.rate_bp,
            base=promised.base_cents,
            reset=promised.reset_cents,
            tables=list(self._deals),
        )
        games = (
            METER_GAME.format(
                name=game.game,
                pay_tables=list(game.pay_tables),
                stakes=list(game.stakes_cents),
                shoe=f"decks = {game.decks}" if game.decks else "",
            )
            for game in on_link(deals)
        )
        return link + "".join(games)

    def _bench_table(self, name: str) -> SimulatedTable:
        # A port of its own, so that an open panel finds its table again after a power cut.
        link = {"name": "demo", "loss_s": self._loss_s, "staff_key": self._staff_key}
        parts = {"panel": {"port": free_port()}, "link": link}
        settings = bench_settings(name, self.folder, table=self._deals[name].settings, **parts)
        address = self.cables[name].address
        return SimulatedTable(settings, address, clock=self._clock, log=self._log, chip_ms=self._chip_ms)

    async def _open(self, table: SimulatedTable) -> None:
        """The supervisor opens a table as soon as it has found the meter."""
        assert table.assembly is not None
        client = table.assembly.client
        await table.until(lambda: client.state is not None and not table.state.link_down, "no meter")
        await table.turn_key(on=True)
        await table.settle()
        await table.assembly.table.ask(TableOpened("demo"))
