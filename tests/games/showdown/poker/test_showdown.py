"""The poker room's showdowns of subchapter 14, clause by clause."""

from typing import Any

import pytest

from games.showdown.input import InputFault
from games.showdown.poker.games import POKER_GAMES
from tests.support.games.showdown_asking import ask, player, words


def shares(game: str, *players: dict[str, Any], board: str = "", **more: Any) -> dict[str, int]:
    told = {str(seat): each for seat, each in enumerate(players, start=1)}
    return dict(ask(game, players=told, community=words(board), **more)["shares"])


def awards(game: str, *players: dict[str, Any], board: str = "", **more: Any) -> list[dict[str, Any]]:
    told = {str(seat): each for seat, each in enumerate(players, start=1)}
    return list(ask(game, players=told, community=words(board), **more)["awards"])


def test_14_3_d_equal_hands_share_the_pot_equally() -> None:
    """The same five ranks are a tie, whatever the suits."""
    same = shares("five-card-draw-high", player("As Kd 9h 5c 2s"), player("Ah Kc 9d 5s 2h"))
    assert same == {"1": 100_00, "2": 100_00}
    with_a_loser = shares(
        "five-card-draw-high", player("As Kd 9h 5c 2s"), player("Ah Kc 9d 5s 2h"), player("Ac Qd 9c 5d 2d")
    )
    assert with_a_loser == {"1": 150_00, "2": 150_00, "3": 0}


def test_14_3_d_the_highest_card_not_in_the_other_hand_decides() -> None:
    """Equal pairs are decided by the last kicker."""
    assert shares("five-card-stud", player("9s 9d Kh 5c 3s"), player("9h 9c Kc 5d 2s")) == {"1": 200_00, "2": 0}


def test_14_3_g_the_cards_speak() -> None:
    """A hand is worth what its cards are; nothing in the question lets a player say otherwise."""
    award = awards("seven-card-stud-high", player("As Ks Qs Js Ts 2c 2d"), player("9h 9c 9d 9s 2h 3d 4c"))
    assert [(line["seat"], line["hand"], line["rule"]) for line in award] == [(1, "royal_flush", "14.9(i)1")]


def test_14_9_h_a_common_card_serves_everybody_when_the_deck_is_short() -> None:
    """Six own cards and one common card make the seven."""
    told = shares("seven-card-stud-high", player("As Ad Kh Qc 9s 2d"), player("Ks Kd Qh Jc 8s 2h"), board="Ac")
    assert told == {"1": 200_00, "2": 0}


def test_14_9_i_1_stud_high_goes_to_the_highest_five_of_seven() -> None:
    """The flush in seven cards beats the straight in seven cards."""
    told = shares("seven-card-stud-high", player("2s 5s 9s Js Ks 3d 3c"), player("5h 6d 7c 8s 9h Ad Ac"))
    assert told == {"1": 200_00, "2": 0}


def test_14_9_i_2_high_and_low_divide_the_pot_equally() -> None:
    """The best high and the best low take half each, and a low needs no qualification in plain high-low."""
    told = awards("seven-card-stud-high-low", player("Ks Kd Kh 9c 9d Jh Qc"), player("9h Ts 8d 7c 6h 2s 2d"))
    assert [(line["part"], line["seat"], line["amount_cents"]) for line in told] == [
        ("high", 1, 100_00),
        ("low", 2, 100_00),
    ]
    assert {line["rule"] for line in told} == {"14.9(i)2"}


def test_14_9_i_2_i_an_excess_goes_to_the_high_hand() -> None:
    """A pot of $101 in dollar chips gives the high hand $51."""
    told = awards(
        "seven-card-stud-eight-or-better",
        player("Ks Kd Kh 9c 9d Jh Qc", 50_50),
        player("As 2d 3h 4c 6h Ts Jd", 50_50),
    )
    assert [(line["part"], line["amount_cents"], line["excess_cents"], line["rule"]) for line in told] == [
        ("high", 51_00, 1_00, "14.9(i)2i"),
        ("low", 50_00, 0, "14.9(i)2"),
    ]


def test_14_9_i_2_ii_of_tied_high_hands_the_highest_card_by_suit_takes_the_excess() -> None:
    """Ace-high flushes cannot tie; ace-high straights can, and the ace of spades takes the odd dollar."""
    told = awards(
        "seven-card-stud-high",
        player("Ah Kd Qc Js Th 2d 3c", 33_00),
        player("As Kc Qd Jh Td 2h 3s", 33_00),
        player("9h 9d 9s 5c 5h 6d 7s", 33_00, folded=True),
    )
    assert [(line["seat"], line["amount_cents"], line["excess_cents"]) for line in told] == [
        (1, 49_00, 0),
        (2, 50_00, 1_00),
    ]
    assert told[1]["rule"] == "14.9(i)1, 14.3(d), house: excess as in 14.9(i)2ii"
    assert told[1]["reason"].endswith("the excess of $1 goes to the highest high card by suit, As")


@pytest.mark.parametrize(("odd_low_card", "taker"), [("farthest_from_ace", 1), ("nearest_to_ace", 2)])
def test_14_9_i_2_iii_of_tied_low_hands_the_lowest_card_by_suit_takes_the_excess(odd_low_card: str, taker: int) -> None:
    """In low poker the king ranks lowest (14.3(e)), so the eight is compared by suit; a house may compare the ace."""
    told = awards(
        "seven-card-stud-eight-or-better",
        player("As 2d 3h 4c 8c Ks Kd", 51_00),
        player("Ac 2h 3d 4s 8h Qs Qd", 51_00),
        player("Jh Jd 9s 9c Th 5d 5s", 0, folded=True),
        options={"odd_low_card": odd_low_card},
    )
    lows = {line["seat"]: line for line in told if line["part"] == "low"}
    assert {seat: line["amount_cents"] for seat, line in lows.items()} == {taker: 26_00, 3 - taker: 25_00}
    assert lows[taker]["rule"].endswith("14.9(i)2iii")


@pytest.mark.parametrize(("higher", "lower"), ["sh", "hd", "dc", "sc"])
def test_14_9_i_2_iv_suits_rank_spades_hearts_diamonds_clubs(higher: str, lower: str) -> None:
    """The order of suits decides an excess, between any two of them."""
    others = [suit for suit in "shdc" if suit not in (higher, lower)]
    told = shares(
        "five-card-draw-high",
        player(f"A{lower} K{others[0]} 9{others[1]} 5{higher} 2{lower}", 50_00),
        player(f"A{higher} K{others[1]} 9{others[0]} 5{lower} 2{higher}", 50_00),
        player("", 1_00, folded=True),
    )
    assert told == {"1": 50_00, "2": 51_00}


def test_14_9_j_without_eight_or_better_the_high_hand_takes_the_pot() -> None:
    """A nine, or a pair, keeps a low from winning anything."""
    told = awards("seven-card-stud-eight-or-better", player("As 2d 3h 4c 9c Ks Kd"), player("2h 2c 3d 4s 6h 9s Qd"))
    assert [(line["part"], line["seat"], line["amount_cents"], line["rule"]) for line in told] == [
        ("whole", 1, 200_00, "14.9(j)")
    ]


def test_14_9_k_one_player_may_win_both_halves_with_different_cards() -> None:
    """High and low may be formed of different fives of the seven cards."""
    told = awards("seven-card-stud-eight-or-better", player("As Ad 2h 3c 4s 6d Ah"), player("Ks Kd Qh Qc 8s 9d Th"))
    assert [(line["seat"], line["part"], line["hand"]) for line in told] == [
        (1, "high", "three_of_a_kind"),
        (1, "low", "high_card"),
    ]


@pytest.mark.parametrize(
    ("cards", "high"),
    [("2s 3d 4h 5c 6s Kd Qh", "straight"), ("2s 4s 5s 7s 8s Kd Qh", "flush"), ("As 2d 3h 4c 5s Kd Qh", "straight")],
)
def test_14_9_k_l_the_same_five_cards_may_win_high_and_low(cards: str, high: str) -> None:
    """Straights and flushes do not spoil a low, and an ace serves both ways at once."""
    told = awards("seven-card-stud-eight-or-better", player(cards), player("Jd Jc Th 9c 9d Tc Kc"))
    assert [(line["part"], line["seat"], line["hand"]) for line in told] == [("high", 1, high), ("low", 1, "high_card")]
    assert sorted(told[0]["cards"]) == sorted(told[1]["cards"])


def test_14_10_j_any_combination_of_two_and_five() -> None:
    """One hole card, two or none may play."""
    assert shares("holdem", player("As 2d"), player("Kh Qc"), board="Ad Ks 9h 5c 3s") == {"1": 200_00, "2": 0}


def test_14_10_j_where_the_community_cards_play_everybody_shares() -> None:
    """The board's straight is everybody's hand; the odd dollars follow the players' own cards."""
    told = awards(
        "holdem",
        player("2s 2d", 34_00),
        player("3h 4c", 34_00),
        player("As 7c", 34_00, folded=True),
        board="Ts Jd Qh Kc Ah",
        options={"chip_cents": 100},
    )
    assert {line["seat"]: line["amount_cents"] for line in told} == {1: 51_00, 2: 51_00}
    assert {line["rule"] for line in told} == {"14.10(j), 14.3(d)"}


def test_14_11_f_omaha_uses_two_own_cards_and_three_of_the_board() -> None:
    """Four spades on the board and one in hand are no flush; three nines in hand are a pair."""
    told = ask(
        "omaha-high",
        players={"1": player("As Kd Qc 2h"), "2": player("9h 9d 9c 8h")},
        community=words("3s 6s 7s Js 8d"),
    )
    assert {seat: hand["high"]["hand"] for seat, hand in told["hands"].items()} == {"1": "high_card", "2": "one_pair"}
    assert told["shares"] == {"1": 0, "2": 200_00}


def test_14_11_f_1_omaha_high_has_one_winner() -> None:
    """No half is kept for a low."""
    told = awards("omaha-high", player("As 2s Kd Kh"), player("Qd Jc Th 9s"), board="3d 4h 5c Ks 8d")
    assert [(line["part"], line["seat"], line["rule"]) for line in told] == [("whole", 1, "14.11(f)1")]


def test_14_11_f_2_i_the_excess_of_omaha_goes_to_the_high_hand() -> None:
    """As in stud, with omaha's own clause."""
    told = awards(
        "omaha-eight-or-better", player("As 2s Kd Kh", 50_50), player("Kc Ks 9h 9s", 50_50), board="3d 4h 7c 9d 9c"
    )
    assert [(line["part"], line["seat"], line["amount_cents"], line["rule"]) for line in told] == [
        ("high", 2, 51_00, "14.11(f)2i"),
        ("low", 1, 50_00, "14.11(f)2"),
    ]


def test_14_11_f_2_ii_iii_tied_halves_of_omaha_divide_their_excess_by_suit() -> None:
    """Both players tie both ways: spades take the odd dollar of the high half, clubs that of the low half."""
    told = awards(
        "omaha-eight-or-better",
        player("As 2c Jd Jh", 51_00),
        player("Ad 2h Js Jc", 51_00),
        player("", 0, folded=True),
        board="3d 4h 8c Kd Qs",
    )
    assert {(line["part"], line["seat"]): line["excess_cents"] for line in told} == {
        ("high", 1): 0,
        ("high", 2): 1_00,
        ("low", 1): 1_00,
        ("low", 2): 0,
    }
    assert {line["rule"] for line in told if line["excess_cents"]} == {
        "14.11(f)2, 14.3(d), 14.11(f)2ii",
        "14.11(f)2, 14.3(d), 14.11(f)2iii",
    }


def test_14_11_g_no_qualifying_low_gives_the_pot_to_the_high_hand() -> None:
    """Two of the board's low cards are not enough for anybody's low."""
    told = awards("omaha-eight-or-better", player("As 2s 3d 4h"), player("Kc Kh Qd Qs"), board="9d Th Jc 5d 6c")
    assert [(line["seat"], line["part"], line["rule"]) for line in told] == [(2, "whole", "14.11(g)")]


def test_14_11_h_1_high_and_low_of_omaha_may_use_different_cards() -> None:
    """Aces and kings for high, ace and deuce for low, always two and three."""
    told = awards("omaha-eight-or-better", player("As 2s Ad Kh"), player("Kc Ks Qd Qs"), board="Ah 4h 7c 8d Jc")
    assert [(line["seat"], line["part"], line["hand"]) for line in told] == [
        (1, "high", "three_of_a_kind"),
        (1, "low", "high_card"),
    ]


def test_14_12_h_1_draw_high_and_14_13_h_five_card_stud_take_the_highest_hand() -> None:
    """Five cards are five cards."""
    for game, rule in [("five-card-draw-high", "14.12(h)1"), ("five-card-stud", "14.13(h)")]:
        told = awards(game, player("5s 5d 5h 2c 2s"), player("As Ks Qs Js 9s"))
        assert [(line["seat"], line["hand"], line["rule"]) for line in told] == [(1, "full_house", rule)]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("As 2d 3h 4c 5s", "Ad 2h 3c 4s 6d"),
        ("As 2s 3s 4s 5s", "2d 3h 4c 5h 7d"),
        ("6s 7d 8h 9c Ts", "As Ad 2h 3c 4s"),
        ("As Ad 2h 3c 4s", "2s 2d 3h 4h 5c"),
        ("Ks Qd Jh Tc 8s", "As Ad Ah 2c 2d"),
    ],
)
def test_14_12_h_2_draw_low_takes_the_inverse_without_straights_and_flushes(better: str, worse: str) -> None:
    """14.3(e)(f): ace low, the lowest unmatched cards win, straights and flushes do not count."""
    told = awards("five-card-draw-low", player(worse), player(better))
    assert [(line["seat"], line["part"], line["rule"]) for line in told] == [(2, "whole", "14.12(h)2")]


def test_side_pots_are_won_by_those_who_play_for_them() -> None:
    """The best hand is all in for the main pot; the second best takes the side pot."""
    told = ask(
        "holdem",
        players={"2": player("As Ad", 20_00), "5": player("Ks Kd", 50_00), "9": player("Qs Qd", 80_00)},
        community=words("2h 3h 5c 8d Jc"),
    )
    assert told["pots"] == [{"amount_cents": 60_00, "seats": [2, 5, 9]}, {"amount_cents": 60_00, "seats": [5, 9]}]
    assert told["returned"] == [{"seat": 9, "amount_cents": 30_00}]
    assert told["shares"] == {"2": 60_00, "5": 60_00, "9": 0}


def test_a_side_pot_may_split_where_the_main_pot_does_not() -> None:
    """Each pot has its own high and low."""
    told = ask(
        "omaha-eight-or-better",
        players={
            "1": player("As 2s Kd Kh", 10_00),
            "2": player("Ad 3c Qd Qh", 30_00),
            "3": player("9s 9h Td Th", 30_00),
        },
        community=words("4d 5h 8c 9c Kc"),
    )
    given = {(line["pot"], line["part"]): (line["seat"], line["amount_cents"]) for line in told["awards"]}
    assert given == {(1, "high"): (1, 15_00), (1, "low"): (1, 15_00), (2, "high"): (3, 20_00), (2, "low"): (2, 20_00)}


def test_the_last_player_takes_everything_without_showing_a_card() -> None:
    """Where everybody else has folded there is no showdown."""
    told = ask("holdem", players={"1": {"paid_cents": 5_00}, "2": {"paid_cents": 3_00, "folded": True}})
    assert told["shares"] == {"1": 6_00}
    assert told["returned"] == [{"seat": 1, "amount_cents": 2_00}]
    assert told["awards"][0]["reason"] == "nobody else plays for this pot"


def test_pots_may_be_told_as_they_lie_after_the_rake() -> None:
    """The dealer may write the pots in front of him instead of what everybody paid."""
    told = ask(
        "holdem",
        players={"1": {"cards": ["As", "Ad"]}, "2": {"cards": ["Ks", "Kd"]}, "3": {"cards": ["Qs", "Qd"]}},
        community=words("2h 3h 5c 8d Jc"),
        pots=[{"amount_cents": 57_00, "seats": [3, 1, 2]}, {"amount_cents": 40_00, "seats": [2, 3]}],
    )
    assert told["shares"] == {"1": 57_00, "2": 40_00, "3": 0}


KINGS, ACES, BOARD = player("Ks Kd"), player("As Ad"), words("2h 3h 5c 8d Jc")
KILL = {"kind": "kill", "minimum_cents": 1, "times": 5}


@pytest.mark.parametrize(
    ("told", "where"),
    [
        ({"players": {"1": ACES}}, "players"),
        ({"players": {}}, "players"),
        ({"players": {"1": ACES, "2": player("As Kd")}, "community": BOARD}, "players.2.cards[0]"),
        ({"players": {"1": ACES, "2": player("Ks 2h")}, "community": BOARD}, "community[0]"),
        ({"players": {"1": player("As"), "2": KINGS}, "community": BOARD}, "players.1.cards"),
        ({"players": {"1": player("As Jk"), "2": KINGS}, "community": BOARD}, "players.1.cards[1]"),
        ({"players": {"1": ACES, "2": KINGS}, "community": BOARD[:3]}, "community"),
        ({"players": {"1": player("", folded=True), "2": player("", folded=True)}}, "players"),
        ({"players": {"1": ACES, "2": {"cards": ["Ks", "Kd"]}}}, "players.2.paid_cents"),
        ({"players": {"1": ACES, "2": player("Ks Kd", 0)}}, "players.2.paid_cents"),
        ({"players": {"1": ACES, "2": KINGS}, "pots": [{"amount_cents": 5, "seats": [1, 2]}]}, "players.1.paid_cents"),
        ({"players": {"1": {}, "2": {}}, "pots": [{"amount_cents": 5, "seats": [1, 3]}]}, "pots[0].seats"),
        ({"players": {"1": {}, "2": {}}, "pots": [{"amount_cents": 5, "seats": [1, 1]}]}, "pots[0].seats"),
        ({"players": {"1": {}, "2": {}}, "pots": [{"amount_cents": 5, "seats": [1]}]}, "pots"),
        ({"players": {"1": ACES, "2": KINGS}, "kill": KILL}, "kill"),
    ],
)
def test_what_cannot_lie_on_a_table_is_refused_by_its_place(told: dict[str, Any], where: str) -> None:
    """A fault is a value that names the place in the question."""
    fault = ask("holdem", **told)
    assert isinstance(fault, InputFault)
    assert fault.where == where


@pytest.mark.parametrize(
    ("game", "most"),
    [
        ("seven-card-stud-high", 8),
        ("seven-card-stud-high-low", 8),
        ("seven-card-stud-eight-or-better", 8),
        ("holdem", 11),
        ("omaha-high", 10),
        ("omaha-eight-or-better", 10),
        ("five-card-draw-high", 8),
        ("five-card-draw-low", 8),
        ("five-card-stud", 8),
    ],
)
def test_14_9_b_to_14_13_b_a_table_has_no_more_players_than_its_game_allows(game: str, most: int) -> None:
    """8, 11, 10, 8 and 8 players; seats beyond them do not exist."""
    assert POKER_GAMES[game].most_players == most
    folded = {str(seat): {"paid_cents": 1_00, "folded": True} for seat in range(1, most)}
    assert not isinstance(ask(game, players={**folded, str(most): {"paid_cents": 1_00}}), InputFault)
    beyond = min(most + 1, 11) if most < 11 else None
    if beyond:
        assert ask(game, players={**folded, str(beyond): {"paid_cents": 1_00}}).where == "players"
