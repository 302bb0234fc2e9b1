"""Who opens a betting round: forced bets by up-card and suit, hands showing, the button, and the kill."""

from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.cards import DECK, Card
from games.showdown.input import InputFault
from games.showdown.poker.betting_order import FORCED_BETS, button_round, clockwise_after, forced_bet
from games.showdown.poker.kill import Kill, next_kill
from tests.support.games.showdown_asking import ask, player, words


def opens(game: str, **up_cards: str) -> tuple[int, str]:
    told = ask(game, "opening", up_cards={seat.removeprefix("s"): words(cards) for seat, cards in up_cards.items()})
    return told["seat"], told["rule"]


def test_14_9_d_1_stud_high_is_opened_by_the_lowest_up_card() -> None:
    """An ace is high here."""
    assert opens("seven-card-stud-high", s1="As", s2="3d", s3="Kh") == (2, "14.9(d)1")


def test_14_9_d_2_high_low_is_opened_by_the_highest_up_card_with_the_ace_below_the_two() -> None:
    """The king opens before the ace, and two before the ace."""
    assert opens("seven-card-stud-high-low", s1="As", s2="3d", s3="Kh") == (3, "14.9(d)2")
    assert opens("seven-card-stud-high-low", s1="As", s2="2c") == (2, "14.9(d)2")


def test_14_9_d_3_eight_or_better_is_opened_by_the_lowest_up_card_with_the_ace_highest() -> None:
    """A two opens before an ace."""
    assert opens("seven-card-stud-eight-or-better", s1="Ac", s4="2s", s6="Kh") == (4, "14.9(d)3")


def test_14_13_d_five_card_stud_and_14_13a_d_mambo_are_opened_by_the_lowest_up_card() -> None:
    """The same rule in two more games."""
    assert opens("five-card-stud", s1="5h", s2="5d", s3="As") == (2, "14.13(d)")
    assert opens("mambo-stud", s1="5h", s2="5c", s11="Ks") == (2, "14.13A(d)")


@pytest.mark.parametrize("game", sorted(FORCED_BETS))
def test_14_9_d_equal_ranks_are_ranked_spades_hearts_diamonds_clubs(game: str) -> None:
    """Of four sevens the lowest opens with clubs, the highest with spades."""
    sevens = {seat: Card(7, suit) for seat, suit in enumerate("hcsd", start=1)}
    expected = 3 if FORCED_BETS[game].takes == "highest" else 2
    assert forced_bet(FORCED_BETS[game], sevens).seat == expected


@settings(deadline=None)
@given(
    cards=st.lists(st.sampled_from(DECK), min_size=2, max_size=8, unique=True),
    game=st.sampled_from(sorted(FORCED_BETS)),
)
def test_14_9_d_exactly_one_up_card_opens_and_its_seat_does_not_matter(cards: list[Card], game: str) -> None:
    """Suits leave no ties, so the card opens wherever it lies."""
    rule = FORCED_BETS[game]
    there = forced_bet(rule, dict(enumerate(cards, start=1)))
    back = forced_bet(rule, dict(enumerate(reversed(cards), start=1)))
    assert cards[there.seat - 1] == list(reversed(cards))[back.seat - 1]


@pytest.mark.parametrize(
    ("showing", "seat"),
    [
        ({"s1": "As Kd", "s2": "2c 2d", "s3": "Ah Qd"}, 2),
        ({"s1": "As Kd Qc", "s2": "Ts Js Qs", "s3": "Ah Kc Jd"}, 1),  # three to a straight flush are nothing yet
        ({"s1": "9s 9d 4c 4d", "s2": "5c 5d 5h 2s", "s3": "Ah Kc Jd Tc"}, 2),
        ({"s1": "9s 9d 4c 4d", "s2": "9c 9h 4s 3d"}, 1),
    ],
)
def test_14_9_f_1_the_highest_hand_showing_bets_or_checks(showing: dict[str, str], seat: int) -> None:
    """Pairs and better count among the up-cards; straights and flushes need five."""
    assert opens("seven-card-stud-high", **showing) == (seat, "14.9(f)1")


def test_14_9_f_2_of_equal_hands_the_one_closest_to_the_dealers_left_acts() -> None:
    """Suits do not decide here."""
    assert opens("seven-card-stud-high", s5="As Kd", s3="Ac Kh", s7="Qs Jd") == (3, "14.9(f)2")


def test_14_13_f_in_five_card_stud_the_highest_hand_must_bet() -> None:
    """The text gives it no check."""
    told = ask("five-card-stud", "opening", up_cards={"2": words("Ks Kd 3h"), "6": words("As Qd 3c")})
    assert (told["seat"], told["action"], told["rule"]) == (2, "bet", "14.13(f)")


@pytest.mark.parametrize(
    ("game", "up_cards", "where"),
    [
        ("seven-card-stud-high", {"1": ["As"]}, "up_cards"),
        ("seven-card-stud-high", {"1": ["As"], "9": ["Ks"]}, "up_cards"),
        ("seven-card-stud-high", {"1": ["As"], "2": ["Ks", "Kd"]}, "up_cards.2"),
        ("seven-card-stud-high", {"1": [], "2": []}, "up_cards.1"),
        ("mambo-stud", {"1": ["As", "Ad"], "2": ["Ks", "Kd"]}, "up_cards.1"),
        ("five-card-stud", {"1": ["As"], "2": ["As"]}, "up_cards.2[0]"),
    ],
)
def test_up_cards_that_cannot_lie_so_are_refused(game: str, up_cards: dict[str, Any], where: str) -> None:
    """A fault names the place."""
    fault = ask(game, "opening", up_cards=up_cards)
    assert isinstance(fault, InputFault)
    assert fault.where == where


def test_14_10_c_the_button_starts_at_the_dealers_right_and_moves_clockwise() -> None:
    """At the commencement of play the highest seat has it; then the next occupied seat to the left."""
    first = button_round((2, 5, 9), None, blinds=1, folded=())
    assert (first.button, first.next_button) == (9, 2)
    assert button_round((2, 5, 9), 2, blinds=1, folded=()).next_button == 5


def test_14_10_d_the_blinds_are_to_the_left_of_the_button() -> None:
    """One blind, and more behind it where the house posts so; the next player answers first."""
    told = ask("holdem", "opening", seats=[1, 4, 7, 9], button=7, blinds=2)
    assert (told["blinds"], told["first_to_answer"]) == ([9, 1], 4)
    assert ask("omaha-high", "opening", seats=[1, 4, 7, 9], button=7)["blinds"] == [9]


def test_14_10_g_and_14_12_g_later_rounds_begin_left_of_the_button_with_a_player_still_in() -> None:
    """Folded players are passed over."""
    for game in ("holdem", "omaha-eight-or-better", "five-card-draw-low"):
        assert ask(game, "opening", seats=[1, 4, 7], button=7, folded=[1])["first_later"] == 4


@settings(deadline=None)
@given(seats=st.lists(st.integers(1, 11), min_size=2, unique=True), button=st.integers(1, 11))
def test_14_10_c_the_button_visits_every_player_once_in_a_lap(seats: list[int], button: int) -> None:
    """Clockwise means every seat, each once, the button's own last."""
    order = clockwise_after(seats, button)
    assert sorted(order) == sorted(seats)
    assert button not in order[:-1]
    assert all(clockwise_after(seats, here)[0] == there for here, there in pairwise(order))


@pytest.mark.parametrize(
    ("told", "where"),
    [
        ({"seats": [3]}, "seats"),
        ({"seats": [3, 3]}, "seats"),
        ({"seats": [1, 2], "button": 11}, "button"),
        ({"seats": [1, 2], "blinds": 3}, "blinds"),
        ({"seats": [1, 2], "folded": [1, 2]}, "folded"),
        ({"seats": [1, 2], "folded": [4]}, "folded"),
    ],
)
def test_button_rounds_that_cannot_be_are_refused(told: dict[str, Any], where: str) -> None:
    """A fault names the place."""
    fault = ask("omaha-high", "opening", **told)
    assert isinstance(fault, InputFault)
    assert fault.where == where


OMAHA: dict[str, Any] = {
    "players": {"2": player("As 2s Kd Kh", 20_00), "6": player("9s 9h Td Th", 20_00)},
    "community": words("4d 5h Kc 8c Qs"),
}
POSTED: dict[str, Any] = {"kind": "kill", "minimum_cents": 4_00, "times": 10}


def test_14_11_i_the_winner_of_an_entire_qualifying_pot_gets_the_kill_button() -> None:
    """Ten times the minimum of $4 is $40: the pot qualifies, and the next blind is the doubled minimum."""
    told = ask("omaha-eight-or-better", **OMAHA, kill=POSTED)["kill"]
    assert (told["seat"], told["action"], told["blind_cents"], told["rule"]) == (2, "place", 8_00, "14.11(i)")


@pytest.mark.parametrize(("times", "lawful"), [(4, False), (5, True), (15, True), (16, False)])
def test_14_11_i_a_pot_qualifies_by_five_to_fifteen_times_the_minimum(times: int, lawful: bool) -> None:
    """The house posts a number between these."""
    asked = {**OMAHA, "kill": {**POSTED, "times": times}}
    if lawful:
        assert ask("omaha-eight-or-better", **asked)["kill"]["rule"] == "14.11(i)"
    else:
        with pytest.raises(msgspec.ValidationError, match=r"kill\.times"):
            ask("omaha-eight-or-better", **asked)


def test_14_11_i_the_kill_button_lies_before_a_player_of_the_hand() -> None:
    """Somebody who was not dealt in has no blind to post."""
    fault = ask("omaha-eight-or-better", **OMAHA, kill={**POSTED, "holder": 3})
    assert isinstance(fault, InputFault)
    assert fault.where == "kill.holder"
    assert "14.11(i)" in fault.problem


def test_14_11_i_a_half_kill_raises_the_minimum_by_half() -> None:
    """$4 become $6."""
    assert ask("omaha-eight-or-better", **OMAHA, kill={**POSTED, "kind": "half_kill"})["kill"]["blind_cents"] == 6_00


def test_14_11_i_a_pot_too_small_does_not_qualify() -> None:
    """Eleven times $4 is more than the pot."""
    told = ask("omaha-eight-or-better", **OMAHA, kill={**POSTED, "times": 11})["kill"]
    assert (told["seat"], told["action"], told["blind_cents"]) == (None, "none", None)


def test_14_11_i_while_the_button_lies_the_pot_is_measured_by_the_increased_minimum() -> None:
    """Five times $8 is reached by $40, six times is not; the blind is not raised twice."""
    kept = ask("omaha-eight-or-better", **OMAHA, kill={**POSTED, "times": 5, "holder": 2})["kill"]
    assert (kept["action"], kept["blind_cents"]) == ("keep", 8_00)
    assert (
        ask("omaha-eight-or-better", **OMAHA, kill={**POSTED, "times": 6, "holder": 2})["kill"]["action"] == "collect"
    )


@pytest.mark.parametrize(
    ("holder", "shares", "expected"),
    [
        (None, {1: 80_00, 2: 0}, (1, "place")),
        (1, {1: 80_00, 2: 0}, (1, "keep")),
        (2, {1: 80_00, 2: 0}, (1, "move")),
        (2, {1: 40_00, 2: 40_00}, (None, "collect")),
        (None, {1: 40_00, 2: 40_00}, (None, "none")),
    ],
)
def test_14_11_i_the_button_stays_moves_or_is_collected(
    holder: int | None, shares: dict[int, int], expected: tuple[int | None, str]
) -> None:
    """It stays in effect while qualifying pots are won whole."""
    button = next_kill(Kill("kill", 4_00, 10, holder), 80_00, shares)
    assert (button.seat, button.action) == expected
