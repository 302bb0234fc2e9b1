"""Every hand of a deck, told apart only by what a pay table can see, with the number of hands it stands for."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations
from math import comb, prod
from typing import Final

from msgspec import Struct

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


class Deck(Struct, frozen=True):
    """A deck; rank 0 is the two and the highest rank the ace. The real one has 13 ranks, tests count smaller ones."""

    ranks: int = 13
    suits: int = 4
    joker: bool = False

    @property
    def cards(self) -> int:
        """How many cards, the joker included."""
        return self.ranks * self.suits + self.joker


class Holdings(Struct, frozen=True):
    """Hands that share their long suit, the one that may make a flush; 0: no suit can.

    Every other thing that a pay table sees is in a hand's key, the ranks of its natural cards; each key comes with the
    number of hands that have it.
    """

    long_suit: int
    joker: bool
    hands: Iterable[tuple[int, int]]


def holdings(deck: Deck, size: int, flush: int) -> Iterator[Holdings]:
    """Every hand of so many cards, where a flush takes so many of one suit.

    More than half of the hand must be needed for a flush: only one suit can then be long.
    """
    yield from _natural(deck, size, flush, joker=False)
    if deck.joker:
        yield from _natural(deck, size - 1, flush - 1, joker=True)


def _natural(deck: Deck, size: int, flush: int, *, joker: bool) -> Iterator[Holdings]:
    """The hands with so many natural cards; flush is how many of a suit can still become one."""
    keys = tuple(map(rank_key, range(deck.ranks)))
    flushless = ((key, _flushless(shape, deck.suits, flush)) for shape, key in _spreads(keys, size, deck.suits))
    yield Holdings(0, joker, ((key, ways) for key, ways in flushless if ways))
    for length in range(flush, size + 1):
        outside = [
            (key, deck.suits * _ways(shape, deck.suits - 1))
            for shape, key in _spreads(keys, size - length, deck.suits - 1)
        ]
        for suit in map(sum, combinations(keys, length)):
            yield Holdings(suit, joker, [(suit + other, ways) for other, ways in outside])


def _spreads(keys: tuple[int, ...], size: int, most: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every way to spread so many cards over these ranks, at most so many on one: its shape and its key.

    A shape says how many cards the ranks hold, largest first, the ranks themselves forgotten.
    """
    if most == 1 or not size:
        shape = (1,) * size
        for key in map(sum, combinations(keys, size)):
            yield shape, key
        return
    for heavy in range(size // most + 1):
        shape = (most,) * heavy
        for chosen in combinations(keys, heavy):
            left = tuple(key for key in keys if key not in chosen)
            base = most * sum(chosen)
            for tail, key in _spreads(left, size - most * heavy, most - 1):
                yield shape + tail, base + key


@cache
def _ways(shape: tuple[int, ...], suits: int) -> int:
    """In how many ways cards of this shape take their suits."""
    return prod(comb(suits, cards) for cards in shape)


@cache
def _flushless(shape: tuple[int, ...], suits: int, flush: int) -> int:
    """In how many of those ways no suit has flush cards; at most one suit can have that many."""
    return _ways(shape, suits) - suits * sum(_suit_lengths(shape, suits)[flush:])


def _suit_lengths(shape: tuple[int, ...], suits: int) -> list[int]:
    """In how many ways one given suit has 0, 1, 2, … cards."""
    ways = [1]
    for cards in shape:
        without, within = comb(suits - 1, cards), comb(suits - 1, cards - 1)
        ways = [without * stay + within * grow for stay, grow in zip([*ways, 0], [0, *ways], strict=True)]
    return ways
