"""The write-ahead log of the meter's file: carried home beside the work, bounded, and gone after a clean end."""

import sqlite3
import subprocess
import time
from contextlib import closing, suppress
from pathlib import Path

from meter_bench import MeterBench, envelope, wagers

from meter.floor_book import Line
from meter.records import Sealed
from meter.sqlite_store import SqliteStore

WITHIN_S = 60.0
PAGE_BYTES = 4_096
PAGES_AT_ONCE = 200


def records_at_home(ledger: Path, copy: Path) -> int:
    """How many records the file holds without its log."""
    # By another process: a process that closes a file of its own loses SQLite's locks on it.
    subprocess.run(["cp", ledger, copy], check=True)
    with closing(sqlite3.connect(copy)) as database, suppress(sqlite3.DatabaseError):  # copied in the middle
        return int(database.execute("SELECT count(*) FROM ledger").fetchone()[0])
    return 0


def test_the_log_is_carried_home_without_the_writer(tmp_path: Path) -> None:
    """Far fewer pages than make the writer do it itself, and nobody writes any more."""
    ledger = tmp_path / "ledger.sqlite"
    meter = MeterBench(store := SqliteStore(ledger))
    meter.join("T1")
    meter.say(envelope(1, wagers()))
    written = meter.heads["main"].number
    end = time.monotonic() + WITHIN_S
    while records_at_home(ledger, tmp_path / "copy") < written and time.monotonic() < end:
        time.sleep(0.05)
    assert records_at_home(ledger, tmp_path / "copy") == written
    store.close()
    assert not ledger.with_name("ledger.sqlite-wal").exists()


def test_the_log_of_a_busy_meter_does_not_grow_for_ever(tmp_path: Path) -> None:
    """Whoever writes begins it anew before long, with or without the help of the other."""
    ledger = tmp_path / "ledger.sqlite"
    store, body = SqliteStore(ledger), bytes(PAGES_AT_ONCE * PAGE_BYTES)
    log, written, end = ledger.with_name("ledger.sqlite-wal"), 0, time.monotonic() + WITHIN_S
    while log.stat().st_size >= written * len(body):
        assert time.monotonic() < end, "everything that was ever written is in the log"
        written += 1
        store.add_lines([Line(written, "note", "main", Sealed(body, b""))], [])
    store.close()
