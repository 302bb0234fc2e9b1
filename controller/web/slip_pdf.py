"""A payout slip as PDF: one page, one font."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from controller.web.slips import SIGNATURES, Slip, facts

WIDTH: Final = 595
HEIGHT: Final = 842
_LATIN: Final = str.maketrans({"·": "\u00b7", "–": "-", "−": "-", "…": "..."})


class Text(Struct, frozen=True):
    """Words at a place, from the lower left corner in points."""

    x: float
    y: float
    words: str
    size: float = 11
    bold: bool = False


class Rule(Struct, frozen=True):
    """A line to sign on."""

    x: float
    y: float
    length: float


def page(marks: Sequence[Text | Rule], title: str) -> bytes:
    """One A4 page as a PDF file."""
    content = "\n".join(_drawn(mark) for mark in marks).encode("cp1252", "replace")
    return _file(
        (
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            (
                f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Contents 4 0 R"
                " /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>"
            ).encode(),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
            _font("Helvetica"),
            _font("Helvetica-Bold"),
            b"<< /Title (%s) /Producer (Pitlink) >>" % _escaped(title).encode("cp1252", "replace"),
        )
    )


def _drawn(mark: Text | Rule) -> str:
    match mark:
        case Rule(x=x, y=y, length=length):
            return f"0.5 w {x:g} {y:g} m {x + length:g} {y:g} l S"
        case Text(x=x, y=y, words=words, size=size, bold=bold):
            return f"BT /{'F2' if bold else 'F1'} {size:g} Tf {x:g} {y:g} Td ({_escaped(words)}) Tj ET"


def _escaped(words: str) -> str:
    plain = words.translate(_LATIN)
    kept = "".join(letter if letter.isprintable() else "?" for letter in plain)
    return kept.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def _font(name: str) -> bytes:
    return f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>".encode()


def _file(objects: Sequence[bytes]) -> bytes:
    """Objects, the table of where they are, and the trailer; the last object is the document's information."""
    file, places = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"), []
    for number, content in enumerate(objects, start=1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(file)
    file += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    file += b"".join(b"%010d 00000 n \n" % place for place in places)
    size, info = len(objects) + 1, len(objects)
    file += b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, info, start)
    return bytes(file)


_LEFT: Final = 60
_SECOND: Final = 180
_STEP: Final = 24
_LONGEST: Final = 62


def slip_pdf(slip: Slip) -> bytes:
    """The slip as one page."""
    return page(tuple(_marks(slip)), f"Payout slip {slip.number}, table {slip.table}")


def _marks(slip: Slip) -> Iterator[Text | Rule]:
    y: float = HEIGHT - 90
    yield Text(_LEFT, y, f"Payout slip {slip.table}-{slip.number:06}", size=22, bold=True)
    if slip.is_void:
        yield Text(400, y, "VOID", size=34, bold=True)
    y -= 40
    for label, value in facts(slip):
        yield Text(_LEFT, y, label)
        for line in _wrapped(value):
            yield Text(_SECOND, y, line, bold=label in {"Amount", "In words"})
            y -= _STEP if line == _wrapped(value)[-1] else _STEP / 2 + 2
    for signature in SIGNATURES:
        y -= _STEP
        yield Rule(_SECOND, y - 2, 300)
        yield Text(_LEFT, y, signature)


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
