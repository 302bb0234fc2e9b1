"""Settlement of pai gow poker's side wagers, clause by clause."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from games.paytable import Odds, raised
from games.settlement import settle
from tests.support.games.played_rounds import METER, RESET, paid, play, refused, seat, settled

GAME = "pai-gow-poker"
BOTH = "pai_gow progressive"
NOTHING = "2d 4h 6c 8s Td Qh Kc"


@pytest.mark.parametrize(
    ("hand", "name", "cents", "deducted"),
    [
        ("As Ks Qs Js Ts 2d 3d", "natural_royal_flush", METER // 10, True),
        ("Ks Qs Js Ts Jk 2d 2h", "royal_flush_and_pair", 20_000, True),
        ("Ks Qs Js Ts Jk 2d 3h", "royal_flush", 10_000, True),
        ("5s 6s 7s 8s 9s 2d 2h", "straight_flush_and_pair", 5_000, True),
        ("5s 6s 7s 8s 9s 2d 3h", "straight_flush", 2_500, True),
        ("9s 9h 9d 9c Ks 2d 2h", "four_of_a_kind_and_pair", 4_000, False),
        ("9s 9h 9d 9c Ks 2d 3h", "four_of_a_kind", 2_000, False),
        ("9s 9h 9d Kc Ks 2d 2h", "full_house_and_pair", 1_000, False),
        ("9s 9h 9d Kc Ks 2d 3h", "full_house", 500, False),
        ("9s 9h 9d Kc Qs 2d 3h", "three_of_a_kind", 200, False),
    ],
)
def test_11_14_e_amounts_of_50_dollars_and_every_straight_flush_are_deducted_and_validated(
    hand: str, name: str, cents: int, deducted: bool
) -> None:
    """$40 for four of a kind and pair is not deducted, $25 for a straight flush is (S-104)."""
    settlement = settled(GAME, {2: seat(BOTH, hand)})
    (line,) = settlement.payments
    assert (line.hand, line.amount_cents) == (name, cents)
    assert (line.deducted, line.validation) == (deducted, deducted)
    assert settlement.meter_after_cents == METER - (cents if deducted else 0)


def test_11_14_e_at_five_dollars_the_mark_is_250_dollars() -> None:
    """$200 for four of a kind and pair stays off the meter (S-104)."""
    settlement = settled(GAME, {2: seat(BOTH, "9s 9h 9d 9c Ks 2d 2h")}, stake=500)
    assert paid(settlement) == [(2, "progressive", "four_of_a_kind_and_pair", 20_000)]
    assert settlement.meter_after_cents == METER


@pytest.mark.parametrize(
    ("hand", "name", "cents"),
    [("6h 7h 8h 9h Qh Tc Qd", "straight_and_pair", 400), ("7s 7h 7d As Qs Ts Jk", "flush_and_pair", 600)],
)
def test_11_9_j_the_dealer_resets_the_hand_to_what_pays_most(hand: str, name: str, cents: int) -> None:
    """Not to the highest hand: a straight and a pair pay more than a flush."""
    assert paid(settled(GAME, {2: seat(BOTH, hand)})) == [(2, "progressive", name, cents)]


@pytest.mark.parametrize(("wager", "straight"), [("seven_card_bonus", 4), ("bonus", 10)])
def test_11_9_j_a_bonus_is_paid_by_what_pays_most_too(wager: str, straight: int) -> None:
    """A house may raise the straight above three of a kind (11.18(c), 11.16(d)): the player has both (S-90)."""
    played = play(GAME, {2: seat(f"pai_gow {wager}", "5s 6s 7d 8h 9s 9d 9c")})
    assert paid(settle(played)) == [(2, wager, "three_of_a_kind", 300)]
    tables = {**played.tables, wager: raised(played.tables[wager], {"straight": Odds(Fraction(straight))})}
    assert paid(settle(replace(played, tables=tables))) == [(2, wager, "straight", 100 * straight)]


def test_11_9_j_what_pays_most_depends_on_the_meter_at_the_players_turn() -> None:
    """With less than $1,000 on the meter a natural royal is paid as the royal flush it also is."""
    seats = {2: seat(BOTH, "As Ks Qs Js Ts 2d 3d")}
    assert paid(settled(GAME, seats, meter=100_010)) == [(2, "progressive", "natural_royal_flush", 10_001)]
    assert paid(settled(GAME, seats, meter=100_000)) == [(2, "progressive", "natural_royal_flush", 10_000)]
    assert paid(settled(GAME, seats, meter=99_990)) == [(2, "progressive", "royal_flush", 10_000)]


def test_11_9_j_what_the_meter_fixed_is_paid_though_the_rest_of_it_would_pay_another_hand_more() -> None:
    """Five aces at $210: a tenth is $21; of the $189 that are left it would be less than four of a kind's $20."""
    settlement = settled(GAME, {2: seat(BOTH, "As Ah Ad Ac Jk 9h 3d")}, meter=21_000)
    assert paid(settlement) == [(2, "progressive", "five_aces", 2_100)]
    assert (settlement.meter_after_cents, settlement.payments[0].deducted) == (18_900, True)


def test_11_14_d_joker_and_ace_beside_a_natural_royal_are_its_pair() -> None:
    """The joker is an ace, so the whole meter is won (S-101)."""
    settlement = settled(GAME, {2: seat(BOTH, "As Ks Qs Js Ts Jk Ad")})
    assert paid(settlement) == [(2, "progressive", "natural_royal_flush_and_pair", METER)]
    assert settlement.cards_held == (2,)


def test_11_14_g_a_second_hand_for_the_whole_meter_is_paid_from_the_reset_amount() -> None:
    """There is no sharing: the first seat takes it all."""
    seats = {2: seat(BOTH, "Ad Kd Qd Jd Td 4c 4s"), 5: seat(BOTH, "Ks Qs Js Ts As 2c 2h")}
    settlement = settled(GAME, seats)
    assert paid(settlement) == [
        (5, "progressive", "natural_royal_flush_and_pair", METER),
        (2, "progressive", "natural_royal_flush_and_pair", RESET),
    ]
    assert settlement.meter_after_cents == RESET


@pytest.mark.parametrize("wager", ["progressive", "seven_card_bonus"])
def test_11_9_e_no_surrender_with_a_progressive_or_seven_card_bonus(wager: str) -> None:
    """The player must play his hand."""
    seats = {2: seat(f"pai_gow {wager}", NOTHING, folded=True)}
    assert refused(GAME, seats) == ("11.9(e)", "seats.2.folded")


def test_11_9_e_a_player_without_them_may_surrender() -> None:
    """Nothing is paid, and nothing is refused."""
    assert not settled(GAME, {2: seat("pai_gow", folded=True)}).payments


def test_11_14_a_no_progressive_without_a_pai_gow_wager() -> None:
    """The base wager comes first."""
    assert refused(GAME, {2: seat("progressive", NOTHING)}) == ("11.14(a)", "seats.2.wagers")


def test_11_2_a_there_is_one_joker() -> None:
    """Two jokers at one table are refused."""
    seats = {1: seat(BOTH, "Jk 2d 3d 4d 5d 7d 8c"), 2: seat(BOTH, "Jk 2c 3c 4c 5c 7c 8d")}
    assert refused(GAME, seats)[1] == "seats.2.cards[0]"


def test_11_16_a_the_bonus_pays_odds_on_its_amount_and_three_of_a_kind_above_a_straight() -> None:
    """$7 at 3 to 1, though the cards also hold a straight."""
    seats = {2: seat("pai_gow bonus", "9s 9h 9d Tc Js Qd Kh", amounts={"bonus": 700})}
    assert paid(settled(GAME, seats)) == [(2, "bonus", "three_of_a_kind", 2_100)]


def test_11_15_d_3_premium_hands_and_envy_are_paid_after_all_others() -> None:
    """Each seat's plain bonus in turn; then, again from the right, envy before the seat's own premium hand."""
    seats = {
        1: seat("pai_gow bonus", "9s 9h 9d 9c Ks 2d 3h", amounts={"bonus": 500}),
        3: seat("pai_gow bonus", "5d 5h 5c Kc Kd 2h 3d", amounts={"bonus": 500}),
        4: seat("pai_gow bonus", "4s 5s 6s 7s 8s Jk Ah", amounts={"bonus": 400}),
    }
    assert paid(settled(GAME, seats)) == [
        (3, "bonus", "full_house", 2_500),
        (4, "bonus", "straight_flush", 20_000),
        (3, "envy", "straight_flush", 2_000),
        (3, "envy", "four_of_a_kind", 500),
        (1, "envy", "straight_flush", 2_000),
        (1, "bonus", "four_of_a_kind", 12_500),
    ]


def test_11_15_c_a_bonus_below_five_dollars_earns_no_envy() -> None:
    """The marker lies before wagers of $5 and more, and the holder need not have wagered at all."""
    holder = seat("pai_gow", "9s 9h 9d 9c Ks 2d 3h")
    for cents, lines in ((499, 0), (500, 1)):
        seats = {1: holder, 2: seat("pai_gow bonus", "2c 4h 6c 8s Td Qh Kc", amounts={"bonus": cents})}
        assert len(settled(GAME, seats).payments) == lines


def test_11_3_f_2_the_royal_match_option_decides_the_bonus_and_the_envy() -> None:
    """King and queen beside the royal by (i), ace and king by (ii)."""
    for choice, two in (("king_queen", "Kh Qh"), ("ace_king_natural", "Ah Kh")):
        seats = {
            1: seat("pai_gow bonus", f"As Ks Qs Js Ts {two}"),
            2: seat("pai_gow bonus", NOTHING.replace("Qh", "9h"), amounts={"bonus": 500}),
        }
        lines = paid(settled(GAME, seats, choices={"royal_match": choice}))
        assert lines == [
            (2, "envy", "royal_flush_plus_royal_match", 100_000),
            (1, "bonus", "royal_flush_plus_royal_match", 200_000),
        ]
        other = "ace_king_natural" if choice == "king_queen" else "king_queen"
        assert paid(settled(GAME, seats, choices={"royal_match": other}))[0][2] == "royal_flush"


def test_11_16_c_insurance_pays_for_a_pai_gow_by_the_chosen_table() -> None:
    """Nine high at 400 to 1 in table A and 100 to 1 in table C; a joker makes it ace high."""
    nine, ace = "9s 8d 7s 5s 4h 3d 2c", "9s 8d 7s 5s 4h 3d Jk"
    for hand, table, cents in ((nine, "A", 40_000), (nine, "C", 10_000), (ace, "A", 200), (ace, "E", 300)):
        lines = settled(GAME, {2: seat("pai_gow insurance", hand)}, pay_tables={"insurance": table}).payments
        assert [line.amount_cents for line in lines] == [cents]


def test_11_17_f_the_three_card_bonus_is_settled_first_and_by_the_first_three_cards() -> None:
    """All three-card bonuses come before the other wagers of any seat (S-110, S-111)."""
    seats = {
        1: seat("pai_gow three_card_bonus seven_card_bonus", "7s 7h 7d 2c 3d 9h Kd"),
        2: seat("pai_gow three_card_bonus seven_card_bonus", "2s 5h 8d 8c 8s 9d Kh"),
    }
    assert paid(settled(GAME, seats)) == [
        (1, "three_card_bonus", "three_of_a_kind", 2_500),
        (2, "seven_card_bonus", "three_of_a_kind", 300),
        (1, "seven_card_bonus", "three_of_a_kind", 300),
    ]


@pytest.mark.parametrize(
    ("hand", "table", "name", "cents"),
    [
        ("5s 6s 7s 8s Jk 2d 2h", "A", "straight_flush", 5_000),
        ("5s 6s 7s 8s Jk 2d 2h", "B", "straight_flush_with_joker", 3_000),
        ("5s 6s 7s 8s 9s Jk 2h", "B", "straight_flush_without_joker", 5_000),
        ("As Ks Qs Js Jk 2d 2h", "B", "royal_flush", 20_000),
    ],
)
def test_11_18_c_table_b_tells_straight_flushes_apart_by_the_joker(
    hand: str, table: str, name: str, cents: int
) -> None:
    """The best paid of the two counts."""
    seats = {2: seat("pai_gow seven_card_bonus", hand)}
    assert paid(settled(GAME, seats, pay_tables={"seven_card_bonus": table})) == [(2, "seven_card_bonus", name, cents)]


def test_11_15_a_bonus_and_three_or_seven_card_bonus_exclude_each_other_at_a_table() -> None:
    """Not even at different seats."""
    seats = {1: seat("pai_gow bonus", NOTHING), 2: seat("pai_gow seven_card_bonus", "2s 4c 6s 8d Tc Qs Kd")}
    assert refused(GAME, seats) == ("11.15(a), 11.17(a)", "seats")


def test_11_13_a_number_wager_and_three_or_seven_card_bonus_exclude_each_other_at_a_table() -> None:
    """Where 11.17(d) names the starting position, no number is drawn to wager on (S-97)."""
    seats = {1: seat("pai_gow number", numbers={3: 100}), 2: seat("pai_gow seven_card_bonus", NOTHING)}
    assert refused(GAME, seats, number_drawn=3) == ("11.13(a), 11.17(d)", "seats")


@pytest.mark.parametrize(
    ("odds", "stake", "cents"), [("5.5", 500, 2_700), ("5.5", 100, 500), ("6", 500, 3_000), ("5.5", 200, 1_100)]
)
def test_11_13_b_6_the_number_wager_pays_whole_dollars(odds: str, stake: int, cents: int) -> None:
    """5 1/2 to 1 on $5 is $27, not $27.50."""
    seats = {2: seat("pai_gow number", numbers={3: stake, 4: 100})}
    assert paid(settled(GAME, seats, number_drawn=3, pay_tables={"number": odds})) == [(2, "number", "number", cents)]


def test_11_13_b_the_number_wager_says_its_numbers_and_needs_a_draw() -> None:
    """A wager on no number, a number without a wager, a draw that nobody told."""
    assert refused(GAME, {2: seat("pai_gow number")}, number_drawn=3)[1] == "seats.2.numbers"
    assert refused(GAME, {2: seat("pai_gow", numbers={3: 100})}, number_drawn=3)[1] == "seats.2.numbers"
    assert refused(GAME, {2: seat("pai_gow number", numbers={3: 100})})[1] == "options.number_drawn"


def test_11_16_d_a_limit_clips_bonus_insurance_and_envy_together_and_never_the_progressive() -> None:
    """$40,000 for one player and round, of his bonus wagers only; the rest of the line says why it is less."""
    seats = {
        1: seat(
            "pai_gow bonus progressive",
            "2s 3s 4s 5s 6s 7s 8s",
            amounts={"bonus": 500},
        ),
        2: seat("pai_gow", "9h 9d 9c 9s Kd 2d 3h"),
    }
    free, limited = settled(GAME, seats), settled(GAME, seats, limits={"bonus_limit_cents": 4_000_000})
    assert paid(free)[-1] == (1, "bonus", "seven_card_straight_flush_no_joker", 4_000_000)
    assert paid(free)[1] == (1, "envy", "four_of_a_kind", 500)
    assert paid(limited)[-1] == (1, "bonus", "seven_card_straight_flush_no_joker", 3_999_500)
    assert limited.payments[-1].rule == "11.16(a), 11.16(d)"
    assert paid(limited)[:2] == paid(free)[:2]


def test_11_12_nobody_envies_his_own_hand_at_his_other_area() -> None:
    """A player at two areas is paid for the hands of others only, at each of his areas (11.1; S-96, S-107)."""
    envious = "pai_gow bonus"
    seats = {
        1: seat(envious, NOTHING, amounts={"bonus": 500}, player="Lee"),
        2: seat("pai_gow", "9h 9d 9c 9s Kd 2h 3h", player="Lee"),
        3: seat(envious, "2s 4c 5s 8d Tc Qs Ad", amounts={"bonus": 500}, player="Kim"),
    }
    assert paid(settled(GAME, seats)) == [(3, "envy", "four_of_a_kind", 500)]
    seats[2]["player"] = "Ann"
    assert paid(settled(GAME, seats)) == [(3, "envy", "four_of_a_kind", 500), (1, "envy", "four_of_a_kind", 500)]


def test_11_16_d_a_limit_is_of_the_player_and_not_of_each_of_his_areas() -> None:
    """Payable to a player for one round of play, wherever he wagers (S-96, S-109)."""
    hands = {1: "2s 3s 4s 5s 6s 7s 8s", 2: "2h 3h 4h 5h 6h 7h 8h"}
    told = {"amounts": {"bonus": 500}}
    limits = {"bonus_limit_cents": 4_000_000}
    one = {number: seat("pai_gow bonus", hand, player="Lee", **told) for number, hand in hands.items()}
    assert [line.amount_cents for line in settled(GAME, one, limits=limits).payments] == [4_000_000, 0]
    two = {number: seat("pai_gow bonus", hand, player=f"of {number}", **told) for number, hand in hands.items()}
    assert [line.amount_cents for line in settled(GAME, two, limits=limits).payments if line.wager == "bonus"] == [
        3_500_000,
        3_500_000,
    ]


def test_11_12_a_a_player_holds_two_adjacent_areas_at_most() -> None:
    """Seats 1 and 3 are not beside each other, and three are too many (S-96)."""
    apart = {number: seat("pai_gow", player="Lee") for number in (1, 3)}
    assert refused(GAME, apart) == ("11.12(a)", "seats.1.player")
    three = {number: seat("pai_gow", player="Lee") for number in (1, 2, 3)}
    assert refused(GAME, three) == ("11.12(a)", "seats.1.player")


def test_11_16_d_a_limit_below_40000_dollars_is_refused() -> None:
    """At least so much for bonus and insurance."""
    seats = {1: seat("pai_gow", NOTHING)}
    assert refused(GAME, seats, limits={"bonus_limit_cents": 3_999_999})[0] == "11.16(d)"


def test_11_18_d_a_limit_is_for_the_seven_card_bonus_alone_and_no_less_than_50000_dollars() -> None:
    """$60,000 at 500 to 1 is clipped to $50,000, the progressive beside it is not."""
    hand = "As Ah Ad Ac Jk 3d 2c"
    seats = {1: seat("pai_gow seven_card_bonus progressive", hand, amounts={"seven_card_bonus": 12_000})}
    lines = settled(GAME, seats, meter=80_000_000, limits={"seven_card_bonus_limit_cents": 5_000_000}).payments
    assert [(line.wager, line.amount_cents) for line in lines] == [
        ("progressive", 8_000_000),
        ("seven_card_bonus", 5_000_000),
    ]
    assert refused(GAME, seats, limits={"seven_card_bonus_limit_cents": 4_999_999})[0] == "11.18(d)"


def test_11_15_b_a_bonus_is_at_least_one_dollar() -> None:
    """Less is no wager."""
    seats = {1: seat("pai_gow bonus", NOTHING, amounts={"bonus": 99})}
    assert refused(GAME, seats) == ("11.15(b)", "seats.1.amounts.bonus")


def test_11_9_i_the_order_at_a_seat_is_progressive_seven_card_bonus_insurance() -> None:
    """The pai gow wager itself is the dealer's; then the side wagers in this order, seat by seat."""
    seats = {
        1: seat("pai_gow progressive seven_card_bonus", "9s 9h 9d 9c Ks 2d 3h"),
        2: seat("pai_gow progressive seven_card_bonus insurance", "2s 4s 6s 8s Ts Kh Qd"),
    }
    assert [(line.seat, line.wager) for line in settled(GAME, seats).payments] == [
        (2, "progressive"),
        (2, "seven_card_bonus"),
        (1, "progressive"),
        (1, "seven_card_bonus"),
    ]
