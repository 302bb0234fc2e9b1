"""One PostgreSQL database, two meters: who books, who waits, and what becomes of one that was passed over."""

from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest

from meter.store import postgres as postgres_store
from meter.store.base import OutOfReach, StoreFault
from meter.store.open import open_store
from meter.store.postgres import SILENCE_S, PostgresStore
from tests.support.meter.meter_bench import MeterBench, envelope, wagers
from tests.support.meter.postgres_bench import PostgresServer, until_active


@pytest.fixture
def books(postgres: PostgresServer) -> str:
    """The address of an empty database."""
    return postgres.database()


@pytest.fixture
def active(books: str) -> Iterator[PostgresStore]:
    """The store of the meter that books."""
    store = PostgresStore(books)
    assert store.became_active(0.0)
    yield store
    store.close()


@pytest.fixture
def waiting(books: str, active: PostgresStore) -> Iterator[PostgresStore]:
    """The store of the meter that stands by."""
    store = PostgresStore(books)
    yield store
    store.close()


def test_only_one_of_two_books(active: PostgresStore, waiting: PostgresStore) -> None:
    """The second gets its turn when the first has left, and not before."""
    assert not waiting.became_active(1.0)
    with pytest.raises(StoreFault, match="another meter has taken over"):
        waiting.commit(())
    active.close()
    until_active(waiting, 2.0)
    waiting.commit(())


def test_an_active_meter_that_beats_is_left_alone(active: PostgresStore, waiting: PostgresStore) -> None:
    """However long the other one waits."""
    for second in range(20):
        active.commit(())
        assert not waiting.became_active(float(second))
    active.commit(())


def test_a_silent_meter_is_cut_off_and_cannot_book_any_more(active: PostgresStore, waiting: PostgresStore) -> None:
    """Frozen or cut off, it is ended at the server; what it says when it wakes up is not written."""
    meter = MeterBench(active)
    meter.join("T1")
    for now_s in (0.0, 1.0, 2.0, SILENCE_S - 0.1):
        assert not waiting.became_active(now_s)
    active.commit(())
    for later_s in (0.0, 1.0, 2.0, SILENCE_S):
        assert not waiting.became_active(SILENCE_S + later_s)
    until_active(waiting, 2 * SILENCE_S)
    with pytest.raises(OutOfReach, match="terminating connection"):
        meter.say(envelope(1, wagers()))
    assert MeterBench(waiting).heads["main"].number == 2


def test_a_standby_that_was_held_up_cuts_nobody_off(active: PostgresStore, waiting: PostgresStore) -> None:
    """It did not listen for an hour, so it has heard no silence; after that it counts as ever."""
    for now_s in (0.0, 3_600.0, 3_601.0):
        assert not waiting.became_active(now_s)
    active.commit(())
    for now_s in (3_602.0, 3_603.0, 3_604.0, 3_605.0):
        assert not waiting.became_active(now_s)
    until_active(waiting, 3_605.0)


def test_a_session_without_the_newest_epoch_writes_nothing(active: PostgresStore, books: str) -> None:
    """Even a lock that a pooler or a hand gave away does not let two meters book."""
    meter = MeterBench(active)
    with psycopg.connect(books, autocommit=True) as other:
        other.execute("UPDATE meter SET epoch = epoch + 1")
    with pytest.raises(OutOfReach, match="this one stops"):
        meter.join("T1")
    with pytest.raises(OutOfReach, match="this one stops"):
        active.write_doubt("these are not our books any more")
    reader = open_store(books, reading=True)
    assert len(list(reader.records("main"))) == 1
    assert reader.doubt() == ""
    reader.close()


@pytest.mark.parametrize(
    ("error", "is_out_of_reach"),
    [
        (psycopg.errors.AdminShutdown(), True),
        (psycopg.errors.DiskFull(), True),
        (psycopg.OperationalError("the connection is lost"), True),
        (psycopg.InterfaceError("the connection is closed"), True),
        (psycopg.errors.DataCorrupted(), False),
        (psycopg.errors.IndexCorrupted(), False),
        (psycopg.errors.IoError(), False),
        (psycopg.errors.UniqueViolation(), False),
    ],
)
def test_a_lost_session_is_no_damage_and_a_block_that_cannot_be_read_is(
    error: psycopg.Error, is_out_of_reach: bool
) -> None:
    """Only damage is written down for the next start."""
    assert postgres_store._is_out_of_reach(error) is is_out_of_reach


def test_readers_need_no_turn(active: PostgresStore, books: str) -> None:
    """Whoever only reads sees what is committed and disturbs nobody."""
    MeterBench(active).join("T1")
    reader = open_store(books, reading=True)
    assert reader.links() == ("main",)
    with pytest.raises(StoreFault, match="taken over"):
        reader.commit(())
    reader.close()
    active.commit(())


def test_a_server_without_room_to_go_on_is_refused(
    postgres: PostgresServer, books: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A beat fits on any disk; what is written for the trial is gone after it."""
    with postgres.small_disk(24 * 2**20), closing(PostgresStore(books)) as store:  # its own log needs files of 16 MB
        assert store.became_active(0.0)
        store.require_room()
        monkeypatch.setattr(postgres_store, "ROOM_BYTES", 32 * 2**20)
        with pytest.raises(OutOfReach, match=r"no room for 32 MB.*on the database server"):
            store.require_room()
        store.commit(())
    with psycopg.connect(books, autocommit=True) as other:
        assert other.execute("SELECT 1 FROM pg_class WHERE relname = 'room'").fetchall() == []


def test_the_database_of_another_version_is_refused(books: str) -> None:
    """The message names both versions."""
    PostgresStore(books).close()
    with psycopg.connect(books, autocommit=True) as other:
        other.execute("UPDATE meter SET version = 99")
    with pytest.raises(StoreFault, match=r"another version \(99"):
        PostgresStore(books)


def test_a_password_in_the_address_is_refused() -> None:
    """It would stand in logs and in --print-config."""
    with pytest.raises(StoreFault, match="password file") as caught:
        PostgresStore("postgresql://meter:secret@127.0.0.1/books")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("postgresql://127.0.0.1:1/books", "books on 127.0.0.1: connection"),
        ("postgresql://127.0.0.1/books?nonsense=1", "no address of a PostgreSQL database"),
    ],
)
def test_a_server_that_is_not_there_is_named(address: str, words: str) -> None:
    """The message says which database and what to look at."""
    with pytest.raises(StoreFault, match=words):
        PostgresStore(address)


@pytest.mark.parametrize("setting", ["fsync", "full_page_writes", "synchronous_commit"])
def test_a_server_that_does_not_sync_is_refused(postgres: PostgresServer, books: str, setting: str) -> None:
    """What it acknowledged would be gone after a power cut (R11)."""
    with postgres.changed(setting, "off"), pytest.raises(StoreFault, match=f"{setting} off and would lose money"):
        PostgresStore(books)


def test_a_server_that_forgets_to_sync_later_still_syncs_what_is_booked(
    postgres: PostgresServer, active: PostgresStore
) -> None:
    """A session keeps the promise with which it began, whatever is written into the server's settings meanwhile."""
    with postgres.changed("synchronous_commit", "off"):
        active.commit(())
        assert active._ask("SHOW synchronous_commit") == ("on",)
