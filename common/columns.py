"""Rows of words in columns, for reports on a terminal."""

from collections.abc import Iterable, Sequence


def columns(rows: Iterable[Sequence[str]], align: str, *, indent: int = 0) -> list[str]:
    """Lines in columns as wide as their widest cell; align has "<" or ">" for each column."""
    cells = list(rows)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    form = " " * indent + "  ".join(f"{{:{side}{width}}}" for side, width in zip(align, widths, strict=bool(cells)))
    return [form.format(*row).rstrip() for row in cells]
