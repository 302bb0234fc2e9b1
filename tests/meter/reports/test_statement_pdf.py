"""A day's statement as a paper that accounting files."""

from datetime import UTC, date, datetime, timedelta
from io import BytesIO

import pytest
from msgspec.structs import replace
from pypdf import PdfReader

from common.paper_settings import PaperSettings
from meter.ledger.accounts import UNITS_PER_CENT
from meter.reports.gaming_day import Calendar
from meter.reports.statement import AccountTotals, DayStatement, Movement, StillHeld, TableDay
from meter.reports.statement_pdf import is_final, statement_pdf

DAY = date(2026, 11, 17)
SPAN = Calendar("06:00", UTC).span(DAY)
AFTER = SPAN.ends + timedelta(minutes=12)
MARLOWE = PaperSettings("Marlowe Casino", "1 Boardwalk, Atlantic City")


def table(number: int) -> TableDay:
    wagers = 100 + number
    contribution = wagers * 70 * UNITS_PER_CENT
    return TableDay(f"T{number}", wagers, wagers * 100, 2, 200, contribution, hits=1, paid_cents=5_000)


def statement(tables: int = 3) -> DayStatement:
    rows = tuple(map(table, range(1, tables + 1)))
    contributed = sum(row.contribution_units for row in rows)
    return DayStatement(
        link="main",
        rehearsal=False,
        day=DAY,
        lasts=SPAN,
        part=1,
        parts=1,
        first_record=8_102,
        last_record=9_377,
        opening_units=AccountTotals(),
        movements=(Movement("contribution", AccountTotals(meter=contributed)),),
        closing_units=AccountTotals(),
        variance_units=AccountTotals(),
        meter_opening_cents=921_406,
        meter_closing_cents=942_826,
        pending_cents=0,
        held=StillHeld(0, 0, 0),
        tables=rows,
        seal="7c410b9e" * 8,
    )


def printed(day: DayStatement, now: datetime = AFTER, house: PaperSettings = MARLOWE) -> list[str]:
    """The text of each page."""
    reader = PdfReader(BytesIO(statement_pdf([day], house, now)), strict=True)
    return [page.extract_text() for page in reader.pages]


def test_a_page_has_whose_day_it_is_every_table_and_lines_to_sign_on() -> None:
    (page,) = printed(statement())
    for words in (
        *("Marlowe Casino", "1 Boardwalk, Atlantic City", "Progressive statement, link main", "17 November 2026"),
        *("records 8,102 to 9,377", "FINAL", "T1", "T2", "T3", "Total, 3 tables", "Accounting, date", "Cage, date"),
        *("Seal of record 9,377: 7c41 0b9e", "2026-11-18 06:12:00 UTC", "page 1 of 1"),
    ):
        assert words in page


def test_totals_are_the_sums_of_their_columns() -> None:
    (page,) = printed(statement())
    total = page[page.index("Total, 3 tables") :].split("\n")[1:9]
    assert total == ["306", "6", "312.00", "214.20", "–", "–", "3", "150.00"]


def test_a_large_floor_takes_several_pages_and_adds_up_on_the_last() -> None:
    pages = printed(statement(tables=75))
    assert len(pages) > 1
    for number in range(1, 76):
        assert sum(f"\nT{number}\n" in page for page in pages) == 1
    assert ["Total, 75 tables" in page for page in pages] == [False] * (len(pages) - 1) + [True]
    assert ["Accounting, date" in page for page in pages] == [False] * (len(pages) - 1) + [True]
    assert f"page 1 of {len(pages)}" in pages[0]


@pytest.mark.parametrize(
    ("held", "now", "is_over"),
    [
        (StillHeld(0, 0, 0), AFTER, True),
        (StillHeld(0, 0, 0), SPAN.ends - timedelta(seconds=1), False),
        (StillHeld(1, 3, 300), AFTER, False),
    ],
)
def test_a_day_is_final_when_it_is_over_and_nothing_waits(held: StillHeld, now: datetime, *, is_over: bool) -> None:
    day = replace(statement(), held=held)
    assert is_final(day, now) is is_over
    (page,) = printed(day, now)
    assert ("PROVISIONAL" in page) is not is_over
    assert ("they do not count yet" in page) is bool(held.entries)


def test_play_money_and_a_difference_are_said() -> None:
    wrong = replace(statement(), rehearsal=True, variance_units=AccountTotals(meter=100, together=100))
    (page,) = printed(wrong)
    assert "PLAY MONEY" in page
    assert "the accounts do not agree" in page


def test_letter_is_a_setting() -> None:
    wide = PdfReader(BytesIO(statement_pdf([statement()], replace(MARLOWE, paper="letter"), AFTER))).pages[0].mediabox
    assert (float(wide.width), float(wide.height)) == (792, 612)
