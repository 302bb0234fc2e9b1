"""Low hands (14.3(e)(f)) and those that qualify as eight or better (14.9(j))."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from games.cards import ACE, Card
from games.ranking.rank import HIGH_HANDS, Rank, groups

_SHAPES: Final = {
    (4, 1): "four_of_a_kind",
    (3, 2): "full_house",
    (3, 1, 1): "three_of_a_kind",
    (2, 2, 1): "two_pair",
    (2, 1, 1, 1): "one_pair",
    (1, 1, 1, 1, 1): "high_card",
}


def low_five(cards: Sequence[Card]) -> Rank:
    """The low rank of exactly five cards; the greater key is the better low, the ace is one, nothing is a straight."""
    shape, ranks = groups(1 if card.rank == ACE else card.rank for card in cards)
    name = _SHAPES[shape]
    return Rank(key=(-HIGH_HANDS.index(name), *(-rank for rank in ranks)), name=name)


def eight_or_better(cards: Sequence[Card]) -> Rank | None:
    """The low rank of five cards that hold no pair and nothing above an eight, or None."""
    rank = low_five(cards)
    qualifies = rank.name == "high_card" and rank.key[1] >= -8
    return rank if qualifies else None


def best_low(cards: Sequence[Card]) -> Rank:
    """The best low that five of these cards form."""
    return max(low_five(five) for five in combinations(cards, 5))


def best_eight_or_better(cards: Sequence[Card]) -> Rank | None:
    """The best low of eight or better that five of these cards form, or None."""
    lows = (eight_or_better(five) for five in combinations(cards, 5))
    return max((low for low in lows if low), default=None)
