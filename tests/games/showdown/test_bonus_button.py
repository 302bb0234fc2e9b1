"""The blackjack bonus button (2.20): around from the dealer's left, one press each, and the display's amount."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.showdown.input import InputFault
from tests.support.games.played_rounds import paid, seat, settled
from tests.support.games.showdown_asking import ask, words

THREE_WINNERS = {2: "As Kd", 4: "9s Kd", 5: "Td Ah", 7: "Jc Ac"}


def button(hands: dict[int, str], *presses: tuple[int, int], **told: Any) -> Any:
    """Where the button stands after these presses; every wager is a dollar."""
    seats = {str(number): {"wager_cents": 100, "cards": words(cards)} for number, cards in hands.items()}
    pushed = [{"seat": number, "displayed_cents": cents} for number, cents in presses]
    return ask("blackjack", "bonus", seats=seats, presses=pushed, **told)


def assert_refused(answer: Any, where: str, clause: str) -> None:
    """Refused at this place, under this clause."""
    assert isinstance(answer, InputFault)
    assert (answer.where, clause in answer.problem) == (where, True)


def test_2_20_e_losing_bonuses_go_after_the_second_card_and_winners_cards_wait() -> None:
    """Before anybody draws: the losers' dollars are collected, the winners' cards lie under theirs (S-60)."""
    answer = button(THREE_WINNERS)
    assert (answer["collects_cents"], answer["cards_under_wager"]) == ({"4": 100}, [2, 5, 7])
    assert answer["paid"] == []


def test_2_20_f_the_button_begins_at_the_dealers_left_and_ends_with_the_last_winner() -> None:
    """Seat 2, past the loser, seat 5, seat 7, and then nobody (S-60)."""
    presses = [(2, 25_00), (5, 5_00), (7, 100_00)]
    places = [button(THREE_WINNERS, *presses[:count])["button_at"] for count in range(4)]
    assert places == [2, 5, 7, None]


def test_2_20_f_each_press_pays_what_the_display_showed_then() -> None:
    """Its own amount to each winner, in the order of the presses."""
    answer = button(THREE_WINNERS, (2, 25_00), (5, 5_00))
    assert [(line["seat"], line["amount_cents"], line["rule"]) for line in answer["paid"]] == [
        (2, 25_00, "2.20(f)"),
        (5, 5_00, "2.20(f)"),
    ]


@pytest.mark.parametrize("again", [2, 5])
def test_2_20_f_a_winner_presses_once(again: int) -> None:
    """Neither at once nor when the button has moved on: the second amount is nobody's."""
    answer = button(THREE_WINNERS, (2, 25_00), (5, 5_00), (again, 100_00))
    assert_refused(answer, "presses[2].seat", "2.20(f)")
    assert "presses once" in answer.problem


def test_2_20_f_nobody_presses_before_the_button_lies_there() -> None:
    """Seat 5 waits for seat 2, and is told so."""
    answer = button(THREE_WINNERS, (5, 5_00))
    assert_refused(answer, "presses[0].seat", "2.20(f)")
    assert "before seat 2" in answer.problem


@pytest.mark.parametrize("stranger", [4, 6])
def test_2_20_d_only_a_blackjack_in_two_cards_presses(stranger: int) -> None:
    """Not a loser, not a player without a bonus wager."""
    assert_refused(button(THREE_WINNERS, (stranger, 5_00)), "presses[0].seat", "2.20(d)")


@pytest.mark.parametrize("cents", [99, 250, 501])
def test_2_20_a_the_button_is_for_wagers_of_one_or_five_dollars(cents: int) -> None:
    """No other amount is a bonus wager."""
    answer = ask("blackjack", "bonus", seats={"3": {"wager_cents": cents, "cards": ["As", "Kd"]}})
    assert_refused(answer, "seats.3.wager_cents", "2.20(a)")


def test_what_cannot_lie_there_is_refused_by_place() -> None:
    """No seats, a third card, a card more often than the decks hold it."""
    assert button({}) == InputFault("write at least one seat", "seats")
    assert_refused(button({1: "As Kd 2c"}), "seats.1.cards", "3 cards where 2 belong")
    assert_refused(button({1: "As Kd", 2: "As Qd"}, decks=1), "seats.2.cards[0]", "only one deck")
    assert button({1: "As Kd", 2: "As Qd"}, decks=2)["cards_under_wager"] == [1, 2]


two_cards = st.sampled_from(["As Kd", "Td Ah", "Jc Ac", "9s Kd", "Ah Ad", "2c 3c"])


@given(st.dictionaries(st.integers(1, 7), st.tuples(two_cards, st.integers(1, 100_000)), min_size=1))
def test_2_20_f_the_button_pays_as_the_settlement_does(dealt: dict[int, tuple[str, int]]) -> None:
    """Whoever wins, the tour of the button and the settled round agree on order and amounts."""
    hands = {number: cards for number, (cards, _) in dealt.items()}
    winners = button(hands)["cards_under_wager"]
    tour = button(hands, *((number, dealt[number][1]) for number in winners))
    told = {
        number: seat("blackjack bonus", cards, **({"displayed_cents": cents} if number in winners else {}))
        for number, (cards, cents) in dealt.items()
    }
    lines = [(line["seat"], "bonus", "blackjack", line["amount_cents"]) for line in tour["paid"]]
    assert lines == paid(settled("blackjack", told, decks=8))
    assert tour["button_at"] is None


@pytest.mark.parametrize("hands", [2, 3])
def test_2_20_a_multiple_action_has_no_bonus_unless_that_is_approved(hands: int) -> None:
    """2.18(a) is not in the text; a house may have an approval (S-59)."""
    assert_refused(button({2: "As Kd"}, dealer_hands=hands), "dealer_hands", "house: multiple action")
    assert button({2: "As Kd"}, dealer_hands=hands, multiple_action="approved")["button_at"] == 2
    assert button({2: "As Kd"}, dealer_hands=1)["button_at"] == 2


@pytest.mark.parametrize(("cents", "lawful"), [(99, False), (1_00, True), (2_00, False), (5_00, True), (10_00, False)])
def test_2_20_a_a_bonus_wager_is_one_or_five_dollars(cents: int, lawful: bool) -> None:
    """And nothing between or above (S-59)."""
    told = ask("blackjack", "bonus", seats={"2": {"wager_cents": cents, "cards": words("As Kd")}})
    assert isinstance(told, InputFault) is not lawful
    if not lawful:
        assert_refused(told, "seats.2.wager_cents", "2.20(a)")
