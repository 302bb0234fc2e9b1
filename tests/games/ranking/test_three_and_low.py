"""Three-card hands (14.3(c)), low hands (14.3(e)(f)) and eight or better (14.9(j))."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pokerkit import EightOrBetterLowHand, RegularLowHand

from games.cards import DECK, DECK_AND_JOKER, JOKER, Card
from games.ranking import best_eight_or_better, best_low, eight_or_better, high_three, low_five, three_with_joker
from tests.support.games.card_hands import hand, hands
from tests.support.games.slow_ranking import joker_may_be, kind_of_three

ASCENDING_THREES = [
    "5s 3h 2d",
    "As Kh Jd",
    "2s 2h 3d",
    "As Ah Kd",
    "5s 3s 2s",
    "As Ks Js",
    "As 2h 3d",
    "2s 3h 4d",
    "As Kh Qd",
    "2s 2h 2d",
    "As Ah Ad",
    "As 2s 3s",
    "Js Qs Ks",
    "Qs Ks As",
]


def test_14_3_c_three_cards_rank_in_the_order_of_the_rule() -> None:
    """Three of a kind beats a straight, a straight beats a flush, A-2-3 is the lowest straight."""
    ranks = [high_three(hand(words)) for words in ASCENDING_THREES]
    assert ranks == sorted(set(ranks))


def test_14_3_c_4_king_ace_two_is_no_straight() -> None:
    """An ace may not stand between king and two."""
    assert high_three(hand("Ks Ah 2d")).name == "high_card"


def test_14_3_c_all_22_100_hands_are_what_the_letter_of_the_rule_says() -> None:
    """Every three-card hand is named by the first definition it meets."""
    assert all(high_three(cards).name == kind_of_three(cards) for cards in combinations(DECK, 3))


def test_11_18_b_all_23_426_hands_with_the_joker_are_what_some_card_makes_of_them() -> None:
    """The joker is an ace, or any card that completes a straight or a flush: nothing else counts."""
    for cards in combinations(DECK_AND_JOKER, 3):
        assert three_with_joker(cards) & PAID == three_by_the_letter(cards) & PAID


PAID = {
    "straight_flush_no_joker",
    "three_of_a_kind",
    "straight_flush_with_joker",
    "straight",
    "flush",
    "one_pair",
}


def three_by_the_letter(cards: tuple[Card, ...]) -> set[str]:
    """Every paid kind that three cards are, by trying every card for the joker."""
    if JOKER not in cards:
        return all_kinds(cards, "straight_flush_no_joker")
    others = [card for card in cards if card != JOKER]
    completed = [all_kinds([*others, card], "straight_flush_with_joker") for card in joker_may_be(others)]
    kinds = set().union(*completed) & {"straight", "flush", "straight_flush_with_joker"}
    ranks = sorted([14, *(card.rank for card in others)])
    pairs = sum(one == other for one, other in combinations(ranks, 2))
    return kinds | {0: set(), 1: {"one_pair"}, 3: {"three_of_a_kind"}}[pairs]


def all_kinds(cards: "tuple[Card, ...] | list[Card]", straight_flush: str) -> set[str]:
    """A straight flush is a straight and a flush as well."""
    kind = kind_of_three(cards)
    return {straight_flush, "straight", "flush"} if kind in {"royal_flush", "straight_flush"} else {kind}


DESCENDING_LOWS = [
    "As 2h 3d 4c 5s",
    "As 2h 3d 4c 6s",
    "2s 3h 4d 5c 6s",
    "As 2h 3d 4c 7s",
    "As 4h 5d 6c 8s",
    "3s 4h 5d 6c 8s",
    "As 2s 3s 4s 9s",
    "9s Th Jd Qc Ks",
    "As Ah 2d 3c 4s",
    "2s 2h Ad 3c 4s",
    "Ks Kh Qd Jc Ts",
    "As Ah 2d 2c 3s",
    "As Ah Ad 2c 3s",
    "As Ah Ad 2c 2s",
    "As Ah Ad Ac 2s",
    "Ks Kh Kd Kc Qs",
]


def test_14_3_f_lows_rank_in_the_inverse_order_and_straights_and_flushes_do_not_count() -> None:
    """The wheel is the best low, pairs are worse than any high card, and a suited hand is none the worse."""
    ranks = [low_five(hand(words)) for words in DESCENDING_LOWS]
    assert ranks == sorted(set(ranks), reverse=True)
    assert low_five(hand("As 2s 3s 4s 5s")) == low_five(hand("As 2h 3d 4c 5s"))


@given(hands(7), hands(7))
def test_14_3_e_lows_compare_as_pokerkit_compares_them(one: list[Card], other: list[Card]) -> None:
    """Which of two best lows wins is the same by another evaluator of ace-to-five."""
    ours = (best_low(one) > best_low(other)) - (best_low(one) < best_low(other))
    lows = [RegularLowHand.from_game("".join(map(str, cards))) for cards in (one, other)]
    assert ours == (lows[0] > lows[1]) - (lows[0] < lows[1])


@pytest.mark.parametrize(
    ("words", "qualifies"),
    [("As 2h 3d 4c 8s", True), ("4s 5h 6d 7c 8s", True), ("As 2h 3d 4c 9s", False), ("As Ah 2d 3c 4s", False)],
)
def test_14_9_j_a_low_has_no_pair_and_nothing_above_an_eight(words: str, qualifies: bool) -> None:
    """Eight or better, or no low at all."""
    assert (eight_or_better(hand(words)) is not None) is qualifies


@given(st.lists(st.sampled_from(DECK), min_size=7, max_size=7, unique=True))
def test_14_9_j_a_low_of_seven_qualifies_when_five_small_ranks_are_there(cards: list[Card]) -> None:
    """Five different ranks of eight or lower, the ace among them, and pokerkit agrees."""
    small = {1 if card.rank == 14 else card.rank for card in cards} & set(range(1, 9))
    assert (best_eight_or_better(cards) is not None) == (len(small) >= 5)
    theirs = EightOrBetterLowHand.from_game_or_none("".join(map(str, cards)))
    assert (theirs is not None) == (len(small) >= 5)
