"""A round of pai gow poker against the dealer: win, lose, push, copies, fouls, surrender and vigorish."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.cards import DECK_AND_JOKER
from games.catalogue.pai_gow_poker import areas_refusal, setting_order
from games.showdown.input import InputFault
from games.showdown.pai_gow.vigorish import Rounding, vigorish
from tests.support.games.showdown_asking import ask, words

GAME = "pai-gow-poker"
ROUNDINGS: list[Rounding] = ["exact", "next_25"]

# The dealer's hands in the tests by clause: two queens high, king and jack low; the house would set them so.
DEALER = {"high": words("Qs Qd 9h 8c 2d"), "low": words("Ks Jd")}


def area(high: str, low: str, wager: int = 100_00, **more: Any) -> dict[str, Any]:
    return {"wager_cents": wager, "high": words(high), "low": words(low), **more}


def result(high: str, low: str) -> tuple[str, str]:
    line = ask(GAME, seats={"3": area(high, low)}, dealer=DEALER)["results"][0]
    return line["result"], line["rule"]


def test_11_9_i_j_both_hands_higher_win_one_to_one_less_vigorish() -> None:
    """$100 win $100 and cost $5."""
    line = ask(GAME, seats={"3": area("As Ad 7h 5c 3d", "Ah 4c")}, dealer=DEALER)["results"][0]
    assert (line["result"], line["paid_cents"], line["vigorish_cents"]) == ("win", 100_00, 5_00)
    assert (line["returned_cents"], line["collected_cents"], line["rule"]) == (100_00, 0, "11.9(i), 11.9(j)")


def test_11_9_h_1_a_higher_high_hand_with_a_copy_or_lower_low_hand_pushes() -> None:
    """Copies and lower hands on the other side alike."""
    assert result("As Ad 7h 5c 3d", "Kh Jc") == ("push", "11.9(h)1")
    assert result("As Ad 7h 5c 3d", "Kh Tc") == ("push", "11.9(h)1")


def test_11_9_h_2_a_higher_low_hand_with_a_copy_or_lower_high_hand_pushes() -> None:
    """The same the other way round."""
    assert result("Qh Qc 9s 8d 2c", "Ah 4c") == ("push", "11.9(h)2")
    assert result("5h 5c 9s 8d 2c", "Ah 4c") == ("push", "11.9(h)2")


def test_11_9_h_a_push_gives_the_wager_back_without_vigorish() -> None:
    """Neither paid nor collected."""
    line = ask(GAME, seats={"3": area("As Ad 7h 5c 3d", "Kh Jc")}, dealer=DEALER)["results"][0]
    assert (line["paid_cents"], line["vigorish_cents"], line["collected_cents"], line["returned_cents"]) == (
        0,
        0,
        0,
        100_00,
    )


def test_11_9_g_1_both_hands_lower_lose() -> None:
    """The wager is collected."""
    assert result("5h 5c 9s 8d 2c", "Kh Tc") == ("lose", "11.9(g)1")


def test_11_9_g_2_a_copy_loses_unless_the_other_hand_is_higher() -> None:
    """Two copies, or a copy and a lower hand."""
    assert result("Qh Qc 9s 8d 2c", "Kh Jc") == ("lose", "11.9(g)2")
    assert result("Qh Qc 9s 8d 2c", "Kh Tc") == ("lose", "11.9(g)2")
    assert result("5h 5c 9s 8d 2c", "Kh Jc") == ("lose", "11.9(g)2")


def test_11_9_g_3_and_4_foul_hands_lose_whatever_they_hold() -> None:
    """Three aces low and nothing high; three cards low and four high."""
    assert result("9s 8s 7h 5c 3d", "Ah Ac") == ("lose", "11.9(g)3")
    assert result("As Ad Ah Ac", "Kh Kc 2c") == ("lose", "11.9(g)4")


def test_11_9_e_surrender_collects_the_wager() -> None:
    """No cards need to be shown."""
    line = ask(GAME, seats={"3": {"wager_cents": 50_00, "surrendered": True}}, dealer=DEALER)["results"][0]
    assert (line["result"], line["collected_cents"], line["rule"]) == ("surrendered", 50_00, "11.9(e)")


@pytest.mark.parametrize("wager", ["progressive", "seven_card_bonus"])
def test_11_9_e_a_player_with_these_wagers_may_not_surrender(wager: str) -> None:
    """Their hands have to be seen."""
    seats = {"3": {"wager_cents": 50_00, "surrendered": True, "side_wagers": [wager]}}
    fault = ask(GAME, seats=seats, dealer=DEALER)
    assert isinstance(fault, InputFault)
    assert "11.9(e)" in fault.problem


def test_11_9_f_i_hands_are_exposed_and_paid_from_the_far_right() -> None:
    """Seat 6 first, seat 1 last, whatever order they are written in."""
    seats = {
        "2": area("As Ad 7h 5c 3d", "Kh Tc"),
        "6": area("6s 6d 7s 5s 3s", "Ac Th"),
        "1": area("4s 4d 7c 5d 3c", "Ah 2h"),
    }
    told = ask(GAME, seats=seats, dealer=DEALER)
    assert [line["seat"] for line in told["results"]] == [6, 2, 1]
    assert [hand["seat"] for hand in told["hands"]] == [0, 6, 2, 1]


def test_11_9_b_cards_that_are_not_set_are_set_the_house_way() -> None:
    """A player who asks for help gets the dealer's manner of setting."""
    told = ask(GAME, seats={"3": {"wager_cents": 1_00, "cards": words("As Ad 7h 5c 3d Ah 4c")}}, dealer=DEALER)
    assert (told["hands"][1]["set_by"], told["hands"][1]["rule"]) == ("house_way", "11.9(b)")


def test_11_11_i_dealers_hands_set_otherwise_are_reset_the_house_way() -> None:
    """The dealer kept two queens and king-jack apart wrongly; the round is completed with the reset hands."""
    wrong = {"high": words("Ks Jd 9h 8c 2d"), "low": words("Qs Qd")}
    told = ask(GAME, seats={"3": area("As Ad 7h 5c 3d", "Ah 4c")}, dealer=wrong)
    dealer = told["hands"][0]
    assert (dealer["set_by"], dealer["rule"], sorted(dealer["low"])) == ("reset", "11.11(i)", ["Jd", "Ks"])
    assert told["results"][0]["result"] == "win"


def test_11_11_d_a_hand_its_player_voided_gives_the_wager_back() -> None:
    """An exposed card lets the player void the hand."""
    line = ask(GAME, seats={"3": {"wager_cents": 50_00, "void": True}}, dealer=DEALER)["results"][0]
    assert (line["result"], line["returned_cents"], line["rule"]) == ("void", 50_00, "11.11(d)")


@pytest.mark.parametrize(
    ("won", "exact", "following"),
    [
        (100_00, 5_00, 5_00),
        (5_00, 25, 25),
        (10_00, 50, 50),
        (12_00, 60, 75),
        (13_00, 65, 75),
        (33_00, 1_65, 1_75),
        (7_50, 38, 50),
        (1_00, 5, 25),
        (0, 0, 0),
    ],
)
def test_11_9_j_vigorish_is_five_percent_or_rounded_up_to_25_cents(won: int, exact: int, following: int) -> None:
    """To the cent, or to the next higher multiple of 25 cents; never down."""
    assert [vigorish(won, rounding) for rounding in ROUNDINGS] == [exact, following]


@settings(deadline=None)
@given(won=st.integers(0, 10**9))
def test_11_9_j_no_rounding_moves_vigorish_by_a_quarter(won: int) -> None:
    """It is never below five percent; exact is within a cent of it, quarters within 25, never above the win."""
    five_percent = Fraction(won, 20)
    exact, following = (vigorish(won, rounding) for rounding in ROUNDINGS)
    assert 0 <= exact - five_percent < 1
    assert following == won or (0 <= following - five_percent < 25 and following % 25 == 0)
    assert following <= won


def test_11_12_a_one_player_may_hold_two_adjacent_areas_only() -> None:
    """Not three, not two apart."""
    assert areas_refusal((3, 4), bank=None) is None
    for seats in [(3, 5), (3, 4, 5), (1, 6)]:
        refusal = areas_refusal(seats, bank=None)
        assert refusal is not None
        assert refusal.rule == "11.12(a)"


def test_11_12_b_the_larger_wager_is_set_first_equal_ones_counterclockwise() -> None:
    """Counterclockwise is from the dealer's right, the higher seat first."""
    assert setting_order({3: 10_00, 4: 5_00}) == (3, 4)
    assert setting_order({3: 5_00, 4: 10_00}) == (4, 3)
    assert setting_order({3: 5_00, 4: 5_00}) == (4, 3)


def test_11_12_b_two_areas_are_played_separately() -> None:
    """One player, two results, and the order in which the hands are set."""
    seats = {
        "3": area("As Ad 7h 5c 3d", "Ah 4c", 10_00, player="Lee"),
        "4": area("6s 6d 7s 5s 3s", "Th 2h", 25_00, player="Lee"),
    }
    told = ask(GAME, seats=seats, dealer=DEALER)
    assert {line["seat"]: line["result"] for line in told["results"]} == {3: "win", 4: "lose"}
    assert told["setting_order"] == {"Lee": [4, 3]}


@pytest.mark.parametrize(
    ("told", "where"),
    [
        ({"seats": {}, "dealer": DEALER}, "seats"),
        ({"seats": {"7": area("As Ad 7h 5c 3d", "Ah 4c")}, "dealer": DEALER}, "seats"),
        ({"seats": {"3": area("As Ad 7h 5c 3d", "Ah 4c")}}, "dealer"),
        ({"seats": {"3": area("As Ad 7h 5c 3d", "Ah 4c", 0)}, "dealer": DEALER}, "seats.3.wager_cents"),
        ({"seats": {"3": area("As Ad 7h 5c 3d", "Ah Ks")}, "dealer": DEALER}, "dealer.low[0]"),
        ({"seats": {"3": {"wager_cents": 5}}, "dealer": DEALER}, "seats.3"),
        ({"seats": {"3": {"wager_cents": 5, "void": True, "surrendered": True}}, "dealer": DEALER}, "seats.3"),
        (
            {
                "seats": {
                    "1": area("As Ad 7h 5c 3d", "Ah 4c", player="Lee"),
                    "3": area("6s 6d 7s 5s 3s", "Th 2h", player="Lee"),
                },
                "dealer": DEALER,
            },
            "seats.1.player",
        ),
    ],
)
def test_rounds_that_cannot_be_are_refused(told: dict[str, Any], where: str) -> None:
    """A fault names the place."""
    fault = ask(GAME, **told)
    assert isinstance(fault, InputFault)
    assert fault.where == where


@st.composite
def rounds(draw: st.DrawFn) -> dict[str, Any]:
    """A random round against the dealer, hands set at random, so that many are foul."""
    pack = iter(draw(st.permutations([str(card) for card in DECK_AND_JOKER])))
    seats = draw(st.lists(st.integers(1, 6), min_size=1, max_size=6, unique=True))
    return {
        "seats": {
            str(seat): {
                "wager_cents": draw(st.integers(1, 500_00)),
                "high": [next(pack) for _ in range(5)],
                "low": [next(pack) for _ in range(2)],
            }
            for seat in seats
        },
        "dealer": {"cards": [next(pack) for _ in range(7)]},
        "options": {
            "vigorish": draw(st.sampled_from(ROUNDINGS)),
            "wheel": draw(st.sampled_from(["second_highest", "lowest"])),
        },
    }


@settings(deadline=None)
@given(told=rounds())
def test_the_house_ends_with_exactly_what_the_players_do_not(told: dict[str, Any]) -> None:
    """What every player wins or loses is what the house loses or wins."""
    answer = ask(GAME, **told)
    nets = [line["paid_cents"] - line["vigorish_cents"] - line["collected_cents"] for line in answer["results"]]
    assert answer["house"]["net_cents"] == -sum(nets)
    for line in answer["results"]:
        assert line["collected_cents"] + line["returned_cents"] == line["wager_cents"]


@settings(deadline=None)
@given(told=rounds(), data=st.data())
def test_the_order_of_cards_and_seats_changes_no_result(told: dict[str, Any], data: st.DataObject) -> None:
    """However the question is written, the same areas win the same amounts."""
    shuffled = {
        **told,
        "seats": {
            seat: {**place, "high": data.draw(st.permutations(place["high"])), "low": place["low"][::-1]}
            for seat, place in data.draw(st.permutations(list(told["seats"].items())))
        },
        "dealer": {"cards": data.draw(st.permutations(told["dealer"]["cards"]))},
    }
    assert ask(GAME, **shuffled)["results"] == ask(GAME, **told)["results"]
