"""Faults that were found at a live table, each as it was found; named by the clause that was broken."""

from typing import Any

import pytest

from games.round.effects import DeductAward, FixAward, Light, ReleaseAward
from games.round.events import (
    AwardFixed,
    BaseWagerLaid,
    BaseWagerMissed,
    ChipPlaced,
    ChipsCounted,
    ChipsReturned,
    ClaimRejected,
    ClaimValidated,
    CollectionStarted,
    CouponRedeemed,
    EndOfRoundPressed,
    EnvyPaid,
    HandClaimed,
    HandsAllShown,
    HandShown,
    IrregularityNoted,
    IrregularityWithdrawn,
    LinkLost,
    LockOutPressed,
    NoWinShown,
    NumberDrawn,
    PayoutConfirmed,
    RefundsConfirmed,
    RoundOpened,
    SeatFolded,
    WagerPlaced,
    WagersRepeated,
)
from games.round.layout import act_of_meter
from games.round.state import ClaimState, Phase
from games.settlement.walk import AskSeats, AskSharers
from tests.support.games.pit import PaperTable, table_rules


def cards(text: str) -> tuple[str, ...]:
    """Cards as a dealer reads them out."""
    return tuple(text.split())


STRAIGHT_FLUSH = cards("5d 6d 7d 8d 9d")
ROYAL = cards("Ts Js Qs Ks As")
FLUSH = cards("2c 4c 6c 8c Tc")


def caribbean() -> PaperTable:
    """Caribbean stud, seven seats."""
    return PaperTable(table_rules("base", name="caribbean-stud"))


def pai_gow(*offers: str, stake_cents: int = 100, **house: Any) -> PaperTable:
    """Pai gow poker with these side wagers."""
    return PaperTable(table_rules("base", name="pai-gow-poker", stake_cents=stake_cents, offers=offers, **house))


def test_16_12_g_a_validated_claim_yields_to_the_royal_flush_at_its_right() -> None:
    """Seat 6 gets the whole meter and seat 1 ten per cent of the reset amount (S-113)."""
    table = caribbean()
    table.deal(1, 6)
    table.must(HandClaimed(1, STRAIGHT_FLUSH), NoWinShown((6,)))
    table.must(AwardFixed(2, 1_000_36, 10_003_51, 9_003_15), ClaimValidated(1, "Sue"))
    table.must(HandClaimed(6, ROYAL))
    assert table.refusal(PayoutConfirmed(1, "Dan")).reason == "seat 1: the straight flush is waiting for its turn"
    assert [order.entry for order in table.entries[3:]] == [
        ReleaseAward(2, "seat 6 is paid first", "table"),
        FixAward(1, 6, "royal_flush", 10_000, 0),
    ]
    table.must(AwardFixed(5, 10_003_51, 10_003_51, 5_000_00), ClaimValidated(6, "Sue"), PayoutConfirmed(6, "Dan"))
    assert table.entries[-1].entry == FixAward(1, 1, "straight_flush", 1_000, 0)
    table.must(AwardFixed(8, 500_00, 5_000_00, 4_500_00), ClaimValidated(1, "Sue"), PayoutConfirmed(1, "Dan"))
    assert [each.entry.amount_cents for each in table.entries if isinstance(each.entry, DeductAward)] == [
        10_003_51,
        500_00,
    ]


def test_28_10_h_no_part_of_the_meter_is_asked_for_before_the_higher_seats_were_answered_for() -> None:
    """One tap for all of them, or for some; a seat without a wager is not asked (S-113)."""
    table = caribbean()
    table.deal(1, 4, 6)
    table.must(HandClaimed(1, STRAIGHT_FLUSH))
    act = act_of_meter(table.rules, table.state)
    assert isinstance(act, AskSeats)
    assert act.seats == (6, 4)
    table.must(NoWinShown((6,)))
    act = act_of_meter(table.rules, table.state)
    assert isinstance(act, AskSeats)
    assert act.seats == (4,)
    assert len(table.entries) == 1
    table.must(NoWinShown(act.seats))
    assert table.entries[-1].entry == FixAward(1, 1, "straight_flush", 1_000, 0)


def test_28_10_a_2i_a_fold_told_late_gives_the_turn_to_the_standing_seat() -> None:
    """Seat 5 had folded: what was fixed for it goes back, seat 3 is paid first (S-112)."""
    table = PaperTable()
    table.deal(3, 5)
    flop = cards("Ts Js Qs")
    table.must(HandClaimed(5, cards("As Ks"), flop))
    assert isinstance(table.entries[-1].entry, FixAward)
    table.must(SeatFolded(5))
    assert isinstance(act_of_meter(table.rules, table.state), AskSeats)
    assert isinstance(table.entries[-1].entry, ReleaseAward)
    table.must(HandClaimed(3, cards("8s 9s")))
    assert table.entries[-1].entry == FixAward(1, 3, "straight_flush", 1_000, 0)


def test_11_9_f_in_pai_gow_every_lit_hand_is_exposed_before_the_meter_is_asked() -> None:
    """Seat 5 is due before seat 2, and seat 1 below is asked for, too (S-88, S-113)."""
    table = pai_gow()
    table.deal(1, 2, 5)
    table.must(HandClaimed(2, cards("Ts Js Qs Ks As 9h 4d")))
    act = act_of_meter(table.rules, table.state)
    assert isinstance(act, AskSeats)
    assert set(act.seats) == {1, 5}
    table.must(NoWinShown((1,)), HandClaimed(5, cards("Th Jh Qh Kh Ah 9c 9d")))
    assert table.entries[-1].entry == FixAward(1, 5, "natural_royal_flush_and_pair", 10_000, 0)


def test_2_19_h_the_meter_is_not_asked_before_every_hand_was_looked_at_for_four_aces() -> None:
    """Another hand may share it (S-57)."""
    table = PaperTable(table_rules("base", name="blackjack", decks=6))
    table.deal(2, 6)
    table.must(HandClaimed(6, cards("As Ac As Ac")))
    assert isinstance(act_of_meter(table.rules, table.state), AskSharers)
    table.must(HandsAllShown("Dan"))
    assert table.entries[-1].entry == FixAward(1, 6, "four_aces_same_color", 10_000, 0)


def test_20_12a_a_side_wager_is_recorded_and_paid() -> None:
    """The 6 card bonus lies beside pair plus, and ten to one is paid for its straight (S-47, S-48, S-49)."""
    table = PaperTable(table_rules("A", name="three-card-poker", offers=("six_card_bonus",)))
    assert table.refusal(WagerPlaced(3, "six_card_bonus", 5_00)).rule == "20.12A(b)"
    table.must(WagerPlaced(3, "pair_plus", 5_00), WagerPlaced(3, "six_card_bonus", 5_00))
    table.deal()
    table.must(SeatFolded(3))
    table.must(HandClaimed(3, cards("4s 5h 6d"), dealer=cards("7c 8d Kd"), wager="six_card_bonus"))
    claim = table.state.claim(3, "six_card_bonus")
    assert claim is not None
    assert (claim.hand, claim.amount_cents, claim.source) == ("straight", 50_00, "rack")
    table.must(PayoutConfirmed(3, "Dan", "six_card_bonus"), EndOfRoundPressed())


def test_11_16_c_a_rack_win_by_name_is_paid_in_one_tap() -> None:
    """Insurance and bonus of one hand, each by its own name (S-107, S-108)."""
    table = pai_gow("bonus", "insurance")
    table.must(WagerPlaced(5, "bonus", 5_00), WagerPlaced(5, "insurance", 5_00))
    table.deal()
    table.must(HandClaimed(5, hand="straight", wager="bonus", by="Dan", paid=True))
    table.must(HandClaimed(5, hand="ace_high", wager="insurance", by="Dan", paid=True))
    paid = [(claim.wager, claim.amount_cents, claim.paid_by) for claim in table.state.claims]
    assert paid == [("bonus", 10_00, "Dan"), ("insurance", 10_00, "Dan")]
    table.must(EndOfRoundPressed())


def test_11_13_b_5_the_number_is_paid_before_the_cards() -> None:
    """Five dollars at 5 1/2 to one are $27, in whole dollars (S-97)."""
    table = pai_gow("number")
    table.must(WagerPlaced(2, "number", 5_00, 3), WagerPlaced(2, "number", 1_00, 4))
    table.deal()
    assert "1 to 7" in table.refusal(NumberDrawn(8)).reason
    table.must(NumberDrawn(3))
    assert table.refusal(NumberDrawn(4)).reason == "the number of this round is 3"
    claim = table.state.claim(2, "number")
    assert claim is not None
    assert claim.amount_cents == 27_00
    table.must(PayoutConfirmed(2, "Dan", "number"))


def test_11_15_c_envy_rests_on_cards_a_bonus_of_five_dollars_and_a_supervisor() -> None:
    """Not on the dealer's word: no marker after lock-out, no hand by its name, nothing unvalidated (S-107)."""
    table = pai_gow("bonus")
    table.must(WagerPlaced(4, "bonus", 10_00), WagerPlaced(2, "bonus", 1_00), WagerPlaced(6, "bonus", 5_00))
    table.deal()
    assert "before lock-out" in table.refusal(WagerPlaced(1, "bonus", 5_00)).reason
    assert "cards" in table.refusal(HandShown(4)).reason
    by_name = HandClaimed(4, hand="four_of_a_kind", wager="bonus", by="Dan", paid=True)
    assert "others envy" in table.refusal(by_name).reason
    table.must(HandClaimed(4, cards("8s 8h 8d 8c 3s Kd 5d"), wager="bonus"))
    assert [(envy.seat, envy.amount_cents) for envy in table.state.envy_due] == [(6, 5_00)]
    assert "validates" in table.refusal(EnvyPaid(6, "Dan")).reason
    table.must(ClaimValidated(4, "Sue", "envy"), EnvyPaid(6, "Dan"), PayoutConfirmed(4, "Dan", "bonus"))
    table.must(EndOfRoundPressed())


def test_11_16_d_the_house_limit_holds_at_the_live_table() -> None:
    """Bonus and envy of one player together (S-109)."""
    table = pai_gow("bonus", limits={"bonus_limit_cents": 40_000_00})
    table.must(WagerPlaced(4, "bonus", 200_00))
    table.deal()
    table.must(HandClaimed(4, cards("As Ah Ad Ac Jk Kh Kd"), wager="bonus"))
    claim = table.state.claim(4, "bonus")
    assert claim is not None
    assert claim.amount_cents == 40_000_00
    assert claim.rule.endswith("11.16(d)")


def test_11_3_f_2_the_royal_match_of_the_house_holds_at_the_live_table() -> None:
    """A royal with the joker and king-queen suited is no royal match where the house asks for a natural ace-king."""
    hand = cards("Jk Ks Qs Js Ts Kh Qh")
    amounts = []
    for choice in ("king_queen", "ace_king_natural"):
        table = pai_gow("bonus", choices={"royal_match": choice})
        table.must(WagerPlaced(4, "bonus", 1_00))
        table.deal()
        table.must(HandClaimed(4, hand, wager="bonus"))
        claim = table.state.claim(4, "bonus")
        assert claim is not None
        amounts.append(claim.amount_cents)
    assert amounts[0] > amounts[1] > 0


def test_28_6_c_a_lone_progressive_chip_goes_back_to_its_player() -> None:
    """The light goes out, nothing is registered, and the count expects one chip more than lights (S-15)."""
    table = PaperTable()
    table.must(ChipPlaced(3), ChipPlaced(5), BaseWagerMissed(3))
    assert table.lit == [5]
    assert "needs ante" in table.refusal(ChipPlaced(3)).reason
    table.must(LockOutPressed())
    assert "1 chip without a light" in table.refusal(ChipsCounted(1)).reason
    table.must(ChipsCounted(2))
    registered = table.entries[-1].entry
    assert registered.seats == (5,)  # type: ignore[union-attr]


def test_28_6_c_an_ante_laid_after_all_lets_the_chip_in() -> None:
    """The seat takes a chip again; the one that went in before stays without a light (S-15)."""
    table = PaperTable()
    table.must(ChipPlaced(3), BaseWagerMissed(3), BaseWagerLaid(3), ChipPlaced(3), LockOutPressed(), ChipsCounted(2))
    assert table.lit == [3]


def test_28_6_c_no_coupon_is_taken_while_the_meter_cannot_be_asked() -> None:
    """It keeps the register (S-122)."""
    table = PaperTable(table_rules(queue_when_link_lost=True))
    table.must(LinkLost("the network is down"))
    assert "no coupons" in table.refusal(CouponRedeemed(3, "C-1")).reason


def test_16_13_a_a_hole_card_is_exposed_while_wagers_are_open() -> None:
    """Every chip goes back and nothing is registered; the chips inside come with the next count (S-74)."""
    table = caribbean()
    table.must(ChipPlaced(3), ChipPlaced(4), IrregularityNoted("hole_card_exposed", "Sue"))
    assert table.phase is Phase.VOIDED
    assert set(table.state.refunds_due) == {3, 4}
    table.must(RefundsConfirmed("Dan"), EndOfRoundPressed(), RoundOpened())
    assert table.entries == []
    table.must(ChipPlaced(5), LockOutPressed(), ChipsCounted(3))
    assert len(table.entries) == 1


def test_28_7_b_a_count_that_ends_after_the_round_was_void_leaves_no_chip_for_the_next_one() -> None:
    """What came out before and after the fault is in the rack; only the rest is expected again (S-18)."""
    table = PaperTable()
    table.must(ChipPlaced(3), ChipPlaced(4), ChipPlaced(5), LockOutPressed(), CollectionStarted("x", 0))
    table.must(ChipsReturned(1), IrregularityNoted("misdeal", "Sue"))
    assert table.state.loose_chips == 2
    table.must(ChipsReturned(2), ChipsCounted(3), RefundsConfirmed("Dan"), EndOfRoundPressed(), RoundOpened())
    table.must(ChipPlaced(5), LockOutPressed(), ChipsCounted(1))


def test_11_9_e_a_seven_card_bonus_bars_surrender() -> None:
    """As a progressive wager does (S-116)."""
    table = pai_gow("seven_card_bonus")
    table.must(WagerPlaced(3, "seven_card_bonus", 5_00), ChipPlaced(4))
    table.must(LockOutPressed(), ChipsCounted(1))
    assert table.refusal(SeatFolded(3)).rule == "11.9(e)"
    assert table.refusal(SeatFolded(4)).rule == "11.9(e)"
    table.must(SeatFolded(2))


def test_2_19_e_two_aces_grow_into_three_before_they_are_paid() -> None:
    """The highest entitlement, once: $250 and not $25 (S-115)."""
    table = PaperTable(table_rules("base", name="blackjack", decks=6))
    table.deal(5)
    table.must(HandClaimed(5, cards("As Ac")))
    table.fix()
    table.must(HandClaimed(5, cards("As Ac Ad")))
    assert [order.entry for order in table.entries[2:]] == [
        ReleaseAward(2, "the hand has grown", "table"),
        FixAward(1, 5, "three_aces_any", 0, 250_00),
    ]
    table.fix()
    table.must(ClaimValidated(5, "Sue"), PayoutConfirmed(5, "Dan"))
    assert "was paid" in table.refusal(HandClaimed(5, cards("As Ac Ad Ac"))).reason


@pytest.mark.parametrize("names_will_do", [False, True])
def test_16_11_b_1_a_part_of_the_meter_is_never_claimed_by_name(names_will_do: bool) -> None:
    """An amount is, only where the house chose so (S-67)."""
    table = PaperTable(table_rules("base", name="caribbean-stud", names_will_do=names_will_do))
    table.deal(3)
    assert "enter its cards" in table.refusal(HandClaimed(3, hand="royal_flush")).reason
    step = table.do(HandClaimed(3, hand="flush"))
    assert (step.refusal is None) is names_will_do


def test_28_12_b_an_irregularity_that_voids_nothing_is_written_as_such_and_a_second_one_beside_it() -> None:
    """None overwrites another; a supervisor withdraws one before anybody was refunded or paid (S-25d)."""
    table = PaperTable()
    table.deal(3, 5)
    table.must(IrregularityNoted("one_card_face_up", "Sue"))
    assert table.state.voided == ()
    table.must(IrregularityNoted("misdeal_at_seats", "Sue", (5,)))
    assert [noted.name for noted in table.state.irregularities] == ["one_card_face_up", "misdeal_at_seats"]
    assert table.state.refunds_due == {5: ("progressive",)}
    table.must(IrregularityWithdrawn("misdeal_at_seats", "Sue"))
    assert table.state.refunds_due == {}
    assert table.lit == [3, 5]
    table.must(IrregularityNoted("misdeal_at_seats", "Sue", (5,)), RefundsConfirmed("Dan"))
    assert "it stands" in table.refusal(IrregularityWithdrawn("misdeal_at_seats", "Sue")).reason


def test_2_19_d_blackjack_knows_no_fold() -> None:
    """A bust changes nothing for the progressive (S-55)."""
    table = PaperTable(table_rules("base", name="blackjack"))
    table.deal(3)
    assert "no fold" in table.refusal(SeatFolded(3)).reason


def test_20_10_c_envy_is_paid_from_the_right_after_the_winning_wagers() -> None:
    """Seat 6's straight, then its envy, then seat 1's (S-45)."""
    table = PaperTable(table_rules("A", name="three-card-poker", settlement="procedure_by_procedure"))
    table.deal(1, 4, 6)
    table.must(HandClaimed(4, cards("Ah Kh Qh")), HandClaimed(6, cards("4s 5h 6d")))
    assert "seat 6: pay the straight first" in table.refusal(EnvyPaid(1, "Dan")).reason
    table.must(PayoutConfirmed(6, "Dan"), PayoutConfirmed(4, "Dan"))
    assert "seat 6: pay its envy bonus first" in table.refusal(EnvyPaid(1, "Dan")).reason
    table.must(EnvyPaid(6, "Dan"), EnvyPaid(1, "Dan"), EndOfRoundPressed())


def test_one_tap_lays_the_side_wagers_of_the_last_round_again() -> None:
    """The same amounts at the same seats; a losing round stays two presses."""
    table = pai_gow("bonus", "insurance")
    table.must(WagerPlaced(5, "bonus", 5_00), WagerPlaced(2, "insurance"))
    laid = table.state.side
    table.deal()
    table.must(EndOfRoundPressed(), RoundOpened())
    assert table.state.side == {}
    table.must(WagersRepeated())
    assert table.state.side == laid
    table.must(LockOutPressed(), ChipsCounted(0), EndOfRoundPressed())


def test_bad_input_says_why_and_changes_nothing() -> None:
    """A wager the table does not offer, an amount below the least, a card twice, a win of nothing."""
    table = pai_gow("bonus")
    before = table.state
    assert "no insurance wager" in table.refusal(WagerPlaced(3, "insurance")).reason
    assert "at least $1" in table.refusal(WagerPlaced(3, "bonus", 50)).reason
    assert "no seat 9" in table.refusal(WagerPlaced(9, "bonus")).reason
    assert table.state == before
    table.deal(3, 4)
    table.must(HandClaimed(4, cards("8s 8h 8d 8c 3s Kd 5d")))
    assert "8s" in table.refusal(HandClaimed(3, cards("8s 9s Ts Js Qs 2d 3d"))).reason
    assert "no bonus wager" in table.refusal(HandClaimed(3, hand="straight", wager="bonus")).reason
    assert table.state.claim(3) is None


def test_a_rejected_hand_is_asked_for_again_before_a_lower_seat_is_paid() -> None:
    """The dealer reads the cards anew, or says that they win nothing."""
    table = caribbean()
    table.deal(1, 6)
    table.must(HandClaimed(6, FLUSH), HandClaimed(1, STRAIGHT_FLUSH))
    table.fix()
    table.must(ClaimRejected(6, "Sue", "a spade"))
    act = act_of_meter(table.rules, table.state)
    assert isinstance(act, AskSeats)
    assert act.seats == (6,)
    table.must(NoWinShown((6,)))
    assert table.claim(1).state is ClaimState.ASKED
    assert table.lights[6] is Light.LIT
