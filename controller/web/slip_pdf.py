"""A payout slip on paper: the printable page's lines as PDF."""

from collections.abc import Iterator
from typing import Final

from controller.web import pdf
from controller.web.slips import SIGNATURES, Slip, facts

_LEFT: Final = 60
_SECOND: Final = 180
_STEP: Final = 24
_LONGEST: Final = 62


def slip_pdf(slip: Slip) -> bytes:
    """The slip as one page."""
    return pdf.page(tuple(_marks(slip)), f"Payout slip {slip.number}, table {slip.table}")


def _marks(slip: Slip) -> Iterator[pdf.Text | pdf.Rule]:
    y: float = pdf.HEIGHT - 90
    yield pdf.Text(_LEFT, y, f"Payout slip {slip.table}-{slip.number:06}", size=22, bold=True)
    if slip.is_void:
        yield pdf.Text(400, y, "VOID", size=34, bold=True)
    y -= 40
    for label, value in facts(slip):
        yield pdf.Text(_LEFT, y, label)
        for line in _wrapped(value):
            yield pdf.Text(_SECOND, y, line, bold=label in {"Amount", "In words"})
            y -= _STEP if line == _wrapped(value)[-1] else _STEP / 2 + 2
    for signature in SIGNATURES:
        y -= _STEP
        yield pdf.Rule(_SECOND, y - 2, 300)
        yield pdf.Text(_LEFT, y, signature)


def _wrapped(value: str) -> list[str]:
    """Lines that fit the page; a word longer than a line is cut."""
    lines = [""]
    for word in value.split(" "):
        while len(word) > _LONGEST:
            lines.append(word[:_LONGEST])
            word = word[_LONGEST:]  # noqa: PLW2901  the rest of the word is the next line's
        fits = len(lines[-1]) + 1 + len(word) <= _LONGEST
        lines[-1:] = [f"{lines[-1]} {word}".strip()] if fits else [lines[-1], word]
    return [line for line in lines if line] or [""]
