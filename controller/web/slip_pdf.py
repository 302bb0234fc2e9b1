"""A payout slip as PDF: half a sheet of A4 or Letter, or an 80 mm receipt."""

from datetime import UTC, datetime
from io import BytesIO
from typing import Final

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from common.paper_settings import PaperSettings
from common.papers import DRAWING, RECEIPT_WIDTH, SHEETS, Sheet, local_time, short_seal, utc_time
from controller.web.slips import SIGNATURES, Slip

_LINE: Final = 15.0
_RECEIPT_LINE: Final = 12.0


def slip_pdf(slip: Slip, house: PaperSettings, paper: str = "") -> bytes:
    """The slip as one page of this paper, or of the house's; the same slip gives the same bytes."""
    paper = paper or house.paper
    with DRAWING:
        return _drawn(slip, house, paper)


def _drawn(slip: Slip, house: PaperSettings, paper: str) -> bytes:
    file = BytesIO()
    size = _receipt_size(slip, house) if paper == "receipt" else _half(paper)
    canvas = Canvas(file, pagesize=size, invariant=1)
    canvas.setTitle(f"Payout slip {name(slip)}")
    if paper == "receipt":
        _draw_receipt(Sheet(canvas, size, 4 * mm), slip, house)
    else:
        _draw_half(Sheet(canvas, size, 11 * mm), slip, house)
    canvas.save()
    return file.getvalue()


def name(slip: Slip) -> str:
    """What the slip is called: its table and its number there."""
    return f"{slip.table}-{slip.number:06}"


def _stamp(slip: Slip) -> str:
    return "VOID" if slip.is_void else slip.state.upper()


def _half(paper: str) -> tuple[float, float]:
    width, height = SHEETS[paper]
    return width, height / 2


def _moment(slip: Slip) -> datetime:
    return datetime.strptime(slip.issued_at[:19], "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)


def _left_facts(slip: Slip) -> list[tuple[str, str | tuple[str, ...]]]:
    cards: list[tuple[str, str | tuple[str, ...]]] = [("Player", slip.cards or "claimed by name")]
    return [
        ("Table", f"{slip.table}, {slip.game}"),
        ("Round, seat", f"{slip.round}, seat {slip.seat}"),
        ("Hand", slip.hand[:1].upper() + slip.hand[1:]),
        *cards,
        *([("Flop", slip.community)] if slip.community else []),
    ]


def _right_facts(slip: Slip) -> list[tuple[str, str]]:
    facts = [
        ("Local time", local_time(_moment(slip))),
        ("UTC", utc_time(_moment(slip))),
        ("Jackpot", slip.meter),
        ("Paid from", slip.source),
        ("House pays", slip.house),
        ("Validated by", slip.validated_by),
        ("Paid by", slip.paid_by),
        ("Rule", slip.rule),
    ]
    return [(label, value) for label, value in facts if value]


def _draw_half(sheet: Sheet, slip: Slip, house: PaperSettings) -> None:
    top, middle = sheet.margin, sheet.width / 2
    sheet.letterhead(top, house, middle - 80 - sheet.margin)
    sheet.barcode(middle - 70, top, name(slip), width=140, height=28)
    sheet.text_left(sheet.right, top + 10, "Payout slip", 10, bold=True)
    sheet.text_left(sheet.right, top + 30, name(slip), 17, bold=True)
    sheet.rule(top + 50, heavy=True)
    _amount_box(sheet, top + 62, slip)
    y = top + 136.0
    for label, value in _left_facts(slip):
        _fact(sheet, (sheet.margin, sheet.margin + 80), y, label, value, most=middle - 16 - sheet.margin - 80)
        y += _LINE + (4 if isinstance(value, tuple) else 0)
    y = top + 136.0
    for label, words in _right_facts(slip):
        _fact(sheet, (middle + 4, middle + 84), y, label, words, most=sheet.right - middle - 84)
        y += _LINE
    if slip.is_void:
        sheet.wrapped(sheet.margin, y + 18, f"Void: {slip.reason}", 9, most=sheet.right - sheet.margin)
    sheet.signatures(sheet.height - sheet.margin - 44, SIGNATURES)
    sheet.text(sheet.margin, sheet.height - sheet.margin, f"Seal {short_seal(slip.seal)}", 7)
    sheet.text_left(sheet.right, sheet.height - sheet.margin, "Original · page 1 of 1", 7)


def _amount_box(sheet: Sheet, y: float, slip: Slip) -> None:
    sheet.box(sheet.margin, y, sheet.right - sheet.margin, 50)
    end = sheet.text(sheet.margin + 14, y + 36, slip.amount, 30, bold=True, most=220)
    sheet.text(end + 16, y + 29, slip.in_words, 10, most=sheet.right - 90 - end - 16)
    sheet.stamp(sheet.right - 14, y + 13, _stamp(slip))


def _fact(
    sheet: Sheet, columns: tuple[float, float], y: float, label: str, value: str | tuple[str, ...], *, most: float
) -> None:
    sheet.text(columns[0], y, label, 8.5)
    if isinstance(value, tuple):
        sheet.cards(columns[1], y, value)
    else:
        sheet.text(columns[1], y, value, 8.5, bold=True, most=most)


def _receipt_facts(slip: Slip) -> list[tuple[str, str | tuple[str, ...]]]:
    return [*_left_facts(slip), *_right_facts(slip)]


def _receipt_size(slip: Slip, house: PaperSettings) -> tuple[float, float]:
    """As long as what stands on it: drawn once on a roll to see."""
    roll = RECEIPT_WIDTH, 2000.0
    return RECEIPT_WIDTH, _draw_receipt(Sheet(Canvas(BytesIO(), pagesize=roll), roll, 4 * mm), slip, house)


def _draw_receipt(sheet: Sheet, slip: Slip, house: PaperSettings) -> float:
    """Returns where the paper may be cut."""
    middle, y = sheet.width / 2, sheet.margin + 16
    sheet.centred(middle, y, house.property or "Pitlink", 14, bold=True)
    if house.address:
        sheet.centred(middle, y + 12, house.address, 7)
    sheet.centred(middle, y + 26, f"Payout slip {name(slip)}", 9, bold=True)
    sheet.rule(y + 36, dashed=True)
    sheet.centred(middle, y + 66, slip.amount, 28, bold=True)
    sheet.centred(middle, y + 80, slip.in_words, 8)
    sheet.centred(middle, y + 94, _stamp(slip), 9, bold=True)
    sheet.rule(y + 102, dashed=True)
    y += 118
    for label, value in _receipt_facts(slip):
        columns = sheet.margin, sheet.margin + 62
        _fact(sheet, columns, y, label, value, most=sheet.right - columns[1])
        y += _RECEIPT_LINE + (5 if isinstance(value, tuple) else 2)
    if slip.is_void:
        y = sheet.wrapped(sheet.margin, y + 2, f"Void: {slip.reason}", 8, most=sheet.right - sheet.margin)
    for signature in SIGNATURES:
        y += 36  # room to sign
        sheet.line(sheet.margin, sheet.right, y)
        sheet.text(sheet.margin, y + 9, signature, 7)
    sheet.barcode(sheet.margin + 10, y + 20, name(slip), width=sheet.width - 2 * sheet.margin - 20, height=34)
    sheet.centred(middle, y + 78, f"Seal {short_seal(slip.seal)}", 6)
    return y + 78 + sheet.margin
