"""Vigorish: five per cent of what was won, and how it may be rounded."""

from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias

from games.money import Cents

QUARTER: Final[Cents] = 25

Rounding: TypeAlias = Literal["exact", "nearest_25", "next_25"]

# Each takes twentieths of a cent, so that nothing is rounded before the rule says so.
_ROUND: Final[Mapping[Rounding, Callable[[int], Cents]]] = {
    "exact": lambda twentieths: twentieths // 20,
    "nearest_25": lambda twentieths: (twentieths + 10 * QUARTER) // (20 * QUARTER) * QUARTER,
    "next_25": lambda twentieths: -(-twentieths // (20 * QUARTER)) * QUARTER,
}


def vigorish(won_cents: Cents, rounding: Rounding) -> Cents:
    """The commission of 11.9(j) on an amount won, and never more than that; exact drops what is below a cent."""
    return min(won_cents, _ROUND[rounding](won_cents))
