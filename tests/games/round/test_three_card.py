"""The round of three card poker's progressive and its envy bonus, clause by clause (20.10 to 20.14)."""

import pytest

from games.round.effects import AddWagers, DeductAward, FixAward, Light
from games.round.events import (
    AreasHeld,
    ClaimRejected,
    ClaimValidated,
    EndOfRoundPressed,
    EnvyPaid,
    HandClaimed,
    HandShown,
    IrregularityNoted,
    PayoutConfirmed,
    RefundsConfirmed,
    SeatFolded,
    WagerPlaced,
)
from games.round.outputs import outputs
from games.round.state import ClaimState, Envy, RoundState
from tests.support.games.pit import PaperTable, table_rules

RULES = table_rules("A", name="three-card-poker")
SPADES = ("As", "Ks", "Qs")
HEARTS = ("Ah", "Kh", "Qh")
STRAIGHT_FLUSH = ("5d", "6d", "7d")
TRIPS = ("9s", "9h", "9d")
STRAIGHT = ("4c", "5h", "6s")
FLUSH = ("2c", "7c", "Jc")


@pytest.fixture
def table() -> PaperTable:
    return PaperTable(RULES)


def owed(state: RoundState) -> dict[int, int]:
    """What each seat is owed from the rack for other players' hands, in cents."""
    amounts: dict[int, int] = {}
    for envy in state.envy_due:
        amounts[envy.seat] = amounts.get(envy.seat, 0) + envy.amount_cents
    return amounts


@pytest.mark.parametrize(
    ("pay_table", "stake", "amounts"),
    [
        ("A", 100, (500_00, 70_00, 60_00, 6_00)),
        ("B", 100, (500_00, 100_00, 90_00, None)),
        ("A", 500, (2_500_00, 350_00, 300_00, 30_00)),
        ("B", 500, (2_500_00, 500_00, 450_00, None)),
    ],
)
def test_20_11_a_4_amounts_go_by_pay_table_and_stake(
    pay_table: str, stake: int, amounts: tuple[int | None, ...]
) -> None:
    """From the rack, by no supervisor, off no meter; what the table does not list pays nothing (S-31, S-35, S-36)."""
    for cards, cents in zip((HEARTS, STRAIGHT_FLUSH, TRIPS, STRAIGHT), amounts, strict=True):
        table = PaperTable(table_rules(pay_table, name="three-card-poker", stake_cents=stake))
        table.deal(3)
        assert table.entries[-1].entry == AddWagers(1, stake, (3,), ())
        if cents is None:
            assert table.refusal(HandClaimed(3, cards)).rule == "20.13(d)1"
            continue
        table.must(HandClaimed(3, cards))
        claim = table.claim(3)
        assert (claim.amount_cents, claim.state, claim.source) == (cents, ClaimState.VALIDATED, "rack")
        table.must(PayoutConfirmed(3, "Dan"), EndOfRoundPressed())
        assert len(table.entries) == 1


def test_20_13_d_3_the_meter_is_paid_only_with_a_supervisor(table: PaperTable) -> None:
    """Ace, king, queen of spades take all of it, from the cage (20.13(e), S-39, S-40)."""
    table.deal(3)
    table.must(HandClaimed(3, SPADES))
    asked = table.entries[-1]
    assert asked.entry == FixAward(1, 3, "akq_suited_spades", 10_000, 0)
    table.fix(1_234_56)
    assert (table.claim(3).state, table.claim(3).source) == (ClaimState.FIXED, "cage")
    table.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))
    assert table.entries[-1].entry == DeductAward(2, "Sue", "Dan", 1_234_56)


def test_20_13_d_1_a_flush_pays_nothing_and_only_the_highest_hand_counts(table: PaperTable) -> None:
    """A straight flush is no straight as well (20.13(c), S-37)."""
    table.deal(3)
    assert "flush pays nothing" in table.refusal(HandClaimed(3, FLUSH)).reason
    assert "straight flush" in table.refusal(HandClaimed(3, STRAIGHT_FLUSH, hand="straight")).reason
    table.must(HandClaimed(3, STRAIGHT_FLUSH))
    assert table.claim(3).hand == "straight_flush"


def test_20_13_g_there_is_no_sharing_and_one_deck_has_one_ace_of_spades(table: PaperTable) -> None:
    """The whole meter is asked for at one seat's turn, whatever the others hold."""
    table.deal(2, 5)
    table.must(HandClaimed(5, SPADES))
    assert "As" in table.refusal(HandClaimed(2, SPADES)).reason
    table.must(HandClaimed(2, HEARTS))
    assert table.claim(2).state is ClaimState.VALIDATED, "what the rack pays alone waits for no meter"
    table.must(PayoutConfirmed(2, "Dan"))
    table.fix(1_000_00)
    table.must(ClaimValidated(5, "Sue"), PayoutConfirmed(5, "Dan"))


def test_20_14_a_every_other_wager_envies_ace_king_queen_of_one_suit(table: PaperTable) -> None:
    """Whether it won or lost, but never its own hand, nor a seat without a progressive wager (S-43)."""
    table.deal(2, 3, 5)
    table.must(HandClaimed(3, HEARTS))
    assert owed(table.state) == {5: 25_00, 2: 25_00}
    assert table.state.envy[0] == Envy(5, 3, "akq_suited_other", 25_00, "20.14(b)")
    assert outputs(table.rules, table.state).lamp is Light.LOOK


def test_20_14_a_the_holder_need_not_have_wagered(table: PaperTable) -> None:
    """The dealer shows his hand; it is no claim, and its player is paid nothing (S-43)."""
    table.deal(2, 5)
    assert table.refusal(HandClaimed(4, SPADES)).rule == "20.13(d)2"
    table.must(HandShown(4, SPADES))
    assert owed(table.state) == {5: 100_00, 2: 100_00}
    assert table.state.claims == ()
    assert table.refusal(EndOfRoundPressed()).rule == "20.14(b)"
    table.must(EnvyPaid(5, "Dan"), EnvyPaid(2, "Dan"), EndOfRoundPressed())
    assert len(table.entries) == 1, "envy never touches the meter"


def test_20_1_several_holders_are_several_bonuses(table: PaperTable) -> None:
    """Two others hold ace, king, queen suited: two bonuses; each holder envies the other (S-43)."""
    table.deal(2, 3, 5)
    table.must(HandClaimed(3, HEARTS), HandShown(6, SPADES), HandShown(7, ("Ad", "Kd", "Qd")))
    assert owed(table.state) == {5: 150_00, 3: 125_00, 2: 150_00}
    table.must(HandClaimed(5, ("Ac", "Kc", "Qc")))
    assert owed(table.state) == {5: 150_00, 3: 150_00, 2: 175_00}


@pytest.mark.parametrize(("stake", "spades", "other"), [(100, 100_00, 25_00), (500, 500_00, 125_00)])
def test_20_14_b_the_receivers_wager_decides_the_amount(stake: int, spades: int, other: int) -> None:
    """The table has one stake, so it is that (S-44)."""
    table = PaperTable(table_rules("B", name="three-card-poker", stake_cents=stake))
    table.deal(2)
    table.must(HandShown(4, SPADES), HandShown(5, HEARTS))
    assert [envy.amount_cents for envy in table.state.envy_due] == [other, spades]


def test_20_10_b_who_folded_is_still_paid_for_envy(table: PaperTable) -> None:
    """The progressive is forfeited and dark, the entitlement is kept (S-38)."""
    table.deal(2, 5)
    table.must(SeatFolded(2), HandClaimed(5, HEARTS))
    assert table.lit == [5]
    assert owed(table.state) == {2: 25_00}


@pytest.mark.parametrize(("choices", "is_seen"), [({}, False), ({"folded_hands": "exposed"}, True)])
def test_20_10_b_a_folded_hand_goes_away_unseen_and_is_not_envied(choices: dict[str, str], is_seen: bool) -> None:
    """Unless the house has folded hands exposed; a hand that was shown before its player folded is gone, too."""
    table = PaperTable(table_rules("A", name="three-card-poker", choices=choices))
    table.deal(2, 5)
    table.must(SeatFolded(2), HandShown(3, SPADES), SeatFolded(3))
    step = table.do(HandShown(2, ("Ad", "Kd", "Qd")))
    assert (step.refusal is None) is is_seen
    assert is_seen or (step.refusal is not None and step.refusal.rule == "20.10(b)")
    assert owed(table.state) == ({5: 125_00, 2: 100_00} if is_seen else {})


def test_20_14_a_a_hand_is_envied_once_however_often_it_is_shown(table: PaperTable) -> None:
    """Shown, then claimed: one bonus to each; the cards decide the holder's own wager at once."""
    table.deal(2, 5)
    table.must(HandShown(5, HEARTS))
    assert (table.claim(5).amount_cents, table.claim(5).state) == (500_00, ClaimState.VALIDATED)
    assert "has claimed already" in table.refusal(HandClaimed(5, HEARTS)).reason
    table.must(PayoutConfirmed(5, "Dan"), EnvyPaid(2, "Dan"))
    assert "has shown" in table.refusal(HandShown(5, HEARTS)).reason
    assert "was paid" in table.refusal(HandClaimed(5, SPADES)).reason
    assert table.state.envy_due == ()
    assert table.refusal(EnvyPaid(2, "Dan"))


def test_20_14_a_a_hand_that_the_supervisor_rejects_is_envied_by_nobody(table: PaperTable) -> None:
    """A misread hand is none, claimed or only shown; what was paid for it stays on record and is not paid twice."""
    table.deal(2, 3, 5)
    table.must(HandShown(4, HEARTS), EnvyPaid(5, "Dan"), ClaimRejected(4, "Sue", "the queen is of diamonds"))
    assert owed(table.state) == {}
    table.must(HandShown(4, HEARTS))
    assert owed(table.state) == {3: 25_00, 2: 25_00}
    table.must(HandClaimed(3, SPADES), ClaimRejected(3, "Sue", "misread"))
    assert owed(table.state) == {3: 25_00, 2: 25_00}
    assert table.refusal(ClaimRejected(3, "Sue", "twice"))


def test_20_14_a_only_that_hand_is_envied(table: PaperTable) -> None:
    """Not a straight flush, not an unsuited one, not at a seat that is none, not cards that cannot be."""
    table.deal(2, 5)
    for seat, cards in ((3, STRAIGHT_FLUSH), (3, ("As", "Kh", "Qs")), (8, SPADES), (3, SPADES[:2]), (3, ())):
        table.refusal(HandShown(seat, cards))
    table.must(HandClaimed(5, STRAIGHT_FLUSH))
    assert table.state.envy == ()
    assert "5d" in table.refusal(HandShown(3, ("5d", "Kd", "Qd"))).reason


def test_20_10_c_2_a_seats_own_winning_wager_comes_before_its_envy(table: PaperTable) -> None:
    """Player by player, from the right: a seat waits for its own wager and for the seats before it (S-45)."""
    table.deal(2, 3, 5)
    table.must(HandClaimed(3, HEARTS), HandShown(6, SPADES))
    assert table.refusal(EnvyPaid(3, "Dan")).rule == "20.10(c)"
    table.must(EnvyPaid(5, "Dan"))
    assert "seat 3: pay the A-K-Q of another suit first" in table.refusal(EnvyPaid(3, "Dan")).reason
    table.must(PayoutConfirmed(3, "Dan"))
    assert "seat 3: pay its envy bonus first" in table.refusal(EnvyPaid(2, "Dan")).reason
    table.must(EnvyPaid(3, "Dan"), EnvyPaid(2, "Dan"), EndOfRoundPressed())


def test_20_10_c_1_procedure_by_procedure_every_winning_wager_comes_before_envy() -> None:
    """The licensee's other alternative (S-45)."""
    rules = table_rules("A", name="three-card-poker", settlement="procedure_by_procedure")
    table = PaperTable(rules)
    table.deal(2, 3, 5)
    table.must(HandClaimed(3, HEARTS))
    assert table.refusal(EnvyPaid(5, "Dan")).rule == "20.10(c)"
    table.must(PayoutConfirmed(3, "Dan"), EnvyPaid(5, "Dan"), EnvyPaid(2, "Dan"), EndOfRoundPressed())


def test_a_void_hand_neither_envies_nor_is_envied(table: PaperTable) -> None:
    """Its wager is refunded; what was paid in envy stands."""
    table.deal(2, 3, 5)
    table.must(HandShown(4, SPADES), IrregularityNoted("misdeal_at_seats", "Sue", (2, 4)))
    assert owed(table.state) == {}
    assert table.refusal(HandShown(4, SPADES)).rule == "20.14(a)"
    table.must(HandShown(6, SPADES), EnvyPaid(5, "Dan"), RefundsConfirmed("Dan"))
    assert owed(table.state) == {3: 100_00}
    table.must(IrregularityNoted("misdeal_at_seats", "Sue", (6,)))
    assert owed(table.state) == {}
    assert [(envy.seat, envy.holder, envy.paid_by) for envy in table.state.envy] == [(5, 6, "Dan")]
    assert table.state.refunds_due == {}, "seat 6 had no wager"
    table.must(IrregularityNoted("misdeal", "Sue"))
    assert table.state.refunds_due == {3: ("progressive",), 5: ("progressive",)}, "seat 2 has had its refund"


def test_a_void_round_owes_no_envy(table: PaperTable) -> None:
    """Everybody gets his wager back instead."""
    table.deal(2, 5)
    table.must(HandShown(4, SPADES), IrregularityNoted("misdeal", "Sue"))
    assert table.state.envy_due == ()
    table.must(RefundsConfirmed("Dan"), EndOfRoundPressed())


def test_20_1_nobody_envies_his_own_other_hand(table: PaperTable) -> None:
    """Whenever the dealer says it, before or after the hand is shown; what is said of a seat alone undoes it."""
    table.deal(2, 5)
    table.must(AreasHeld((2, 3)), HandShown(3, SPADES))
    assert owed(table.state) == {5: 100_00}
    table.must(AreasHeld((2,)))
    assert owed(table.state) == {2: 100_00, 5: 100_00}
    table.must(AreasHeld((3, 5)))
    assert owed(table.state) == {2: 100_00}
    table.must(EnvyPaid(2, "Dan"), AreasHeld((2, 3)))
    assert owed(table.state) == {5: 100_00}
    assert "no seat 9" in table.refusal(AreasHeld((5, 9))).reason
    assert "name the seats" in table.refusal(AreasHeld(())).reason


def test_11_12_a_a_player_holds_two_adjacent_areas_at_most() -> None:
    """As `settle` has it."""
    table = PaperTable(table_rules("base", name="pai-gow-poker", offers=("bonus",)))
    for seats in ((1, 3), (1, 2, 3)):
        assert table.refusal(AreasHeld(seats)).rule == "11.12(a)"
    table.must(AreasHeld((1, 2)))
    assert table.state.areas == ((1, 2),)


@pytest.mark.parametrize(("name", "pay_table"), [("texas-holdem-bonus", "A"), ("pai-gow-poker", "base")])
def test_a_table_without_envy_has_nothing_to_show(name: str, pay_table: str) -> None:
    """Hold 'em knows none; pai gow pays it to bonus wagers only where a table offers them."""
    table = PaperTable(table_rules(pay_table, name=name))
    assert "no bonus wager" in table.refusal(WagerPlaced(3, "bonus", 5_00)).reason
    table.deal(3)
    assert "no envy bonus" in table.refusal(HandShown(4, SPADES)).reason


def test_20_14_a_three_card_poker_needs_no_markers(table: PaperTable) -> None:
    """The progressive wager itself entitles; there is no bonus wager that could."""
    assert "no bonus wager" in table.refusal(WagerPlaced(3, "bonus", 5_00)).reason
    table.deal(3)
    table.must(HandShown(4, SPADES))
    assert owed(table.state) == {3: 100_00}


def test_11_15_c_a_bonus_wager_of_five_dollars_entitles_to_envy_whatever_the_progressive_does() -> None:
    """One of $1 does not; each other such seat is paid, last of all, from the right (11.15(d), S-107, S-108)."""
    table = PaperTable(table_rules("base", name="pai-gow-poker", offers=("bonus",)))
    table.must(WagerPlaced(1, "bonus", 5_00), WagerPlaced(2, "bonus", 1_00), WagerPlaced(4, "bonus", 10_00))
    assert "no seat 7" in table.refusal(WagerPlaced(7, "bonus", 5_00)).reason
    table.deal(3)
    assert table.refusal(WagerPlaced(2, "bonus", 5_00)).rule == "11.7(c)", "no marker after lock-out"
    seven = ("5h", "6h", "7h", "8h", "9h", "Kc", "2d")
    table.must(HandClaimed(3, seven))
    assert owed(table.state) == {4: 20_00, 1: 20_00}
    assert table.refusal(EnvyPaid(4, "Dan")).reason == "a supervisor validates the straight flush at seat 3 first"
    table.must(ClaimValidated(3, "Sue", "envy"))
    assert "validated already" in table.refusal(ClaimValidated(3, "Sue", "envy")).reason
    assert "Sue validated this" in table.refusal(EnvyPaid(4, "Sue")).reason
    assert table.refusal(EnvyPaid(4, "Dan")).rule.startswith("11.9")
    table.fix()
    table.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))
    assert "seat 4: pay its envy bonus first" in table.refusal(EnvyPaid(1, "Dan")).reason
    table.must(EnvyPaid(4, "Dan"), EnvyPaid(1, "Dan"))
    table.must(HandShown(2, ("As", "Ah", "Ad", "Ac", "Jk", "3c", "4d")))
    assert owed(table.state) == {4: 250_00, 1: 250_00}
    assert "seat 5 shows no hand" in table.refusal(ClaimValidated(5, "Sue", "envy")).reason
    table.must(ClaimRejected(2, "Sue", "one ace is a deuce"))
    assert owed(table.state) == {}
