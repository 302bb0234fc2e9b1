"""Settlement of blackjack's progressive and bonus wagers, clause by clause."""

import pytest

from tests.support.games.played_rounds import METER, RESET, paid, refused, seat, settled

GAME = "blackjack"
BOTH = "blackjack progressive"


@pytest.mark.parametrize(
    ("hand", "name", "cents"),
    [
        ("As As As Kd", "three_aces_same_suit", 250_000),
        ("As Ad As Kd", "three_aces_any", 25_000),
        ("As As 9d", "two_aces_same_suit", 10_000),
        ("As Ad 9d", "two_aces_any", 2_500),
    ],
)
def test_2_19_g_every_payout_is_deducted_and_validated(hand: str, name: str, cents: int) -> None:
    """Amounts come from the rack and fall off the meter, also the $25."""
    settlement = settled(GAME, {3: seat(BOTH, hand)})
    (line,) = settlement.payments
    assert (line.hand, line.amount_cents) == (name, cents)
    assert (line.source, line.deducted, line.validation) == ("rack", True, True)
    assert settlement.meter_after_cents == METER - cents


def test_2_19_h_four_aces_of_a_color_share_the_meter() -> None:
    """Black and red alike, equally, the odd cent to the first seat that is paid."""
    seats = {1: seat(BOTH, "As Ac As Ac"), 5: seat(BOTH, "Ah Ad Ah Ad")}
    settlement = settled(GAME, seats, meter=500_001)
    assert paid(settlement) == [
        (5, "progressive", "four_aces_same_color", 250_001),
        (1, "progressive", "four_aces_same_color", 250_000),
    ]
    assert settlement.meter_after_cents == RESET
    assert settlement.cards_held == (5, 1)
    assert settlement.payments[0].source == "cage"


def test_2_19_e_the_highest_hand_is_paid_and_no_other() -> None:
    """Four aces of a color are paid as such, though the first three are of one suit."""
    (line,) = settled(GAME, {1: seat(BOTH, "As As As Ac")}).payments
    assert (line.hand, line.amount_cents) == ("four_aces_same_color", METER)


def test_2_19_c_cards_count_in_the_order_in_which_they_came() -> None:
    """Two aces after a king are not the first two cards."""
    assert not settled(GAME, {1: seat(BOTH, "Kd As As")}).payments


def test_2_19_a_more_of_a_card_than_decks_is_refused() -> None:
    """Two decks hold two aces of spades."""
    seats = {1: seat(BOTH, "As As"), 2: seat(BOTH, "As Kd")}
    assert settled(GAME, seats, decks=3).payments
    assert refused(GAME, seats, decks=2)[1] == "seats.2.cards[0]"


def test_2_19_f_no_progressive_without_a_blackjack_wager() -> None:
    """The base wager comes first."""
    assert refused(GAME, {1: seat("progressive", "As As")}) == ("2.19(f)", "seats.1.wagers")


def test_2_19_b_a_coupon_is_no_progressive_blackjack_wager() -> None:
    """The rule knows a one dollar chip in the acceptor and nothing else (S-53)."""
    assert refused(GAME, {1: seat(BOTH, "As As", coupon=True)}) == ("2.19(b)", "seats.1.coupon")


def test_2_19_c_one_card_is_too_few() -> None:
    """The first two cards are two cards."""
    assert refused(GAME, {1: seat(BOTH, "As")})[1] == "seats.1.cards"


def test_2_18_f_in_multiple_action_the_progressive_is_settled_with_the_dealers_first_hand() -> None:
    """It is paid once, whatever the number of the dealer's hands, and the line says why."""
    once = settled(GAME, {1: seat(BOTH, "As As")}, choices={"dealer_hands": "1"})
    action = settled(GAME, {1: seat(BOTH, "As As")}, choices={"dealer_hands": "3"})
    assert paid(once) == paid(action)
    assert [line.rule for line in (*once.payments, *action.payments)] == ["2.19(c)", "2.19(c), 2.18(f)"]


def test_2_18_d_insurance_is_paid_hand_by_hand_from_the_right_beside_the_progressive() -> None:
    """The second card of each hand decides; a hand above 21 has lost its insurance (S-51, S-114)."""
    every = "blackjack third_wager first_insurance second_insurance third_insurance"
    seats = {
        1: seat(every, "9s 9c"),
        3: seat("blackjack progressive first_insurance second_insurance", "Ah Ah"),
        5: seat(every, "Ts 9c", folded=True),
    }
    settlement = settled(GAME, seats, choices={"dealer_hands": "3"}, dealer="As Kd 9d Td")
    assert paid(settlement) == [
        (3, "first_insurance", "ten_beside_ace", 200),
        (3, "progressive", "two_aces_same_suit", 10_000),
        (1, "first_insurance", "ten_beside_ace", 200),
        (1, "third_insurance", "ten_beside_ace", 200),
    ]
    assert settlement.payments[0].rule == "2.18(d)"


@pytest.mark.parametrize(
    ("wagers", "dealer", "rule"),
    [
        ("blackjack first_insurance", "Ks Kd", "house: insurance"),
        ("blackjack second_insurance", "As Kd", "2.18(d)"),
        ("blackjack third_insurance", "As Kd 9d 9h", "2.18(d)"),
        ("blackjack", "As Kd 9d 9h", "2.18(h)"),
        ("blackjack", "As Kd 9d 9h Th", "2.18(f)"),
    ],
)
def test_2_18_a_multiple_action_round_that_cannot_be_is_refused(wagers: str, dealer: str, rule: str) -> None:
    """Insurance beside a king, without its hand's card or its wager; a hand that nobody wagered on."""
    assert refused(GAME, {2: seat(wagers, "9s 9c")}, choices={"dealer_hands": "3"}, dealer=dealer)[0] == rule


def test_2_18_f_1_when_everybody_is_above_21_there_is_no_second_hand() -> None:
    """All wagers were collected with the first hand (S-51)."""
    seats = {2: seat("blackjack", "9s 9c 9d", folded=True)}
    assert refused(GAME, seats, choices={"dealer_hands": "2"}, dealer="As Kd 9d")[0] == "2.18(f)1"


def test_2_20_f_bonus_winners_are_paid_after_everything_else_from_the_dealers_left() -> None:
    """The button goes to seat 1 first, after the progressives, and the display says the amount."""
    seats = {
        1: seat("blackjack bonus", "As Kd", displayed_cents=2_500),
        2: seat("blackjack bonus progressive", "Ah Ah"),
        6: seat("blackjack bonus", "Tc Ad", displayed_cents=7_500),
    }
    settlement = settled(GAME, seats)
    assert paid(settlement) == [
        (2, "progressive", "two_aces_same_suit", 10_000),
        (1, "bonus", "blackjack", 2_500),
        (6, "bonus", "blackjack", 7_500),
    ]
    bonus = settlement.payments[1]
    assert (bonus.source, bonus.deducted, bonus.validation, bonus.rule) == ("rack", False, False, "2.20(f)")
    assert settlement.meter_after_cents == METER - 10_000


def test_2_20_f_a_winner_without_a_displayed_amount_and_a_display_without_a_winner_are_refused() -> None:
    """Each winner presses once, and nobody else does."""
    assert refused(GAME, {1: seat("blackjack bonus", "As Kd")}) == ("2.20(f)", "seats.1.displayed_cents")
    loser = {1: seat("blackjack bonus", "As 2d", displayed_cents=500)}
    assert refused(GAME, loser) == ("2.20(d)", "seats.1.displayed_cents")
    without = {1: seat("blackjack", "As Kd", displayed_cents=500)}
    assert refused(GAME, without) == ("2.20(d)", "seats.1.displayed_cents")


@pytest.mark.parametrize("cents", [99, 250, 501])
def test_2_20_a_a_bonus_wager_is_one_or_five_dollars(cents: int) -> None:
    """No other amount."""
    seats = {1: seat("blackjack bonus", "2s Kd", amounts={"bonus": cents})}
    assert refused(GAME, seats) == ("2.20(a)", "seats.1.amounts.bonus")
