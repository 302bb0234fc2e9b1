"""The decks of a poker table (14.2, 14.4, 14.5): clocks, two decks, inspection and cut."""

from typing import Any

import pytest

from games.showdown.input import InputFault
from games.showdown.poker.games import POKER_GAMES
from games.showdown.questions import find_question
from tests.support.games.showdown_asking import ask


def rules(**told: Any) -> list[str]:
    """The clauses of what must be done before the next hand."""
    return [demand["rule"] for demand in ask("holdem", "deck", **told)["demands"]]


def test_14_2_b_a_deck_is_sorted_after_two_hours_of_use() -> None:
    """A minute before it may still be dealt from (S-121)."""
    assert rules(minutes_since_sorted=119) == []
    assert rules(minutes_since_sorted=120) == ["14.2(b)"]
    assert ask("holdem", "deck", minutes_since_sorted=95)["sort_in_minutes"] == 25


def test_14_2_b_all_decks_are_changed_after_four_hours() -> None:
    """However freshly they were sorted; sorting is not asked for besides (S-121)."""
    assert rules(minutes_since_opened=239, minutes_since_sorted=0) == []
    told = ask("holdem", "deck", minutes_since_opened=240, minutes_since_sorted=130)
    assert [demand["action"] for demand in told["demands"]] == ["change all decks of the table"]
    assert ask("holdem", "deck", minutes_since_opened=200)["change_in_minutes"] == 40


def test_14_2_a_a_table_keeps_two_decks_of_52_cards() -> None:
    """One deck or three are wrong, and so is a deck of 51 or 53 cards (S-121)."""
    assert [rules(decks=decks) for decks in (1, 2, 3)] == [["14.2(a)"], [], ["14.2(a)"]]
    assert [rules(cards_in_deck=cards) for cards in (51, 52, 53)] == [["14.2(a)"], [], ["14.2(a)"]]


def test_14_2_d_3_with_a_shuffler_the_decks_alternate() -> None:
    """By hand one deck may be dealt round after round (S-121)."""
    assert rules(shuffler=True, same_deck_as_last_round=True) == ["14.2(d)3"]
    assert rules(shuffler=True) == []
    assert rules(same_deck_as_last_round=True) == []


@pytest.mark.parametrize(("players", "demands"), [(0, ["14.4(c)"]), (1, ["14.4(c)"]), (2, []), (3, [])])
def test_14_4_c_two_players_inspect_the_cards_before_play(players: int, demands: list[str]) -> None:
    """Not before a minimum of two (S-121)."""
    assert rules(players_inspected=players) == demands


@pytest.mark.parametrize(("cut", "demands"), [(9, ["14.5(b)2"]), (10, []), (40, [])])
def test_14_5_b_2_a_cut_takes_at_least_ten_cards(cut: int, demands: list[str]) -> None:
    """From the top of the deck (S-121)."""
    assert rules(cards_cut=cut) == demands


@pytest.mark.parametrize("game", [*POKER_GAMES, "mambo-stud"])
def test_14_2_every_game_of_the_poker_room_has_the_same_decks(game: str) -> None:
    """What is not said is not judged (S-121)."""
    assert ask(game, "deck") == {"demands": [], "sort_in_minutes": None, "change_in_minutes": None}


def test_17_1_double_down_stud_is_refused_with_the_reason() -> None:
    """The text has its definitions only."""
    found = find_question("double-down-stud", "showdown")
    assert isinstance(found, InputFault)
    assert (found.where, "17.1" in found.problem) == ("game", True)
