"""A row of the rule book: what the rules demand, in our words, and who can keep it."""

from msgspec import Struct


class Row(Struct, frozen=True):
    """One demand; for_people says why no program can keep it, and is empty where one can."""

    id: str
    clauses: tuple[str, ...]
    says: str
    for_people: str = ""


class Subject(Struct, frozen=True):
    """The rows of one subject."""

    title: str
    rows: tuple[Row, ...]
