"""How long a table's start takes after many events, beside the same start after few.

python -m benchmarks.table_start [--few N] [--many N]   a journal of whole rounds is written, then opened and told again
"""

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from controller.journal.journal import Journal
from controller.journal.records import EventRecord, Moment
from controller.table.loop import SNAPSHOT_EVERY
from controller.table.meter_entries import entries
from controller.table.recovery import recall
from demo.table import bench_settings
from games.round.events import (
    ChipPlaced,
    ChipsCounted,
    EndOfRoundPressed,
    Event,
    LockOutPressed,
    RoundOpened,
    SupervisorKeyTurned,
    TableOpened,
    WagersRegistered,
)
from games.round.state import RoundState
from games.round.step import handle
from games.round.table_rules import TableRules

STARTS = 7


def write_night(path: Path, rules: TableRules, events: int) -> None:
    """Rounds with two wagers each, all booked, with a snapshot where a table makes one."""
    journal, state, records = Journal.open(path), RoundState(), []
    for number in range(1, events + 1):
        event = _next(state)
        step = handle(rules, state, event)
        assert step.refusal is None, step.refusal
        state = step.state
        moment = Moment(1_800_000_000_000 + number, number, True)
        records.append(EventRecord(event, None, state.round, moment, entries(step, True)))
        if number % SNAPSHOT_EVERY == 0 or number == events:
            # The last snapshot lies as far back as it can, so that a start has all of its work.
            journal.write(records, state, snapshot=number <= events - SNAPSHOT_EVERY)
            journal.mark_booked(state.link_seq)
            records = []
    journal.close()


def _next(state: RoundState) -> Event:
    match state.phase.value:
        case "closed":
            return TableOpened("Ann") if state.key_on else SupervisorKeyTurned(on=True)
        case "open":
            free = [seat for seat in (2, 5) if seat not in state.wagers]
            return ChipPlaced(free[0]) if free else LockOutPressed()
        case "locked":
            return ChipsCounted(2)
        case "counted":
            return WagersRegistered(state.wagers_seq)
        case "ended":
            return RoundOpened()
        case _:
            return EndOfRoundPressed()


def start_s(path: Path, rules: TableRules) -> float:
    """Open, check, tell again, as a table does before it takes its pins."""
    begun = time.monotonic()
    journal = Journal.open(path)
    recall(rules, journal)
    took = time.monotonic() - begun
    journal.close()
    return took


def run(few: int, many: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        rules = bench_settings("T1", Path(name)).rules
        took = {}
        for events in (few, many):
            path = Path(name) / f"{events}.db"
            write_night(path, rules, events)
            took[events] = statistics.median(start_s(path, rules) for _ in range(STARTS))
            print(f"{events} events, {path.stat().st_size / 1e6:.0f} MB: start {took[events] * 1000:.1f} ms")
        whole = time.monotonic()
        journal = Journal.look(Path(name) / f"{many}.db")
        journal.check_pages()
        journal.abandon()
        print(f"the whole file, beside the running table: {(time.monotonic() - whole) * 1000:.0f} ms")
    print(f"ratio {took[many] / took[few]:.2f} (aim: 1, whatever the age of the journal)")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--few", type=int, default=1_000)
    parser.add_argument("--many", type=int, default=1_000_000)
    args = parser.parse_args()
    run(args.few, args.many)
    sys.exit(0)
