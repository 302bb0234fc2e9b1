"""Cards: written and read back, and refused by name where they cannot be."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.cards import DECK, DECK_AND_JOKER, JOKER, Card, CardFault, parse_card, parse_cards


def test_a_deck_has_52_different_cards_and_at_most_one_joker() -> None:
    """The decks that hands come from are whole."""
    assert len(set(DECK)) == 52
    assert len(set(DECK_AND_JOKER)) == 53


def test_every_card_is_read_back_as_it_is_written() -> None:
    """Writing and reading are inverse for all 53 cards."""
    assert [parse_card(str(card)) for card in DECK_AND_JOKER] == list(DECK_AND_JOKER)


def test_cards_are_written_as_dealers_write_them() -> None:
    """Rank, then suit; the ten is T and the joker Jk."""
    assert [str(card) for card in (Card(14, "s"), Card(10, "d"), Card(2, "c"), JOKER)] == ["As", "Td", "2c", "Jk"]


@given(st.text(max_size=4).filter(lambda word: word not in {str(card) for card in DECK_AND_JOKER}))
def test_any_other_word_is_refused_by_name(word: str) -> None:
    """What is no card is a fault that shows the word, never an exception."""
    fault = parse_card(word)
    assert isinstance(fault, CardFault)
    assert repr(word) in fault.problem


@pytest.mark.parametrize(
    ("words", "settings", "names", "where"),
    [
        (["As", "Kd", "As"], {}, "As", "[2]"),
        (["As", "Kd", "1s"], {}, "1s", "[2]"),
        (["As"] * 3, {"decks": 2}, "2 decks", "[2]"),
        (["As", "Jk"], {}, "joker", "[1]"),
        (["Jk", "As", "Jk"], {"joker": True}, "Jk", "[2]"),
        (["As", "Kd"], {"count": 3}, "2 cards where 3", ""),
        (["As"], {"count": 3}, "1 card where 3", ""),
        ([], {"count": 3}, "no cards where 3", ""),
    ],
)
def test_impossible_cards_are_refused_with_their_place(
    words: list[str], settings: dict[str, Any], names: str, where: str
) -> None:
    """A duplicate, an unknown card, a wrong count, a joker out of place: each by name."""
    fault = parse_cards(words, **settings)
    assert isinstance(fault, CardFault)
    assert names in fault.problem
    assert fault.where == where


@given(st.lists(st.sampled_from(DECK), max_size=20), st.integers(1, 8))
def test_cards_are_taken_exactly_when_the_decks_hold_them(cards: list[Card], decks: int) -> None:
    """So many of a card as there are decks may lie there, and not one more."""
    parsed = parse_cards([str(card) for card in cards], decks=decks)
    if all(cards.count(card) <= decks for card in cards):
        assert parsed == tuple(cards)
    else:
        assert isinstance(parsed, CardFault)
