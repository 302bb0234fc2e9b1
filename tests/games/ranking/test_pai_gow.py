"""Pai gow poker's hands with one joker (11.3), against the letter of the rule."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given

from games.cards import ACE, DECK, JOKER, Card
from games.ranking import (
    HIGH_HANDS,
    Rank,
    Wheel,
    divisions,
    high_five,
    kinds_in_seven,
    kinds_of_seven,
    pai_gow,
    pai_gow_best_five,
    pai_gow_five,
    pai_gow_two,
)
from tests.support.games.card_hands import hand, hands
from tests.support.games.slow_ranking import best, in_a_row, kind_of_five, kinds_of_pai_gow_five, same_suit

STRAIGHTS = ["6s 5h 4d 3c 2s", "7s 6h 5d 4c 3s", "Ks Qh Jd Tc 9s", "As 2h 3d 4c 5s", "As Kh Qd Jc Ts"]
STRAIGHT_FLUSHES = ["6s 5s 4s 3s 2s", "7s 6s 5s 4s 3s", "Ks Qs Js Ts 9s", "As 2s 3s 4s 5s", "As Ks Qs Js Ts"]


@pytest.mark.parametrize("words", [STRAIGHTS, STRAIGHT_FLUSHES])
def test_11_3_b_ace_to_five_stands_second_among_straights(words: list[str]) -> None:
    """It is below broadway only, which as a straight flush is royal, and 6-5-4-3-2 is the lowest."""
    ranks = [pai_gow_five(hand(each)) for each in words]
    assert ranks == sorted(set(ranks))


@pytest.mark.parametrize("words", [STRAIGHTS, STRAIGHT_FLUSHES])
def test_11_3_d_a_house_may_make_ace_to_five_the_lowest_straight(words: list[str]) -> None:
    """By option it stands below 6-5-4-3-2."""
    *others, wheel, top = (pai_gow_five(hand(each), wheel="lowest") for each in words)
    assert [wheel, *others, top] == sorted({wheel, *others, top})


def test_11_3_b_1_four_aces_and_the_joker_are_the_highest_hand() -> None:
    """Five aces beat a royal flush."""
    assert pai_gow_five(hand("As Ah Ad Ac Jk")) > pai_gow_five(hand("As Ks Qs Js Ts"))
    assert pai_gow_five(hand("As Ah Ad Ac Jk")).name == "five_aces"


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("Ks Kh Kd Kc Jk", "four_of_a_kind"),
        ("Ks Kh Kd 2c Jk", "three_of_a_kind"),
        ("Ks Kh 2d 2c Jk", "two_pair"),
        ("Ks Kh Ad 2c Jk", "two_pair"),
        ("As Ah Kd Kc Jk", "full_house"),
        ("As Ah Ad Kc Jk", "four_of_a_kind"),
        ("Ks 9h 7d 2c Jk", "high_card"),
        ("Ks 9s 7s 2s Jk", "flush"),
        ("Ks Qh Td 9c Jk", "straight"),
        ("As 2s 4s 5s Jk", "straight_flush"),
        ("As Ks Qs Ts Jk", "royal_flush"),
    ],
)
def test_11_3_c_the_joker_is_an_ace_or_completes_a_straight_or_flush(words: str, name: str) -> None:
    """It never makes a third king, only what 11.3 lets it."""
    assert pai_gow_five(hand(words)).name == name


@given(hands(5))
def test_without_a_joker_and_with_ace_to_five_lowest_pai_gow_ranks_as_poker_does(cards: list[Card]) -> None:
    """The option of 11.3(d) is the order of 14.3(b)."""
    assert pai_gow_five(cards, wheel="lowest") == high_five(cards)


@given(hands(4))
def test_11_3_five_cards_with_the_joker_are_the_best_that_the_letter_of_the_rule_allows(cards: list[Card]) -> None:
    """Trying every card that the joker may be finds the same kind, and no higher rank."""
    rank = pai_gow_five([*cards, JOKER])
    assert rank.name == best(kinds_of_pai_gow_five([*cards, JOKER]), HIGH_HANDS[::-1])
    assert rank == highest_by_trial(cards)


def highest_by_trial(cards: list[Card]) -> Rank:
    """The highest rank over every card that the joker may stand for."""
    tried = [pai_gow_five([*cards, card]) for card in DECK if card not in cards]
    completed = [rank for rank in tried if rank.name in {"straight", "flush", "straight_flush", "royal_flush"}]
    # An ace of a suit that is not there yet, or five aces; its suit must not make a flush of it.
    aces = [pai_gow_five([*cards, Card(ACE, suit)]) for suit in "shdc" if Card(ACE, suit) not in cards]
    as_ace = [rank for rank in aces if "flush" not in rank.name]
    return max(completed + as_ace) if aces else Rank((10, ACE), "five_aces")


@given(hands(7, joker=True))
def test_best_five_of_seven_is_the_highest_of_all_21_fives(cards: list[Card]) -> None:
    """No division has a higher five-card hand."""
    for wheel in ("second_highest", "lowest"):
        way: Wheel = wheel
        best_five = pai_gow_best_five(cards, wheel=way)
        assert best_five == max(pai_gow_five(five, wheel=way) for five, _ in divisions(cards))


@given(hands(7, joker=True))
def test_there_are_21_divisions_and_each_uses_every_card_once(cards: list[Card]) -> None:
    """Five and two of the same seven, never the same two twice."""
    found = list(divisions(cards))
    assert len({frozenset(two) for _, two in found}) == len(found) == 21
    assert all(Counter(five + two) == Counter(cards) for five, two in found)


@pytest.mark.parametrize(
    ("two", "five", "is_lower"),
    [
        ("7s 7h", "7d 7c As Kh Qd", True),
        ("As Jk", "Ad Ac 4s 3h 2d", True),
        ("As Jk", "Ks Kh Kd Qc Js", True),
        ("7s 7h", "6d 6c As Kh Qd", False),
        ("Ks Qh", "Kd Jc 9s 8h 7d", False),
        ("Ks Qh", "Kd Qc 9s 8h 7d", True),
    ],
)
def test_11_9_a_a_low_hand_can_be_compared_with_the_high_hand(two: str, five: str, is_lower: bool) -> None:
    """Two cards rank against five by pair, then by their own high cards; three cards more decide a tie."""
    assert (pai_gow_two(hand(two)) <= pai_gow_five(hand(five))) is is_lower


@given(hands(7, joker=True))
def test_11_3_g_kinds_in_seven_are_those_of_its_fives(cards: list[Card]) -> None:
    """A kind is found exactly if some five cards are it at their best, straight flushes also by the joker."""
    fives = list(combinations(cards, 5))
    bests = {best(kinds_of_pai_gow_five(five), HIGH_HANDS[::-1]) for five in fives}
    flushes = [five for five in fives if best(kinds_of_pai_gow_five(five), HIGH_HANDS[::-1]) == "straight_flush"]
    by_joker = {f"straight_flush_{'with' if JOKER in five else 'without'}_joker" for five in flushes}
    assert kinds_in_seven(cards) == bests | by_joker


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("As 2s 3s 4s 5s 6s 7s", "seven_card_straight_flush_no_joker"),
        ("8s 9s Ts Js Qs Ks As", "seven_card_straight_flush_no_joker"),
        ("8s 9s Ts Jk Qs Ks As", "seven_card_straight_flush_with_joker"),
        ("As 2s 3s 4s 5s 6s Jk", "seven_card_straight_flush_with_joker"),
        ("2s 3s 4s 5s 6s 7s Jk", "seven_card_straight_flush_with_joker"),
    ],
)
def test_11_3_f_seven_in_a_row_of_one_suit(words: str, kind: str) -> None:
    """With or without the joker, the ace at either end."""
    assert kind in kinds_of_seven(hand(words))


@pytest.mark.parametrize(
    "words", ["2s 3s 4s 5s 6s 7s 9s", "Ks As 2s 3s 4s 5s 6s", "2s 3s 4s 5s 6s 7s 8h", "Js Qs Ks As 2s 3s Jk"]
)
def test_11_3_f_a_gap_a_wrap_or_another_suit_is_no_seven_card_straight_flush(words: str) -> None:
    """Seven cards of one suit in consecutive ranking, all of them."""
    assert not any(kind.startswith("seven_card") for kind in kinds_of_seven(hand(words)))


@pytest.mark.parametrize(
    ("words", "king_queen", "ace_king"),
    [
        ("As Ks Qs Js Ts Kh Qh", True, False),
        ("As Ks Qs Js Jk Kh Qh", True, False),
        ("As Ks Qs Js Ts Kh Qd", False, False),
        ("As Ks Qs Js Ts Ah Kh", False, True),
        ("As Ks Qs Js Jk Ah Kh", False, False),
        ("As Ks Qs Js Ts Ah Jk", False, False),
        ("As Ks Qs Js Ts Kh Jk", False, False),
    ],
)
def test_11_3_f_2_royal_match_by_either_option(words: str, king_queen: bool, ace_king: bool) -> None:
    """(i) king and queen of a suit beside a royal, joker or not; (ii) ace and king, no joker anywhere."""
    match = "royal_flush_plus_royal_match"
    assert (match in kinds_of_seven(hand(words), "king_queen")) is king_queen
    assert (match in kinds_of_seven(hand(words), "ace_king_natural")) is ace_king


@given(hands(7, joker=True))
def test_11_3_h_a_pai_gow_holds_no_poker_hand_and_its_joker_is_an_ace(cards: list[Card]) -> None:
    """No pair, straight or flush in any five, the joker being an ace without a suit."""
    as_ace = [Card(ACE, "*") if card == JOKER else card for card in cards]
    fives = list(combinations(as_ace, 5))
    is_hand = any(same_suit(five) or in_a_row(five) or kind_of_five(five) != "high_card" for five in fives)
    names = (
        "",
        "",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "jack",
        "queen",
        "king",
        "ace",
    )
    high = names[max(card.rank for card in as_ace)]
    assert pai_gow(cards) == (frozenset() if is_hand else {f"{high}_high"})
