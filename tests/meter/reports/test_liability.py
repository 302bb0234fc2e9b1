"""R75: what is owed to the players and what of it has accrued, for those who must have the funds."""

import csv
import io
import json
from datetime import UTC, date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cli.main import main
from link.messages import Wagers
from meter.booking.booker import Booker
from meter.ledger.accounts import UNITS_PER_CENT
from meter.ledger.balances import LinkTerms
from meter.ledger.decisions import Stop
from meter.reports.formatting import plain_dollars
from meter.reports.gaming_day import Calendar
from meter.reports.liability import Liability, liability, liability_rows, liability_text
from meter.reports.statement import statements
from meter.settings import read_meter_settings
from meter.store.replay import replayed
from meter.store.sqlite import SqliteStore
from tests.support.meter.meter_bench import TERMS, MemoryStore, MeterBench, envelope, flush, link, payout, royal, wagers
from tests.support.meter.meter_settings import GOOD
from tests.support.meter.proved import Unchecked

DAY_MS = 86_400_000
RATES = 7_037 + 500
TWO_RATES = replace(TERMS, reset_rate_bp=500)
BASE, RESET = TERMS.base_cents * UNITS_PER_CENT, TERMS.reset_cents * UNITS_PER_CENT


class Week:
    """A meter whose days the test counts."""

    def __init__(self, terms: LinkTerms = TWO_RATES) -> None:
        self.day = 0
        self.bench = MeterBench.__new__(MeterBench)
        self.bench.store = MemoryStore()
        self.bench.booker = Booker(
            self.bench.store, (link(terms),), lambda: (self.day * DAY_MS) + DAY_MS // 2, Unchecked()
        )
        self.bench.heads = self.bench.booker.open()
        self.bench.join()

    def owed(self, since: date) -> Liability:
        day_of = Calendar("06:00", UTC).day_of
        found = liability(
            replayed(self.bench.store, "main"), day_of, since, today=day_of(self.day * DAY_MS + DAY_MS // 2)
        )
        assert found is not None
        return found


def test_r75_the_report_says_what_is_owed_and_what_accrued() -> None:
    """Meter, reset meter and awards to the fraction of a cent; what was paid is owed to nobody (R87)."""
    week = Week()
    week.bench.say(envelope(1, wagers(1, 2)))
    week.day = 3
    week.bench.say(envelope(1, wagers(1, 2, 3), "T2"), envelope(2, royal(), "T2"))
    fixed = (1_000_000 + 500 * 7_037 // 10_000) * UNITS_PER_CENT
    owed = week.owed(date(1970, 1, 3))
    assert owed.owed_units["awards not yet paid"] == fixed
    assert owed.total_units == BASE + 500 * RATES + RESET
    assert owed.accrued_units == 300 * RATES + RESET
    week.bench.say(envelope(3, payout(2), "T2"))
    paid = week.owed(date(1970, 1, 3))
    assert paid.owed_units["awards not yet paid"] == 0
    assert (paid.total_units, paid.accrued_units) == (owed.total_units - fixed, owed.accrued_units - fixed)
    assert week.owed(date(1970, 1, 1)).accrued_units == paid.total_units


def test_r75_a_clock_that_once_stood_far_ahead_makes_nothing_newer_than_it_is() -> None:
    """Twenty years ahead for one record, which is of the day before it; what came before the day has not accrued."""
    week = Week()
    for seq, day in enumerate((1, 20 * 365, 2, 3, 4), start=1):
        week.day = day
        week.bench.say(envelope(seq, wagers(1, 2)))
    owed = week.owed(date(1970, 1, 4))
    assert (owed.accrued_units, owed.misdated_units) == (2 * 200 * RATES, 0)
    assert owed.total_units == BASE + 5 * 200 * RATES
    assert "earlier days" not in liability_text(owed)


def test_r75_what_came_later_under_earlier_days_is_named_apart() -> None:
    """A clock was set, by a week ahead or back again: nobody can tell which, and no cent of it is passed over."""
    week = Week()
    for seq, day in enumerate((5, 2, 3, 6), start=1):
        week.day = day
        week.bench.say(envelope(seq, wagers(1, 2)))
    owed = week.owed(date(1970, 1, 5))
    assert (owed.accrued_units, owed.misdated_units) == (2 * 200 * RATES, 2 * 200 * RATES)
    assert "booked later, under earlier days" in liability_text(owed)


@given(days=st.lists(st.integers(0, 9), max_size=10), since=st.integers(0, 9))
def test_r75_what_accrued_is_what_the_statements_of_those_days_say(days: list[int], since: int) -> None:
    """Wherever the clock went, as long as the days have come: the report and the books are one (R107)."""
    week = Week()
    for seq, day in enumerate(days, start=1):
        week.day = day
        week.bench.say(envelope(seq, wagers()))
    week.day = 9
    first = date(1970, 1, 1) + timedelta(days=since)
    stated = statements(replayed(week.bench.store, "main"), Calendar("06:00", UTC))
    parts = [part for part in stated if part.day >= first]
    accrued = sum(part.closing_units.together - part.opening_units.together for part in parts)
    assert week.owed(first).accrued_units == accrued


def test_r75_held_wagers_are_named_apart_and_a_stop_is_said() -> None:
    """Nobody owes them before two persons have let them count; who reads the report sees that the link has ceased."""
    week = Week()
    week.bench.say(envelope(1, Wagers(1, 500, (1,))))
    assert week.bench.decide(Stop(), reason="funds short") == ""
    owed = week.owed(date(1970, 1, 1))
    assert (owed.held_units, owed.total_units, owed.stopped) == (500 * RATES, BASE, "funds short")
    text = liability_text(owed)
    assert "stopped: funds short" in text
    assert "held, not in it" in text
    forged = liability_text(replace(owed, stopped="funds short\n  owed to the players  0.00"))
    assert len(forged.splitlines()) == len(text.splitlines())


def full(*, seeds: bool) -> Week:
    """A link whose meter has reached its limit, a dollar's wager later."""
    week = Week(replace(TWO_RATES, limit_cents=TERMS.base_cents + 1, overflow_seeds_next=seeds))
    week.bench.say(envelope(1, wagers(1)))
    return week


def test_r85_overflow_is_owed_only_where_it_seeds_the_next_jackpot() -> None:
    """What is the house's is named apart, and nobody deposits funds for it (R75)."""
    over = 100 * TERMS.rate_bp - UNITS_PER_CENT
    players, houses = (full(seeds=seeds).owed(date(1970, 1, 1)) for seeds in (True, False))
    assert (players.owed_units["overflow"], players.house_overflow_units) == (over, 0)
    assert (houses.owed_units["overflow"], houses.house_overflow_units) == (0, over)
    assert players.total_units - houses.total_units == players.accrued_units - houses.accrued_units == over
    assert "overflow, the house's, not in it" in liability_text(houses)
    assert "the house's" not in liability_text(players)
    rows = {row["figure"]: row["dollars"] for row in liability_rows(houses)}
    assert (rows["overflow"], rows["house_overflow"]) == ("0.00", plain_dollars(over))


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A ledger with an open award, and the settings that name it."""
    path = tmp_path / "meter.toml"
    path.write_text(GOOD.replace("ledger.sqlite", str(tmp_path / "ledger.sqlite")))
    store = SqliteStore(tmp_path / "ledger.sqlite")
    meter = MeterBench(store, *read_meter_settings(path).links)
    meter.join("T1")
    meter.say(envelope(1, wagers(1, 2, 3)), envelope(2, flush()))
    store.close()
    return path


def test_pitlink_ledger_liability_in_every_format(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Text for the desk, JSON and CSV for machines: the same figures."""
    words = ["ledger", "--config", str(config)]
    assert main([*words, "liability", "--since", "2020-01-01"]) == 0
    text = capsys.readouterr().out
    assert "owed to the players" in text
    assert "10,002.10" in text
    assert main([*words, "--format", "json", "liability"]) == 0
    (owed,) = json.loads(capsys.readouterr().out)
    assert owed["total_units"] == 1_000_210 * UNITS_PER_CENT
    assert main([*words, "--format", "csv", "liability"]) == 0
    rows = {row["figure"]: row["dollars"] for row in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    assert (rows["total"], rows["awards not yet paid"]) == ("10002.10", "50.00")
