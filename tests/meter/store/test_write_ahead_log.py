"""The write-ahead log of the meter's file is on disk before an answer, bounded, and gone after a clean end."""

import asyncio
import time
from pathlib import Path

import pytest

from meter.booking.booker import Work
from meter.booking.group_commit import GroupCommit
from meter.ledger.records import SealedRecord
from meter.store.audit_log import AuditLine
from meter.store.base import StoreFault
from meter.store.sqlite import CHECKPOINT_PAGES, SqliteStore
from tests.support.meter.meter_bench import MeterBench, envelope, wagers
from tests.support.meter.watched_disk import watched_disk

WITHIN_S = 60.0
PAGES_AT_ONCE = 200
PAGE_BYTES = 4_096


def test_the_log_of_a_busy_meter_does_not_grow_for_ever(tmp_path: Path) -> None:
    """After some checkpoint it is begun anew; what a meter leaves behind is one whole file."""
    ledger = tmp_path / "ledger.sqlite"
    store, body = SqliteStore(ledger), bytes(PAGES_AT_ONCE * PAGE_BYTES)
    log, written, end = ledger.with_name("ledger.sqlite-wal"), 0, time.monotonic() + WITHIN_S
    while log.stat().st_size >= written * len(body):
        assert time.monotonic() < end, "everything that was ever written is in the log"
        written += 1
        store.add_lines([AuditLine(written, "note", "main", SealedRecord(body, b""))], [])
    store.close()
    assert not log.exists()


def test_a_meters_file_has_a_log_and_every_transaction_is_synced(tmp_path: Path) -> None:
    """WAL, and FULL (2): anything less forgets acknowledged wagers in a power cut."""
    store = SqliteStore(tmp_path / "ledger.sqlite")

    def setting(name: str) -> object:
        return store._database.execute(f"PRAGMA {name}").fetchone()[0]

    assert (setting("journal_mode"), setting("synchronous")) == ("wal", 2)
    assert setting("wal_autocheckpoint") == CHECKPOINT_PAGES
    store.close()


def test_a_disk_without_a_log_is_refused(tmp_path: Path) -> None:
    """Where memory cannot be shared SQLite goes on in another mode without a word; the meter does not."""
    with (
        watched_disk(shares_memory=False),
        pytest.raises(StoreFault, match=r"write-ahead log there \(delete\); put it on a local disk"),
    ):
        SqliteStore(tmp_path / "ledger.sqlite")
    SqliteStore(tmp_path / "ledger.sqlite").close()


async def test_an_answer_comes_after_the_sync_of_what_it_answers(tmp_path: Path) -> None:
    """Seen from SQLite's disk: a wager is written, the log is synced, and only then somebody hears of it (R11)."""
    with watched_disk() as acts:
        store = SqliteStore(tmp_path / "ledger.sqlite")
        meter = MeterBench(store)
        meter.join()
        answered = asyncio.Event()

        def hear(_link: str, _report: object) -> None:
            acts.append("answered")
            answered.set()

        books = GroupCommit(meter.booker, hear)
        task = asyncio.create_task(books.run())
        for seq in range(1, 4):
            acts.clear()
            answered.clear()
            books.submit(Work("main", envelope(seq, wagers())))
            async with asyncio.timeout(60):
                await answered.wait()
            written, synced, heard = (
                acts.index(act) for act in ("wrote ledger.sqlite-wal", "synced ledger.sqlite-wal", "answered")
            )
            assert written < synced < heard
            assert "wrote ledger.sqlite-wal" not in acts[synced:], "nothing of it is left for a later sync"
        task.cancel()
        await asyncio.wait([task])
        store.close()
