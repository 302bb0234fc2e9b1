"""A refusal: why the rules forbid something, as a value."""

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

Value: TypeAlias = int | str | tuple[int | str, ...]
"""What a text names: a seat, a hand, cents, cards."""


class Refusal(Struct, frozen=True):
    """Why something may not happen: the key of its text, the clause that says so, and the values the text names.

    The texts stand in common/languages/LANGUAGE/refusals.json; they are made where somebody reads them.
    """

    key: str
    rule: str = ""
    values: Mapping[str, Value] = {}


def because(key: str, rule: str = "", /, **values: Value) -> Refusal:
    """The refusal with this key, clause and values."""
    return Refusal(key, rule, values)
