"""What the floor works out: the growth of a meter, exact at its end and bounded, and what an order of claims pays."""

import random
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from link.messages import Entry
from meter.ledger.awards import contest
from meter.ledger.decisions import EntryRef, OrderClaims, SettleAward
from meter.reports.gaming_day import Calendar
from meter.store.audit_log import Measured, Note, first_floor_seal, line
from meter.store.base import StoreFault
from meter.store.sqlite import SqliteStore
from meter.web import growth as growing
from meter.web.day_statement import DayTask, day_of_books
from meter.web.growth import MOST_POINTS, SPANS_MS, Point, growth, thinned
from meter.web.view import outlook
from tests.support.meter.accounting_bench import books_on_disk, spoil
from tests.support.meter.meter_bench import (
    NOW_MS,
    TABLES,
    TERMS,
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


@given(length=st.integers(1, 4_000), dice=st.randoms(use_true_random=False))
def test_a_thinned_line_keeps_its_ends_its_lowest_and_its_highest(length: int, dice: random.Random) -> None:
    """Never more points than fit, in order, none invented."""
    cents = [dice.randrange(10**9) for _ in range(length)]
    points = [Point(at, value, at) for at, value in enumerate(cents)]
    kept = thinned(points)
    assert len(kept) <= MOST_POINTS
    assert (kept[0], kept[-1]) == (points[0], points[-1])
    assert {min(point.cents for point in kept), max(point.cents for point in kept)} == {min(cents), max(cents)}
    assert set(kept) <= set(points)
    assert all(before.record < after.record for before, after in pairwise(kept))


def test_every_point_is_what_the_meter_showed_after_its_record(tmp_path: Path) -> None:
    """Walked back from the end over wagers, awards, refills, releases and payouts."""
    store = SqliteStore(tmp_path / "ledger.sqlite")
    meter = MeterBench(store)
    shown = {meter.heads["main"].number: meter.amount_cents}
    meter.join("T1")
    shown[meter.heads["main"].number] = meter.amount_cents
    entries: tuple[Entry, ...] = (wagers(), flush(), royal(), payout(2), rejection(3), wagers(1))
    for seq, entry in enumerate(entries, start=1):
        meter.say(envelope(seq, entry))
        shown[meter.heads["main"].number] = meter.amount_cents
    points = growth(store, "main", "hour", NOW_MS)
    assert {point.record: point.cents for point in points} == shown
    store.close()


def test_what_is_older_than_the_newest_records_was_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long ledger is not read back; a span begins with the last point before it."""
    monkeypatch.setattr(growing, "RECORDS", 2)
    store = SqliteStore(tmp_path / "ledger.sqlite")
    meter = MeterBench(store)
    meter.join("T1")
    for seq in range(1, 6):
        meter.say(envelope(seq, wagers()))
    hours = SPANS_MS["hour"]
    seal, lines = first_floor_seal(), []
    for number, (ago, record) in enumerate(((9, 1), (3, 2), (2, 3), (0, 6)), start=1):
        note = Note(number, NOW_MS - ago * hours, Measured("main", record, record * 10_000))
        lines.append(line(note, seal))
        seal = lines[-1].sealed.seal
    store.add_lines(lines, ())
    day = growth(store, "main", "day", NOW_MS)
    assert [(point.record, point.cents) for point in day[:3]] == [(1, 1), (2, 2), (3, 3)]
    assert [point.record for point in day[3:]] == [6, 7]
    assert [point.record for point in growth(store, "main", "hour", NOW_MS)] == [3, 6, 7]
    assert growth(store, "none", "hour", NOW_MS) == []
    store.close()


NOW = Calendar("06:00").day_of(NOW_MS)


def test_a_day_is_found_with_its_neighbours(tmp_path: Path) -> None:
    """The statement of a day with records, where the next and the one before are, and which days there are at all."""
    store = SqliteStore(tmp_path / "ledger.sqlite")
    MeterBench(store)
    store.close()
    task = DayTask(str(tmp_path / "ledger.sqlite"), "main", "06:00", date(2001, 1, 1), NOW)
    early = day_of_books(task)
    assert (early.sheets, early.day_before) == ((), None)
    assert early.day_after is not None
    found = day_of_books(replace(task, day=early.day_after))
    (sheet,) = found.sheets
    assert sheet.statement.meter_closing_cents == 1_000_000
    assert {row["figure"] for row in sheet.rows if row["account"]} == {
        *("opening", "base", "contribution", "reset_contribution", "overflow", "closing", "variance")
    }
    late = day_of_books(replace(task, day=date(2099, 1, 1)))
    assert (late.sheets, late.day_before, late.day_after) == ((), early.day_after, None)
    assert (late.first_day, late.last_day) == (NOW, NOW)


def test_a_day_on_which_nothing_happened_yet_has_a_sheet_of_nothing(tmp_path: Path) -> None:
    """The meter runs, so today is one of its days: it stands where yesterday left it."""
    store = SqliteStore(tmp_path / "ledger.sqlite")
    MeterBench(store)
    store.close()
    today = NOW + timedelta(days=3)
    found = day_of_books(DayTask(str(tmp_path / "ledger.sqlite"), "main", "06:00", today, today))
    (sheet,) = found.sheets
    assert (sheet.statement.first_record, sheet.statement.meter_opening_cents) == (0, 1_000_000)
    assert sheet.statement.opening_units == sheet.statement.closing_units
    assert (found.day_before, found.last_day) == (NOW, today)


def test_r86_no_sheet_is_made_of_a_ledger_whose_end_is_missing(tmp_path: Path) -> None:
    """The page says what verify would."""
    books_on_disk(tmp_path)
    spoil(tmp_path / "ledger.sqlite", "DELETE FROM ledger WHERE number = 6")
    with pytest.raises(StoreFault, match="it ends at record 5 instead of 6"):
        day_of_books(DayTask(str(tmp_path / "ledger.sqlite"), "main", "06:00", NOW, NOW))


def test_the_page_is_told_that_a_rehearsal_is_play_money(tmp_path: Path) -> None:
    """In the statement and in every row of it."""
    store = SqliteStore(tmp_path / "ledger.sqlite")
    MeterBench(store, link(replace(TERMS, rehearsal=True)))
    store.close()
    task = DayTask(str(tmp_path / "ledger.sqlite"), "main", "06:00", Calendar("06:00").day_of(NOW_MS), NOW)
    (sheet,) = day_of_books(task).sheets
    assert sheet.statement.rehearsal
    assert {row["money"] for row in sheet.rows} == {"play"}


@given(
    claims=st.lists(st.tuples(st.sampled_from(TABLES), st.booleans()), min_size=2, max_size=5),
    shuffle=st.randoms(use_true_random=False),
)
def test_28_11_i_the_outlook_is_what_the_order_then_pays(
    claims: list[tuple[str, bool]], shuffle: random.Random
) -> None:
    """Whatever was claimed where, and in whichever order that the rules allow: to the cent, with nobody wagering."""
    meter = MeterBench()
    meter.join()
    meter.deal(seats=(1, 2, 3, 4, 5))
    seats = dict.fromkeys(TABLES, 0)
    for table, is_whole in claims:
        seats[table] += 1
        seat = seats[table]
        meter.say(envelope(1 + seat, royal(seat) if is_whole else straight_flush(seat), table))
    head = meter.heads["main"]
    if not contest(head.pot):
        return
    tables = [claim.table for claim in contest(head.pot)]
    shuffle.shuffle(tables)
    waiting = {table: [claim.key for claim in contest(head.pot) if claim.table == table] for table in tables}
    order = [waiting[table].pop(0) for table in tables]
    foreseen = outlook(head.pot, head.terms, order)
    assert meter.decide(OrderClaims(tuple(EntryRef(*key) for key in order))) == ""
    for key, cents in zip(order, foreseen, strict=True):
        award = meter.heads["main"].pot.award(*key)
        assert award is not None
        assert award.amount_cents == cents
        assert meter.decide(SettleAward(EntryRef(*key), paid=True)) == ""
