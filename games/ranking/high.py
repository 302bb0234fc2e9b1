"""High hands of five cards (14.3(a)(b)(d)), the best five of more, and hands showing fewer."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from games.cards import ACE, Card
from games.ranking.rank import HIGH_HANDS, Rank, groups

_SHAPES: Final = {
    (4,): "four_of_a_kind",
    (3, 2): "full_house",
    (3,): "three_of_a_kind",
    (2, 2): "two_pair",
    (2,): "one_pair",
    (): "high_card",
}


def high_five(cards: Sequence[Card]) -> Rank:
    """The rank of exactly five cards."""
    shape, ranks = groups(card.rank for card in cards)
    flush = len({card.suit for card in cards}) == 1
    top = _straight_top(ranks) if len(shape) == 5 else 0
    if top and flush:
        return named("royal_flush" if top == ACE else "straight_flush", top)
    if flush:
        return named("flush", *ranks)
    if top:
        return named("straight", top)
    return named(_kind(shape), *ranks)


def high_showing(cards: Sequence[Card]) -> Rank:
    """The rank of one to four cards that show: pairs and better count, straights and flushes do not."""
    shape, ranks = groups(card.rank for card in cards)
    return named(_kind(shape), *ranks)


def best_five(cards: Sequence[Card]) -> Rank:
    """The highest rank that five of these cards form."""
    return max(high_five(five) for five in combinations(cards, 5))


def best_five_cards(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Five of these cards that form the highest rank."""
    return max(combinations(cards, 5), key=high_five)


def named(name: str, *ranks: int) -> Rank:
    """The rank of a hand of this kind whose deciding ranks are these, in order."""
    return Rank(key=(HIGH_HANDS.index(name), *ranks), name=name)


def _kind(shape: Sequence[int]) -> str:
    return _SHAPES[tuple(times for times in shape if times > 1)]


def _straight_top(ranks: Sequence[int]) -> int:
    """The highest card of five distinct descending ranks in a row, or 0; A-2-3-4-5 is five high and nothing wraps."""
    if ranks[0] - ranks[4] == 4:
        return ranks[0]
    return 5 if tuple(ranks) == (ACE, 5, 4, 3, 2) else 0
