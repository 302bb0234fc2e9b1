"""Equal kinds of hands: the highest card that the other lacks decides, suits never do (14.3(d))."""

import pytest

from games.ranking import high_five, high_three
from tests.support.games.card_hands import hand


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("As Kd 9c 5h 3s", "Kh Qd Jc Th 8s"),
        ("As Kd 9c 5h 3s", "Ah Qd Jc Th 9s"),
        ("As Kd 9c 5h 3s", "Ah Kc 8c 7h 6s"),
        ("As Kd 9c 5h 2s", "Ah Kc 9d 4h 3s"),
        ("As Kd 9c 5h 3s", "Ah Kc 9d 5c 2s"),
        ("3s 3d 6c 5h 4s", "2h 2d Ac Kh Qs"),
        ("9s 9d Ac 5h 3s", "9h 9c Kc Qh Js"),
        ("9s 9d Ac 5h 3s", "9h 9c Ad 4h 3d"),
        ("9s 9d Ac 5h 3s", "9h 9c Ad 5c 2d"),
        ("Ts Td 3c 3h 2s", "9s 9d 8c 8h As"),
        ("Ts Td 4c 4h 2s", "Th Tc 3c 3h As"),
        ("Ts Td 4c 4h 6s", "Th Tc 4s 4d 5s"),
        ("8s 8d 8c 3h 2s", "7s 7d 7c Ah Ks"),
        ("6s 5d 4c 3h 2s", "As 2d 3c 4h 5s"),
        ("As Js 9s 5s 3s", "Kh Qh Jh Th 8h"),
        ("As Js 9s 5s 3s", "Ah Th 9h 8h 7h"),
        ("As Js 9s 5s 3s", "Ah Jh 8h 7h 6h"),
        ("As Js 9s 5s 2s", "Ah Jh 9h 4h 3h"),
        ("As Js 9s 5s 3s", "Ah Jh 9h 5h 2h"),
        ("8s 8d 8c 2h 2s", "7s 7d 7c Ah As"),
        ("8s 8d 8c 8h 2s", "7s 7d 7c 7h As"),
        ("9s 8s 7s 6s 5s", "8h 7h 6h 5h 4h"),
        ("6s 5s 4s 3s 2s", "Ah 2h 3h 4h 5h"),
    ],
)
def test_14_3_d_each_card_counts_down_to_the_last(higher: str, lower: str) -> None:
    """The hand with the highest card that the other lacks is the higher one (S-64)."""
    assert high_five(hand(higher)).name == high_five(hand(lower)).name
    assert high_five(hand(higher)) > high_five(hand(lower))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("As Kd 9c 5h 3s", "Ah Kc 9d 5c 3d"),
        ("9s 9d Ac 5h 3s", "9h 9c Ad 5c 3d"),
        ("Ts Td 4c 4h 2s", "Th Tc 4s 4d 2c"),
        ("As Js 9s 5s 3s", "Ah Jh 9h 5h 3h"),
        ("9s 8d 7c 6h 5s", "9d 8c 7h 6s 5d"),
        ("9s 8s 7s 6s 5s", "9h 8h 7h 6h 5h"),
    ],
)
def test_14_3_d_the_same_ranks_in_other_suits_are_tied(one: str, other: str) -> None:
    """And share the pot (S-64)."""
    assert high_five(hand(one)) == high_five(hand(other))


@pytest.mark.parametrize(
    ("higher", "lower"),
    [("As 9d 3c", "Ks Qd Tc"), ("As 9d 3c", "Ah 8d 7c"), ("As 9d 3c", "Ah 9c 2d"), ("9s 9d 3c", "9h 9c 2d")],
)
def test_14_3_d_three_cards_count_down_to_the_last(higher: str, lower: str) -> None:
    """The same with a hand of three (S-64)."""
    assert high_three(hand(higher)) > high_three(hand(lower))
