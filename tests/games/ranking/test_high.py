"""Five-card high hands against the letter of 14.3 and against three evaluators by other people."""

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phevaluator import evaluate_cards
from pokerkit import StandardHighHand
from treys import Card as TreysCard
from treys import Evaluator

from games.cards import Card
from games.ranking import HIGH_HANDS, best_five, best_five_cards, high_five, high_showing
from tests.support.games.card_hands import hand, hands
from tests.support.games.slow_ranking import kind_of_five

TREYS = Evaluator()


def sign(difference: int) -> int:
    """Lower, equal or higher."""
    return (difference > 0) - (difference < 0)


ASCENDING = [
    "7s 5h 4d 3c 2s",
    "Ks Qh Jd Tc 8s",
    "As 5h 4d 3c 6s",
    "As Kh Qd Jc 9s",
    "2s 2h 5d 4c 3s",
    "2s 2h Ad Kc Qs",
    "As Ah 4d 3c 2s",
    "3s 3h 2d 2c 4s",
    "3s 3h 2d 2c As",
    "As Ah Kd Kc Qs",
    "2s 2h 2d 4c 3s",
    "As Ah Ad Kc Qs",
    "As 2h 3d 4c 5s",
    "2s 3h 4d 5c 6s",
    "Ts Jh Qd Kc As",
    "7s 5s 4s 3s 2s",
    "As Ks Qs Js 9s",
    "2s 2h 2d 3c 3s",
    "As Ah Ad Kc Ks",
    "2s 2h 2d 2c 3s",
    "2s 2h 2d 2c As",
    "As Ah Ad Ac Ks",
    "As 2s 3s 4s 5s",
    "9s Ts Js Qs Ks",
    "Ts Js Qs Ks As",
]


def test_14_3_b_hands_rank_in_the_order_of_the_rule() -> None:
    """The examples of the rule, highest and lowest of each kind, ascend."""
    ranks = [high_five(hand(words)) for words in ASCENDING]
    assert ranks == sorted(set(ranks))


@pytest.mark.parametrize("words", ["Qs Kh Ad 2c 3s", "Ks Ah 2d 3c 4s", "Js Qh Kd Ac 2s"])
def test_14_3_b_6_no_straight_wraps_around_the_ace(words: str) -> None:
    """An ace ends a sequence, it never stands within one."""
    assert high_five(hand(words)).name == "high_card"


def test_14_3_a_suits_are_equal() -> None:
    """The same ranks in other suits are a tie."""
    assert high_five(hand("As Kh Qd Jc 9s")) == high_five(hand("Ad Kc Qh Js 9c"))


@given(hands(5))
def test_five_cards_are_what_the_letter_of_the_rule_says(cards: list[Card]) -> None:
    """The evaluator names the first definition of 14.3(b) that the cards meet."""
    assert high_five(cards).name == kind_of_five(cards)


@given(hands(5), st.randoms(use_true_random=False))
def test_the_order_of_the_cards_does_not_matter(cards: list[Card], random: Random) -> None:
    """A hand is a set of cards."""
    shuffled = list(cards)
    random.shuffle(shuffled)
    assert high_five(shuffled) == high_five(cards)


@given(hands(7), hands(7))
def test_best_of_seven_compares_as_phevaluator_treys_and_pokerkit_do(one: list[Card], other: list[Card]) -> None:
    """Which of two hands wins, and whether they tie, is the same by four evaluators."""
    ours = sign((best_five(one) > best_five(other)) - (best_five(one) < best_five(other)))
    assert ours == sign(evaluate_cards(*map(str, other)) - evaluate_cards(*map(str, one)))
    assert ours == sign(_treys(other) - _treys(one))
    ranks = [StandardHighHand.from_game("".join(map(str, cards))) for cards in (one, other)]
    assert ours == (ranks[0] > ranks[1]) - (ranks[0] < ranks[1])


@given(hands(6))
def test_best_of_six_is_the_highest_of_its_fives(cards: list[Card]) -> None:
    """The five cards chosen form the rank that is reported, and phevaluator agrees on its height."""
    five = best_five_cards(cards)
    assert set(five) <= set(cards)
    assert high_five(five) == best_five(cards) == max(high_five(each) for each in combinations(cards, 5))
    assert evaluate_cards(*map(str, cards)) == evaluate_cards(*map(str, five))


def test_all_7_462_classes_of_hands_stand_in_the_order_that_phevaluator_gives_them() -> None:
    """One hand of every pattern of ranks, suited and not: our keys are as many, and in the same order."""
    by_rank = {high_five(cards): evaluate_cards(*map(str, cards)) for cards in one_of_every_class()}
    assert [by_rank[rank] for rank in sorted(by_rank)] == list(range(7_462, 0, -1))


def one_of_every_class() -> Iterator[list[Card]]:
    """Every multiset of five ranks that a deck holds, unsuited, and every set of five ranks in spades."""
    for ranks in combinations_with_replacement(range(2, 15), 5):
        if max(map(ranks.count, ranks)) <= 4:
            cards = [Card(rank, "shdc"[ranks[:place].count(rank)]) for place, rank in enumerate(ranks)]
            yield [*cards[:4], Card(ranks[4], "c")] if len(set(ranks)) == 5 else cards
        if len(set(ranks)) == 5:
            yield [Card(rank, "s") for rank in ranks]


@given(hands(4))
@settings(max_examples=50)
def test_four_cards_that_show_are_ranked_by_what_they_pair(cards: list[Card]) -> None:
    """Straights and flushes do not show before the fifth card."""
    assert high_showing(cards).name in {"high_card", "one_pair", "two_pair", "three_of_a_kind", "four_of_a_kind"}
    assert HIGH_HANDS[high_showing(cards).key[0]] == high_showing(cards).name


def _treys(cards: list[Card]) -> int:
    rank: int = TREYS.evaluate([], [TreysCard.new(str(card)) for card in cards])
    return rank
