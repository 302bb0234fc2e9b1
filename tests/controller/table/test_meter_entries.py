"""How long ago the round before was: the table says it where its calendar was set, and says the same again."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from controller.journal.journal import Journal
from controller.journal.records import EventRecord, Moment
from controller.table.meter_entries import STEPPED_MS, RoundInterval, entries
from controller.table.recovery import recall
from games.round.events import ChipPlaced, ChipsCounted, Event, LockOutPressed, TableOpened
from link import messages as wire
from link import topics
from link.messages import Wagers
from tests.support.games.pit import PaperTable
from tests.support.table.paper_floor import Bench, PaperFloor, paper_floor

SHORTEST_MS = 15_000
NOW = Moment(1_800_000_000_000, 5_000)


def said(floor: PaperFloor, seq: int) -> list[bytes]:
    """Everything the table sent of this entry."""
    sent = [payload for topic, payload in floor.broker.log if topic == topics.entry_topic("demo", "T1")]
    return [payload for payload in sent if wire.decode(payload, wire.Envelope).seq == seq]


async def next_round(bench: Bench) -> None:
    """The round ends, and as long as a hand takes goes by."""
    number = bench.state.round
    await bench.press_end_of_round()
    await bench.until(lambda: bench.state.round == number + 1)
    await bench.pass_time(SHORTEST_MS / 1_000)


@pytest.mark.parametrize("step_ms", [-10_000, -3_600_000, 3_600_000])
async def test_r81_a_calendar_that_is_set_holds_no_wager_back(tmp_path: Path, step_ms: int) -> None:
    """Set by about a round, by an hour, or ahead: both rounds count, and nobody is asked to decide."""
    async with paper_floor(tmp_path, shortest_round_ms=SHORTEST_MS) as floor:
        bench = floor.tables["T1"]
        await bench.deal(3)
        await next_round(bench)
        floor.clock.step_wall(step_ms)
        await bench.deal(2, 3)
        assert (floor.meter.pot.in_cents, floor.meter.pot.held) == (300, ())
        assert b'"since_ms":' in said(floor, 2)[0]
        await next_round(bench)
        await bench.deal(1)
        assert (floor.meter.pot.in_cents, floor.meter.pot.held) == (400, ())
        assert b"since_ms" not in said(floor, 3)[0], "the calendar tells it again"


async def test_r2_a_calendar_set_ahead_hides_no_haste(tmp_path: Path) -> None:
    """The hand cannot have been dealt, whatever the calendar says."""
    async with paper_floor(tmp_path, shortest_round_ms=SHORTEST_MS) as floor:
        bench = floor.tables["T1"]
        await bench.deal(3)
        await bench.press_end_of_round()
        await bench.until(lambda: bench.state.round == 2)
        floor.clock.step_wall(3_600_000)
        await bench.deal(3)
        assert floor.meter.pot.in_cents == 100
        assert "a hand takes at least 15000 ms" in floor.meter.pot.held[0].reason


async def test_after_a_power_cut_the_entry_is_the_same_in_every_field(tmp_path: Path) -> None:
    """What was measured is written down with the entry; the next run measures from its own first round."""
    async with paper_floor(tmp_path, shortest_round_ms=SHORTEST_MS) as floor:
        bench = floor.tables["T1"]
        await bench.deal(3)
        await next_round(bench)
        floor.clock.step_wall(-10_000)
        floor.broker.deaf_to = {"entry"}
        await bench.drop_chip(2)
        await bench.settle()
        await bench.press_lock_out()
        await bench.until(lambda: bool(said(floor, 2)))
        await bench.power_cut()
        await bench.pass_time(60)
        await bench.power_on()
        floor.broker.deaf_to = set()
        await bench.until(lambda: bench.state.registered)
        assert len(said(floor, 2)) > 1
        assert len(set(said(floor, 2))) == 1
        assert (floor.meter.pot.in_cents, floor.meter.pot.held) == (200, ())
        await next_round(bench)
        await bench.deal(1)
        assert b"since_ms" not in said(floor, 3)[0]


@pytest.mark.parametrize(("drift_ms", "is_said"), [(0, False), (STEPPED_MS, False), (-STEPPED_MS - 1, True)])
def test_only_what_the_calendar_does_not_tell_is_said(drift_ms: int, is_said: bool) -> None:
    """An older meter knows nothing of it, and need not where the clocks agree."""
    pace, ordered = RoundInterval(), ((1, Wagers(1, 100, (1,))),)
    assert pace.timed(ordered, NOW) == ordered
    later = Moment(NOW.at_ms + 60_000 + drift_ms, NOW.mono_ms + 60_000)
    ((_, entry),) = pace.timed(ordered, later)
    assert entry == Wagers(1, 100, (1,), since_ms=60_000) if is_said else entry == ordered[0][1]


def test_a_journal_with_and_without_measured_rounds_is_told_again(tmp_path: Path) -> None:
    """A replay has no clock: it takes the time from the sealed entry."""
    table, journal, pace = PaperTable(is_open=False), Journal.open(tmp_path / "journal.db"), RoundInterval()
    pace.timed(((1, Wagers(1, 100, (1,))),), Moment(NOW.at_ms + 3_600_000, 0))
    happened: list[Event] = [TableOpened("Ann"), ChipPlaced(3), LockOutPressed(), ChipsCounted(1)]
    for event in happened:
        step = table.do(event)
        ordered = pace.timed(entries(step, None), NOW)
        journal.write([EventRecord(event, step.refusal, step.state.round, NOW, ordered)], step.state)
    assert [letter.entry for letter in journal.waiting()] == [Wagers(1, 100, (3,), since_ms=5_000)]
    journal.close()
    again = Journal.open(tmp_path / "journal.db")
    assert recall(table.rules, again) == (table.state, 4)
    again.close()


@given(st.lists(st.tuples(st.integers(0, 100_000), st.integers(-7_200_000, 7_200_000)), min_size=1, max_size=20))
def test_r2_however_the_calendar_is_set_only_the_first_round_of_a_run_goes_by_it(rounds: list[tuple[int, int]]) -> None:
    """What the meter takes for the time since the round before is the true one, to a second, for all that follow."""
    pace, moment = RoundInterval(), NOW
    pace.timed(((1, Wagers(1, 100, (1,))),), moment)
    for number, (gap_ms, step_ms) in enumerate(rounds, start=2):
        before, moment = moment, Moment(moment.at_ms + gap_ms + step_ms, moment.mono_ms + gap_ms)
        ((_, entry),) = pace.timed(((number, Wagers(number, 100, (1,))),), moment)
        assert isinstance(entry, Wagers)
        judged_ms = moment.at_ms - before.at_ms if entry.since_ms is UNSET else entry.since_ms
        assert abs(judged_ms - gap_ms) <= STEPPED_MS
