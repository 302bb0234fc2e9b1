"""What five cards are, or the best five of six (14.3(b), 20.12A), counted over all hands."""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Final

from games.odds.deck_counts import Deck, holdings, pairs, present, quads, runs, trips

_BEATS_FLUSH: Final = frozenset({"four_of_a_kind", "full_house"})


FIVE_OF_52: Final[Mapping[str, int]] = {
    "high_card": 1_302_540,
    "one_pair": 1_098_240,
    "two_pair": 123_552,
    "three_of_a_kind": 54_912,
    "straight": 10_200,
    "flush": 5_108,
    "full_house": 3_744,
    "four_of_a_kind": 624,
    "straight_flush": 36,
    "royal_flush": 4,
}
"""tally(5) of a plain deck, so that a table that starts does not count; a test counts it anew."""
SIX_OF_52: Final[Mapping[str, int]] = {
    "high_card": 6_612_900,
    "one_pair": 9_730_740,
    "two_pair": 2_532_816,
    "three_of_a_kind": 732_160,
    "straight": 361_620,
    "flush": 205_792,
    "full_house": 165_984,
    "four_of_a_kind": 14_664,
    "straight_flush": 1_656,
    "royal_flush": 188,
}
"""tally(6) of a plain deck."""


@cache
def tally(size: int, deck: Deck) -> Mapping[str, int]:
    """How many hands of five or six cards are which hand at best."""
    hands: Counter[str] = Counter()
    for holding in holdings(deck, size, 5):
        for key, ways in holding.hands:
            hands[best_hand(key, holding.long_suit, deck.ranks)] += ways
    return hands


def best_hand(key: int, suit: int, ranks: int) -> str:
    """The highest hand that five of these cards form; suit has the five or more of one suit, or is 0."""
    other = _unsuited(key, ranks)
    if not suit:
        return other
    flush = _flush(suit, ranks)
    return other if flush == "flush" and other in _BEATS_FLUSH else flush


@cache
def _flush(suit: int, ranks: int) -> str:
    """What five or more cards of one suit are."""
    lows, royal = runs(ranks, 5)[:-1], runs(ranks, 5)[-1]
    if suit & royal == royal:
        return "royal_flush"
    return "straight_flush" if any(suit & run == run for run in lows) else "flush"


def _unsuited(key: int, ranks: int) -> str:
    """What the ranks alone are."""
    if quads(key):
        return "four_of_a_kind"
    threes, twos = trips(key).bit_count(), pairs(key).bit_count()
    if threes and threes + twos > 1:
        return "full_house"
    if _has_straight(present(key), ranks):
        return "straight"
    if threes:
        return "three_of_a_kind"
    return ("high_card", "one_pair", "two_pair", "two_pair")[twos]


@cache
def _has_straight(held: int, ranks: int) -> bool:
    return any(held & run == run for run in runs(ranks, 5))
