"""Vigorish: five per cent of what was won, and how it may be rounded."""

from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias

from games.money import Cents

QUARTER: Final[Cents] = 25

Rounding: TypeAlias = Literal["exact", "next_25"]

# Each takes twentieths of a cent, so that nothing is rounded before the rule says so.
_ROUND: Final[Mapping[Rounding, Callable[[int], Cents]]] = {
    "exact": lambda twentieths: -(-twentieths // 20),
    "next_25": lambda twentieths: -(-twentieths // (20 * QUARTER)) * QUARTER,
}


def vigorish(won_cents: Cents, rounding: Rounding) -> Cents:
    """The commission of 11.9(j) on an amount won: never below five per cent, nor above what was won.

    Exact is to the cent, a part of a cent counting as one; a house may round up to the next 25 cents.
    """
    return min(won_cents, _ROUND[rounding](won_cents))
