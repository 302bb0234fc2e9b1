"""A row of the rule book: what the rules demand, in our words, and who can keep it."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

# Live: the daemons do it. Calculator: a command answers it. People: no program can. Open: nothing does it yet.
Keeper: TypeAlias = Literal["live", "calculator", "people", "open"]


@dataclass(frozen=True, slots=True)
class Row:
    """One demand and who keeps it.

    lacks says what the live table cannot do of it; for_people why no program can, and told_by which sign or paper tells
    the people.
    """

    id: str
    clauses: tuple[str, ...]
    says: str
    kept: Keeper
    lacks: str = ""
    for_people: str = ""
    told_by: str = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """The rows of one subject."""

    title: str
    rows: tuple[Row, ...]
