"""Mutations as data: the row, the file, the exact text that keeps the rule, and the text that breaks it."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, convert

from games.rulebook import ROWS

FOLDER: Final = Path(__file__).parent / "mutations"


class Mutation(Struct, frozen=True, forbid_unknown_fields=True):
    """A change of one place in one file that changes what a row decides."""

    row: str
    file: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}: {_short(self.old)} -> {_short(self.new)}"


def mutations(folder: Path = FOLDER) -> tuple[Mutation, ...]:
    """Every mutation there is, in the order of the rule book."""
    read = [each for path in sorted(folder.glob("*.toml")) for each in _read(path)]
    order = {row: place for place, row in enumerate(ROWS)}
    return tuple(sorted(read, key=lambda each: order.get(each.row, len(order))))


def _read(path: Path) -> Sequence[Mutation]:
    data: Mapping[str, Any] = tomllib.loads(path.read_text())
    return convert(data, dict[str, list[Mutation]])["mutation"]


def fault(mutation: Mutation, root: Path) -> str | None:
    """Why this mutation says nothing about its row in this tree, or None."""
    row = ROWS.get(mutation.row)
    if row is None or row.kept not in ("live", "calculator"):
        return f"{mutation.row} is no row that a program keeps"
    path = root / mutation.file
    if not path.is_file():
        return f"there is no {mutation.file}"
    found = path.read_text().count(mutation.old)
    if found != 1:
        return f"{mutation.file} has the old text {found} times, not once: write the mutation anew"
    return "old and new text are the same" if mutation.old == mutation.new else None


def gaps(known: Iterable[Mutation]) -> tuple[str, ...]:
    """The rows that a program keeps and no mutation breaks."""
    mutated = {mutation.row for mutation in known}
    return tuple(row for row in ROWS if ROWS[row].kept in ("live", "calculator") and row not in mutated)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:57]}..."
