"""Hands by the letter of the rules, slowly: every definition is spelled out for one hand at a time, without tables."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from games.cards import ACE, DECK, JOKER, Card


def same_suit(cards: Sequence[Card]) -> bool:
    """All of one suit."""
    return all(card.suit == cards[0].suit for card in cards)


def in_a_row(cards: Sequence[Card]) -> bool:
    """Of consecutive rank in some order; the ace also below the two (14.3(a)), and never between king and two."""
    ways = [[card.rank for card in cards], [1 if card.rank == ACE else card.rank for card in cards]]
    return any(sorted(way) == list(range(min(way), min(way) + len(cards))) for way in ways)


def has_of_a_kind(cards: Sequence[Card], *sizes: int) -> bool:
    """Whether groups of these sizes, each of one rank, can be laid out of the cards."""
    if not sizes:
        return True
    for group in combinations(range(len(cards)), sizes[0]):
        if len({cards[place].rank for place in group}) == 1:
            rest = [card for place, card in enumerate(cards) if place not in group]
            if has_of_a_kind(rest, *sizes[1:]):
                return True
    return False


def kind_of_five(cards: Sequence[Card]) -> str:
    """The first definition of 14.3(b) that five cards meet."""
    definitions = (
        ("royal_flush", same_suit(cards) and in_a_row(cards) and {card.rank for card in cards} == {10, 11, 12, 13, 14}),
        ("straight_flush", same_suit(cards) and in_a_row(cards)),
        ("four_of_a_kind", has_of_a_kind(cards, 4)),
        ("full_house", has_of_a_kind(cards, 3, 2)),
        ("flush", same_suit(cards)),
        ("straight", in_a_row(cards)),
        ("three_of_a_kind", has_of_a_kind(cards, 3)),
        ("two_pair", has_of_a_kind(cards, 2, 2)),
        ("one_pair", has_of_a_kind(cards, 2)),
        ("high_card", True),
    )
    return next(name for name, holds in definitions if holds)


def kind_of_three(cards: Sequence[Card]) -> str:
    """The first definition of 14.3(c) that three cards meet."""
    definitions = (
        ("royal_flush", same_suit(cards) and {card.rank for card in cards} == {12, 13, 14}),
        ("straight_flush", same_suit(cards) and in_a_row(cards)),
        ("three_of_a_kind", has_of_a_kind(cards, 3)),
        ("straight", in_a_row(cards)),
        ("flush", same_suit(cards)),
        ("one_pair", has_of_a_kind(cards, 2)),
        ("high_card", True),
    )
    return next(name for name, holds in definitions if holds)


def joker_may_be(others: Sequence[Card]) -> Iterator[Card]:
    """Every card of the deck that is not there yet."""
    return (card for card in DECK if card not in others)


def kinds_of_pai_gow_five(cards: Sequence[Card]) -> set[str]:
    """Every kind that five cards are for 11.3: the joker an ace, or whatever card completes what 11.3(c) lists."""
    if JOKER not in cards:
        return {kind_of_five(cards)}
    others = [card for card in cards if card != JOKER]
    completed = {kind_of_five([*others, card]) for card in joker_may_be(others)}
    kinds = completed & {"straight", "flush", "straight_flush", "royal_flush"}
    if all(card.rank == ACE for card in others):
        return kinds | {"five_aces"}
    # As an ace the joker has no suit: an ace of every suit is tried, and only what ranks alone make is kept.
    as_ace = {kind_of_five([*others, Card(ACE, suit)]) for suit in "shdc"}
    return kinds | (as_ace - {"flush", "straight_flush", "royal_flush"})


def best(kinds: Iterable[str], order: Sequence[str]) -> str:
    """The first of these kinds in an order."""
    return min(kinds, key=order.index)
