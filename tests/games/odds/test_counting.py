"""Counting by patterns gives what dealing every hand of a deck gives."""

from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.odds import five_card, pai_gow, three_card
from games.odds.deck_counts import Deck, holdings
from games.odds.pai_gow_counts import HANDS
from tests.support.games.odds_by_definition import best_five, cards_of, seven_marks, three_kinds

SMALL_DECKS = st.builds(Deck, ranks=st.integers(5, 8), suits=st.integers(2, 4)).filter(lambda deck: deck.cards <= 16)
SMALL_JOKER_DECKS = st.builds(Deck, ranks=st.integers(3, 9), suits=st.integers(2, 4), joker=st.booleans())


@given(
    deck=st.builds(Deck, ranks=st.integers(5, 13), suits=st.integers(2, 4), joker=st.booleans()),
    size=st.integers(5, 7),
)
@settings(max_examples=25, deadline=None)
def test_every_hand_of_a_deck_is_counted_once(deck: Deck, size: int) -> None:
    """The patterns of any deck stand for exactly as many hands as can be dealt from it."""
    counted = sum(ways for holding in holdings(deck, size, 5) for _, ways in holding.hands)
    assert counted == comb(deck.cards, size)


@given(deck=SMALL_DECKS, size=st.sampled_from((5, 6)))
@settings(max_examples=12, deadline=None)
def test_the_best_five_of_five_or_six_cards_are_counted_as_dealt(deck: Deck, size: int) -> None:
    """On any small deck every hand falls into the class that the definitions give it."""
    dealt = Counter(best_five(cards, deck) for cards in combinations(cards_of(deck), size))
    assert five_card.tally(size, deck) == dealt


@given(deck=SMALL_JOKER_DECKS)
@settings(max_examples=25, deadline=None)
def test_three_cards_are_counted_as_dealt_with_and_without_a_joker(deck: Deck) -> None:
    """On any deck three cards are everything that the definitions say, and as often."""
    dealt = Counter(frozenset(three_kinds(cards, deck)) for cards in combinations(cards_of(deck), 3))
    assert three_card.tally_with_joker(deck) == dealt


@pytest.mark.parametrize("deck", [Deck(8, 2, joker=True), Deck(5, 3, joker=True), Deck(5, 4, joker=True)], ids=str)
def test_seven_cards_are_counted_as_dealt(deck: Deck) -> None:
    """All divisions of every hand of a small deck, one by one, give the same marks as often."""
    dealt = Counter(seven_marks(cards, deck) for cards in combinations(cards_of(deck), 7))
    assert {marks: hands for marks, hands in pai_gow.tally(deck).items() if hands} == dealt


def test_what_is_kept_of_pai_gow_is_what_is_counted() -> None:
    """Every set of marks of all 154,143,080 hands."""
    counted = pai_gow.tally(Deck(joker=True))
    assert {marks: hands for marks, hands in counted.items() if hands} == HANDS
    assert sum(HANDS.values()) == comb(53, 7)


def test_the_printed_counts_of_a_plain_deck_are_the_counted_ones() -> None:
    """A table starts with figures in print; they are those that counting finds, and together every hand there is."""
    assert five_card.tally(5, Deck()) == five_card.FIVE_OF_52
    assert five_card.tally(6, Deck()) == five_card.SIX_OF_52
    assert sum(five_card.FIVE_OF_52.values()) == comb(52, 5)
    assert sum(five_card.SIX_OF_52.values()) == comb(52, 6)
