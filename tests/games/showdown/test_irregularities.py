"""Irregularities: each lettered case of 11.11 and 16.13, whose hands are void and what the dealer does."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.catalogue.irregularities import CARIBBEAN, PAI_GOW
from games.showdown.input import InputFault
from tests.support.games.showdown_asking import ask

WAGERS = {"pai-gow-poker": {"pai_gow": 25_00}, "caribbean-stud": {"ante": 5_00, "bet": 10_00}}

PAI_GOW_CASES = [
    ("11.11(a)", "dice_not_flat", "nobody", "untouched"),
    ("11.11(b)", "dice_fell_out", "nobody", "untouched"),
    ("11.11(c)", "wrong_starting_position", "everybody", "reshuffle"),
    ("11.11(e)", "dealer_or_bank_card_exposed", "everybody", "reshuffle"),
    ("11.11(f)", "one_card_face_up", "nobody", "discard_card"),
    ("11.11(f)", "several_cards_face_up", "everybody", "reshuffle"),
    ("11.11(g)", "card_drawn_in_error", "nobody", "use_as_next_card"),
    ("11.11(h)", "wrong_number_of_cards", "everybody", "reshuffle"),
    ("11.11(i)", "dealer_hand_mis_set", "nobody", "reset_hand"),
    ("11.11(j)", "bank_hand_mis_set", "nobody", "reset_hand"),
    ("11.11(k)", "card_exposed_dealing_stacks", "nobody", "reshuffle"),
    ("11.11(l)", "stacks_dealt_out_of_order", "nobody", "reshuffle"),
    ("11.11(m)", "shuffler_fault", "nobody", "reshuffle"),
    ("11.11(n)", "dealing_shoe_fault", "everybody", "reshuffle"),
    ("11.11(o)", "other_method_wanted", "nobody", "untouched"),
    ("11.8(d)2, 11.8A(d)2, 11.8B(e)2, 11.17(h)2", "wrong_count_left_deck_faulty", "everybody", "remove_deck"),
]

CARIBBEAN_CASES = [
    ("16.13(a)", "hole_card_exposed", "everybody", "untouched"),
    ("16.13(b)", "one_card_face_up", "nobody", "discard_card"),
    ("16.13(b)", "several_cards_face_up", "everybody", "reshuffle"),
    ("16.13(c)", "card_drawn_in_error", "nobody", "use_as_next_card"),
    ("16.13(d)", "dealer_four_cards", "nobody", "deal_one_more"),
    ("16.13(d)", "dealer_misdealt", "everybody", "reshuffle"),
    ("16.13(e)", "shuffler_fault", "nobody", "reshuffle"),
    ("16.13(f)", "dealing_shoe_fault", "everybody", "reshuffle"),
    ("16.13(g)", "other_method_wanted", "nobody", "untouched"),
]


def ruled(game: str, case: str, **told: Any) -> Any:
    seats = {"1": WAGERS[game], "4": WAGERS[game], "6": WAGERS[game]}
    return ask(game, "irregularity", case=case, seats=seats, **told)


def check_ruling(game: str, rule: str, case: str, *, void: str, cards: str) -> None:
    told = ruled(game, case)
    assert (told["rule"], told["cards"]) == (rule, cards)
    assert told["void_seats"] == ([6, 4, 1] if void == "everybody" else [])
    back = sum(line["amount_cents"] for line in told["returned"])
    assert back == (3 * sum(WAGERS[game].values()) if void == "everybody" else 0)


@pytest.mark.parametrize(("rule", "case", "void", "cards"), PAI_GOW_CASES)
def test_11_11_a_to_o_each_case_voids_whom_it_says(rule: str, case: str, void: str, cards: str) -> None:
    """Void hands give their wagers back, from the far right; the others play on."""
    check_ruling("pai-gow-poker", rule, case, void=void, cards=cards)


@pytest.mark.parametrize(("rule", "case", "void", "cards"), CARIBBEAN_CASES)
def test_16_13_a_to_g_each_case_voids_whom_it_says(rule: str, case: str, void: str, cards: str) -> None:
    """Void hands give ante and bet back."""
    check_ruling("caribbean-stud", rule, case, void=void, cards=cards)


def test_11_11_d_a_player_whose_card_was_exposed_chooses_and_nobody_else_is_touched() -> None:
    """First the choice is his; once he voids the hand his wager goes back."""
    asked = ruled("pai-gow-poker", "player_card_exposed", seat=4)
    assert (asked["choice_of"], asked["void_seats"], asked["returned"], asked["rule"]) == (4, [], [], "11.11(d)")
    voided = ruled("pai-gow-poker", "player_card_exposed", seat=4, voids=True)
    assert (voided["choice_of"], voided["void_seats"]) == (None, [4])
    assert voided["returned"] == [{"seat": 4, "wager": "pai_gow", "amount_cents": 25_00}]


def test_16_13_d_a_player_dealt_a_wrong_number_of_cards_is_void_alone() -> None:
    """One seat's ante and bet go back, the round goes on."""
    told = ruled("caribbean-stud", "player_wrong_number_of_cards", seat=4)
    assert (told["void_seats"], told["rule"], told["cards"]) == ([4], "16.13(d)", "untouched")
    assert [(line["seat"], line["wager"]) for line in told["returned"]] == [(4, "ante"), (4, "bet")]


def test_every_letter_of_11_11_and_16_13_is_in_the_table() -> None:
    """Letters (a) to (o) and (a) to (g), and every case of the tables is tested above."""
    for section, cases, last in (("11.11", PAI_GOW, "o"), ("16.13", CARIBBEAN, "g")):
        letters = {case.rule.removeprefix(f"{section}(")[0] for case in cases.values() if case.rule.startswith(section)}
        assert letters == {chr(letter) for letter in range(ord("a"), ord(last) + 1)}
    assert {case for _, case, _, _ in PAI_GOW_CASES} | {"player_card_exposed"} == set(PAI_GOW)
    assert {case for _, case, _, _ in CARIBBEAN_CASES} | {"player_wrong_number_of_cards"} == set(CARIBBEAN)


@pytest.mark.parametrize(
    ("game", "told", "where"),
    [
        ("pai-gow-poker", {"case": "rain"}, "case"),
        ("pai-gow-poker", {"case": "player_card_exposed"}, "seat"),
        ("pai-gow-poker", {"case": "player_card_exposed", "seat": 2}, "seat"),
        ("pai-gow-poker", {"case": "dice_not_flat", "seat": 1}, "seat"),
        ("pai-gow-poker", {"case": "dice_not_flat", "voids": True}, "voids"),
        ("pai-gow-poker", {"case": "dice_not_flat", "seats": {"7": {"pai_gow": 5}}}, "seats.7"),
        ("caribbean-stud", {"case": "shuffler_fault", "seats": {"7": {"pai_gow": 5}}}, "seats.7"),
    ],
)
def test_reports_that_cannot_be_are_refused(game: str, told: dict[str, Any], where: str) -> None:
    """A fault names the place."""
    fault = ask(game, "irregularity", **{"seats": {"1": {}}, **told})
    assert isinstance(fault, InputFault)
    assert fault.where == where


@settings(deadline=None)
@given(
    case=st.sampled_from(sorted(PAI_GOW)), wagers=st.dictionaries(st.integers(1, 6), st.integers(0, 10**6), min_size=1)
)
def test_11_11_exactly_the_wagers_of_void_hands_go_back(case: str, wagers: dict[int, int]) -> None:
    """Nothing else moves, and nothing is given back twice."""
    one_seat = PAI_GOW[case].hands in ("seat_chooses", "void_seat")
    told = {"seat": min(wagers), "voids": True} if one_seat else {}
    seats = {str(seat): {"pai_gow": cents} for seat, cents in wagers.items()}
    answer = ask("pai-gow-poker", "irregularity", case=case, seats=seats, **told)
    back = {line["seat"]: line["amount_cents"] for line in answer["returned"]}
    assert back == {seat: wagers[seat] for seat in answer["void_seats"]}
    assert len(answer["returned"]) == len(answer["void_seats"])
