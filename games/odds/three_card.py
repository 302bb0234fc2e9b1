"""What three cards are (14.3(c)), also with a joker (11.18(b)), counted over all hands."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache

from games.odds.deck_counts import Deck, Holdings, ace_key, holdings, pairs, runs, trips


@cache
def tally(deck: Deck) -> Mapping[str, int]:
    """How many hands are what, without a joker; ace, king and queen of one suit count by that suit."""
    hands: Counter[str] = Counter()
    for holding in holdings(deck, 3, 3):
        for key, ways in holding.hands:
            hands[_hand(holding.long_suit, key, deck.ranks)] += ways
    royal = hands.pop("akq_suited")
    hands["akq_suited_spades"] = royal // deck.suits
    hands["akq_suited_other"] = royal - royal // deck.suits
    return hands


@cache
def tally_with_joker(deck: Deck) -> Mapping[frozenset[str], int]:
    """How many hands are all of these at once, a joker being an ace or completing a straight or a flush."""
    hands: Counter[frozenset[str]] = Counter()
    for holding in holdings(deck, 3, 3):
        for key, ways in holding.hands:
            hands[frozenset(_kinds(holding, key, deck.ranks))] += ways
    return hands


def _hand(suit: int, key: int, ranks: int) -> str:
    """What three natural cards are."""
    in_a_row = _in_a_row(key, ranks)
    if suit and in_a_row:
        return "akq_suited" if key == runs(ranks, 3)[-1] else "straight_flush"
    if in_a_row:
        return "straight"
    return "flush" if suit else _matched(key)


def _kinds(holding: Holdings, key: int, ranks: int) -> Iterator[str]:
    """Every kind of hand that three cards are, one of which may be the joker."""
    yield _matched(key + ace_key(ranks) if holding.joker else key)
    in_a_row = _in_a_row(key, ranks)
    if holding.long_suit:
        yield "flush"
    if in_a_row:
        yield "straight"
    if holding.long_suit and in_a_row:
        yield "straight_flush_with_joker" if holding.joker else "straight_flush_no_joker"


def _matched(key: int) -> str:
    """What the ranks alone are."""
    if trips(key):
        return "three_of_a_kind"
    return "one_pair" if pairs(key) else "high_card"


@cache
def _in_a_row(key: int, ranks: int) -> bool:
    """Whether the cards are a straight, or two of them that a joker makes one; no rank twice, a run has it once."""
    return any(key & run == key for run in runs(ranks, 3))
