"""Formatting of reports: CSV rows, exact amounts, readable names."""

import csv
import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Final, TextIO, TypeAlias

from common.columns import columns
from meter.ledger.accounts import UNITS_PER_CENT

Row: TypeAlias = dict[str, str | int]

PLAY_MONEY: Final = "PLAY MONEY: this link is a rehearsal"
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a formula begins with; the last four are the wide letters of the first, which some spreadsheets take as well."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NO_DATE_MS: Final = 253_402_300_800_000  # the year 10000, which no calendar here knows
_NUMBER: Final = r"-[0-9]+(\.[0-9]+)?"


def in_dollars(units: int) -> str:
    """Units as exact dollars: -12.3456 has the fraction of a cent behind the cents."""
    exact = Fraction(abs(units), UNITS_PER_CENT * 100)
    whole, part = divmod(exact.numerator * 10**6 // exact.denominator, 10**6)
    digits = f"{part:06}"
    return f"{'-' if units < 0 else ''}{whole:,}.{digits[:2]}{digits[2:].rstrip('0')}"


def plain_dollars(units: int) -> str:
    """The same for a spreadsheet: no commas."""
    return in_dollars(units).replace(",", "")


def spoken(name: str) -> str:
    """A name of the ledger as people say it."""
    return name.replace("_", " ")


def figures(named: Iterable[tuple[str, int]]) -> list[str]:
    """Names and exact dollars, one figure a line."""
    return columns(((name, in_dollars(units)) for name, units in named), "<>", indent=2)


def one_line(words: str) -> str:
    """What somebody wrote, on one line: whatever would begin another, or steer a terminal, is shown as its code."""
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in words)


def harmless(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: an apostrophe makes it text, unless it is a number."""
    is_risky = cell.startswith(_FORMULA) and not re.fullmatch(_NUMBER, cell)
    return f"'{cell}" if is_risky else cell


def write_csv(rows: Iterable[Row], file: TextIO) -> None:
    """Writes rows for a spreadsheet as they come, their names first; nothing where there is none."""
    writer: csv.DictWriter[str] | None = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(file, list(row), lineterminator="\n")
            writer.writeheader()
        writer.writerow({name: harmless(one_line(str(cell))) for name, cell in row.items()})


def utc(at_ms: int) -> str:
    """A moment, in UTC; its milliseconds where there is no such date: a table's clock may say anything."""
    moment = _EPOCH + timedelta(milliseconds=at_ms) if at_ms < _NO_DATE_MS else None
    return moment.isoformat(timespec="milliseconds") if moment else f"{at_ms} ms"
