"""Every gaming day has its statement: one in parts where the clock was set, one of nothing where nothing happened."""

import csv
import io
import json
from datetime import UTC, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meter.reports.gaming_day import Calendar
from meter.reports.statement import days_of, statements
from meter.settings import read_meter_settings
from meter.store.replay import replayed
from meter.store.sqlite import SqliteStore
from tests.support.meter.accounting_bench import (
    DAY_MS,
    adds_up_by_account,
    books_on_disk,
    days,
    house,
    ledger,
    two_links,
)
from tests.support.meter.meter_bench import NOW_MS, MeterBench, envelope, wagers


@given(jumps=st.lists(st.integers(-3, 3), max_size=12), asked=st.integers(-1, 40))
def test_r107_every_day_of_the_books_has_a_statement_wherever_the_clock_went(jumps: list[int], asked: int) -> None:
    """Its parts, or one that opens and closes with what stood after the last record of an earlier day."""
    meter, calendar = house(), Calendar("06:00", UTC)
    for seq, jump in enumerate(jumps, start=1):
        meter.now_ms += jump * DAY_MS
        meter.say(envelope(seq, wagers()))
    until = calendar.day_of(meter.now_ms)
    books = days_of(statements(replayed(meter.store, "main"), calendar), until)
    day = books.first + timedelta(days=asked)
    found = books.of(day, calendar)
    assert bool(found) == (books.first <= day <= books.last)
    assert all(part.day == day and part.is_reconciled and adds_up_by_account(part) for part in found)
    if found and found[0].first_record == 0:
        (silent,) = found
        earlier = [part for part in books.found if part.day < day]
        assert silent.opening_units == silent.closing_units == earlier[-1].closing_units


def test_r81_a_clock_set_back_brings_an_old_day_back_as_another_part_of_it() -> None:
    """Records stay in their order; each part opens where the one before it closed."""
    meter = house()
    meter.now_ms += DAY_MS
    meter.say(envelope(1, wagers()))
    meter.now_ms -= DAY_MS
    meter.say(envelope(2, wagers()))
    meter.now_ms += DAY_MS
    meter.say(envelope(3, wagers()))
    found = [(day.day.day, day.part, day.parts, day.first_record, day.last_record) for day in days(meter)]
    assert found == [(1, 1, 2, 1, 4), (2, 1, 2, 5, 5), (1, 2, 2, 6, 6), (2, 2, 2, 7, 7)]


def test_r107_a_clock_that_once_stood_far_ahead_swallows_no_day() -> None:
    """One record twenty years ahead, then five ordinary days: each of them has its statement."""
    meter = house()
    meter.now_ms += 20 * 365 * DAY_MS
    meter.say(envelope(1, wagers()))
    meter.now_ms -= 20 * 365 * DAY_MS
    for seq in range(2, 7):
        meter.now_ms += DAY_MS
        meter.say(envelope(seq, wagers()))
    found = days(meter)
    assert [day.day.year for day in found] == [1970, 1989, 1970, 1970, 1970, 1970, 1970]
    assert [day.day.day for day in found[2:]] == [2, 3, 4, 5, 6]
    assert all(day.is_reconciled for day in found)


@given(jumps=st.lists(st.integers(-3, 3), max_size=12))
def test_r81_wherever_the_clock_goes_the_parts_follow_each_other(jumps: list[int]) -> None:
    """Every record is in one part, every part opens where the one before closed, and none has a variance."""
    meter = house()
    for seq, jump in enumerate(jumps, start=1):
        meter.now_ms += jump * DAY_MS
        meter.say(envelope(seq, wagers()))
    found = days(meter)
    assert found[0].first_record == 1
    assert found[-1].last_record == meter.heads["main"].number
    for one, next_one in pairwise(found):
        assert (one.last_record + 1, one.closing_units) == (next_one.first_record, next_one.opening_units)
        assert one.day != next_one.day
    assert all(day.is_reconciled for day in found)
    for day in {part.day for part in found}:
        parts = [part for part in found if part.day == day]
        assert [(part.part, part.parts) for part in parts] == [(n, len(parts)) for n in range(1, len(parts) + 1)]


def test_a_day_without_records_stands_as_the_one_before_left_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Opening is closing, in every format; the link that rests is told as long as its meter has days."""
    config = two_links(tmp_path)
    first = Calendar("06:00").day_of(NOW_MS)
    quiet, last = first + timedelta(days=2), first + timedelta(days=3)
    assert ledger(config, "--format", "json", "statement", "--day", str(quiet)) == 0
    main_day, side_day = json.loads(capsys.readouterr().out)
    assert (main_day["link"], side_day["link"], main_day["day"]) == ("main", "side", str(quiet))
    assert main_day["opening_units"] == main_day["closing_units"]
    assert main_day["closing_units"]["meter"] == 500_000 * 10_000
    assert (main_day["first_record"], main_day["tables"]) == (0, [])
    assert ledger(config, "statement", "--day", str(quiet)) == 0
    text = capsys.readouterr().out
    assert f"link main, gaming day {quiet}, no records" in text
    assert ledger(config, "--format", "csv", "statement", "--day", str(quiet)) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    figures = {row["figure"]: row["dollars"] for row in rows if (row["link"], row["account"]) == ("main", "together")}
    assert figures["opening"] == figures["closing"] == "5000.00"
    assert ledger(config, "--link", "side", "statement", "--day", str(last)) == 0
    assert f"link side, gaming day {last}, no records" in capsys.readouterr().out


def test_a_day_that_the_books_have_not_got_is_a_bad_request_that_names_those_they_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before the first, after the last, and before one of two links was opened."""
    config = two_links(tmp_path)
    first = Calendar("06:00").day_of(NOW_MS)
    last = first + timedelta(days=3)
    for form in ("text", "json", "csv"):
        for day in (first - timedelta(days=1), last + timedelta(days=1)):
            assert ledger(config, "--format", form, "statement", "--day", str(day)) == 2
            said = capsys.readouterr()
            assert said.out == ""
            assert f"link main has no gaming day {day}; it has {first} to {last}" in said.err
            assert f"link side has no gaming day {day}; it has {first + timedelta(days=1)} to {last}" in said.err
    assert ledger(config, "statement", "--day", str(first)) == 0
    said = capsys.readouterr()
    assert f"link main, gaming day {first}" in said.out
    assert f"link side has no gaming day {first}; it has" in said.err


def test_a_day_in_parts_is_told_part_by_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each says which one it is; the machine's formats number them."""
    config = books_on_disk(tmp_path)
    store = SqliteStore(tmp_path / "ledger.sqlite")
    meter = MeterBench(store, *read_meter_settings(config).links)
    for seq, jump in enumerate((DAY_MS, -DAY_MS), start=4):
        meter.now_ms += jump
        meter.say(envelope(seq, wagers()))
    store.close()
    assert ledger(config, "--format", "json", "statement") == 0
    found = [(day["day"], day["part"], day["parts"]) for day in json.loads(capsys.readouterr().out)]
    day, other = found[0][0], found[1][0]
    assert found == [(day, 1, 2), (other, 1, 1), (day, 2, 2)]
    assert ledger(config, "statement", "--day", day) == 0
    text = capsys.readouterr().out
    assert f"gaming day {day}, part 1 of 2, records 1 to 6" in text
    assert f"gaming day {day}, part 2 of 2, records 8 to 8" in text
    assert ledger(config, "--format", "csv", "statement", "--day", day) == 0
    assert {row["part"] for row in csv.DictReader(io.StringIO(capsys.readouterr().out))} == {"1", "2"}
