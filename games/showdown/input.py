"""The cards of a whole table as written: each place by itself, and no card more often than the decks hold it."""

from collections.abc import Sequence

from msgspec import Struct

from games.cards import Card, CardFault, first_impossible, how_many, parse_cards
from games.showdown.fault import Fault


class Place(Struct, frozen=True):
    """Cards written at one place; where is its path in the question, counts are the numbers that may lie there."""

    where: str
    words: Sequence[str]
    counts: Sequence[int]


def read_deal(places: Sequence[Place], *, joker: bool = False, decks: int = 1) -> tuple[tuple[Card, ...], ...] | Fault:
    """The cards of each place, in the order of the places, or the first fault."""
    read: list[tuple[Card, ...]] = []
    for place in places:
        cards = _read_place(place, joker=joker, decks=decks)
        if isinstance(cards, Fault):
            return cards
        read.append(cards)
    return _two_places(places, read, joker=joker, decks=decks) or tuple(read)


def _read_place(place: Place, *, joker: bool, decks: int) -> tuple[Card, ...] | Fault:
    cards = parse_cards(place.words, joker=joker, decks=decks)
    if isinstance(cards, CardFault):
        return Fault(cards.problem, place.where + cards.where)
    if len(cards) not in place.counts:
        wanted = " or ".join(map(str, place.counts))
        return Fault(f"{how_many(len(cards))} where {wanted} belong", place.where)
    return cards


def _two_places(places: Sequence[Place], read: Sequence[Sequence[Card]], *, joker: bool, decks: int) -> Fault | None:
    lying = [
        (f"{place.where}[{number}]", card)
        for place, cards in zip(places, read, strict=True)
        for number, card in enumerate(cards)
    ]
    found = first_impossible([card for _, card in lying], joker=joker, decks=decks)
    return Fault(found[1], lying[found[0]][0]) if found else None
