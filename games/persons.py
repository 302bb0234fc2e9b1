"""Persons by name: whether two names are one person's."""

from unicodedata import normalize


def is_same_person(one: str, other: str) -> bool:
    """Whether these names name one person: capitals, spaces and composed letters tell nobody apart."""
    return as_said(one) == as_said(other)


def as_said(name: str) -> str:
    """The name as people hear it."""
    return " ".join(normalize("NFKC", name).casefold().split())
