"""Settlement of hold 'em bonus and caribbean stud, clause by clause."""

from typing import Any

import pytest

from tests.support.games.played_rounds import METER, RESET, paid, refused, seat, settled

HOLDEM = "texas-holdem-bonus"
CARIBBEAN = "caribbean-stud"
BOTH = "ante progressive"


def test_28_10_h_the_last_seat_is_settled_first() -> None:
    """Payments run from the dealer's far right to his left."""
    seats = {number: seat(BOTH, hand) for number, hand in ((1, "9h 9d"), (4, "8h 8d"), (7, "7h 7d"))}
    lines = settled(HOLDEM, seats, community="9s 8s 7s", pay_tables={"progressive": "A"}).payments
    assert [line.seat for line in lines] == [7, 4, 1]


def test_28_11_i_a_percentage_is_taken_of_the_meter_at_the_players_turn() -> None:
    """$100,000 and two straight flushes: $10,000, then $9,000 (S-19)."""
    seats = {2: seat(BOTH, "5s 6s"), 6: seat(BOTH, "Ts Js")}
    settlement = settled(HOLDEM, seats, community="7s 8s 9s")
    assert paid(settlement) == [
        (6, "progressive", "straight_flush", 1_000_000),
        (2, "progressive", "straight_flush", 900_000),
    ]
    assert [line.meter_after_cents for line in settlement.payments] == [9_000_000, 8_100_000]
    assert settlement.meter_after_cents == 8_100_000


def test_28_11_f_a_part_of_a_cent_goes_to_the_player() -> None:
    """No less than 10 percent: the cent is rounded up."""
    (line,) = settled(HOLDEM, {2: seat(BOTH, "5s 6s")}, community="7s 8s 9s", meter=10_001).payments
    assert line.amount_cents == 1_001


def test_28_11_f_a_royal_flush_takes_the_whole_meter_and_the_next_seat_is_paid_from_the_reset_amount() -> None:
    """A royal flush before a straight flush in one round."""
    seats = {3: seat(BOTH, "8s 9s"), 5: seat(BOTH, "As Ks")}
    settlement = settled(HOLDEM, seats, community="Ts Js Qs 2d 3d")
    assert paid(settlement) == [
        (5, "progressive", "royal_flush", METER),
        (3, "progressive", "straight_flush", RESET // 10),
    ]
    assert settlement.meter_after_cents == RESET - RESET // 10
    assert settlement.cards_held == (5, 3)


def test_28_11_f_a_straight_flush_before_a_royal_flush_is_paid_of_the_old_meter() -> None:
    """The same hands at exchanged seats."""
    seats = {5: seat(BOTH, "8s 9s"), 3: seat(BOTH, "As Ks")}
    settlement = settled(HOLDEM, seats, community="Ts Js Qs")
    assert paid(settlement) == [
        (5, "progressive", "straight_flush", METER // 10),
        (3, "progressive", "royal_flush", METER - METER // 10),
    ]
    assert settlement.meter_after_cents == RESET


@pytest.mark.parametrize(
    ("hand", "flop", "name", "cents", "deducted"),
    [
        ("9s 9h", "9d 9c 2s", "four_of_a_kind", 50_000, True),
        ("9s 9h", "9d 2c 2s", "full_house", 10_000, True),
        ("9s 4s", "As Ks 2s", "flush", 5_000, True),
        ("9s 8h", "7d 6c 5s", "straight", 1_000, False),
        ("9s 9h", "9d 6c 5s", "three_of_a_kind", 300, False),
        ("9s 9h", "5d 6c 5s", "two_pair", 200, False),
    ],
)
def test_28_11_f_amounts_come_from_the_rack_and_are_validated_and_some_fall_off_the_meter(
    hand: str, flop: str, name: str, cents: int, deducted: bool
) -> None:
    """Table A: flush and better are deducted, the lesser three are not; a supervisor sees every one of them."""
    settlement = settled(HOLDEM, {4: seat(BOTH, hand)}, community=flop, pay_tables={"progressive": "A"})
    (line,) = settlement.payments
    assert (line.hand, line.amount_cents, line.deducted) == (name, cents, deducted)
    assert (line.source, line.validation) == ("rack", True)
    assert settlement.meter_after_cents == METER - (cents if deducted else 0)
    assert settlement.cards_held == ()


@pytest.mark.parametrize("table", ["B", "C", "D"])
def test_28_11_g_a_straight_marked_m_is_deducted(table: str) -> None:
    """Ten dollars leave the meter in tables B, C and D (S-25a)."""
    seats = {4: seat(BOTH, "9s 8h")}
    settlement = settled(HOLDEM, seats, community="7d 6c 5s", pay_tables={"progressive": table})
    assert settlement.meter_after_cents == METER - 1_000


def test_28_11_g_table_b_pays_no_two_pair_and_the_base_table_no_straight() -> None:
    """None means none (S-25a)."""
    two_pair, straight = {4: seat(BOTH, "9s 9h")}, {4: seat(BOTH, "9s 8h")}
    assert not settled(HOLDEM, two_pair, community="5d 6c 5s", pay_tables={"progressive": "B"}).payments
    assert not settled(HOLDEM, straight, community="7d 6c 5s", pay_tables={"progressive": "base"}).payments


def test_28_1_turn_and_river_do_not_help() -> None:
    """A flush that needs the river is none."""
    assert not settled(HOLDEM, {1: seat(BOTH, "As Ks")}, community="2s 3s 4d 5s 6s").payments


def test_28_10_a_2_i_a_folded_seat_is_still_paid() -> None:
    """The fold costs the ante, not the progressive."""
    (line,) = settled(HOLDEM, {1: seat(BOTH, "As Ks", folded=True)}, community="2s 3s 4s").payments
    assert (line.hand, line.rule) == ("flush", "28.11(f), 28.10(a)2i")


def test_28_10_h_4_a_seat_without_a_progressive_wager_is_paid_nothing() -> None:
    """A hand alone wins nothing."""
    assert not settled(HOLDEM, {1: seat("ante", "As Ks")}, community="Qs Js Ts").payments


def test_28_6_c_a_progressive_without_an_ante_is_refused() -> None:
    """Upon placing an ante wager, and not otherwise (S-15)."""
    assert refused(HOLDEM, {1: seat("progressive", "As Ks")}, community="2s 3s 4s") == ("28.6(c)", "seats.1.wagers")


def test_28_6_c_a_bonus_wager_is_one_dollar_at_least() -> None:
    """A minimum of a $1.00 chip, though the dealer settles it; nobody need say how much it was (S-9)."""
    told = {"community": "2s 3s 4s"}
    small = {1: seat("ante bonus", "As Ks", amounts={"bonus": 99})}
    assert refused(HOLDEM, small, **told) == ("28.6(c)", "seats.1.amounts.bonus")
    assert not settled(HOLDEM, {1: seat("ante bonus", "As Ks", amounts={"bonus": 0})}, **told).payments


def test_1_13q_a_an_eighth_seat_is_refused() -> None:
    """No more than seven players."""
    assert refused(HOLDEM, {8: seat(BOTH, "As Ks")}, community="2s 3s 4s") == ("1.13Q(a)", "seats.8")


@pytest.mark.parametrize(
    ("seats", "community", "where"),
    [
        ({1: seat(BOTH, "As Ks"), 2: seat(BOTH, "As 2d")}, "2s 3s 4s", "seats.2.cards[0]"),
        ({1: seat(BOTH, "As Ks")}, "As 3s 4s", "seats.1.cards[0]"),
        ({1: seat(BOTH, "As Jk")}, "2s 3s 4s", "seats.1.cards[1]"),
        ({1: seat(BOTH, "As")}, "2s 3s 4s", "seats.1.cards"),
        ({1: seat(BOTH)}, "2s 3s 4s", "seats.1.cards"),
        ({1: seat("ante", "As")}, "2s 3s 4s", "seats.1.cards"),
        ({1: seat(BOTH, "As Ks")}, "2s 3s", "community"),
        ({1: seat(BOTH, "As Ks")}, "", "community"),
        ({1: seat("ante")}, "2s 3s 4s 5s 6s 7s", "community"),
        ({1: seat("ante", coupon=True)}, "", "seats.1.coupon"),
    ],
)
def test_impossible_rounds_are_refused_where_the_fault_lies(seats: dict[int, Any], community: str, where: str) -> None:
    """A duplicate, a joker, a wrong count, a coupon for nothing."""
    assert refused(HOLDEM, seats, community=community)[1] == where


def test_16_12_g_caribbean_pays_from_the_meter_at_the_turn() -> None:
    """All five listed hands are deducted; four of a kind first lessens the straight flush after it."""
    seats = {1: seat(BOTH, "5s 6s 7s 8s 9s"), 2: seat(BOTH, "Kh Kd Ks Kc 2d")}
    settlement = settled(CARIBBEAN, seats)
    assert paid(settlement) == [
        (2, "progressive", "four_of_a_kind", 50_000),
        (1, "progressive", "straight_flush", 995_000),
    ]
    assert settlement.meter_after_cents == METER - 50_000 - 995_000


def test_16_12_g_royal_flushes_share_the_meter_of_the_first_turn_to_the_last_cent() -> None:
    """Three royals: equal whole cents, the odd cents one each in paying order, the meter at its reset amount."""
    seats = {
        number: seat(BOTH, f"A{suit} K{suit} Q{suit} J{suit} T{suit}")
        for number, suit in zip((2, 3, 6), "shd", strict=True)
    }
    settlement = settled(CARIBBEAN, seats, meter=1_000_001)
    assert [(line.seat, line.amount_cents) for line in settlement.payments] == [
        (6, 333_334),
        (3, 333_334),
        (2, 333_333),
    ]
    assert settlement.meter_after_cents == RESET
    assert {line.rule for line in settlement.payments} == {"16.12(e), 16.12(g)"}


def test_16_12_g_a_straight_flush_between_two_royals_is_paid_from_the_reset_amount() -> None:
    """The whole amount is fixed at the first royal's turn, so nothing of it is left for others."""
    seats = {
        5: seat(BOTH, "As Ks Qs Js Ts"),
        4: seat(BOTH, "5c 6c 7c 8c 9c"),
        2: seat(BOTH, "Ah Kh Qh Jh Th"),
    }
    settlement = settled(CARIBBEAN, seats)
    assert [(line.seat, line.amount_cents) for line in settlement.payments] == [
        (5, METER // 2),
        (4, RESET // 10),
        (2, METER // 2),
    ]
    assert settlement.meter_after_cents == RESET - RESET // 10


def test_16_12_e_the_former_straight_flush_pays_5000_dollars() -> None:
    """By option, for a table that is not linked (S-70)."""
    seats = {1: seat(BOTH, "5s 6s 7s 8s 9s")}
    (line,) = settled(CARIBBEAN, seats, pay_tables={"progressive": "pre_amendment"}).payments
    assert (line.amount_cents, line.source, line.deducted) == (500_000, "rack", True)


def test_16_11_c_the_dealers_hand_does_not_matter() -> None:
    """Paid even if the dealer has more, or does not qualify."""
    seats = {1: seat(BOTH, "2s 4s 6s 8s Ts")}
    higher = settled(CARIBBEAN, seats, dealer="3h 3d 3c Ah Ad")
    none = settled(CARIBBEAN, seats, dealer="2h 4d 5c 7h 9d")
    assert paid(higher) == paid(none) == [(1, "progressive", "flush", 5_000)]


def test_a_meter_that_cannot_cover_a_prize_stops_at_zero_and_the_house_pays_the_rest() -> None:
    """The player is paid in full; what the meter lacks is recorded as house-funded."""
    settlement = settled(CARIBBEAN, {1: seat(BOTH, "Kh Kd Ks Kc 2d")}, meter=20_000, reset=1_000)
    (line,) = settlement.payments
    assert (line.amount_cents, line.house_funded_cents) == (50_000, 30_000)
    assert settlement.meter_after_cents == 0


def test_a_coupon_wager_wins_like_a_chip() -> None:
    """It lights its seat and moves the meter, so it is paid."""
    (line,) = settled(CARIBBEAN, {1: seat(BOTH, "2s 4s 6s 8s Ts", coupon=True)}).payments
    assert line.amount_cents == 5_000
