"""The gaming day reconciles to nothing, whatever was played."""

from fractions import Fraction
from itertools import pairwise

import pytest
from accounting_bench import DAY_MS, days, house
from hypothesis import given
from hypothesis import strategies as st
from meter_bench import envelope, flush, payout, royal, wagers

from meter.decisions import Claim, Close, Correct, DecideHeld
from meter.link import Wagers
from meter.paper import in_dollars
from meter.statement_page import statement_rows, statement_text


def test_r107_r108_the_days_reconcile_with_variance_zero() -> None:
    """Opening + contributions - payouts +- corrections = closing, and the next day opens where this one closed."""
    meter = house()
    meter.say(envelope(1, wagers(1, 2, 3, coupons=(3,))), envelope(2, royal()), envelope(1, wagers(), "T2"))
    meter.now_ms += DAY_MS
    meter.say(envelope(3, payout(2)), envelope(2, Wagers(2, 500, (1,)), "T2"))
    meter.decide(Correct(meter.amount_cents, meter.amount_cents - 5))
    meter.now_ms += DAY_MS
    meter.decide(DecideHeld(Claim("T2", "journal-T2", 2), counts=True))
    one, two, three = days(meter)
    assert [day.variance_units for day in (one, two, three)] == [0, 0, 0]
    assert (one.closing_units, two.closing_units) == (two.opening_units, three.opening_units)
    assert one.movements["contribution"] == 600 * (7_037 + 500)
    assert two.movements == {"contribution": 0, "payout": -(1_000_211 * 10_000), "correction": -5 * 10_000}
    assert three.movements == {"contribution": 500 * (7_037 + 500)}
    assert (one.pending_cents, two.pending_cents) == (1_000_211, 0)


def test_r14_each_table_has_its_part() -> None:
    """In by chips and coupons, contributions, and what was paid there."""
    meter = house()
    meter.say(envelope(1, wagers(1, 2, 3, coupons=(3,))), envelope(1, flush(), "T2"))
    meter.say(envelope(2, payout(1), "T2"))
    (day,) = days(meter)
    one, two = day.tables
    assert (one.table, one.chips, one.chip_cents, one.coupons, one.coupon_cents) == ("T1", 2, 200, 1, 100)
    assert one.contribution_units == 300 * (7_037 + 500)
    assert (two.table, two.hits, two.paid_cents) == ("T2", 1, 50_00)


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
    assert {day.variance_units for day in found} == {0}


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
    assert {day.variance_units for day in found} == {0}
    for day in {part.day for part in found}:
        parts = [part for part in found if part.day == day]
        assert [(part.part, part.parts) for part in parts] == [(n, len(parts)) for n in range(1, len(parts) + 1)]


def test_r90_on_its_last_day_a_link_closes_to_the_house_and_the_statement_adds_up() -> None:
    """What went to the house is a movement; the closing balance is nothing, and is not mistaken for it."""
    meter = house()
    meter.say(envelope(1, wagers()))
    assert meter.decide(Close()) == ""
    (day,) = days(meter)
    rows = [row for row in statement_rows(day) if not row["table"]]
    figures = {str(row["figure"]): Fraction(str(row["dollars"])) for row in rows}
    assert len(rows) == len(figures)
    assert (figures.pop("closing"), figures.pop("variance"), figures.pop("opening")) == (0, 0, 0)
    assert figures["closed_to_the_house"] == -(10_000 + Fraction(300 * (7_037 + 500), 1_000_000))
    assert sum(figures.values()) == 0
    lines = [line.strip().rsplit(maxsplit=1) for line in statement_text(day).splitlines()]
    assert [name for name, _ in lines].count("closing") == 1
    assert ["closed to the house", in_dollars(day.movements["closed_to_the_house"])] in lines


@pytest.mark.parametrize(
    ("units", "words"),
    [(0, "0.00"), (10_000, "0.01"), (-12_345_678_900, "-12,345.6789"), (1, "0.000001"), (1_000_000, "1.00")],
)
def test_units_are_said_as_exact_dollars(units: int, words: str) -> None:
    """Nothing below a cent is dropped in print either."""
    assert in_dollars(units) == words
