"""Rank keys: the ranks of a hand in one integer, three bits a rank, so that adding keys adds cards."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Final

KEY_BITS: Final = 3
# The lowest bit of each of the thirteen ranks: a key in which every rank occurs once.
_ONES: Final = sum(1 << KEY_BITS * rank for rank in range(13))


def rank_key(rank: int) -> int:
    """The key of one card of this rank; the two is rank 0."""
    return 1 << KEY_BITS * rank


def ace_key(ranks: int) -> int:
    """The key of an ace, the highest of so many ranks."""
    return rank_key(ranks - 1)


def present(key: int) -> int:
    """Every rank that occurs, once."""
    return (key | key >> 1 | key >> 2) & _ONES


def quads(key: int) -> int:
    """The ranks that occur four times or, with the joker, five."""
    return key >> 2 & _ONES


def trips(key: int) -> int:
    """The ranks that occur three times."""
    return key >> 1 & key & _ONES


def pairs(key: int) -> int:
    """The ranks that occur twice."""
    return key >> 1 & ~key & _ONES


def highest(key: int) -> int:
    """The highest rank that occurs."""
    return (key.bit_length() - 1) // KEY_BITS


def split(key: int) -> list[int]:
    """The single cards of a key in which no rank occurs twice."""
    cards = []
    while key:
        card = key & -key
        cards.append(card)
        key ^= card
    return cards


def subsets(key: int, size: int) -> Iterator[int]:
    """Every choice of so many cards of a key in which no rank occurs twice."""
    return map(sum, combinations(split(key), size))


@cache
def runs(ranks: int, length: int) -> tuple[int, ...]:
    """Every straight of this length, lowest first: the ace below the two, then without wrapping round."""
    if length > ranks:
        return ()
    wheel = (ranks - 1, *range(length - 1))
    straights = [wheel, *(range(low, low + length) for low in range(ranks - length + 1))]
    return tuple(dict.fromkeys(sum(map(rank_key, straight)) for straight in straights))
