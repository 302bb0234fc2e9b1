"""A doubted ledger at the start: nothing is said before it has passed, and systemd sees that we live meanwhile."""

import io
import socket
import sqlite3
from pathlib import Path

import psycopg
import pytest

from common.log import open_log
from common.supervision import ServiceManager
from meter.booking.booker import Booker
from meter.service.background_audit import settle_doubt
from meter.settings import is_postgres
from meter.store.base import OutOfReach, StoreFault
from meter.store.sqlite import SqliteStore
from tests.support.meter.meter_bench import NOW_MS, MeterBench, envelope, link, store_address, wagers
from tests.support.meter.postgres_bench import active_store
from tests.support.meter.proved import Unchecked


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A doubted ledger of ten records."""
    path = tmp_path / "ledger.sqlite"
    store = SqliteStore(path)
    meter = MeterBench(store)
    meter.join("T1")
    for seq in range(1, 9):
        meter.say(envelope(seq, wagers()))
    store.write_doubt("record 7 was odd")
    store.close()
    return path


async def settled(path: Path, manager: ServiceManager | None = None) -> bool:
    """Settles the doubt about this ledger."""
    store = SqliteStore(path)
    try:
        return await settle_doubt(str(path), store, open_log(io.StringIO()), manager or ServiceManager({}))
    finally:
        store.close()


def doubt_of(path: Path) -> str:
    """What the store says of itself."""
    store = SqliteStore(path)
    try:
        return store.doubt()
    finally:
        store.close()


def spoil(path: Path, statement: str) -> None:
    """A hand in the file."""
    database = sqlite3.connect(path)
    with database:
        database.execute(statement)
    database.close()


async def test_a_ledger_that_passes_is_trusted_again(ledger: Path) -> None:
    """Once, and without a doubt the next time."""
    assert await settled(ledger) is True
    assert doubt_of(ledger) == ""
    assert await settled(ledger) is False


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE ledger SET seal = x'00' WHERE number = 4", "damaged at record 4: its seal is broken"),
        ("UPDATE head SET stamp = x'00'", "the figures kept beside the records were changed"),
    ],
)
async def test_r63_damage_keeps_the_doubt_through_every_start(ledger: Path, statement: str, words: str) -> None:
    """A record or the figures: each start finds it again and says where."""
    spoil(ledger, statement)
    for _ in range(2):
        with pytest.raises(StoreFault, match=words):
            await settled(ledger)
    assert doubt_of(ledger) == "record 7 was odd"


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A store of each kind with nine records that nobody doubts."""
    address = store_address(request, tmp_path / "long")
    (tmp_path / "long").mkdir()
    store = active_store(address)
    meter = MeterBench(store)
    meter.join("T1")
    for seq in range(1, 8):
        meter.say(envelope(seq, wagers()))
    store.close()
    return address


def break_seal(address: str, number: int) -> None:
    """A hand in the store, whichever it is."""
    if is_postgres(address):
        with psycopg.connect(address, autocommit=True) as database:
            database.execute("UPDATE ledger SET seal = 'x' WHERE number = %s", (number,))
    else:
        spoil(Path(address), f"UPDATE ledger SET seal = x'00' WHERE number = {number}")


@pytest.mark.parametrize("number", [9, 8])
async def test_r63_figures_that_do_not_fit_the_last_records_are_doubted_and_the_first_bad_one_is_named(
    address: str, number: int
) -> None:
    """However long the ledger is: it is read by another process while we beat, and by every later start as well."""
    break_seal(address, number)
    for _ in range(2):
        store = active_store(address)
        with pytest.raises(StoreFault, match=f"damaged at record {number}: its seal is broken"):
            await settle_doubt(address, store, open_log(io.StringIO()), ServiceManager({}))
        assert "not sealed to record 9" in store.doubt()
        store.close()


async def test_a_store_that_is_lost_meanwhile_is_not_doubted(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever cannot read says so, and nothing else about the books."""
    spoil(ledger, "UPDATE meter SET doubt = ''")

    def lost(_store: SqliteStore, _link: str) -> None:
        raise OutOfReach("the session is lost")

    monkeypatch.setattr(SqliteStore, "load", lost)
    with pytest.raises(OutOfReach):
        await settled(ledger)
    assert doubt_of(ledger) == ""


async def test_systemd_is_asked_for_time_and_petted_while_it_is_read(ledger: Path, tmp_path: Path) -> None:
    """Neither the limit of a start nor the watchdog ends a meter that reads millions of records back."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "notify"))
        environ = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "10000000"}
        assert await settled(ledger, ServiceManager(environ))
        listener.setblocking(False)
        said = listener.recv(4096).decode() + listener.recv(4096).decode()
    assert "EXTEND_TIMEOUT_USEC=30000000" in said
    assert "STATUS=a doubted ledger is read back" in said
    assert "WATCHDOG=1" in said
    assert "READY=1" not in said


async def test_the_books_stay_ours_while_they_are_read(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A standby sees a beat, or it would take over from a meter that only reads."""
    beats: list[int] = []
    write = SqliteStore.commit

    def commit(store: SqliteStore, pages: tuple[()]) -> None:
        beats.append(len(pages))
        write(store, pages)

    monkeypatch.setattr(SqliteStore, "commit", commit)
    await settled(ledger)
    assert beats
    assert set(beats) == {0}


def test_r63_a_long_ledger_is_stopped_at_once(ledger: Path) -> None:
    """A meter that stops itself writes so on the figures it trusts; reading millions of records would take too long."""
    spoil(ledger, "UPDATE ledger SET seal = x'00' WHERE number = 4")
    store = SqliteStore(ledger)
    booker = Booker(store, (link(),), lambda: NOW_MS, Unchecked())
    booker.open(audited_at_most=3)
    booker.stop("the figures disagree")
    again = Booker(store, (link(),), lambda: NOW_MS, Unchecked())
    assert again.open(audited_at_most=3)["main"].stopped == "the figures disagree"
    store.close()
