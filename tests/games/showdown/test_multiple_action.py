"""Multiple action blackjack (2.18): three dealer hands behind one up-card."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.showdown.input import InputFault
from tests.support.games.showdown_asking import ask

GAME = "multiple-action-blackjack"


def box(*wagers: int, busted: bool = False, **more: Any) -> dict[str, Any]:
    return {"wagers_cents": list(wagers), "busted": busted, **more}


def test_2_18_b_every_player_makes_two_or_three_wagers() -> None:
    """A house may require all three."""
    for wagers, required in [((5_00,), False), ((5_00, 5_00), True), ((1, 1, 1, 1), False)]:
        fault = ask(GAME, seats={"2": box(*wagers)}, all_three_required=required)
        assert isinstance(fault, InputFault)
        assert (fault.where, "2.18(b)" in fault.problem) == ("seats.2.wagers_cents", True)


def test_2_18_c_a_double_or_split_needs_one_more_wager_for_each_placed() -> None:
    """Three wagers of $5, $10 and $15 cost $30 more."""
    assert ask(GAME, seats={"2": box(5_00, 10_00, 15_00)})["double_or_split_cents"] == {"2": 30_00}


def test_2_18_c_what_was_added_is_decided_with_its_wager() -> None:
    """A doubled $5 and $10 are decided as $10 and $20; one more wager for two is refused."""
    hands = ask(GAME, seats={"2": box(5_00, 10_00, added_cents=[5_00, 10_00])})["hands"]
    assert [hand["decides_cents"] for hand in hands] == [{"2": 10_00}, {"2": 20_00}]
    fault = ask(GAME, seats={"2": box(5_00, 10_00, added_cents=[5_00])})
    assert isinstance(fault, InputFault)
    assert (fault.where, "2.18(c)" in fault.problem) == ("seats.2.added_cents", True)


def insured(seconds: list[str], *, up: str = "As", to_one: int | None = None, busted: bool = False) -> Any:
    """Seat 2 insured its first and third wager, seat 5 its second."""
    seats = {
        "2": box(5_00, 6_00, 7_00, busted=busted, insurance_cents=[2_00, 0, 3_00]),
        "5": box(8_00, 9_00, insurance_cents=[0, 4_00]),
    }
    return ask(GAME, seats=seats, dealer={"up": up, "seconds": seconds}, insurance_to_one=to_one)


def test_2_18_d_each_insurance_is_decided_by_the_second_card_of_its_own_hand() -> None:
    """King, nine, ten beside the ace: the first and the third win, the second loses (S-114)."""
    lines = insured(["Kd", "9c", "Th"], to_one=2)["insurance"]
    assert [(line["hand"], line["seat"], line["result"], line["paid_cents"]) for line in lines] == [
        (1, 2, "win", 4_00),
        (2, 5, "lose", 0),
        (3, 2, "win", 6_00),
    ]
    assert {line["rule"] for line in lines} == {"2.18(d)"}


@pytest.mark.parametrize(
    ("second", "result"), [("9h", "lose"), ("Th", "win"), ("Jh", "win"), ("Kh", "win"), ("Ah", "lose")]
)
def test_2_18_d_insurance_wins_with_a_second_card_that_counts_ten(second: str, result: str) -> None:
    """An ace and nothing else beside it makes no blackjack; without the house's odds no amount is said (S-114)."""
    (line,) = insured([second])["insurance"]
    assert (line["result"], line["paid_cents"]) == (result, 0 if result == "lose" else None)


def test_2_18_d_insurance_waits_for_its_hand() -> None:
    """After the first of the dealer's hands only its insurance is decided (S-114)."""
    assert [line["hand"] for line in insured(["Kd"])["insurance"]] == [1]
    assert insured([])["insurance"] == []


def test_2_18_d_f_a_box_above_21_loses_its_insurance_with_its_wagers() -> None:
    """All of its wagers are collected along with its cards (S-114)."""
    told = insured(["Kd", "Kc"], busted=True)
    assert told["hands"][0]["collects_cents"] == {"2": 23_00}
    assert [line["seat"] for line in told["insurance"]] == [5]


@pytest.mark.parametrize(
    ("told", "where"),
    [
        ({"seats": {"2": box(5_00, 5_00, insurance_cents=[1, 1, 1])}}, "seats.2.insurance_cents"),
        ({"dealer": {"up": "Ks", "seconds": ["Ad"]}}, "dealer.up"),
        ({"dealer": {"up": "As", "seconds": ["Ad", "Kd", "Kc"]}}, "dealer.seconds"),
        ({"dealer": {"up": "Xs"}}, "dealer.up[0]"),
    ],
)
def test_2_18_d_insurance_that_cannot_be_is_refused(told: dict[str, Any], where: str) -> None:
    """On a wager not placed, beside another card than an ace, or of a hand that is not dealt (S-114)."""
    fault = ask(GAME, **{"seats": {"2": box(5_00, 5_00, insurance_cents=[1_00])}, **told})
    assert isinstance(fault, InputFault)
    assert fault.where == where


def test_2_18_f_a_hard_total_above_21_loses_all_wagers_with_the_first_hand() -> None:
    """The busted box is collected at once and decides nothing later."""
    first, second = ask(GAME, seats={"1": box(5_00, 6_00, 7_00, busted=True), "2": box(1_00, 2_00)})["hands"]
    assert (first["collects_cents"], first["decides_cents"]) == ({"1": 18_00}, {"2": 1_00})
    assert (second["collects_cents"], second["decides_cents"]) == ({}, {"2": 2_00})


def test_2_18_f_1_when_everybody_is_above_21_the_dealer_draws_nothing() -> None:
    """All cards are collected, the up-card too."""
    (only,) = ask(GAME, seats={"1": box(5_00, 5_00, busted=True)})["hands"]
    assert (only["dealer_draws"], only["keeps_up_card"], only["rule"]) == (False, False, "2.18(f)1")


def test_2_18_f_2_g_h_the_up_card_stays_while_a_wager_remains() -> None:
    """It serves all three hands and goes with the last."""
    hands = ask(GAME, seats={"1": box(5_00, 5_00, 5_00), "2": box(1_00, 1_00)})["hands"]
    assert [hand["keeps_up_card"] for hand in hands] == [True, True, False]
    assert [hand["decides_cents"] for hand in hands] == [{"1": 5_00, "2": 1_00}, {"1": 5_00, "2": 1_00}, {"1": 5_00}]


def test_2_18_h_without_a_third_wager_there_is_no_third_hand() -> None:
    """Nor if only busted boxes had one."""
    assert len(ask(GAME, seats={"1": box(5_00, 5_00)})["hands"]) == 2
    assert len(ask(GAME, seats={"1": box(5_00, 5_00), "2": box(1_00, 1_00, 1_00, busted=True)})["hands"]) == 2


def test_a_table_without_players_is_refused() -> None:
    """There is nothing to play for."""
    assert ask(GAME, seats={}) == InputFault("write at least one seat", "seats")


wagers = st.lists(st.integers(1, 10**6), min_size=2, max_size=3)


@settings(deadline=None)
@given(boxes=st.dictionaries(st.integers(1, 7), st.tuples(wagers, st.booleans()), min_size=1))
def test_2_18_every_wager_is_decided_or_collected_exactly_once(boxes: dict[int, tuple[list[int], bool]]) -> None:
    """What lies on the spots is what the hands decide and collect."""
    seats = {str(seat): box(*placed, busted=busted) for seat, (placed, busted) in boxes.items()}
    hands = ask(GAME, seats=seats)["hands"]
    settled = dict.fromkeys(seats, 0)
    for hand in hands:
        for seat, cents in [*hand["collects_cents"].items(), *hand["decides_cents"].items()]:
            settled[seat] += cents
    assert settled == {str(seat): sum(placed) for seat, (placed, _) in boxes.items()}
