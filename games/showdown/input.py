"""Questions as they are written: cards of a whole table, seats, amounts, and what cannot be answered."""

from collections.abc import Sequence
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from games.cards import Card, CardFault, first_impossible, how_many, parse_cards

Seat: TypeAlias = Annotated[int, Meta(ge=1, le=11)]
Amount: TypeAlias = Annotated[int, Meta(ge=0, le=100_000_000_000)]
SomeAmount: TypeAlias = Annotated[int, Meta(ge=1, le=100_000_000_000)]
Words: TypeAlias = tuple[str, ...]


class InputFault(Struct, frozen=True):
    """One thing wrong with the question, in words a dealer understands, and where it stands."""

    problem: str
    where: str


class DeckDemand(Struct, frozen=True):
    """Something that must be done with a deck before the next hand is dealt."""

    action: str
    rule: str


class Place(Struct, frozen=True):
    """Cards written at one place; where is its path in the question, counts are the numbers that may lie there."""

    where: str
    words: Sequence[str]
    counts: Sequence[int]


def read_deal(
    places: Sequence[Place], *, joker: bool = False, decks: int = 1
) -> tuple[tuple[Card, ...], ...] | InputFault:
    """The cards of each place, in the order of the places, or the first fault."""
    read: list[tuple[Card, ...]] = []
    for place in places:
        cards = _read_place(place, joker=joker, decks=decks)
        if isinstance(cards, InputFault):
            return cards
        read.append(cards)
    return _two_places(places, read, joker=joker, decks=decks) or tuple(read)


def _read_place(place: Place, *, joker: bool, decks: int) -> tuple[Card, ...] | InputFault:
    cards = parse_cards(place.words, joker=joker, decks=decks)
    if isinstance(cards, CardFault):
        return InputFault(cards.problem, place.where + cards.where)
    if len(cards) not in place.counts:
        wanted = " or ".join(map(str, place.counts))
        return InputFault(f"{how_many(len(cards))} where {wanted} belong", place.where)
    return cards


def _two_places(
    places: Sequence[Place], read: Sequence[Sequence[Card]], *, joker: bool, decks: int
) -> InputFault | None:
    lying = [
        (f"{place.where}[{number}]", card)
        for place, cards in zip(places, read, strict=True)
        for number, card in enumerate(cards)
    ]
    found = first_impossible([card for _, card in lying], joker=joker, decks=decks)
    return InputFault(found[1], lying[found[0]][0]) if found else None
