"""Void hands: what is refunded, and what the rules settle all the same."""

from typing import Any

import pytest

from games.catalogue import GAMES
from games.settlement import settle
from tests.support.games.played_rounds import METER, paid, play, refused, seat, settled

BOTH = "ante progressive"
HOLDEM = "texas-holdem-bonus"
CARIBBEAN = "caribbean-stud"
PAI_GOW = "pai-gow-poker"
FLUSH = "2s 4s 6s 8s Ts"


def test_28_12_a_a_dealers_card_exposed_early_does_not_void_the_progressive() -> None:
    """All hands are void, but it is settled by the tables, and nothing of it is refunded."""
    assert_settled_all_the_same("dealer_card_exposed", "28.11(f), 28.12(a)")


def test_28_12_b_2_cards_face_up_after_the_two_cards_do_not_void_the_progressive() -> None:
    """It is settled with the flop, whether or not those were the face-up cards."""
    assert_settled_all_the_same("several_cards_face_up_after_two_cards", "28.11(f), 28.12(b)2")


def assert_settled_all_the_same(name: str, rule: str) -> None:
    """A flush is paid in the void round, under both clauses."""
    settlement = settled(HOLDEM, {2: seat(BOTH, "As Ks")}, community="2s 3s 4s", irregularity=name)
    assert paid(settlement) == [(2, "progressive", "flush", 5_000)]
    assert settlement.payments[0].rule == rule
    assert settlement.refunds == ()


def test_28_12_b_2_settles_with_the_flop_and_so_needs_one() -> None:
    """Without the flop there is nothing to settle by."""
    told = {"irregularity": "several_cards_face_up_after_two_cards"}
    assert refused(HOLDEM, {2: seat(BOTH, "As Ks")}, **told) == ("28.1", "community")


def test_28_12_b_before_the_two_cards_everything_goes_back() -> None:
    """Progressive wagers are refunded from the rack, and the meter stays as it is."""
    seats = {2: seat(BOTH), 5: seat(BOTH, "As", coupon=True), 6: seat("ante")}
    settlement = settled(HOLDEM, seats, irregularity="several_cards_face_up_before_two_cards")
    assert [(back.seat, back.wager, back.amount_cents, back.source) for back in settlement.refunds] == [
        (5, "progressive", 100, "rack"),
        (2, "progressive", 100, "rack"),
    ]
    assert [back.coupon for back in settlement.refunds] == [True, False]
    assert {back.rule for back in settlement.refunds} == {"28.12(b)"}
    assert settlement.payments == ()
    assert settlement.meter_after_cents == METER


def test_28_12_b_one_card_face_up_changes_nothing() -> None:
    """It is discarded and the round goes on."""
    settlement = settled(HOLDEM, {2: seat(BOTH, "As Ks")}, community="2s 3s 4s", irregularity="one_card_face_up")
    assert paid(settlement) == [(2, "progressive", "flush", 5_000)]


CARIBBEAN_CASES = {
    "hole_card_exposed": ("16.13(a)", True),
    "one_card_face_up": ("16.13(b)", False),
    "several_cards_face_up": ("16.13(b)", True),
    "card_drawn_in_error": ("16.13(c)", False),
    "dealer_four_cards": ("16.13(d)", False),
    "dealer_misdealt": ("16.13(d)", True),
    "shuffler_fault": ("16.13(e)", False),
    "dealing_shoe_fault": ("16.13(f)", True),
    "other_method_wanted": ("16.13(g)", False),
}


@pytest.mark.parametrize(
    ("name", "expected"), CARIBBEAN_CASES.items(), ids=[rule for rule, _ in CARIBBEAN_CASES.values()]
)
def test_16_13_void_rounds_refund_and_any_other_is_paid(name: str, expected: tuple[str, bool]) -> None:
    """No progressive exception stands in 16.13, unlike in 28.12."""
    rule, voids = expected
    settlement = settled(CARIBBEAN, {2: seat(BOTH, FLUSH)}, irregularity=name)
    assert bool(settlement.payments) is not voids
    assert [(back.amount_cents, back.rule) for back in settlement.refunds] == ([(100, rule)] if voids else [])


def test_16_13_d_a_wrong_count_voids_that_hand_only() -> None:
    """One seat is refunded, the others are paid."""
    seats = {2: seat(BOTH, "Ks Kh Kd Kc"), 3: seat(BOTH, FLUSH)}
    told: dict[str, Any] = {"irregularity": "player_wrong_number_of_cards", "irregular_seats": frozenset({2})}
    settlement = settled(CARIBBEAN, seats, **told)
    assert paid(settlement) == [(3, "progressive", "flush", 5_000)]
    assert [(back.seat, back.rule) for back in settlement.refunds] == [(2, "16.13(d)")]


def test_16_13_d_somebody_must_say_at_which_seat() -> None:
    """A wrong count at no seat, at an empty seat, or a matter of the whole table at one seat is refused."""
    seats, name = {2: seat(BOTH, FLUSH)}, "player_wrong_number_of_cards"
    assert refused(CARIBBEAN, seats, irregularity=name)[1] == "irregularity.seats"
    assert refused(CARIBBEAN, seats, irregularity=name, irregular_seats=frozenset({4}))[1] == "irregularity.seats"
    whole = {"irregularity": "hole_card_exposed", "irregular_seats": frozenset({2})}
    assert refused(CARIBBEAN, seats, **whole)[1] == "irregularity.seats"


PAI_GOW_CASES = {
    "dice_not_flat": ("11.11(a)", False),
    "dice_fell_out": ("11.11(b)", False),
    "wrong_starting_position": ("11.11(c)", True),
    "dealer_or_bank_card_exposed": ("11.11(e)", True),
    "one_card_face_up": ("11.11(f)", False),
    "several_cards_face_up": ("11.11(f)", True),
    "card_drawn_in_error": ("11.11(g)", False),
    "wrong_number_of_cards": ("11.11(h)", True),
    "dealer_hand_mis_set": ("11.11(i)", False),
    "bank_hand_mis_set": ("11.11(j)", False),
    "card_exposed_dealing_stacks": ("11.11(k)", False),
    "stacks_dealt_out_of_order": ("11.11(l)", False),
    "shuffler_fault": ("11.11(m)", False),
    "dealing_shoe_fault": ("11.11(n)", True),
    "other_method_wanted": ("11.11(o)", False),
    "wrong_count_left_deck_faulty": ("11.8(d)2, 11.8A(d)2, 11.8B(e)2, 11.17(h)2", True),
}


@pytest.mark.parametrize(("name", "expected"), PAI_GOW_CASES.items(), ids=[rule for rule, _ in PAI_GOW_CASES.values()])
def test_11_11_void_hands_refund_every_side_wager(name: str, expected: tuple[str, bool]) -> None:
    """Progressive, bonus and insurance go back with the hands; what is not void is paid."""
    rule, voids = expected
    seats = {2: seat("pai_gow progressive bonus insurance", "2s 4s 6s 8s Ts Kh Qd", amounts={"bonus": 700})}
    settlement = settled(PAI_GOW, seats, irregularity=name)
    back = [(refund.wager, refund.amount_cents, refund.rule) for refund in settlement.refunds]
    assert back == ([("progressive", 100, rule), ("bonus", 700, rule), ("insurance", 100, rule)] if voids else [])
    assert bool(settlement.payments) is not voids


def test_11_11_d_a_player_whose_card_was_exposed_may_void_his_hand() -> None:
    """His wager goes back, his neighbour's is paid."""
    seats = {2: seat("pai_gow progressive"), 3: seat("pai_gow progressive", "2s 4s 6s 8s Ts Kh Qd")}
    told: dict[str, Any] = {"irregularity": "player_card_exposed", "irregular_seats": frozenset({2})}
    settlement = settled(PAI_GOW, seats, **told)
    assert [line.seat for line in settlement.payments] == [3]
    assert [back.seat for back in settlement.refunds] == [2]


def test_11_13_b_5_the_number_wager_was_settled_before_the_cards_and_stands() -> None:
    """A void round does not undo it."""
    seats = {2: seat("pai_gow number", numbers={3: 500})}
    settlement = settled(PAI_GOW, seats, irregularity="several_cards_face_up", number_drawn=3)
    assert paid(settlement) == [(2, "number", "number", 2_700)]
    assert settlement.refunds == ()


def test_a_void_hand_is_no_hand_for_the_envy_bonus() -> None:
    """Neither does its holder earn others an envy bonus, nor does a refunded wager earn one."""
    seats = {1: seat("ante progressive", "As Ks Qs"), 2: seat("ante progressive", "2d 5h 9c")}
    for number in seats:
        told: dict[str, Any] = {"irregularity": "misdeal_at_seats", "irregular_seats": frozenset({number})}
        assert not [line for line in settled("three-card-poker", seats, **told).payments if line.wager == "envy"]


@pytest.mark.parametrize("name", list(GAMES))
def test_a_misdeal_refunds_every_progressive_wager_of_any_game(name: str) -> None:
    """What the text does not foresee refunds from the rack, and the contribution stays on the meter."""
    base = {"pai-gow-poker": "pai_gow", "blackjack": "blackjack"}.get(name, "ante")
    played = play(name, {1: seat(f"{base} progressive"), 3: seat(f"{base} progressive")}, irregularity="misdeal")
    settlement = settle(played)
    assert [(back.seat, back.wager, back.amount_cents) for back in settlement.refunds] == [
        (3, "progressive", 100),
        (1, "progressive", 100),
    ]
    assert settlement.meter_after_cents == METER
    assert settlement.payments == ()
