"""A gaming day's statement as PDF: A4 or Letter across, one row a table, totals, signatures."""

from collections.abc import Sequence
from datetime import datetime
from io import BytesIO
from typing import Final

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from common.paper_settings import PaperSettings
from common.papers import DRAWING, SHEETS, Sheet, local_time, short_seal, utc_time
from games.money import Cents
from meter.ledger.accounts import UNITS_PER_CENT
from meter.reports.formatting import PLAY_MONEY, in_dollars
from meter.reports.statement import DayStatement, TableDay
from meter.reports.statement_text import held_words, span_words

SIGNATURES: Final = ("Accounting", "Floor supervisor", "Cage")
_COLUMNS: Final = (
    ("Table", 0.0),
    ("Chips", 0.16),
    ("Coupons", 0.25),
    ("Wagered $", 0.37),
    ("To the jackpot $", 0.52),
    ("To the reset meter $", 0.67),
    ("Overflow $", 0.78),
    ("Awards", 0.86),
    ("Paid $", 1.0),
)
"""Each column's head and where it ends, as a part of the width; the first begins there."""
_ROW: Final = 17.0
_FIRST_ROW: Final = 176.0
_FOOT: Final = 96.0


def is_final(statement: DayStatement, now: datetime) -> bool:
    """Whether the day is over and nothing of it waits to be decided; what is fixed and unpaid stays as it stands."""
    return now >= statement.lasts.ends and not statement.held.entries


def statement_pdf(parts: Sequence[DayStatement], house: PaperSettings, now: datetime) -> bytes:
    """Every part of a day, each on pages of its own, printed now."""
    height, width = SHEETS.get(house.paper, SHEETS["a4"])
    file = BytesIO()
    with DRAWING:
        canvas = Canvas(file, pagesize=(width, height), invariant=1)
        canvas.setTitle(f"Progressive statement, link {parts[0].link}, {parts[0].day}")
        for statement in parts:
            _draw(Sheet(canvas, (width, height), 12 * mm), statement, house, now)
        canvas.save()
    return file.getvalue()


def _draw(sheet: Sheet, statement: DayStatement, house: PaperSettings, now: datetime) -> None:
    a_page = int((sheet.height - _FIRST_ROW - _FOOT) // _ROW) - 1
    pages = [statement.tables[at : at + a_page] for at in range(0, max(1, len(statement.tables)), a_page)]
    for number, tables in enumerate(pages, 1):
        _head(sheet, statement, house, is_over=is_final(statement, now))
        _figures(sheet, statement)
        y = _rows(sheet, tables)
        if number == len(pages):
            _total(sheet, y, statement.tables)
            _notes(sheet, y + 22, statement)
            sheet.signatures(sheet.height - sheet.margin - 40, SIGNATURES)
        _foot(sheet, statement, now, f"page {number} of {len(pages)}")
        sheet.canvas.showPage()


def _head(sheet: Sheet, statement: DayStatement, house: PaperSettings, *, is_over: bool) -> None:
    top, part = sheet.margin, f", part {statement.part} of {statement.parts}" if statement.parts > 1 else ""
    records = f"records {statement.first_record:,} to {statement.last_record:,}"
    about = f"Gaming day {statement.day:%d %B %Y}{part} · {records if statement.first_record else 'no records'}"
    sheet.letterhead(top, house, 200)
    sheet.centred(sheet.width / 2, top + 12, f"Progressive statement, link {statement.link}", 15, bold=True, most=360)
    sheet.centred(sheet.width / 2, top + 26, about, 8.5, most=360)
    sheet.centred(sheet.width / 2, top + 37, span_words(statement.lasts), 7, most=360)
    sheet.stamp(sheet.right, top + 6, "FINAL" if is_over else "PROVISIONAL")
    sheet.rule(top + 46, heavy=True)


def _figures(sheet: Sheet, statement: DayStatement) -> None:
    """The jackpot from opening to closing, so that a reader can add it up: contributions, awards and all the rest."""
    moved = {line.figure: 0 for line in statement.movements}
    for line in statement.movements:
        moved[line.figure] += line.units.meter
    paid = sum(table.paid_cents for table in statement.tables) * UNITS_PER_CENT
    contributed = moved.pop("contribution", 0)
    figures = (
        ("Opening jackpot", _dollars(statement.meter_opening_cents)),
        ("Contributions", _signed(contributed)),
        ("Awards and all else", _signed(sum(moved.values()))),
        ("Closing jackpot", _dollars(statement.meter_closing_cents)),
        ("Paid to players", f"${in_dollars(paid)}"),
        ("Fixed, not yet paid", _dollars(statement.pending_cents)),
        ("Difference", f"${in_dollars(statement.variance_units.together)}"),
    )
    top, width = sheet.margin + 58, (sheet.right - sheet.margin) / len(figures)
    sheet.box(sheet.margin, top, sheet.right - sheet.margin, 38, line=0.8)
    for place, (label, value) in enumerate(figures):
        x = sheet.margin + place * width
        if place:
            sheet.canvas.line(x, sheet.height - top, x, sheet.height - top - 38)
        sheet.text(x + 8, top + 14, label, 8, most=width - 12)
        sheet.text(x + 8, top + 29, value, 11, bold=True, most=width - 12)


def _rows(sheet: Sheet, tables: Sequence[TableDay]) -> float:
    y = _FIRST_ROW - _ROW
    _cells(sheet, y, [head for head, _ in _COLUMNS], bold=True)
    sheet.rule(y + 5)
    for table in tables:
        y += _ROW
        _cells(sheet, y, _values(table))
        sheet.line(sheet.margin, sheet.right, y + 5, width=0.3)
    return y


def _total(sheet: Sheet, y: float, tables: Sequence[TableDay]) -> None:
    sheet.rule(y + 5, heavy=True)
    total = TableDay(
        f"Total, {len(tables)} table{'' if len(tables) == 1 else 's'}",
        *(sum(getattr(table, name) for table in tables) for name in TableDay.__struct_fields__[1:]),
    )
    _cells(sheet, y + _ROW + 2, _values(total), bold=True)


def _values(table: TableDay) -> list[str]:
    money = (
        (table.chip_cents + table.coupon_cents) * UNITS_PER_CENT,
        table.contribution_units,
        table.reset_contribution_units,
        table.overflow_units,
    )
    counts = (table.chips, table.coupons, table.hits)
    chips, coupons, hits = (f"{count:,}" if count else "–" for count in counts)
    amounts = [_plain(units) for units in money]
    return [table.table, chips, coupons, *amounts, hits, _plain(table.paid_cents * UNITS_PER_CENT)]


def _plain(units: int) -> str:
    """An amount in a column that says what it is; nothing is a dash."""
    return in_dollars(units) if units else "–"


def _dollars(cents: Cents) -> str:
    """Always with its cents: figures stand below one another."""
    return f"${in_dollars(cents * UNITS_PER_CENT)}"


def _signed(units: int) -> str:
    """What came or went."""
    return f"{'−' if units < 0 else '+'} ${in_dollars(abs(units))}"


def _cells(sheet: Sheet, y: float, values: Sequence[str], *, bold: bool = False) -> None:
    width = sheet.right - sheet.margin
    for (_, end), value in zip(_COLUMNS, values, strict=True):
        if end:
            sheet.text_left(sheet.margin + end * width, y, value, 8.5, bold=bold)
        else:
            sheet.text(sheet.margin, y, value, 8.5, bold=True, most=0.1 * width)


def _notes(sheet: Sheet, y: float, statement: DayStatement) -> None:
    notes = [PLAY_MONEY] if statement.rehearsal else []
    if statement.held.entries:
        notes.append(held_words(statement.held))
    if not statement.is_reconciled:
        notes.append("the accounts do not agree: a difference is left over; call whoever looks after the meter")
    for note in notes:
        y = sheet.wrapped(sheet.margin, y + 14, note, 8.5, most=sheet.right - sheet.margin)


def _foot(sheet: Sheet, statement: DayStatement, now: datetime, page: str) -> None:
    y = sheet.height - sheet.margin
    seal = f"Seal of record {statement.last_record:,}: {short_seal(statement.seal)}" if statement.seal else ""
    sheet.text(sheet.margin, y, seal, 7, most=380)
    printed = f"Printed {local_time(now)}, {utc_time(now)} UTC · {page}"
    sheet.text_left(sheet.right, y, printed, 7)
