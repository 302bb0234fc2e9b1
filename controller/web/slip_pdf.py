"""A payout slip as PDF: one A4 page, with a font of its own for names in Latin, Greek and Cyrillic letters."""

from html import escape
from io import BytesIO
from pathlib import Path
from typing import Final

from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus.paragraph import Paragraph

from controller.web.slips import SIGNATURES, Slip, facts

_FONTS: Final = Path(__file__).parent / "fonts"
_PLAIN, _BOLD = "DejaVuSans", "DejaVuSans-Bold"
for _font in (_PLAIN, _BOLD):
    registerFont(TTFont(_font, _FONTS / f"{_font}.ttf"))

_WIDTH, _HEIGHT = A4
_LEFT: Final = 60
_SECOND: Final = 160
_RIGHT: Final = 40
_STEP: Final = 24
_SIZE: Final = 9.5  # the seal's 64 digits stand on one line


def slip_pdf(slip: Slip) -> bytes:
    """The slip as one page; the same slip gives the same bytes."""
    file = BytesIO()
    page = Canvas(file, pagesize=A4, invariant=1)
    page.setTitle(f"Payout slip {slip.number}, table {slip.table}")
    page.setFont(_BOLD, 20)
    y = _HEIGHT - 90
    page.drawString(_LEFT, y, f"Payout slip {slip.table}-{slip.number:06}")
    if slip.is_void:
        page.setFont(_BOLD, 34)
        page.drawRightString(_WIDTH - _RIGHT, y - 36, "VOID")
    y -= 40
    page.setFont(_PLAIN, _SIZE)
    for label, value in facts(slip):
        page.drawString(_LEFT, y, label)
        y -= _draw_wrapped(page, value, y, bold=label in {"Amount", "In words"}) + _STEP / 2
    for signature in SIGNATURES:
        y -= _STEP
        page.drawString(_LEFT, y, signature)
        page.line(_SECOND, y - 2, _SECOND + 300, y - 2)
    page.save()
    return file.getvalue()


def _draw_wrapped(page: Canvas, value: str, y: float, *, bold: bool) -> float:
    """Draws words from this line on, on as many lines as they need; returns their height."""
    style = ParagraphStyle("fact", fontName=_BOLD if bold else _PLAIN, fontSize=_SIZE, leading=_SIZE + 2)
    words = Paragraph(escape(value), style)
    _, height = words.wrapOn(page, _WIDTH - _SECOND - _RIGHT, _HEIGHT)
    words.drawOn(page, _SECOND, y + _SIZE - height)
    return height
