"""High hands of three cards (14.3(c), 20.3), and those of the three-card bonus with a joker (11.18(b))."""

from collections.abc import Sequence
from typing import Final

from games.cards import ACE, JOKER, Card
from games.ranking.rank import Rank, groups

# Lowest first: with three cards a straight beats a flush, and three of a kind beats both.
THREE_CARD_HANDS: Final = (
    "high_card",
    "one_pair",
    "flush",
    "straight",
    "three_of_a_kind",
    "straight_flush",
    "royal_flush",
)

_SHAPES: Final = {(3,): "three_of_a_kind", (2, 1): "one_pair", (1, 1, 1): "high_card"}
_STRAIGHTS: Final = (*(frozenset(range(top - 2, top + 1)) for top in range(ACE, 3, -1)), frozenset({ACE, 2, 3}))


def high_three(cards: Sequence[Card]) -> Rank:
    """The rank of exactly three cards; A-2-3 is the lowest straight and K-A-2 is none."""
    shape, ranks = groups(card.rank for card in cards)
    flush = len({card.suit for card in cards}) == 1
    top = _straight_top(ranks) if len(shape) == 3 else 0
    if top and flush:
        return _named("royal_flush" if top == ACE else "straight_flush", top)
    if top:
        return _named("straight", top)
    if flush:
        return _named("flush", *ranks)
    return _named(_SHAPES[shape], *ranks)


def three_with_joker(cards: Sequence[Card]) -> frozenset[str]:
    """Every kind of hand that three cards are when a joker is an ace or completes a straight or a flush."""
    naturals = [card for card in cards if card != JOKER]
    ranks = {card.rank for card in naturals}
    straight = len(ranks) == len(naturals) and any(ranks <= run for run in _STRAIGHTS)
    flush = len({card.suit for card in naturals}) == 1
    shape, _ = groups(ACE if card == JOKER else card.rank for card in cards)
    made = {_SHAPES[shape]}
    made |= {"straight"} if straight else set()
    made |= {"flush"} if flush else set()
    if straight and flush:
        made.add("straight_flush_with_joker" if JOKER in cards else "straight_flush_no_joker")
    return frozenset(made)


def _named(name: str, *ranks: int) -> Rank:
    return Rank(key=(THREE_CARD_HANDS.index(name), *ranks), name=name)


def _straight_top(ranks: Sequence[int]) -> int:
    if ranks[0] - ranks[2] == 2:
        return ranks[0]
    return 3 if tuple(ranks) == (ACE, 3, 2) else 0
