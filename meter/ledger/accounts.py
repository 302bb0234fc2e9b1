"""The accounts of a link: where money stands, and the postings that move it, exact below the cent."""

from enum import Enum
from typing import Final

from msgspec import Struct

from games.money import Cents

UNITS_PER_CENT: Final = 10_000
"""A wager of whole cents at a rate in basis points is a whole number of these: nothing is ever rounded away."""


class Account(Enum):
    """Where money stands; a posting takes it from one and puts it into another."""

    HOUSE = "house"
    WAGERS = "wagers"  # what the players' wagers have put in
    METER = "meter"  # what the players see
    RESET_METER = "reset_meter"  # hidden: it collects for the next reset amount (R8)
    OVERFLOW = "overflow"  # what did not fit under the limit (R7)
    AWARDS = "awards"  # fixed for a player and not yet paid
    PAID = "paid"
    OTHER_LINKS = "other_links"  # what came from there, or went


class Kind(Enum):
    """Why money moved."""

    BASE = "base"
    CONTRIBUTION = "contribution"
    RESET_CONTRIBUTION = "reset_contribution"
    OVERFLOW = "overflow"
    AWARD_FIXED = "award_fixed"
    HOUSE_FUNDED = "house_funded"
    REFILL = "refill"
    PAYOUT = "payout"
    RELEASE = "release"
    CORRECTION = "correction"
    TRANSFER = "transfer"
    CLOSING = "closing"
    OVERFLOW_TAKEN = "overflow_taken"  # by the house, whose it is (R85)


class Posting(Struct, frozen=True, array_like=True):
    """One movement; units is never negative."""

    kind: Kind
    source: Account
    target: Account
    units: int


def posting(kind: Kind, source: Account, target: Account, cents: Cents) -> Posting:
    """A movement of whole cents."""
    return Posting(kind, source, target, cents * UNITS_PER_CENT)
