"""The set-ups of config/, each started as its files say, on loopback and free ports, and played on."""

import asyncio
import re
from pathlib import Path

import pytest

from demo.broker import free_port
from link.messages import Award
from meter.store.audit import audited
from meter.store.base import StoreFault
from meter.store.open import open_store
from tests.support.meter.meter_bench import with_cards
from tests.support.meter.meter_process import LinkTable, MeterProcess
from tests.support.meter.postgres_bench import postgres_server
from tests.support.meter.setup_bench import CONFIG, Setup

PROPERTY = CONFIG / "property"


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
    """A round at each, the whole meter at one, a tenth at the other: two persons let the tenth be paid first."""
    whole = claim(first, with_cards(Award(1, 1, "royal_flush", percent_bp=10_000)))
    tenth = claim(second, with_cards(Award(1, 1, "straight_flush", percent_bp=1_000)))
    await first.until(lambda: "management" in first.replies[-1].held)
    await second.until(lambda: "management" in second.replies[-1].held)
    assert (await meter.decide({"type": "OrderClaims", "order": [tenth, whole]}))[0] == 200
    await second.until(lambda: bool(second.replies[-1].awards))


def claim(table: LinkTable, award: Award) -> dict[str, object]:
    """Claims it in a round of its own, and names the claim as a decision does."""
    table.wager(award.seat)
    return {"table": table.name, "journal": table.hello.journal, "seq": table.claim(award)}


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
    assert chips(meter.address) == 5


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
        await second.said("meter_standing_by")
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
    main = setup.broker("properties/main.conf", main_port, mosquitto=["properties/main.acl"])
    setup.broker("properties/branch.conf", branch_port, mosquitto=["properties/branch.acl"])
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
    assert chips(meter.address) == 6


async def test_a_branch_speaks_for_its_own_tables_only(setup: Setup) -> None:
    """Whatever is said in a branch in the name of a table of the main property never reaches the meter."""
    main_port, branch_port = free_port(), free_port()
    setup.main_port = main_port
    setup.broker("properties/main.conf", main_port, mosquitto=["properties/main.acl"])
    setup.broker("properties/branch.conf", branch_port, mosquitto=["properties/branch.acl"])
    meter = setup.meter("properties/meter.toml", main_port)
    await meter.start()
    async with setup.table("T1", branch_port) as forged, setup.table("B1", branch_port) as honest:
        forged.wager(1, 2, 3)
        honest.wager(1)
        await honest.booked()
        assert forged.booked_seq == 0
    assert await meter.stop() == 0
    assert chips(meter.address) == 1
