"""The gaming day: its own hour, its time zone, and the two days of the year that are not 24 hours long."""

import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meter.reports.gaming_day import Calendar
from meter.reports.statement import statements
from meter.store.replay import replayed
from tests.support.meter.accounting_bench import SIX, books_on_disk, ledger
from tests.support.meter.meter_bench import MeterBench, envelope, hello, wagers

HOUR_MS = 3_600_000
NEW_YORK = "EST5EDT,M3.2.0,M11.1.0"  # as POSIX writes it: no test needs a list of zones


@pytest.fixture(autouse=True, scope="module")
def at_new_york() -> Iterator[None]:
    """This machine's clock is New York's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", NEW_YORK)
        time.tzset()
        yield
    time.tzset()


def ms(year: int, month: int, day: int, hour: int = 0, minute: int = 0, second: int = 0) -> int:
    """A moment of the clock on the wall; the first one where it shows it twice."""
    return int(datetime(year, month, day, hour, minute, second).timestamp() * 1_000)  # noqa: DTZ001  this machine's


def test_the_gaming_day_begins_at_its_own_hour() -> None:
    """Five in the morning is still yesterday."""
    day_of = Calendar("06:00", UTC).day_of
    assert day_of(SIX - 1) == date(1969, 12, 31)
    assert day_of(SIX) == date(1970, 1, 1)


@pytest.mark.parametrize(("day", "hours"), [((2026, 3, 7), 23), ((2026, 3, 8), 24), ((2026, 10, 31), 25)])
def test_a_day_on_which_the_clock_changes_has_23_or_25_hours(day: tuple[int, int, int], hours: int) -> None:
    """From six to six by the clock on the wall; not a millisecond belongs to two days or to none."""
    calendar, begins = Calendar("06:00"), ms(*day, 6)
    assert calendar.day_of(begins - 1) == date(*day) - timedelta(days=1)
    assert calendar.day_of(begins) == date(*day)
    assert calendar.day_of(begins + hours * HOUR_MS - 1) == date(*day)
    assert calendar.day_of(begins + hours * HOUR_MS) == date(*day) + timedelta(days=1)


@pytest.mark.parametrize(("day", "hours"), [((2026, 3, 7), 23), ((2026, 10, 31), 25)])
def test_r107_each_hour_of_such_a_day_is_in_its_statement_once(day: tuple[int, int, int], hours: int) -> None:
    """Wagers every hour: as many of them in the day as it has hours, in one part, with variance zero."""
    begins = ms(*day, 6)
    meter = MeterBench(now_ms=begins)
    meter.say(hello("T1"))
    for hour in range(30):
        meter.now_ms = begins + hour * HOUR_MS
        meter.say(envelope(hour + 1, wagers(1)))
    first, second = statements(replayed(meter.store, "main"), Calendar("06:00"))
    assert [first.tables[0].chips, second.tables[0].chips] == [hours, 30 - hours]
    assert (first.parts, first.is_reconciled, second.is_reconciled) == (1, True, True)


YEAR_MS = (1_767_225_600_000, 1_798_761_600_000)  # 2026


@given(
    starts=st.times().map(lambda clock: f"{clock:%H:%M}"),
    moments=st.lists(st.integers(*YEAR_MS), min_size=2, max_size=20),
)
def test_days_never_go_back_while_the_clock_goes_on(starts: str, moments: list[int]) -> None:
    """Also where the day begins in the hour that the clock shows twice, or in the one that it leaves out."""
    calendar = Calendar(starts)
    days = [calendar.day_of(moment) for moment in sorted(moments)]
    assert days == sorted(days)
    for moment, day in zip(sorted(moments), days, strict=True):
        span = calendar.span(day)
        assert span.begins.timestamp() * 1_000 <= moment < span.ends.timestamp() * 1_000


@pytest.mark.parametrize(
    ("starts", "day", "begins"),
    [
        ("01:30", date(2026, 11, 1), "2026-11-01 01:30:00-04:00"),
        ("02:30", date(2026, 3, 8), "2026-03-08 03:30:00-04:00"),
    ],
    ids=["shown twice", "left out"],
)
def test_a_day_that_begins_in_the_changed_hour_begins_once(starts: str, day: date, begins: str) -> None:
    """The first time that the clock shows it; an hour later where it never does."""
    calendar = Calendar(starts)
    span = calendar.span(day)
    assert str(span.begins) == begins
    half_hours = range(int(span.begins.timestamp() * 1_000), int(span.ends.timestamp() * 1_000), HOUR_MS // 2)
    assert {calendar.day_of(moment) for moment in half_hours} == {day}


def test_r107_a_statement_names_its_time_zone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In words, and as moments with their distance from UTC, in every format."""
    config = books_on_disk(tmp_path)
    assert ledger(config, "statement") == 0
    text = capsys.readouterr().out
    assert "from 2027-01-14 06:00-05:00 to 2027-01-15 06:00-05:00, time zone EST" in text
    assert ledger(config, "--format", "json", "statement") == 0
    assert '"zone": "EST"' in capsys.readouterr().out
    assert ledger(config, "--format", "csv", "statement") == 0
    assert ",2027-01-14T06:00:00-05:00,2027-01-15T06:00:00-05:00,EST," in capsys.readouterr().out
