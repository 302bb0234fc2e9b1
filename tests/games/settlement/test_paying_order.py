"""Who is paid first, of which meter: rounds worked by hand from the clauses."""

from games.settlement import Settlement
from tests.support.games.played_rounds import paid, seat, settled

ANTE = "ante progressive"


def to_seats(settlement: Settlement) -> list[tuple[int, int]]:
    """Seat and cents of every line, in paying order."""
    return [(line.seat, line.amount_cents) for line in settlement.payments]


def test_28_10_a_2i_a_folded_seat_is_resolved_after_every_seat_with_a_flop_wager() -> None:
    """The folded royal flush gets what the straight flush at a lower seat left on the meter (S-112)."""
    seats = {5: seat(ANTE, "As Ks", folded=True), 3: seat(ANTE, "8s 9s")}
    settlement = settled("texas-holdem-bonus", seats, community="Ts Js Qs", meter=100_000_00, reset=10_000_00)
    assert to_seats(settlement) == [(3, 10_000_00), (5, 90_000_00)]
    assert settlement.meter_after_cents == 10_000_00


def test_28_10_a_2i_a_house_may_settle_folded_seats_in_seat_order() -> None:
    """Then the folded seat at the far right takes its part first (S-112)."""
    seats = {5: seat(ANTE, "As Ks", folded=True), 3: seat(ANTE, "8s 9s")}
    told = {"community": "Ts Js Qs", "meter": 100_000_00, "reset": 10_000_00, "settlement": "folded_in_seat_order"}
    assert to_seats(settled("texas-holdem-bonus", seats, **told)) == [(5, 100_000_00), (3, 1_000_00)]


def test_28_10_h_among_several_folded_seats_the_right_comes_first() -> None:
    """Two folded flushes and a standing one: the standing one, then the folded ones from the right (S-112)."""
    seats = {
        2: seat(ANTE, "2s 3s"),
        4: seat(ANTE, "4s 5s", folded=True),
        6: seat(ANTE, "6s 7s", folded=True),
    }
    settlement = settled("texas-holdem-bonus", seats, community="Ts Js Ks", meter=8_000_05)
    assert to_seats(settlement) == [(2, 50_00), (6, 50_00), (4, 50_00)]


def test_28_11_i_a_part_is_of_the_meter_after_the_seats_to_its_right() -> None:
    """Seat 6 takes its flush first: seat 2 gets ten per cent of what is left, rounded up (S-19, S-113)."""
    seats = {2: seat(ANTE, "Th Jh"), 6: seat(ANTE, "Ah 2h")}
    settlement = settled("texas-holdem-bonus", seats, community="7h 8h 9h", meter=8_000_05)
    assert to_seats(settlement) == [(6, 50_00), (2, 795_01)]
    assert settlement.meter_after_cents == 7_155_04


def test_16_12_g_the_royal_flush_at_the_right_takes_the_whole_meter_first() -> None:
    """Seat 1's straight flush gets ten per cent of the reset amount (S-73, S-113)."""
    seats = {1: seat(ANTE, "5d 6d 7d 8d 9d"), 6: seat(ANTE, "Ts Js Qs Ks As")}
    settlement = settled("caribbean-stud", seats, meter=10_003_51, reset=5_000_00)
    assert to_seats(settlement) == [(6, 10_003_51), (1, 500_00)]
    assert settlement.meter_after_cents == 4_500_00


def test_16_12_g_a_seat_between_two_royals_is_paid_from_the_reset_meter() -> None:
    """The shares were fixed at the first royal's turn; the flush between them does not change the second (S-73)."""
    seats = {
        7: seat(ANTE, "Ts Js Qs Ks As"),
        4: seat(ANTE, "2c 4c 6c 8c Tc"),
        2: seat(ANTE, "Th Jh Qh Kh Ah"),
    }
    settlement = settled("caribbean-stud", seats, meter=10_003_51, reset=5_000_00)
    assert to_seats(settlement) == [(7, 5_001_76), (4, 50_00), (2, 5_001_75)]
    assert [line.meter_after_cents for line in settlement.payments] == [5_000_00, 4_950_00, 4_950_00]


THREE_CARD = {
    6: seat(ANTE, "4s 5h 6d"),
    4: seat(ANTE, "Ah Kh Qh"),
    2: seat(ANTE, "2d 7c 9s", folded=True),
    1: seat(ANTE, "2c 8d Js"),
}


def test_20_10_c_1_envy_comes_after_every_winning_wager() -> None:
    """The folded seat keeps its envy (S-45, S-38)."""
    settlement = settled("three-card-poker", THREE_CARD, settlement="procedure_by_procedure")
    assert to_seats(settlement) == [(6, 6_00), (4, 500_00), (6, 25_00), (2, 25_00), (1, 25_00)]


def test_20_10_c_2_envy_comes_at_each_seat() -> None:
    """Player by player, after his own win (S-45)."""
    settlement = settled("three-card-poker", THREE_CARD)
    assert to_seats(settlement) == [(6, 6_00), (6, 25_00), (4, 500_00), (2, 25_00), (1, 25_00)]


def test_20_10_b_nobody_envies_a_folded_hand() -> None:
    """It went into the discard rack unseen; a house that has it exposed pays (S-43)."""
    seats = {4: seat(ANTE, "Ah Kh Qh", folded=True), 1: seat(ANTE, "2c 8d Js")}
    assert settled("three-card-poker", seats).payments == ()
    exposed = settled("three-card-poker", seats, choices={"folded_hands": "exposed"})
    assert paid(exposed) == [(1, "envy", "akq_suited_other", 25_00)]


def test_2_19_h_four_aces_of_one_colour_share_and_the_seat_between_them_does_not() -> None:
    """The odd cent goes to the first; two aces between them come off the reset meter (S-57)."""
    seats = {
        2: seat("blackjack progressive", "Ah Ad Ah Ad"),
        4: seat("blackjack progressive", "Ac Ac 9h 2c"),
        6: seat("blackjack progressive", "As Ac As Ac"),
    }
    settlement = settled("blackjack", seats, meter=5_401_01, reset=5_000_00)
    assert to_seats(settlement) == [(6, 2_700_51), (4, 100_00), (2, 2_700_50)]
    assert settlement.meter_after_cents == 4_900_00


def test_11_14_g_the_second_whole_award_of_pai_gow_is_paid_from_the_reset_meter() -> None:
    """No sharing; and a natural royal below gets ten per cent of what it leaves (S-106)."""
    seats = {
        2: seat("pai_gow progressive", "Ts Js Qs Ks As 9h 4d"),
        5: seat("pai_gow progressive", "Th Jh Qh Kh Ah 9c 9d"),
    }
    settlement = settled("pai-gow-poker", seats, meter=20_000_00, reset=10_000_00)
    assert to_seats(settlement) == [(5, 20_000_00), (2, 1_000_00)]
    assert settlement.meter_after_cents == 9_000_00


def test_11_9_i_a_deducted_amount_at_the_right_comes_before_a_part_of_the_meter() -> None:
    """The royal flush with the joker takes $200 first (S-88)."""
    seats = {
        3: seat("pai_gow progressive", "Ts Js Qs Ks As 8h 4d"),
        6: seat("pai_gow progressive", "Jk Jh Qh Kh Ah 9c 9d"),
    }
    settlement = settled("pai-gow-poker", seats, meter=20_000_00)
    assert to_seats(settlement) == [(6, 200_00), (3, 1_980_00)]
    assert settlement.meter_after_cents == 17_820_00


def test_11_15_d_envy_and_premium_hands_come_last() -> None:
    """Plain bonuses from the right, then envy and premium bonuses from the right (S-107)."""
    seats = {
        6: seat("pai_gow bonus", "7s 7h 7d Jc Jd Kh 2s", amounts={"bonus": 5_00}),
        4: seat("pai_gow bonus", "8s 8h 8d 8c 3s Kd 5d", amounts={"bonus": 10_00}),
        2: seat("pai_gow bonus", "9s Th Js Qc Ks 2h 3d", amounts={"bonus": 1_00}),
    }
    settlement = settled("pai-gow-poker", seats)
    assert paid(settlement) == [
        (6, "bonus", "full_house", 25_00),
        (2, "bonus", "straight", 2_00),
        (6, "envy", "four_of_a_kind", 5_00),
        (4, "bonus", "four_of_a_kind", 250_00),
    ]


def test_11_17_f_a_three_card_bonus_stands_once_four_more_cards_are_dealt() -> None:
    """A fault found later refunds the seven-card bonus beside it; one found earlier refunds both (S-110)."""
    wagers = "pai_gow three_card_bonus seven_card_bonus"
    late = settled("pai-gow-poker", {2: seat(wagers, "Qs Ks As 2d 3d")}, irregularity="wrong_number_of_cards")
    assert [(line.wager, line.amount_cents) for line in late.payments] == [("three_card_bonus", 40_00)]
    assert [back.wager for back in late.refunds] == ["seven_card_bonus"]
    early = settled("pai-gow-poker", {2: seat(wagers, "Qs Ks As")}, irregularity="wrong_number_of_cards")
    assert early.payments == ()
    assert [back.wager for back in early.refunds] == ["three_card_bonus", "seven_card_bonus"]


def test_11_13_b_5_a_number_wager_stands_once_the_number_is_drawn() -> None:
    """Before the draw a void round refunds it (S-97)."""
    seats = {2: seat("pai_gow number", numbers={3: 5_00})}
    drawn = settled("pai-gow-poker", seats, irregularity="several_cards_face_up", number_drawn=3)
    assert [(line.wager, line.amount_cents) for line in drawn.payments] == [("number", 27_00)]
    assert drawn.refunds == ()
    undrawn = settled("pai-gow-poker", seats, irregularity="several_cards_face_up")
    assert undrawn.payments == ()
    assert [(back.wager, back.amount_cents) for back in undrawn.refunds] == [("number", 5_00)]
