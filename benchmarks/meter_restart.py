"""A crash with a long ledger: how soon the next meter process is ready, beside its limit, and how long the audit takes.

python -m benchmarks.meter_restart [--records N] [--folder DIR] [--audit]
Ten million records (5.5 GB) are made once in DIR in about ten minutes and found there the next time.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from benchmarks.meter_load import NOW_MS, hello, round_of, written_settings
from meter.ledger.link_state import LinkState
from meter.ledger.records import Cause, Entered, Joined, Opened, Record, SealedRecord, sealed
from meter.settings import Link, read_meter_settings
from meter.store.base import Page
from meter.store.sqlite import SqliteStore

LIMIT_S = 2.0
TABLES = 100
AT_ONCE = 20_000
NOBODY = 1  # a port without a broker: being ready is about the books


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=200_000)
    parser.add_argument("--folder", type=Path, help="where the ledger is kept for the next time")
    parser.add_argument("--audit", action="store_true", help="wait for the audit in the background, too")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as short_lived:
        folder = args.folder or Path(short_lived)
        return _measure(_prepared(folder, args.records), args.records, wait_for_audit=args.audit)


def _prepared(folder: Path, records: int) -> list[str]:
    """The command that starts a meter on a ledger of so many records."""
    folder.mkdir(parents=True, exist_ok=True)
    ledger, config = folder / f"ledger-{records}.sqlite", folder / f"meter-{records}.toml"
    words = written_settings(config, ledger, NOBODY, TABLES)
    if not ledger.exists():
        began = time.monotonic()
        _write_ledger(ledger, read_meter_settings(config).links[0], records)
        print(f"{records:,} records made in {time.monotonic() - began:.0f} s, {ledger.stat().st_size / 1e9:.2f} GB")
    return words


def _write_ledger(path: Path, link: Link, records: int) -> None:
    """Books round after round of every table in turn, each sealed after the one before as the meter does it."""
    store, state = SqliteStore(path), LinkState(link.name)
    store._database.execute("PRAGMA synchronous = OFF")  # nobody wagers here
    causes = _causes(link)
    while state.head.number < records:
        rows = [_booked(state, next(causes)) for _ in range(min(AT_ONCE, records - state.head.number))]
        store.commit([Page(link.name, rows, list(state.members.values()), state.head)])
    store.close()


def _causes(link: Link) -> Iterator[Cause]:
    yield Opened(link.terms, link.offer)
    for table in link.tables:
        yield Joined(hello(table))
    seq = 0
    while True:
        seq += 1
        for table in link.tables:
            yield Entered(round_of(table, seq))


def _booked(state: LinkState, cause: Cause) -> tuple[Record, SealedRecord]:
    booking = state.booking(cause)
    record = state.record(cause, booking, booked_ms=NOW_MS)  # type: ignore[arg-type]  # wagers are always taken
    row = sealed(record, state.head.seal)
    state.take(record, booking.pot, row.seal)  # type: ignore[union-attr]  # as above
    return record, row


def _measure(words: list[str], records: int, *, wait_for_audit: bool) -> int:
    began = time.monotonic()
    meter = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    try:
        assert meter.stderr is not None
        _wait_for("meter_started", meter.stderr)
        ready_s = time.monotonic() - began
        print(f"ready after a crash with {records:,} records: {ready_s:.2f} s (limit {LIMIT_S:.2f} s)")
        if wait_for_audit:
            _wait_for("ledger_audited", meter.stderr)
            print(f"audited in the background: {time.monotonic() - began:.0f} s after the start")
    finally:
        meter.kill()  # as the crash before the next measurement
        meter.wait()
    return 0 if ready_s <= LIMIT_S else 1


def _wait_for(event: str, log: IO[str]) -> None:
    for line in log:
        if f'"event": "{event}"' in line:
            return
        if '"event": "meter_refused' in line or '"event": "part_died"' in line:
            raise SystemExit(line)
    raise SystemExit(f"the meter ended before it said {event}")


if __name__ == "__main__":
    sys.exit(main())
