"""Two meter processes on one PostgreSQL: one books, and when it is gone the other does, to the cent."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import psycopg
import pytest

from drivers.mqtt.settings import BrokerSettings
from link.messages import State, Wagers, decode
from link.topics import state_topic
from meter.daemon import AUDITED_AT_START
from meter.ledger.records import Entered, read_record
from meter.store.audit import audited
from meter.store.open import open_store
from tests.support.meter.link_bench import BrokerProcess, Connected, pipe_to
from tests.support.meter.meter_process import BASE_CENTS, RATE_BP, LinkTable, MeterProcess, write_long_ledger
from tests.support.meter.postgres_bench import PostgresServer

TABLES = ("T1", "T2", "T3", "T4")
ROUNDS = 60


class Property:
    """A broker, a database, an active meter and one that stands by, and four tables that never stop playing."""

    def __init__(self, folder: Path, broker: BrokerProcess, address: str) -> None:
        self.address = address
        self.active = MeterProcess(folder, broker.port, address=address, name="first")
        self.waiting = MeterProcess(folder, broker.port, address=address, name="second")
        self.tables = [LinkTable(name, BrokerSettings("127.0.0.1", broker.port), resend_s=0.3) for name in TABLES]

    async def open(self) -> None:
        await self.active.start()
        self.waiting.launch()
        await self.waiting.said("meter_standing_by")

    async def play(self, rounds: int = ROUNDS) -> None:
        """Every table registers so many rounds, some of them while its link is down."""
        for number in range(rounds):
            for table in self.tables:
                table.wager(*range(1, 2 + number % 7))
            await asyncio.sleep(0.01)

    async def booked(self) -> None:
        await asyncio.gather(*(table.booked() for table in self.tables))

    def assert_books_agree(self) -> None:
        """Every entry of every journal once and in order, and the meter exactly what they make."""
        store = open_store(self.address, reading=True)
        pot = audited(store, "main").head.pot
        causes = [read_record(row.body).cause for row in store.records("main")]
        store.close()
        entered = [cause.envelope for cause in causes if isinstance(cause, Entered)]
        for table in self.tables:
            assert [envelope for envelope in entered if envelope.table == table.name] == table.entries
        assert pot.amount_cents * 10_000 + pot.carry * 10_000 == BASE_CENTS * 10_000 + pot.chips * 100 * RATE_BP
        rounds = [envelope.entry for envelope in entered if isinstance(envelope.entry, Wagers)]
        assert len(rounds) == len(entered)
        assert pot.chips == sum(len(wagers.seats) for wagers in rounds)


@pytest.fixture
async def floor(tmp_path: Path, broker: BrokerProcess, postgres: PostgresServer) -> AsyncIterator[Property]:
    """The property, open, with its tables connected."""
    house = Property(tmp_path, broker, postgres.database())
    try:
        await house.open()
        async with AsyncExitStack() as stack:
            for table in house.tables:
                await stack.enter_async_context(table)
            yield house
    finally:
        house.active.close()
        house.waiting.close()


async def test_a_meter_killed_under_load_is_replaced(floor: Property) -> None:
    """kill -9 while wagers come in: the other one takes over, and every wager is in the books once."""
    playing = asyncio.create_task(floor.play())
    await floor.tables[0].until(lambda: floor.tables[0].booked_seq > 5)
    floor.active.kill()
    await floor.waiting.said("meter_took_over")
    await floor.waiting.said("meter_started")
    await playing
    await floor.booked()
    floor.assert_books_agree()
    begun = floor.active.launch()  # the first one comes back and waits
    await floor.active.said("meter_standing_by", since=begun)


async def test_a_meter_cut_off_from_its_database_stops_at_once(floor: Property, postgres: PostgresServer) -> None:
    """It says that it is gone, ends, and the next one books on."""
    playing = asyncio.create_task(floor.play())
    await floor.tables[0].until(lambda: floor.tables[0].booked_seq > 5)
    with psycopg.connect(postgres.admin, autocommit=True) as admin:
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1"
        )
    assert await floor.active.code() != 0
    assert "PostgreSQL database" in (await floor.active.said("part_died"))["reason"]
    await floor.waiting.said("meter_started")
    await playing
    await floor.booked()
    floor.assert_books_agree()


async def test_a_frozen_meter_is_fenced_off(floor: Property) -> None:
    """It holds its lock and its connections and does nothing: it is passed over, and when it wakes up it stops."""
    await floor.play(5)
    await floor.booked()
    floor.active.freeze()
    playing = asyncio.create_task(floor.play(20))
    await floor.waiting.said("meter_started")
    await playing
    await floor.booked()
    floor.active.thaw()
    assert await floor.active.code() != 0
    await floor.play(5)
    await floor.booked()
    floor.assert_books_agree()


async def test_a_meter_that_was_passed_over_says_nothing_when_it_wakes_up(
    floor: Property, broker: BrokerProcess
) -> None:
    """It neither throws the other one off the broker nor shows anybody its old amount, not even in going."""
    begun = len(floor.active.lines)
    await asyncio.to_thread(broker.kill)
    await asyncio.to_thread(broker.start)
    await floor.active.said("broker_connected", since=begun)  # the alarm is open: it is not written again on waking up
    await floor.play(5)
    await floor.booked()
    floor.tables[0].wager(1)
    await floor.tables[0].booked()  # so that something was written just before
    floor.active.freeze()
    await floor.waiting.said("broker_connected")
    await floor.play(5)
    await floor.booked()
    async with Connected(pipe_to(broker.port, "witness", state_topic("main"))) as witness:
        heard = witness.recorder.messages
        newest = 1 + sum(1 + len(table.entries) for table in floor.tables)  # the opening, and each table's joining
        await witness.recorder.until(lambda: bool(heard) and decode(heard[-1].payload, State).number == newest)
        before = len(heard)
        floor.active.thaw()
        assert await floor.active.code() != 0
        after = len(heard) + 3  # of the meter that books, one beat after the other
        await witness.recorder.until(lambda: len(heard) >= after)
        states = [decode(message.payload, State) for message in heard[before:]]
        assert {(state.alive, state.number) for state in states} == {(True, newest)}
    assert not any(line.get("event") == "broker_disconnected" for line in floor.waiting.lines)
    assert [line["reason"] for line in floor.active.lines if line.get("event") == "part_died"]


async def test_an_idle_meter_that_lost_its_database_does_not_wait_for_a_wager(
    floor: Property, postgres: PostgresServer
) -> None:
    """Both notice by themselves; started again, one of them books and nothing is missing."""
    await floor.play(5)
    await floor.booked()
    assert postgres.cut_off(floor.address) == 2
    assert await floor.active.code() != 0
    assert await floor.waiting.code() != 0
    await floor.active.start()
    await floor.play(5)
    await floor.booked()
    floor.assert_books_agree()


async def test_two_meters_on_a_long_damaged_ledger_name_the_record_and_stay_silent(
    tmp_path: Path, broker: BrokerProcess, postgres: PostgresServer
) -> None:
    """Neither ends the other while it reads: whoever has the books says where they are damaged, and both refuse."""
    house = Property(tmp_path, broker, postgres.database())
    write_long_ledger(house.active)
    with psycopg.connect(house.address, autocommit=True) as database:
        database.execute("UPDATE ledger SET seal = 'x' WHERE number = %s", (AUDITED_AT_START + 2,))
    try:
        house.active.launch()
        house.waiting.launch()
        for meter in (house.active, house.waiting):
            assert await meter.code() == 3
            await meter.said("ledger_doubted")  # and was read by another process, while this one beat
            refused = await meter.said("meter_refused_to_start")
            assert f"damaged at record {AUDITED_AT_START + 2}: its seal is broken" in refused["reason"]
            assert not any(line.get("event") == "meter_started" for line in meter.lines)
    finally:
        house.active.close()
        house.waiting.close()
