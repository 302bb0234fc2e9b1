"""The set-ups of config/, each started as its files say, on loopback and free ports, and played on."""

import asyncio
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from link_bench import WITHIN_S, BrokerProcess, mosquitto, run_as
from meter_process import LinkTable, MeterProcess
from postgres_bench import postgres_server

from controller.demo.broker import free_port
from drivers.broker import Broker, Tls
from meter.audit import audited
from meter.link import Award
from meter.store import StoreFault
from meter.stores import open_store

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "config"
PROPERTY = CONFIG / "property"
NAMES = "broker meter-main T1 T2 B1 bridge-branch1 db pitlink"


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Certificates for everybody, made by the commands of docs/link.md."""
    folder = tmp_path_factory.mktemp("keys")
    text = (ROOT / "docs" / "link.md").read_text(encoding="utf-8")
    (commands,) = re.findall(r"^```sh certificates\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    commands = re.sub(r"for name in .*;", f"for name in {NAMES};", commands)
    subprocess.run(["sh", "-e", "-c", commands], cwd=folder, check=True, capture_output=True, timeout=WITHIN_S)
    return folder


class Setup:
    """A folder that stands for the machines of a set-up; every process in it ends with the test."""

    def __init__(self, folder: Path, keys: Path) -> None:
        self._folder, self._keys = folder, keys
        self._running: list[BrokerProcess | MeterProcess] = []

    def broker(self, file: str, port: int, **access: Sequence[str]) -> BrokerProcess:
        """Starts Mosquitto with a file of config/; access names the lists that its access list is made of."""
        home = self._folder / f"broker{port}"
        shutil.copytree(self._keys, home)
        for name, parts in access.items():
            path = home / f"{name}.acl"
            path.write_text("".join((CONFIG / part).read_text(encoding="utf-8") for part in parts))
            path.chmod(0o600)
        text = (CONFIG / file).read_text(encoding="utf-8").replace("/etc/mosquitto/pitlink", str(home))
        moved = re.sub(r"^listener \d+.*$", f"listener {port} 127.0.0.1", text, flags=re.MULTILINE)
        settings = home / "mosquitto.conf"
        settings.write_text(moved.replace("broker.main.example:8883", f"127.0.0.1:{self.main_port}") + run_as())
        process = mosquitto(settings, port)
        process.start()
        self._running.append(process)
        return process

    main_port = 0

    def store_of(self, file: str, place: str) -> str:
        """The store that a file of config/ names, at this place."""
        text = (CONFIG / file).read_text(encoding="utf-8").replace("/etc/pitlink", str(self._keys))
        (address,) = re.findall(r'^store = "(.*)"', text, re.MULTILINE)
        return str(address).replace("db.pit.example", place)

    def meter(self, file: str, port: int, name: str = "meter", store: str = "") -> MeterProcess:
        """A meter with a file of config/, not yet started."""
        process = MeterProcess(self._folder, port, name=name, address=store)
        text = (CONFIG / file).read_text(encoding="utf-8").replace("/etc/pitlink", str(self._keys))
        text = re.sub(r'^store = ".*"', f'store = "{process.address}"', text, flags=re.MULTILINE)
        text = re.sub(r'^host = ".*"', 'host = "127.0.0.1"', text, flags=re.MULTILINE)
        text, controls = re.subn(r"^control_port = \d+", f"control_port = {process.control}", text, flags=re.MULTILINE)
        assert controls == 1, "nobody could decide anything while this meter runs"
        process.config.write_text(re.sub(r"^port = \d+", f"port = {port}", text, flags=re.MULTILINE))
        self._running.append(process)
        return process

    def table(self, name: str, port: int, *, certified: bool = True) -> LinkTable:
        """A table of the set-up."""
        files = (str(self._keys / file) for file in ("ca.crt", f"{name}.crt", f"{name}.key"))
        return LinkTable(name, Broker("127.0.0.1", port, tls=Tls(*files) if certified else None))

    def close(self) -> None:
        for process in reversed(self._running):
            process.close()


@pytest.fixture
def setup(tmp_path: Path, keys: Path) -> Iterator[Setup]:
    """An empty house."""
    house = Setup(tmp_path, keys)
    yield house
    house.close()


def chips(address: str) -> int:
    """How many chips the audited books hold."""
    store = open_store(address, reading=True)
    try:
        return audited(store, "main").head.pot.chips
    finally:
        store.close()


async def stop_and_reopen(meter: MeterProcess, table: LinkTable) -> None:
    """Two persons stop the link while the meter runs, and open it again."""
    assert (await meter.decide({"type": "Stop"}))[0] == 200
    await table.state(lambda state: state.health == "stopped")
    table.states.clear()
    assert (await meter.decide({"type": "Reopen"}))[0] == 200
    await table.state(lambda state: state.alive)


async def order_claims(meter: MeterProcess, first: LinkTable, second: LinkTable) -> None:
    """The whole meter at one table, a tenth at the other: two persons let the tenth be paid first."""
    whole = claim(first, Award(1, 1, "royal_flush", percent_bp=10_000))
    tenth = claim(second, Award(1, 1, "straight_flush", percent_bp=1_000))
    await first.until(lambda: "management" in first.replies[-1].held)
    await second.until(lambda: "management" in second.replies[-1].held)
    assert (await meter.decide({"type": "OrderClaims", "order": [tenth, whole]}))[0] == 200
    await second.until(lambda: bool(second.replies[-1].awards))


def claim(table: LinkTable, award: Award) -> dict[str, object]:
    """Claims it, and names the claim as a decision does."""
    return {"table": table.name, "journal": table.hello.journal, "seq": table.enter(award)}


async def hold_a_hasty_round(table: LinkTable) -> None:
    """A second after the round before no hand can have been dealt: its wager is kept aside (R2)."""
    table.wager(1, after_ms=1_000)
    await table.booked()
    await table.state(lambda state: state.held == 1)


async def test_one_table_alone(setup: Setup) -> None:
    """Board, broker and meter on one machine: what is wagered is booked."""
    port = free_port()
    setup.broker("one-table/mosquitto.conf", port)
    meter = setup.meter("meter.toml", port)
    await meter.start()
    async with setup.table("T1", port, certified=False) as table:
        table.wager(1, 2, 3)
        await table.booked()
        await hold_a_hasty_round(table)
        await stop_and_reopen(meter, table)
    assert await meter.stop() == 0
    assert chips(meter.address) == 3


async def test_one_pit_on_mosquitto(setup: Setup) -> None:
    """Everybody with a certificate: two tables, one pot."""
    port = free_port()
    setup.broker("mosquitto.conf", port, mosquitto=["mosquitto.acl"])
    meter = setup.meter("pit/meter.toml", port)
    await meter.start()
    async with setup.table("T1", port) as first, setup.table("T2", port) as second:
        first.wager(1, 2)
        second.wager(3)
        await asyncio.gather(first.booked(), second.booked())
        await hold_a_hasty_round(second)
        await order_claims(meter, first, second)
    assert await meter.stop() == 0
    assert chips(meter.address) == 3


async def test_a_property_with_a_standby(setup: Setup, keys: Path) -> None:
    """The same file on two machines: when the active meter dies, the other one books on.

    The database is made, set up and guarded by the files of config/property: who has no certificate stays outside.
    """
    port, database_port = free_port(), free_port()
    setup.broker("mosquitto.conf", port, mosquitto=["mosquitto.acl"])
    with postgres_server() as server:
        server.run_script(PROPERTY / "database.sql")
        server.open_to_the_house(
            database_port,
            settings=(PROPERTY / "postgresql.conf").read_text(encoding="utf-8"),
            access=(PROPERTY / "pg_hba.conf").read_text(encoding="utf-8"),
            files=[keys / name for name in ("ca.crt", "db.crt", "db.key")],
        )
        store = setup.store_of("property/meter.toml", f"127.0.0.1:{database_port}")
        with pytest.raises(StoreFault, match=r"certificate|pg_hba"):
            open_store(re.sub(r"&sslcert.*", "&sslcert=none&sslkey=none", store))
        first = setup.meter("property/meter.toml", port, "first", store)
        second = setup.meter("property/meter.toml", port, "second", store)
        await first.start()
        second.launch()
        await second.said("meter_stands_by")
        async with setup.table("T1", port) as table:
            table.wager(1, 2)
            await table.booked()
            first.kill()
            table.wager(3)
            await second.said("meter_started")
            await table.booked()
            await hold_a_hasty_round(table)
            await stop_and_reopen(second, table)
        assert chips(store) == 3
        second.close()


async def test_several_properties_over_bridged_brokers(setup: Setup) -> None:
    """A table of the branch is booked at the main property, and comes back after the line was cut."""
    main_port, branch_port = free_port(), free_port()
    setup.main_port = main_port
    main = setup.broker("mosquitto.conf", main_port, mosquitto=["mosquitto.acl", "properties/main.acl"])
    setup.broker("properties/branch.conf", branch_port, branch=["properties/branch.acl"])
    meter = setup.meter("properties/meter.toml", main_port)
    await meter.start()
    async with setup.table("T1", main_port) as here, setup.table("B1", branch_port) as there:
        here.wager(1)
        there.wager(1, 2)
        await asyncio.gather(here.booked(), there.booked())
        main.kill()
        there.wager(3)
        main.start()
        await there.booked()
        await there.state(lambda state: state.alive and state.in_cents == 4_00)
        await hold_a_hasty_round(there)
        await order_claims(meter, here, there)
    assert await meter.stop() == 0
    assert chips(meter.address) == 4


async def test_a_branch_speaks_for_its_own_tables_only(setup: Setup) -> None:
    """Whatever is said in a branch in the name of a table of the main property never reaches the meter."""
    main_port, branch_port = free_port(), free_port()
    setup.main_port = main_port
    setup.broker("mosquitto.conf", main_port, mosquitto=["mosquitto.acl", "properties/main.acl"])
    setup.broker("properties/branch.conf", branch_port, branch=["properties/branch.acl"])
    meter = setup.meter("properties/meter.toml", main_port)
    await meter.start()
    async with setup.table("T1", branch_port) as forged, setup.table("B1", branch_port) as honest:
        forged.wager(1, 2, 3)
        honest.wager(1)
        await honest.booked()
        assert forged.booked_seq == 0
    assert await meter.stop() == 0
    assert chips(meter.address) == 1
