"""Cards: how they are written, the decks they come from, and what is wrong with a hand as written."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

RANKS: Final = "23456789TJQKA"
SUITS: Final = "shdc"
ACE: Final = 14
KING: Final = 13
QUEEN: Final = 12


class Card(Struct, frozen=True):
    """One card: rank 2 to 14 (ace), suit s, h, d or c."""

    rank: int
    suit: str

    def __str__(self) -> str:
        return "Jk" if self == JOKER else RANKS[self.rank - 2] + self.suit


JOKER: Final = Card(rank=0, suit="*")
DECK: Final = tuple(Card(rank, suit) for suit in SUITS for rank in range(2, ACE + 1))
DECK_AND_JOKER: Final = (*DECK, JOKER)

_BY_WORD: Final = {str(card): card for card in DECK_AND_JOKER}


class CardFault(Struct, frozen=True):
    """What is wrong with cards as written; where is the place among them, like [2], or empty for all of them."""

    problem: str
    where: str = ""


def parse_card(word: str) -> Card | CardFault:
    """The card that a word like As, Td or Jk names."""
    card = _BY_WORD.get(word)
    return card or CardFault(f"{word!r} is no card; write a rank (2-9 T J Q K A) and a suit (s h d c), or Jk")


def parse_cards(
    words: Sequence[str], *, count: int | None = None, joker: bool = False, decks: int = 1
) -> tuple[Card, ...] | CardFault:
    """The cards that these words name, if so many of them can lie together."""
    cards = []
    for place, word in enumerate(words):
        card = parse_card(word)
        if isinstance(card, CardFault):
            return CardFault(card.problem, f"[{place}]")
        cards.append(card)
    if count is not None and len(cards) != count:
        return CardFault(f"{how_many(len(cards))} where {count} belong")
    found = first_impossible(cards, joker=joker, decks=decks)
    return tuple(cards) if found is None else CardFault(found[1], f"[{found[0]}]")


def first_impossible(cards: Sequence[Card], *, joker: bool, decks: int) -> tuple[int, str] | None:
    """The place of the first card that cannot lie beside those before it, and why; a deck has at most one joker."""
    seen: Counter[Card] = Counter()
    for place, card in enumerate(cards):
        seen[card] += 1
        if card == JOKER and not joker:
            return place, "the joker Jk does not belong to this game"
        if seen[card] > decks:
            return place, f"{card} lies there {seen[card]} times, but there is only {_packs(decks)}"
    return None


def how_many(cards: int) -> str:
    """A number of cards in words: no cards, 1 card, 2 cards."""
    return "1 card" if cards == 1 else f"{cards or 'no'} cards"


def _packs(decks: int) -> str:
    return "one deck" if decks == 1 else f"{decks} decks"
