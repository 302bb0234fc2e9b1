"""The kill of omaha high-low split eight or better: when the button lies, and what its holder must post."""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Final, Literal

from msgspec import Struct

from games.money import Cents, dollars

FEWEST_TIMES: Final = 5
MOST_TIMES: Final = 15

# The definitions of 14.1 are not in the text; the names have one meaning in every poker room.
INCREASE: Final[Mapping[str, Fraction]] = {"kill": Fraction(2), "half_kill": Fraction(3, 2)}


class Kill(Struct, frozen=True):
    """What the house posts: which kill, its minimum wager, how many times the hand's minimum a pot must reach."""

    kind: Literal["kill", "half_kill"]
    minimum_cents: Cents
    times: int
    holder: int | None = None


class KillButton(Struct, frozen=True):
    """Where the kill button lies after the hand, and the one blind its holder posts in the next."""

    seat: int | None
    action: Literal["place", "keep", "move", "collect", "none"]
    blind_cents: Cents | None
    reason: str
    rule: str = "14.11(i)"


def next_kill(kill: Kill, pot_cents: Cents, shares: Mapping[int, Cents]) -> KillButton:
    """What the dealer does with the kill button once the pot of this hand is divided."""
    winners = [seat for seat, cents in shares.items() if cents > 0]
    least = kill.times * (kill.minimum_cents if kill.holder is None else _increased(kill))
    if pot_cents < least:
        return _off(kill, f"the pot of {dollars(pot_cents)} is below {dollars(least)}")
    if len(winners) != 1:
        return _off(kill, "no player won the entire pot")
    return _on(kill, winners[0], f"seat {winners[0]} won the entire pot of {dollars(pot_cents)}")


def _off(kill: Kill, reason: str) -> KillButton:
    return KillButton(None, "none" if kill.holder is None else "collect", None, reason)


def _on(kill: Kill, seat: int, reason: str) -> KillButton:
    action: Literal["place", "keep", "move"] = (
        "place" if kill.holder is None else "keep" if kill.holder == seat else "move"
    )
    return KillButton(seat, action, _increased(kill), reason)


def _increased(kill: Kill) -> Cents:
    """The minimum wager of a hand in which the button lies, in whole cents."""
    return math.ceil(INCREASE[kill.kind] * kill.minimum_cents)
