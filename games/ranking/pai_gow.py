"""Pai gow poker's hands of five and two cards with one joker (11.3(a)-(e))."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, Literal, TypeAlias

from games.cards import ACE, JOKER, Card
from games.ranking.high import high_showing, named
from games.ranking.rank import Rank

Wheel: TypeAlias = Literal["second_highest", "lowest"]

_BROADWAY: Final = frozenset(range(10, ACE + 1))
_WHEEL: Final = frozenset({ACE, 2, 3, 4, 5})
_BETWEEN: Final = tuple((frozenset(range(top - 4, top + 1)), top) for top in range(ACE - 1, 5, -1))

# How high each run of five stands, highest first. 11.3(b) puts A-2-3-4-5 right under broadway, which as a straight
# flush is royal; 11.3(d) lets a house make it the lowest.
_RUNS: Final[Mapping[Wheel, tuple[tuple[frozenset[int], int], ...]]] = {
    "second_highest": ((_BROADWAY, ACE + 1), (_WHEEL, ACE), *_BETWEEN),
    "lowest": ((_BROADWAY, ACE), *_BETWEEN, (_WHEEL, 5)),
}


def pai_gow_five(cards: Sequence[Card], *, wheel: Wheel = "second_highest") -> Rank:
    """The highest rank of exactly five cards; a joker is an ace or completes a straight, flush or straight flush."""
    completed = _completed(cards, wheel)
    return max(_counted(cards), completed) if completed else _counted(cards)


def pai_gow_two(cards: Sequence[Card]) -> Rank:
    """The rank of a low hand of two cards, comparable with the rank of the five above it; a joker is an ace."""
    return high_showing(jokers_as_aces(cards))


def pai_gow_best_five(cards: Sequence[Card], *, wheel: Wheel = "second_highest") -> Rank:
    """The highest rank that five of these cards form."""
    return max(pai_gow_five(five, wheel=wheel) for five in combinations(cards, 5))


def divisions(cards: Sequence[Card]) -> Iterator[tuple[tuple[Card, ...], tuple[Card, ...]]]:
    """Every way to divide seven cards into five and two."""
    places = range(len(cards))
    for low in combinations(places, 2):
        yield tuple(cards[place] for place in places if place not in low), tuple(cards[place] for place in low)


def jokers_as_aces(cards: Sequence[Card]) -> list[Card]:
    """The same cards with the joker turned into an ace that has no suit of the deck."""
    return [Card(ACE, JOKER.suit) if card == JOKER else card for card in cards]


def _counted(cards: Sequence[Card]) -> Rank:
    """What the ranks alone are worth, the joker being an ace."""
    aces = jokers_as_aces(cards)
    return named("five_aces", ACE) if all(card.rank == ACE for card in aces) else high_showing(aces)


def _completed(cards: Sequence[Card], wheel: Wheel) -> Rank | None:
    """The straight, flush or straight flush that the cards are, the joker being whatever card is missing."""
    naturals = [card for card in cards if card != JOKER]
    ranks = frozenset(card.rank for card in naturals)
    if len(ranks) != len(naturals):
        return None
    run, height = next(((run, height) for run, height in _RUNS[wheel] if ranks <= run), (None, 0))
    flush = len({card.suit for card in naturals}) == 1
    if run and flush:
        return named("royal_flush" if run == _BROADWAY else "straight_flush", height)
    if flush:
        return named("flush", *_filled(ranks))
    return named("straight", height) if run else None


def _filled(ranks: frozenset[int]) -> list[int]:
    """The ranks of a flush, a missing one being the highest that is not there yet."""
    missing = [max(set(range(2, ACE + 1)) - ranks)] if len(ranks) < 5 else []
    return sorted([*ranks, *missing], reverse=True)
