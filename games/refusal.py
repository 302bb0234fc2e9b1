"""A refusal: why the rules forbid something, as a value."""

from msgspec import Struct


class Refusal(Struct, frozen=True):
    """Why something may not happen, in a dealer's words, and the clause that says so."""

    reason: str
    rule: str = ""
