"""The poker room's rounds as tables, beside the games they belong to."""

import pytest

from games.showdown.poker.betting_order import FORCED_BETS
from games.showdown.poker.games import POKER_GAMES
from games.showdown.poker.streets import STREETS


@pytest.mark.parametrize("name", POKER_GAMES)
def test_a_round_deals_the_cards_of_its_showdown(name: str) -> None:
    """No card more, none less; a draw gives as many as it takes."""
    game, streets = POKER_GAMES[name], STREETS[name]
    assert sum(street.down + street.up for street in streets) == game.own_cards
    assert sum(street.community for street in streets) == game.community_cards


@pytest.mark.parametrize("name", POKER_GAMES)
def test_up_cards_open_with_a_forced_bet_and_the_button_with_a_blind_one(name: str) -> None:
    """Later streets open by what shows, or left of the button; before each of them a card is burned."""
    first, *later = STREETS[name]
    is_stud = name in FORCED_BETS
    assert first.opens == ("forced_bet" if is_stud else "blind_bet")
    assert bool(first.up) is is_stud
    assert not first.burns
    assert {street.opens for street in later} == {"highest_hand_showing" if is_stud else "first_left_of_the_button"}
    assert all(street.burns for street in later)


def test_14_9_h_the_seventh_card_lies_face_down() -> None:
    """Two more up-cards after the fourth, then one that nobody sees."""
    assert [(street.down, street.up) for street in STREETS["seven-card-stud-high"]] == [
        (2, 1),
        (0, 1),
        (0, 1),
        (0, 1),
        (1, 0),
    ]


def test_14_12_f_only_draw_poker_draws_and_once() -> None:
    """Between its two betting rounds."""
    drawing = {name for name, streets in STREETS.items() if any(street.draws for street in streets)}
    assert drawing == {"five-card-draw-high", "five-card-draw-low"}
    assert [street.draws for street in STREETS["five-card-draw-high"]] == [False, True]
