"""The demo's cards: whatever a visitor wishes for is dealt, and only what can lie together."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo.cards import CardWish, DealtCards, deal, hand_size
from demo.configuration import usual_pay_table
from games.cards import CardFault
from games.catalogue import GAMES
from games.round.table_rules import TableRules
from tests.support.games.pit import table_rules

PLAYED = sorted(name for name, game in GAMES.items() if game.progressive)


def rules_of(name: str) -> TableRules:
    """A table of this game as the demo sets it up."""
    wager = GAMES[name].progressive
    assert wager is not None
    decks = min(6, GAMES[name].most_decks)
    return table_rules(usual_pay_table(GAMES[name]), name=name, stake_cents=wager.stakes[0], decks=decks)


@pytest.mark.parametrize("name", PLAYED)
@given(seed=st.integers(0, 2**32), place=st.integers(0, 40))
def test_every_paid_hand_can_be_wished_for(name: str, seed: int, place: int) -> None:
    """That seat holds a hand that is paid so, whatever the luck; no card lies on the table too often."""
    rules = rules_of(name)
    line = rules.pay_table.lines[place % len(rules.pay_table.lines)]
    seat = rules.seats[place % len(rules.seats)]
    dealt = deal(random.Random(seed), rules, number=1, wish=CardWish(seat, line.hand))
    assert isinstance(dealt, DealtCards)
    assert dealt.wins[seat] == line.hand
    lying = [*dealt.community, *(card for hand in dealt.hands.values() for card in hand)]
    assert max(map(lying.count, lying)) <= rules.decks
    assert {len(hand) for hand in dealt.hands.values()} == {hand_size(rules)}


def test_named_cards_are_dealt_as_they_were_named() -> None:
    """The flop first, then the seat's own; the evaluator says what they are."""
    rules = rules_of("texas-holdem-bonus")
    dealt = deal(random.Random(1), rules, number=4, wish=CardWish(3, cards=("Th", "Jh", "Qh", "Kh", "Ah")))
    assert isinstance(dealt, DealtCards)
    assert (dealt.round, dealt.community, dealt.hands[3]) == (4, ("Th", "Jh", "Qh"), ("Kh", "Ah"))
    assert dealt.wins[3] == "royal_flush"


def test_the_side_wagers_that_the_cards_win_are_told() -> None:
    """Three of a kind wins the six card bonus, with the dealer's cards; others envy a suited A-K-Q."""
    rules = table_rules(name="three-card-poker", offers=("six_card_bonus",))
    dealt = deal(random.Random(1), rules, number=1, wish=CardWish(3, cards=("9s", "9h", "9d")))
    assert isinstance(dealt, DealtCards)
    assert len(dealt.dealer) == 3
    assert "six_card_bonus" in dealt.side_wins[3]
    envied = deal(random.Random(1), rules, number=1, wish=CardWish(3, "akq_suited_spades"))
    assert isinstance(envied, DealtCards)
    assert "envy" in envied.side_wins[3]


@pytest.mark.parametrize(
    ("cards", "problem"),
    [
        (("Th", "Jh", "Qh", "Kh"), "4 cards where 5 belong"),
        (("Th", "Th", "Qh", "Kh", "Ah"), "Th lies there 2 times"),
        (("Th", "Jh", "Qh", "Kh", "Jk"), "joker"),
        (("Th", "Jh", "Qh", "Kh", "1x"), "1x"),
    ],
)
def test_cards_that_cannot_lie_together_are_refused_in_words(cards: tuple[str, ...], problem: str) -> None:
    """Nothing is dealt."""
    fault = deal(random.Random(1), rules_of("texas-holdem-bonus"), number=1, wish=CardWish(3, cards=cards))
    assert isinstance(fault, CardFault)
    assert problem in fault.problem


@pytest.mark.parametrize(
    "wish", [CardWish(), CardWish(3), CardWish(99, "flush"), CardWish(0, "flush"), CardWish(3, "no such hand")]
)
def test_anything_else_is_dealt_at_random(wish: CardWish) -> None:
    """The same luck, the same cards."""
    rules = rules_of("texas-holdem-bonus")
    one, other = (deal(random.Random(7), rules, number=1, wish=each) for each in (wish, CardWish()))
    assert one == other
