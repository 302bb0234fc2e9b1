"""The deck of pai gow poker: who cuts it, how deep, and how many cards are left after the deal."""

from typing import Any

import pytest

from games.showdown.input import InputFault
from games.showdown.pai_gow.deck import is_cut_deep_enough
from tests.support.games.showdown_asking import ask

GAME = "pai-gow-poker"
SEATS = [1, 3, 6]


def offered(**told: Any) -> tuple[list[int], str]:
    answer = ask(GAME, "cut", seats=SEATS, **told)
    return answer["offers"], answer["rule"]


def test_11_6_d_1_the_first_player_at_the_table_is_offered_the_first_cut() -> None:
    """Whoever came first, wherever he sits."""
    assert offered(first_player=3) == ([3, 1, 6], "11.6(d)1")


def test_11_6_d_2_the_bank_is_offered_the_cut_then_the_others_counterclockwise() -> None:
    """From the bank to its right, around the table."""
    assert offered(bank=3) == ([3, 1, 6], "11.6(d)2")
    assert offered(bank=1) == ([1, 6, 3], "11.6(d)2")


def test_11_6_d_3_without_a_bank_the_far_right_is_offered_and_the_offer_rotates() -> None:
    """Counterclockwise from round to round."""
    assert offered() == ([6, 3, 1], "11.6(d)3")
    assert offered(last_offered=6) == ([3, 1, 6], "11.6(d)3")
    assert offered(last_offered=1) == ([6, 3, 1], "11.6(d)3")


@pytest.mark.parametrize(("cards_above", "deep"), [(9, False), (10, True), (43, True), (44, False), (0, False)])
def test_11_6_e_the_cutting_card_lies_at_least_ten_cards_from_either_end(cards_above: int, deep: bool) -> None:
    """Of 53 cards; otherwise a supervisor may require a recut (11.6(f))."""
    assert is_cut_deep_enough(cards_above) is deep
    assert (ask(GAME, "cut", seats=SEATS, cards_above=cards_above)["recut"] is None) is deep


@pytest.mark.parametrize(
    ("cards_left", "misdealt", "expected"),
    [
        (4, False, ("stand", "untouched", "11.8(d)1, 11.8A(d)1, 11.8B(e)1")),
        (3, True, ("void_all", "reshuffle", "11.11(h)")),
        (5, True, ("void_all", "reshuffle", "11.11(h)")),
        (3, False, ("void_all", "remove_deck", "11.8(d)2, 11.8A(d)2, 11.8B(e)2, 11.17(h)2")),
        (5, False, ("void_all", "remove_deck", "11.8(d)2, 11.8A(d)2, 11.8B(e)2, 11.17(h)2")),
    ],
)
def test_11_8_d_exactly_four_cards_are_left(cards_left: int, misdealt: bool, expected: tuple[str, str, str]) -> None:
    """Misdealt cards are reshuffled; a deck that is wrong by itself leaves the table."""
    told = ask(GAME, "left", cards_left=cards_left, misdealt=misdealt)
    assert (told["hands"], told["cards"], told["rule"]) == expected


@pytest.mark.parametrize("hands", range(2, 7))
def test_11_17_h_the_stub_is_what_the_dealt_hands_leave_of_53(hands: int) -> None:
    """Only wagers and the dealer are dealt to, so the right stub depends on their number."""
    stub = 53 - 7 * hands
    told = ask(GAME, "left", cards_left=stub, hands=hands)
    assert (told["hands"], told["rule"]) == ("stand", "11.17(h)1")
    for wrong in (stub - 1, stub + 1):
        assert ask(GAME, "left", cards_left=wrong, hands=hands)["cards"] == "remove_deck"
        assert ask(GAME, "left", cards_left=wrong, hands=hands, misdealt=True)["rule"] == "11.11(h)"


@pytest.mark.parametrize("rounds", range(1, 9))
def test_11_17_h_the_stub_is_counted_at_least_once_every_five_rounds(rounds: int) -> None:
    """The fifth round without a count may wait no longer; a shuffler that counts leaves none to do (11.17(i))."""
    told = ask(GAME, "stub", rounds_uncounted=rounds)
    assert (told["due"], told["rule"]) == (rounds >= 5, "11.17(h)")
    counted = ask(GAME, "stub", rounds_uncounted=rounds, shuffler_counts=True)
    assert (counted["due"], counted["rule"]) == (False, "11.17(i)")


@pytest.mark.parametrize(
    ("question", "told", "where"),
    [
        ("cut", {"seats": []}, "seats"),
        ("cut", {"seats": [1, 1]}, "seats"),
        ("cut", {"seats": SEATS, "bank": 2}, "bank"),
        ("cut", {"seats": SEATS, "first_player": 2}, "first_player"),
        ("cut", {"seats": SEATS, "first_player": 1, "bank": 3}, "bank"),
        ("left", {"cards_left": 4, "misdealt": True}, "misdealt"),
    ],
)
def test_questions_about_the_deck_that_cannot_be_are_refused(question: str, told: dict[str, Any], where: str) -> None:
    """A fault names the place."""
    fault = ask(GAME, question, **told)
    assert isinstance(fault, InputFault)
    assert fault.where == where


def demanded(**told: Any) -> list[str]:
    """The clauses of what must be done before the next hand."""
    return [demand["rule"] for demand in ask(GAME, "deck", **told)["demands"]]


def test_11_2_a_the_deck_has_53_cards_with_one_joker() -> None:
    """A second joker is torn, and a deck of 52 or 54 cards is replaced (S-79)."""
    assert [demanded(jokers=jokers) for jokers in (0, 1, 2)] == [["11.2(a), 11.5(b)"], [], ["11.2(a), 11.5(b)"]]
    assert [demanded(cards_in_deck=cards) for cards in (52, 53, 54)] == [["11.2(a)"], [], ["11.2(a)"]]


def test_11_2_b_a_second_deck_needs_a_shuffler() -> None:
    """One deck by hand, two beside a shuffler, never three (S-79)."""
    assert [demanded(decks=decks) for decks in (1, 2)] == [[], ["11.2(b)"]]
    assert [demanded(decks=decks, shuffler=True) for decks in (1, 2, 3)] == [[], [], ["11.2(b)"]]


def test_11_2_b_2_4_two_decks_differ_and_take_turns() -> None:
    """Backs of different colors, and each deck in every other round (S-79)."""
    assert demanded(decks=2, shuffler=True, backs_differ=False) == ["11.2(b)2"]
    assert demanded(decks=2, shuffler=True, same_deck_as_last_round=True) == ["11.2(b)4"]
    assert demanded(decks=1, same_deck_as_last_round=True) == []


def test_11_5_b_c_the_first_player_inspects_the_cards() -> None:
    """They lie face up until then (S-83)."""
    assert [demanded(players_inspected=players) for players in (0, 1, 2)] == [["11.5(b)-(c)"], [], []]


def test_11_6_a_the_cards_are_shuffled_before_every_round() -> None:
    """What nobody has said is not judged (S-83)."""
    assert (demanded(shuffled=False), demanded(shuffled=True), demanded()) == (["11.6(a)"], [], [])
