"""Hands for tests: written in a line, or drawn so that pairs, runs and suits are frequent."""

from hypothesis import strategies as st

from games.cards import DECK, DECK_AND_JOKER, JOKER, Card, parse_cards


def hand(words: str) -> tuple[Card, ...]:
    """The cards of a line."""
    cards = parse_cards(words.split(), joker=True)
    assert isinstance(cards, tuple)
    return cards


def hands(size: int, *, joker: bool = False) -> st.SearchStrategy[list[Card]]:
    """Hands of different cards from whole and from narrow decks."""
    whole = DECK_AND_JOKER if joker else DECK
    high = [card for card in whole if card.rank >= 10 or card == JOKER]
    suited = [card for card in whole if card.suit in "s*" or card.rank in (13, 14)]
    low = [card for card in whole if card.rank in (14, 2, 3, 4, 5, 6, 7) or card == JOKER]
    decks = st.sampled_from((whole, high, suited, low))
    return decks.flatmap(lambda deck: st.lists(st.sampled_from(deck), min_size=size, max_size=size, unique=True))
