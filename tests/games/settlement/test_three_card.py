"""Settlement of three card poker: progressive, envy and 6 card bonus, clause by clause."""

import pytest

from tests.support.games.played_rounds import METER, RESET, paid, refused, seat, settled

GAME = "three-card-poker"
SPADES, HEARTS, CLUBS = "As Ks Qs", "Ah Kh Qh", "Ac Kc Qc"
LOSER = "2d 5h 9c"
BOTH = "ante progressive"


def test_20_11_a_4_spades_take_the_meter_from_the_cage_and_other_suits_an_amount_from_the_rack() -> None:
    """Only the whole of the meter is deducted and validated; its cards are held for the papers (S-35)."""
    settlement = settled(GAME, {2: seat(BOTH, SPADES)}, meter=123_456)
    (line,) = settlement.payments
    assert (line.hand, line.amount_cents) == ("akq_suited_spades", 123_456)
    assert (line.source, line.deducted, line.validation) == ("cage", True, True)
    assert settlement.cards_held == (2,)
    assert settlement.meter_after_cents == RESET
    settlement = settled(GAME, {2: seat(BOTH, HEARTS)})
    (line,) = settlement.payments
    assert (line.hand, line.amount_cents) == ("akq_suited_other", 50_000)
    assert (line.source, line.deducted, line.validation) == ("rack", False, False)
    assert settlement.cards_held == ()
    assert settlement.meter_after_cents == METER


def test_20_14_b_a_five_dollar_wager_is_paid_five_dollar_amounts() -> None:
    """By the receiver's own wager."""
    seats = {1: seat(BOTH, HEARTS), 2: seat("ante", SPADES)}
    assert paid(settled(GAME, seats, stake=500)) == [
        (1, "progressive", "akq_suited_other", 250_000),
        (1, "envy", "akq_suited_spades", 50_000),
    ]


def test_20_10_c_2_player_by_player_the_progressive_comes_before_the_envy_bonus() -> None:
    """Each seat is finished before the next: own hand first, then one line for each hand of somebody else."""
    seats = {1: seat(BOTH, HEARTS), 4: seat(BOTH, SPADES), 6: seat(BOTH, LOSER), 7: seat("pair_plus", CLUBS)}
    assert paid(settled(GAME, seats)) == [
        (6, "envy", "akq_suited_other", 2_500),
        (6, "envy", "akq_suited_spades", 10_000),
        (6, "envy", "akq_suited_other", 2_500),
        (4, "progressive", "akq_suited_spades", METER),
        (4, "envy", "akq_suited_other", 2_500),
        (4, "envy", "akq_suited_other", 2_500),
        (1, "progressive", "akq_suited_other", 50_000),
        (1, "envy", "akq_suited_other", 2_500),
        (1, "envy", "akq_suited_spades", 10_000),
    ]


def test_20_10_c_1_procedure_by_procedure_all_winners_come_before_all_envy_bonuses() -> None:
    """The other order that a house may choose; the same lines in it."""
    seats = {1: seat(BOTH, HEARTS), 4: seat(BOTH, SPADES), 6: seat(BOTH, LOSER)}
    one, other = settled(GAME, seats), settled(GAME, seats, settlement="procedure_by_procedure")
    assert [line.wager for line in other.payments] == ["progressive"] * 2 + ["envy"] * 4
    assert sorted(paid(one)) == sorted(paid(other))
    assert [line.seat for line in other.payments] == [4, 1, 6, 6, 4, 1]


def test_20_1_nobody_is_paid_envy_for_his_own_hand_or_the_dealers() -> None:
    """One holder and the dealer: no other player has a hand to envy."""
    assert paid(settled(GAME, {3: seat(BOTH, SPADES)}, dealer=HEARTS)) == [
        (3, "progressive", "akq_suited_spades", METER)
    ]


def test_20_14_a_the_holder_need_not_have_wagered_and_the_receiver_must() -> None:
    """A seat without any wager may hold the hand; a seat without a progressive wager is paid nothing."""
    seats = {1: seat("", SPADES), 2: seat(BOTH, LOSER), 3: seat("ante", "2c 5c 9d")}
    assert paid(settled(GAME, seats)) == [(2, "envy", "akq_suited_spades", 10_000)]


def test_20_10_b_a_fold_forfeits_the_progressive_and_keeps_the_envy_bonus() -> None:
    """The folded seat is paid for another's hand, not for its own."""
    seats = {2: seat(BOTH, HEARTS, folded=True), 5: seat("ante", SPADES)}
    (line,) = settled(GAME, seats).payments
    assert (line.seat, line.wager, line.hand, line.rule) == (2, "envy", "akq_suited_spades", "20.14(b), 20.10(b)")


def test_20_10_b_who_made_no_ante_has_nothing_to_fold() -> None:
    """With pair plus alone there is no play wager to leave out, so a progressive cannot be forfeited that way."""
    seats = {2: seat("pair_plus progressive", HEARTS, folded=True)}
    assert refused(GAME, seats) == ("20.10(b)", "seats.2.folded")
    assert refused(GAME, {2: seat("pair_plus", HEARTS, folded=True)}) == ("20.10(b)", "seats.2.folded")
    assert refused(GAME, {2: seat("", HEARTS, folded=True)}) == ("", "seats.2.folded")


def test_20_13_b_pair_plus_alone_carries_a_progressive() -> None:
    """Ante or pair plus, one of them is enough (S-32)."""
    assert paid(settled(GAME, {2: seat("pair_plus progressive", HEARTS)})) == [
        (2, "progressive", "akq_suited_other", 50_000)
    ]
    assert refused(GAME, {2: seat("progressive", HEARTS)}) == ("20.13(b)", "seats.2.wagers")


@pytest.mark.parametrize(
    ("hand", "dealer", "table", "cents"),
    [
        ("As Ks Qs", "Js Ts 2d", "A", 100_000),
        ("9s 8s 7s", "6s 5s 2d", "B", 20_000),
        ("9s 9h 9d", "9c 5s 2d", "C", 10_000),
        ("9s 9h 9d", "5c 5s 2d", "A", 2_500),
        ("9s 4s 2s", "Ks 5s 2d", "A", 2_000),
        ("9s 8h 7d", "6s 5s 2d", "C", 900),
        ("9s 9h 7d", "9c 5s 2d", "D", 700),
    ],
)
def test_20_12a_the_six_card_bonus_pays_the_best_five_of_six(hand: str, dealer: str, table: str, cents: int) -> None:
    """Three of the player and three of the dealer, by the table that the house chose."""
    seats = {2: seat("pair_plus six_card_bonus", hand)}
    lines = settled(GAME, seats, dealer=dealer, pay_tables={"six_card_bonus": table}).payments
    assert [(line.wager, line.amount_cents, line.source) for line in lines] == [("six_card_bonus", cents, "rack")]


def test_20_10_b_1_a_fold_does_not_forfeit_the_six_card_bonus() -> None:
    """Ante and pair plus are lost, the 6 card bonus is paid."""
    seats = {2: seat("ante pair_plus six_card_bonus progressive", "9s 9h 9d", folded=True)}
    lines = settled(GAME, seats, dealer="9c 5s 2d").payments
    assert [(line.wager, line.rule) for line in lines] == [("six_card_bonus", "20.11(a)4 (6 card bonus), 20.10(b)1")]


def test_20_12a_b_the_six_card_bonus_needs_pair_plus_and_the_dealers_three_cards() -> None:
    """An ante does not carry it, and without the dealer's hand there are not six cards."""
    hand = "9s 9h 9d"
    assert refused(GAME, {2: seat("ante six_card_bonus", hand)}, dealer="9c 5s 2d") == ("20.12A(b)", "seats.2.wagers")
    assert refused(GAME, {2: seat("pair_plus six_card_bonus", hand)}, dealer="9c 5s")[1] == "dealer"


def test_20_13_e_the_progressive_is_paid_after_the_players_other_wagers() -> None:
    """6 card bonus, then progressive, at one seat."""
    seats = {2: seat("ante pair_plus six_card_bonus progressive", "9s 9h 9d")}
    lines = settled(GAME, seats, dealer="9c 5s 2d").payments
    assert [line.wager for line in lines] == ["six_card_bonus", "progressive"]


def test_20_13_g_a_percentage_is_of_the_meter_when_it_is_paid() -> None:
    """Whatever the meter says at settlement is the amount, to the cent."""
    assert paid(settled(GAME, {2: seat(BOTH, SPADES)}, meter=100_001))[0][3] == 100_001


def test_20_1_nobody_envies_his_own_hand_at_another_seat_of_his() -> None:
    """Envy is for another player's hand, and one who plays two seats is one player (S-43)."""
    seats = {1: seat(BOTH, SPADES, player="Lee"), 2: seat(BOTH, "2d 5h 9c", player="Lee"), 3: seat(BOTH, "3d 6h 9d")}
    envied = [(line.seat, line.hand) for line in settled(GAME, seats).payments if line.wager == "envy"]
    assert envied == [(3, "akq_suited_spades")]
