"""Setting pai gow poker's hands: correct, foul, and the house way."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.cards import DECK_AND_JOKER, Card, parse_cards
from games.ranking.pai_gow import Wheel
from games.showdown.input import InputFault
from games.showdown.pai_gow.house_way import HOUSE_WAYS, set_house_way
from games.showdown.pai_gow.setting import Foul, Setting, allowed_settings, check
from tests.support.games.showdown_asking import ask, words

GAME = "pai-gow-poker"
STANDARD = HOUSE_WAYS["standard"]
WHEELS: list[Wheel] = ["second_highest", "lowest"]
sevens = st.lists(st.sampled_from(DECK_AND_JOKER), min_size=7, max_size=7, unique=True)


@st.composite
def few_ranks(draw: st.DrawFn) -> list[Card]:
    """Seven cards of three or four ranks, so that fours, full houses and five aces are common."""
    ranks = draw(st.sets(st.integers(2, 14), min_size=3, max_size=4)) | {14}
    pool = [card for card in DECK_AND_JOKER if card.rank in ranks or card.rank == 0]
    return draw(st.permutations(pool))[:7]


def cards(text: str) -> tuple[Card, ...]:
    read = parse_cards(words(text), joker=True)
    assert isinstance(read, tuple)
    return read


@pytest.mark.parametrize(
    ("high", "low"),
    [
        ("7s 7d Kh 9c 2s", "7h 7c"),  # the rule's own example: a pair of sevens needs at least a pair of sevens
        ("As Kd 9h 5c 2s", "Ah Kc"),
        ("As Kd 9h 5c 2s", "Kh Qc"),
        ("As Kd Qh Jc 9s", "Jk 3c"),
        ("As 2d 3h 4c 5s", "Ah Ac"),
    ],
)
def test_11_9_a_the_high_hand_is_equal_to_or_higher_than_the_low_hand(high: str, low: str) -> None:
    """Pairs against pairs, then the highest cards; the joker is an ace in the low hand, too."""
    assert isinstance(check(cards(high), cards(low), "second_highest"), Setting)


@pytest.mark.parametrize(
    ("high", "low"),
    [
        ("6s 6d Kh 9c 2s", "7h 7c"),
        ("Ks Qd 9h 5c 2s", "Ah 3c"),
        ("As Qd 9h 5c 2s", "Ah Kc"),
        ("As Kd Qh Jc 9s", "2h 2c"),
        ("Jk 3d 9h 5c 2s", "As Qc"),
    ],
)
def test_11_9_g_3_a_high_hand_below_the_low_hand_is_foul(high: str, low: str) -> None:
    """The wager is lost, whatever the dealer holds."""
    told = check(cards(high), cards(low), "second_highest")
    assert told == Foul("the high hand ranks below the low hand", "11.9(g)3")


def test_11_9_g_4_four_and_three_cards_are_foul() -> None:
    """The rule's own example of hands that were not set correctly."""
    told = check(cards("As Kd Qh Jc"), cards("9s 8d 7h"), "second_highest")
    assert isinstance(told, Foul)
    assert told.rule == "11.9(g)4"


# Each line is one rule of the documented house way (docs/showdown.md).
HOUSE: list[tuple[str, str]] = [
    ("As Qd Th 8c 6s 4d 2h", "Qd Th"),  # no pair
    ("9s 9d Ah Kc 6s 4d 2h", "Ah Kc"),  # one pair
    ("9s 9d 5h 5c As 4d 2h", "As 4d"),  # medium and small, an ace: together
    ("9s 9d 5h 5c Ks 4d 2h", "5h 5c"),  # ... a king is not enough
    ("5s 5d 3h 3c Ks 4d 2h", "Ks 4d"),  # two small pairs stay for a king
    ("5s 5d 3h 3c Qs 4d 2h", "3h 3c"),
    ("Ts Td 8h 8c As 4d 2h", "As 4d"),  # two medium pairs stay for an ace
    ("Js Jd 4h 4c As 9d 2h", "As 9d"),  # a large and a small pair stay for an ace
    ("Js Jd 8h 8c As 4d 2h", "8h 8c"),  # large and medium never
    ("Ks Kd Jh Jc As 4d 2h", "Jh Jc"),
    ("As Ad 2h 2c Ks 9d 4h", "2h 2c"),  # aces never
    ("As Jk 2h 2c Ks 9d 7h", "2h 2c"),  # ace and joker are aces
    ("As Jk Ks Qs Js 9d 9h", "9d 9h"),  # ... and the high hand is a royal flush all the same
    ("9s 9d 5h 5c 4s 4d Ah", "9s 9d"),  # three pairs
    ("9s 9d 9h Ac Ks 4d 2h", "Ac Ks"),  # three of a kind
    ("As Ad Ah Qc 9s 4d 2h", "As Qc"),  # three aces: one goes low
    ("9s 9d 9h 5c 5s 5d 2h", "9s 9d"),  # two threes of a kind
    ("9s 9d 9h 5c 5s Ad Kh", "5c 5s"),  # full house
    ("9s 9d 9h 2c 2s Ad Kh", "Ad Kh"),  # ... with deuces beside ace and king
    ("9s 9d 9h 2c 2s Ad Qh", "2c 2s"),
    ("9s 9d 9h 5c 5s 7d 7h", "7d 7h"),  # full house and a pair
    ("5s 5d 5h 5c As Kd Qh", "As Kd"),  # small fours never
    ("9s 9d 9h 9c Ks 4d 2h", "Ks 4d"),  # medium fours stay for a king
    ("9s 9d 9h 9c Qs 4d 2h", "9s 9d"),
    ("Qs Qd Qh Qc Ks 4d 2h", "Qs Qd"),  # large fours stay for an ace
    ("Qs Qd Qh Qc As 4d 2h", "As 4d"),
    ("As Ad Ah Ac Ks 4d 2h", "As Ad"),  # aces are split
    ("As Ad Ah Ac 7s 7d 2h", "7s 7d"),  # ... unless sevens or better go low
    ("As Ad Ah Ac 6s 6d 2h", "As Ad"),
    ("9s 9d 9h 9c 4s 4d 2h", "4s 4d"),  # four of a kind beside a pair
    ("As Ad Ah Ac Jk Qd 2h", "As Ad"),  # five aces
    ("As Ad Ah Ac Jk Kd Kh", "Kd Kh"),
    ("5s 6d 7h 8c 9s Ad Kh", "Ad Kh"),  # straight
    ("5s 6d 7h 8c 9s 9d Kh", "9d Kh"),  # straight with a pair: the pair is needed for nothing better
    ("4s 5s 6d 7h 8c 9s 9d", "9s 9d"),  # six in a row leave the pair
    ("2s 5s 9s Js Ks Ad Ah", "Ad Ah"),  # flush and a pair
    ("2s 5s 9s Js Ks As Qd", "As Qd"),  # six suited: the ace may go low
    ("2s 3s 4s 5s 6s Kd Kh", "Kd Kh"),  # straight flush
]


@pytest.mark.parametrize(("seven", "low"), HOUSE)
def test_11_9_d_the_house_way_sets_each_kind_of_hand_as_documented(seven: str, low: str) -> None:
    """Compared by rank: which of equal cards goes low does not matter."""
    setting = set_house_way(cards(seven), STANDARD, "second_highest").setting
    wanted = sorted(14 if card.rank == 0 else card.rank for card in cards(low))
    assert sorted(14 if card.rank == 0 else card.rank for card in setting.low) == wanted


@settings(deadline=None)
@given(seven=sevens | few_ranks(), wheel=st.sampled_from(WHEELS))
def test_11_9_d_the_house_way_sets_any_seven_cards_by_the_rules(seven: list[Card], wheel: Wheel) -> None:
    """Whatever is dealt, the dealer's hands use all seven cards and are not foul."""
    setting = set_house_way(seven, STANDARD, wheel).setting
    assert sorted(map(str, (*setting.high, *setting.low))) == sorted(map(str, seven))
    assert check(setting.high, setting.low, wheel) == setting


@settings(deadline=None)
@given(seven=sevens | few_ranks(), data=st.data(), wheel=st.sampled_from(WHEELS))
def test_11_9_d_the_house_way_does_not_see_the_order_of_the_cards(
    seven: list[Card], data: st.DataObject, wheel: Wheel
) -> None:
    """However the cards were dealt, both hands rank the same."""
    shuffled = data.draw(st.permutations(seven))
    there, back = (set_house_way(hand, STANDARD, wheel).setting for hand in (seven, shuffled))
    assert there.strength() == back.strength()


@settings(deadline=None)
@given(seven=sevens)
def test_11_9_a_only_hands_that_are_not_foul_may_be_set(seven: list[Card]) -> None:
    """Some division of seven cards is always allowed, and none of the allowed is foul."""
    allowed = list(allowed_settings(seven, "second_highest"))
    assert 1 <= len(allowed) <= 21
    assert all(setting.high_rank.key >= setting.low_rank.key for setting in allowed)


def test_11_3_b_d_the_wheel_option_reaches_the_setting() -> None:
    """A-2-3-4-5 beats a king-high straight, unless the licensee makes it the lowest straight."""
    wheel, king = cards("As 2d 3h 4c 5s"), cards("Ks Qd Jh Tc 9s")
    for option, higher in (("second_highest", True), ("lowest", False)):
        ranks = [check(high, cards("3s 2h"), option) for high in (wheel, king)]  # type: ignore[arg-type]  # literals
        assert isinstance(ranks[0], Setting)
        assert isinstance(ranks[1], Setting)
        assert (ranks[0].high_rank > ranks[1].high_rank) is higher


def test_11_9_b_the_dealer_may_tell_a_player_the_house_way() -> None:
    """The question shows the hand as it lies beside the house way."""
    told = ask(GAME, "setting", hand={"high": words("6s 6d Kh 9c 2s"), "low": words("7h 7c")})
    assert told["lies"]["rule"] == "11.9(g)3"
    assert told["lies"]["high_hand"] is None
    assert told["house_way"]["low"] == ["6s", "6d"]
    assert told["house_way"]["set_by"] == "house_way"


@pytest.mark.parametrize(
    ("hand", "where"),
    [
        ({}, "hand"),
        ({"cards": words("As Kd Qh Jc 9s 8d 7h"), "low": words("2s 3s")}, "hand"),
        ({"high": words("As Kd Qh Jc 9s")}, "hand"),
        ({"cards": words("As Kd Qh Jc 9s 8d")}, "hand.cards"),
        ({"high": words("As Kd Qh Jc 9s"), "low": words("8d")}, "hand"),
        ({"high": words("As Kd Qh Jc Jk"), "low": words("8d Jk")}, "hand.low[1]"),
        ({"high": words("As Kd Qh Jc Xx"), "low": words("8d 7d")}, "hand.high[4]"),
    ],
)
def test_hands_that_cannot_be_dealt_are_refused(hand: dict[str, Any], where: str) -> None:
    """A fault names the place; a wrong number of cards is an irregularity, not a foul hand."""
    fault = ask(GAME, "setting", hand=hand)
    assert isinstance(fault, InputFault)
    assert fault.where == where
