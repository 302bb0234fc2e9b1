"""Accounting: the gaming day reconciles to nothing, and every award is reproduced from the ledger."""

import csv
import io
import json
import sqlite3
from datetime import UTC, date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from meter_bench import (
    TERMS,
    MemoryStore,
    MeterBench,
    envelope,
    flush,
    link,
    payout,
    rejection,
    royal,
    straight_flush,
    wagers,
)
from msgspec.structs import replace
from test_meter_settings import GOOD

from controller.command_line import main
from meter.award_report import award_reports
from meter.bookkeeper import Bookkeeper
from meter.decisions import Claim, Correct, DecideHeld, OrderClaims
from meter.link import Award, Entry, Wagers
from meter.replay import told
from meter.settings import read_meter_settings
from meter.sqlite_store import SqliteStore
from meter.statement import DayStatement, gaming_day, in_dollars, statements

DAY_MS = 86_400_000
SIX = 6 * 3_600_000


class Calendar:
    """A meter whose calendar the test moves."""

    def __init__(self) -> None:
        self.now_ms = SIX
        self.bench = MeterBench.__new__(MeterBench)
        self.bench.store = MemoryStore()
        terms = replace(TERMS, reset_rate_bp=500)
        self.bench.keeper = Bookkeeper(self.bench.store, (link(terms),), lambda: self.now_ms)
        self.bench.heads = self.bench.keeper.open()
        self.bench.join()

    def statements(self) -> list[DayStatement]:
        return list(statements(told(self.bench.store, "main"), gaming_day("06:00", UTC)))


def test_r107_r108_the_days_reconcile_with_variance_zero() -> None:
    """Opening + contributions - payouts +- corrections = closing, and the next day opens where this one closed."""
    calendar = Calendar()
    meter = calendar.bench
    meter.say(envelope(1, wagers(1, 2, 3, coupons=(3,))), envelope(2, royal()), envelope(1, wagers(), "T2"))
    calendar.now_ms += DAY_MS
    meter.say(envelope(3, payout(2)), envelope(2, Wagers(2, 500, (1,)), "T2"))
    meter.decide(Correct(meter.amount_cents, meter.amount_cents - 5))
    calendar.now_ms += DAY_MS
    meter.decide(DecideHeld(Claim("T2", "journal-T2", 2), counts=True))
    one, two, three = calendar.statements()
    assert [day.variance_units for day in (one, two, three)] == [0, 0, 0]
    assert (one.closing_units, two.closing_units) == (two.opening_units, three.opening_units)
    assert one.movements["contribution"] == 600 * (7_037 + 500)
    assert two.movements == {"contribution": 0, "payout": -(1_000_211 * 10_000), "correction": -5 * 10_000}
    assert three.movements == {"contribution": 500 * (7_037 + 500)}
    assert (one.pending_cents, two.pending_cents) == (1_000_211, 0)


def test_r14_each_table_has_its_part() -> None:
    """In by chips and coupons, contributions, and what was paid there."""
    calendar = Calendar()
    calendar.bench.say(envelope(1, wagers(1, 2, 3, coupons=(3,))), envelope(1, flush(), "T2"))
    calendar.bench.say(envelope(2, payout(1), "T2"))
    (day,) = calendar.statements()
    one, two = day.tables
    assert (one.table, one.chips, one.chip_cents, one.coupons, one.coupon_cents) == ("T1", 2, 200, 1, 100)
    assert one.contribution_units == 300 * (7_037 + 500)
    assert (two.table, two.hits, two.paid_cents) == ("T2", 1, 50_00)


def test_the_gaming_day_begins_at_its_own_hour() -> None:
    """Five in the morning is still yesterday."""
    day_of = gaming_day("06:00", UTC)
    assert day_of(SIX - 1) == date(1969, 12, 31)
    assert day_of(SIX) == date(1970, 1, 1)


def test_a_clock_set_back_does_not_reopen_a_day() -> None:
    """R81: records stay in their order, and days with them."""
    calendar = Calendar()
    calendar.now_ms += DAY_MS
    calendar.bench.say(envelope(1, wagers()))
    calendar.now_ms -= DAY_MS
    calendar.bench.say(envelope(2, wagers()))
    assert [(day.first_record, day.last_record) for day in calendar.statements()] == [(1, 4), (5, 6)]


def reports(meter: MeterBench) -> list[Any]:
    return list(award_reports(told(meter.store, "main")))


def test_r68_an_award_is_reproduced_from_all_contributions_since_the_last_one() -> None:
    """Start, contributions by table, and the meter they make: to the cent."""
    meter = MeterBench()
    meter.join()
    meter.say(envelope(1, wagers(1, 2, 3)), envelope(1, wagers(1), "T2"), envelope(2, royal()), envelope(3, payout(2)))
    meter.say(envelope(2, wagers(1, 2), "T2"), envelope(3, straight_flush(), "T2"))
    first, second = reports(meter)
    assert (first.start_units, first.movements["base"]) == (0, TERMS.base_cents * 10_000)
    assert first.contributions == {"T1": 300 * 7_037, "T2": 100 * 7_037}
    assert first.award.amount_cents == TERMS.base_cents + 281
    assert second.start_units == TERMS.reset_cents * 10_000 + 400 * 7_037 % 10_000
    assert second.contributions == {"T2": 200 * 7_037}
    assert second.before_units // 10_000 == second.award.before_cents
    assert first.is_reproduced
    assert second.is_reproduced


def test_r68_contested_awards_are_reproduced_too() -> None:
    """Put back, put in order and fixed again: each fixing is explained."""
    meter = MeterBench()
    meter.join()
    meter.say(envelope(1, royal()), envelope(1, straight_flush(), "T2"), envelope(1, wagers(), "T3"))
    order = tuple(Claim(table, f"journal-{table}", 1) for table in ("T2", "T1"))
    assert meter.decide(OrderClaims(order)) == ""
    meter.say(envelope(2, payout(1), "T2"))
    found = reports(meter)
    assert [report.award.table for report in found] == ["T1", "T2", "T1"]
    assert all(report.is_reproduced for report in found)
    assert found[1].movements["release"] == TERMS.base_cents * 10_000


ENTRIES = st.sampled_from(
    [wagers(1, 2, 3), wagers(1, coupons=(1,)), flush(), royal(), straight_flush(), "pay", "reject"]
)


@given(played=st.lists(st.tuples(st.sampled_from(["T1", "T2"]), ENTRIES), max_size=30))
@settings(deadline=None, max_examples=60)
def test_whatever_is_played_every_award_is_reproduced_and_every_day_reconciles(
    played: list[tuple[str, Entry | str]],
) -> None:
    """R68, R108: for any play, with contested claims put in any order that management likes."""
    calendar = Calendar()
    meter, seqs = calendar.bench, {"T1": 0, "T2": 0}
    for table, move in played:
        pot = meter.heads["main"].pot
        mine = [award.seq for award in (*pot.awards, *pot.claims) if award.table == table]
        if isinstance(move, str) and not mine:
            continue
        entry = move if not isinstance(move, str) else payout(mine[0]) if move == "pay" else rejection(mine[0])
        if meter.reply(envelope(seqs[table] + 1, entry, table)).booked_seq > seqs[table]:
            seqs[table] += 1
        calendar.now_ms += DAY_MS // 7
    assert all(report.is_reproduced for report in reports(meter))
    assert all(day.variance_units == 0 for day in calendar.statements())


@pytest.mark.parametrize(
    ("units", "words"),
    [(0, "0.00"), (10_000, "0.01"), (-12_345_678_900, "-12,345.6789"), (1, "0.000001"), (1_000_000, "1.00")],
)
def test_units_are_said_as_exact_dollars(units: int, words: str) -> None:
    """Nothing below a cent is dropped in print either."""
    assert in_dollars(units) == words


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A ledger with a day's play, on disk, and the settings that name it."""
    path = tmp_path / "meter.toml"
    path.write_text(GOOD.replace("ledger.sqlite", str(tmp_path / "ledger.sqlite")))
    store = SqliteStore(tmp_path / "ledger.sqlite")
    meter = MeterBench(store, *read_meter_settings(path).links)
    meter.join("T1", "T2")
    meter.say(envelope(1, wagers(1, 2, 3)), envelope(2, royal()), envelope(3, payout(2)))
    store.close()
    return path


def ledger(config: Path, *words: str) -> int:
    return main(["ledger", "--config", str(config), *words])


def test_pitlink_ledger_statement_in_every_format(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Text for the desk, JSON and CSV for machines: the same figures."""
    assert ledger(config, "statement") == 0
    text = capsys.readouterr().out
    assert "variance" in text
    assert "table T1: 3 chips $3" in text
    assert ledger(config, "--format", "json", "statement") == 0
    (day,) = json.loads(capsys.readouterr().out)
    assert day["variance_units"] == 0
    assert ledger(config, "--format", "csv", "statement", "--day", day["day"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["figure"]: row["dollars"] for row in rows if not row["table"]}["variance"] == "0.00"
    assert ledger(config, "statement", "--day", "1970-01-01") == 0
    assert capsys.readouterr().out.strip() == ""


def test_pitlink_ledger_award_reproduces_it(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """R68 at the accountant's desk."""
    assert ledger(config, "award", "1") == 0
    text = capsys.readouterr().out
    assert "$10,002.10 for royal flush at table T1 seat 3, 100 % of the meter" in text
    assert "reproduced to the cent" in text
    assert ledger(config, "--format", "csv", "award") == 0
    assert capsys.readouterr().out.splitlines()[1].endswith(",yes")
    assert ledger(config, "--format", "json", "award") == 0
    assert json.loads(capsys.readouterr().out)[0]["contributions"] == {"T1": 300 * 7_000}
    assert ledger(config, "award", "2") == 2


def test_pitlink_ledger_export_has_every_record(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """R110: postings as CSV, sealed records as JSON lines that anybody can check."""
    assert ledger(config, "export") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["kind"] for row in rows] == [
        "base", "", "", "contribution", "award_fixed", "refill", "payout",
    ]  # fmt: skip  # one line is one look
    assert ledger(config, "--format", "json", "export") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["record"]["number"] for line in lines] == list(range(1, 7))


def test_pitlink_ledger_verify_names_the_first_bad_record(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Sound, then changed behind the meter's back (R86)."""
    assert ledger(config, "verify") == 0
    assert "6 records are sound" in capsys.readouterr().out
    database = sqlite3.connect(config.parent / "ledger.sqlite")
    with database:
        database.execute("UPDATE ledger SET body = replace(body, 'royal', 'loyal') WHERE number = 5")
    database.close()
    assert ledger(config, "verify") == 1
    assert "record 5" in capsys.readouterr().out
    assert ledger(config, "statement") == 1
    assert "record 5" in capsys.readouterr().err


def test_pitlink_ledger_works_beside_a_running_meter(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Reading disturbs nobody."""
    store = SqliteStore(config.parent / "ledger.sqlite")
    assert ledger(config, "verify") == 0
    store.close()
    assert "sound" in capsys.readouterr().out


def test_pitlink_ledger_names_what_is_missing(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A link that is not there, settings that are not there, a store that is not there."""
    assert ledger(config, "--link", "side", "verify") == 2
    assert "there are main" in capsys.readouterr().err
    assert main(["ledger", "--config", "nowhere.toml", "verify"]) == 2
    (config.parent / "ledger.sqlite").rename(config.parent / "moved")
    assert ledger(config, "verify") == 3


def test_shares_stand_in_the_report() -> None:
    """S-20: who shared, and how much each got."""
    meter = MeterBench()
    meter.join("T1")
    meter.say(envelope(1, Award(1, 6, "royal_flush", percent_bp=10_000, sharers=(6, 2))))
    (report,) = reports(meter)
    assert report.shares == {6: 500_000, 2: 500_000}
