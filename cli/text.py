"""A par sheet as text for a terminal."""

from cli.facts import (
    COLUMNS,
    facts,
    notes,
    rows,
    title,
)
from cli.par_sheet import Report


def text(report: Report) -> str:
    """The whole sheet."""
    lines = [title(report), "", *_table([COLUMNS, *rows(report)]), "", *_aligned(list(facts(report)))]
    for note in notes(report):
        lines += ["", note]
    return "\n".join(lines)


def _table(cells: list[tuple[str, ...]]) -> list[str]:
    """The rows in columns, words to the left and numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(map(_cell, row, widths, range(len(row)))).rstrip() for row in cells]


def _cell(word: str, width: int, place: int) -> str:
    return word.ljust(width) if place < 2 else word.rjust(width)


def _aligned(pairs: list[tuple[str, str]]) -> list[str]:
    width = max(len(name) for name, _ in pairs)
    return [f"{name:{width}}  {value}" for name, value in pairs]
