"""How long an archive takes, how large a round is, and what a table that writes meanwhile feels of it.

python -m benchmarks.archive [--events N] [--folder DIR]    a journal is written, then all but its end archived
"""

import argparse
import multiprocessing
import statistics
import sys
import tempfile
import time
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from pathlib import Path

from benchmarks.table_start import write_night
from controller.journal.archive import archive
from controller.journal.journal import Journal, looked_at
from controller.journal.records import EventRecord, Moment
from controller.table.recovery import recall
from demo.table import bench_settings
from games.round.events import PanelUsed
from games.round.table_rules import TableRules

BETWEEN_WRITES_S = 0.02


def play(path: Path, rules: TableRules, stop: Event, took: "Queue[list[float]]") -> None:
    """A table of its own process: one small synced write after another, each timed."""
    journal = Journal.open(path)
    state, _ = recall(rules, journal)
    times = []
    while not stop.is_set():
        begun = time.monotonic()
        journal.write([EventRecord(PanelUsed("Ann", "look"), None, state.round, Moment(2**41, 0, True))], state)
        times.append(time.monotonic() - begun)
        time.sleep(BETWEEN_WRITES_S)
    took.put(times)
    journal.close()


def run(folder: Path, events: int) -> None:
    path = folder / "journal.db"
    rules = bench_settings("T1", folder).rules
    write_night(path, rules, events)
    with looked_at(path) as look:
        rounds = len(look.rounds())
    print(f"{events} events in {rounds} rounds: {path.stat().st_size / rounds:.0f} bytes a round")
    lasted = 0.0
    for name in ("beside an archive", "alone, for as long"):
        stop: Event = multiprocessing.Event()
        took: Queue[list[float]] = multiprocessing.Queue()
        table = multiprocessing.Process(target=play, args=(path, rules, stop, took))
        table.start()
        begun = time.monotonic()
        if lasted:
            time.sleep(lasted)
        else:
            (volume,) = archive(path, folder / "archive", 2**41)
            lasted = time.monotonic() - begun
            print(f"archive of {volume.until} events: {lasted:.1f} s")
        stop.set()
        times = sorted(took.get())
        table.join()
        middle, late = statistics.median(times) * 1000, times[len(times) * 99 // 100] * 1000
        print(
            f"a write {name}: median {middle:.1f} ms, 99 of 100 below {late:.1f} ms, longest {times[-1] * 1000:.1f} ms"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--folder", type=Path, help="on which disk (default: where temporary files are)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as made:
        run(Path(made), args.events)
    sys.exit(0)
