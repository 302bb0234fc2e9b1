"""Papers: the one look of every PDF that is printed, signed and filed; black on white, with a font of its own."""

import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from reportlab.graphics.barcode.code128 import Code128
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.units import mm
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from common.paper_settings import PaperSettings

_FONTS: Final = Path(__file__).parent / "fonts"
PLAIN, BOLD = "DejaVuSans", "DejaVuSans-Bold"
for _font in (PLAIN, BOLD):
    registerFont(TTFont(_font, _FONTS / f"{_font}.ttf"))

DRAWING: Final = threading.Lock()
"""Held while a PDF is drawn: the library's fonts keep what each document uses of them, and threads would mix it up."""

SHEETS: Final = {"a4": A4, "letter": LETTER}
"""Full sheets of paper, upright."""
RECEIPT_WIDTH: Final = 80 * mm
_JOKER: Final = "Joker"
_SUITS: Final = {"s": "\u2660", "h": "\u2665", "d": "\u2666", "c": "\u2663"}


def local_time(moment: datetime) -> str:
    """A moment by this machine's time zone, for people."""
    local = moment.astimezone()
    return f"{local.day} {local:%b %Y, %H:%M:%S} {local:%Z}"


def utc_time(moment: datetime) -> str:
    """The same moment in UTC."""
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def short_seal(seal: str) -> str:
    """A hash by its first eight groups and its last two, as people compare it."""
    groups = [seal[at : at + 4] for at in range(0, len(seal), 4)]
    return " ".join(groups) if len(groups) <= 10 else f"{' '.join(groups[:8])} … {' '.join(groups[-2:])}"


class Sheet:
    """One page being drawn, measured from its upper left corner in points; nothing is drawn beyond its margins."""

    def __init__(self, canvas: Canvas, size: tuple[float, float], margin: float) -> None:
        self.canvas, (self.width, self.height), self.margin = canvas, size, margin

    @property
    def right(self) -> float:
        """Where the right margin begins."""
        return self.width - self.margin

    def text(self, x: float, y: float, words: str, size: float, *, bold: bool = False, most: float = 0) -> float:
        """Words from here to the right, smaller where they would be wider than most; returns where they end."""
        font = BOLD if bold else PLAIN
        size = fitting(words, font, size, most or self.right - x)
        self.canvas.setFont(font, size)
        self.canvas.drawString(x, self.height - y, words)
        return x + stringWidth(words, font, size)

    def wrapped(self, x: float, y: float, words: str, size: float, *, most: float) -> float:
        """Words on as many lines as they need; returns where the next line would stand."""
        for line in simpleSplit(words, PLAIN, size, most):
            self.text(x, y, line, size, most=most)  # a word that is too long alone gets smaller
            y += size + 3
        return y

    def text_left(self, x: float, y: float, words: str, size: float, *, bold: bool = False) -> None:
        """Words that end here."""
        self.canvas.setFont(BOLD if bold else PLAIN, size)
        self.canvas.drawRightString(x, self.height - y, words)

    def centred(self, x: float, y: float, words: str, size: float, *, bold: bool = False, most: float = 0) -> None:
        """Words around here, smaller where they would be wider than most."""
        font = BOLD if bold else PLAIN
        self.canvas.setFont(font, fitting(words, font, size, most or self.width - 2 * self.margin))
        self.canvas.drawCentredString(x, self.height - y, words)

    def rule(self, y: float, *, heavy: bool = False, dashed: bool = False) -> None:
        """A line across the page."""
        self.line(self.margin, self.right, y, width=1.5 if heavy else 0.6, dashed=dashed)

    def line(self, x: float, until: float, y: float, *, width: float = 0.6, dashed: bool = False) -> None:
        """A horizontal line."""
        self.canvas.setLineWidth(width)
        self.canvas.setDash([2, 2] if dashed else [])
        self.canvas.line(x, self.height - y, until, self.height - y)
        self.canvas.setDash([])

    def box(self, x: float, y: float, width: float, height: float, *, line: float = 1.2) -> None:
        """A frame; y is its upper edge."""
        self.canvas.setLineWidth(line)
        self.canvas.rect(x, self.height - y - height, width, height)

    def stamp(self, right: float, y: float, word: str) -> None:
        """A framed word such as PAID or FINAL that ends here; y is its upper edge."""
        width = stringWidth(word, BOLD, 11) + 20
        self.box(right - width, y, width, 24)
        self.centred(right - width / 2, y + 16, word, 11, bold=True)

    def barcode(self, x: float, y: float, value: str, *, width: float, height: float) -> None:
        """Code 128 of this value between x and x + width, its words below it; y is its upper edge."""
        plain = Code128(value, barWidth=1, barHeight=height, quiet=False)
        code = Code128(value, barWidth=width / plain.width, barHeight=height, quiet=False)
        code.drawOn(self.canvas, x, self.height - y - height)
        self.centred(x + width / 2, y + height + 11, value, 8)

    def cards(self, x: float, y: float, cards: Sequence[str]) -> None:
        """Cards as small frames with rank and suit; y is the line that words would stand on."""
        for card in cards:
            words = _JOKER if card == "Jk" else card[:-1].replace("T", "10") + _SUITS.get(card[-1:], card[-1:])
            width = stringWidth(words, BOLD, 9) + 8
            self.box(x, y - 11, width, 15, line=0.8)
            self.centred(x + width / 2, y, words, 9, bold=True)
            x += width + 4

    def signatures(self, y: float, names: Sequence[str]) -> None:
        """A line to sign on for each, beside one another."""
        gap, width = 18.0, (self.right - self.margin + 18.0) / len(names)
        for place, name in enumerate(names):
            x = self.margin + place * width
            self.line(x, x + width - gap, y)
            self.text(x, y + 12, f"{name}, date", 8.5)

    def letterhead(self, y: float, house: PaperSettings, most: float) -> None:
        """Whose paper this is."""
        self.text(self.margin, y + 12, house.property or "Pitlink", 15, bold=True, most=most)
        if house.address:
            self.text(self.margin, y + 25, house.address, 8, most=most)


def fitting(words: str, font: str, size: float, most: float) -> float:
    """The largest size up to this one at which the words are not wider than most."""
    width = stringWidth(words, font, size)
    return size if width <= most else size * most / width
