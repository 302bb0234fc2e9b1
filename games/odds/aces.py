"""Aces among a player's first cards, in the order they came, over one to eight decks (2.19(c))."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Final

_RED: Final = frozenset("hd")
_BLACK: Final = frozenset("sc")
_SUITS: Final = tuple("shdc")
_NO_ACE: Final = ""
_OTHERS_A_DECK: Final = 48


@cache
def tally(decks: int) -> Mapping[frozenset[str], int]:
    """How many orders of four cards are all of these at once; the player always draws to four."""
    hands: Counter[frozenset[str]] = Counter()
    for cards in product((*_SUITS, _NO_ACE), repeat=4):
        hands[frozenset(kinds(cards))] += _ways(cards, decks)
    return hands


def kinds(cards: Sequence[str]) -> Iterator[str]:
    """Every hand that four cards are, an ace written as its suit and any other card as nothing."""
    two, three, four = cards[:2], cards[:3], frozenset(cards)
    if all(two):
        yield "two_aces_same_suit" if len(set(two)) == 1 else "two_aces_any"
    if all(three):
        yield "three_aces_same_suit" if len(set(three)) == 1 else "three_aces_any"
    if four <= _RED or four <= _BLACK:
        yield "four_aces_same_color"


def _ways(cards: Sequence[str], decks: int) -> int:
    """In how many ways physical cards come in this order."""
    left = dict.fromkeys(_SUITS, decks) | {_NO_ACE: _OTHERS_A_DECK * decks}
    ways = 1
    for card in cards:
        ways *= left[card]
        left[card] -= 1
    return ways
