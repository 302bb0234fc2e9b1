"""The write-ahead log of the meter's file is bounded, and gone after a clean end."""

import time
from pathlib import Path

from meter.floor_book import Line
from meter.records import Sealed
from meter.sqlite_store import SqliteStore

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
        store.add_lines([Line(written, "note", "main", Sealed(body, b""))], [])
    store.close()
    assert not log.exists()
