"""The rank of a hand: a key that decides every comparison, and the name of its kind."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

# Lowest first; the place in this table is the first number of a five-card key. Five aces exist only beside a joker.
HIGH_HANDS: Final = (
    "high_card",
    "one_pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
    "five_aces",
)


class Rank(Struct, frozen=True, order=True):
    """How high a hand stands; equal keys are a tie, and the greater key wins."""

    key: tuple[int, ...]
    name: str


def groups(ranks: Iterable[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """How often the ranks occur, most frequent first, and the ranks in that order, higher before lower."""
    ordered = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    return tuple(times for _, times in ordered), tuple(rank for rank, _ in ordered)
