"""The round of Texas hold 'em bonus, clause by clause: hands, claims and payouts."""

import pytest

from games.round.effects import DeductAward, FixAward, ReleaseAward
from games.round.events import (
    AwardFixed,
    AwardsFreed,
    AwardsHeld,
    ClaimRejected,
    ClaimValidated,
    EndOfRoundPressed,
    HandClaimed,
    NoWinShown,
    PayoutConfirmed,
    SeatFolded,
)
from games.round.layout import act_of_meter, walk
from games.round.state import ClaimState
from games.settlement.walk import AskSeats
from tests.support.games.pit import FLOP, FLUSH, ROYAL, STRAIGHT, STRAIGHT_FLUSH, PaperTable, table_rules


@pytest.fixture
def table() -> PaperTable:
    return PaperTable()


def test_28_10_a_2_a_folded_hand_keeps_its_progressive(table: PaperTable) -> None:
    """Folding forfeits the ante, not the progressive: the seat stays lit and is paid."""
    table.deal(3)
    table.must(SeatFolded(3))
    assert table.lit == [3]
    table.win(3)


def test_28_10_h_4_ii_no_light_no_payout(table: PaperTable) -> None:
    """The right seat must be lit."""
    table.deal(3)
    assert table.refusal(HandClaimed(4, FLUSH, FLOP)).rule == "28.10(h)4ii(2)"


def test_28_10_h_4_ii_1_the_hand_must_win(table: PaperTable) -> None:
    """A hand the pay table does not list is refused by name."""
    table.deal(3)
    refusal = table.refusal(HandClaimed(3, ("2c", "7d"), FLOP))
    assert refusal.rule == "28.10(h)4ii(1)"
    assert "pays nothing" in refusal.reason
    assert "pays nothing" in table.refusal(HandClaimed(3, hand="one_pair")).reason


@pytest.mark.parametrize(
    ("cards", "flop"),
    [
        (("Ah", "Ah"), FLOP),
        (("Ah", "Th"), FLOP),
        (("Ah",), FLOP),
        (("Ah", "Kh", "9h"), FLOP),
        (("Ah", "Kh"), FLOP[:2]),
        (("Ah", "1h"), FLOP),
        (("Jk", "Kh"), FLOP),
    ],
)
def test_impossible_cards_are_refused(table: PaperTable, cards: tuple[str, ...], flop: tuple[str, ...]) -> None:
    """Duplicate, missing, unknown cards never reach the pay table."""
    table.deal(3)
    table.refusal(HandClaimed(3, cards, flop))
    assert table.state.claims == ()


def test_cards_in_the_middle_come_with_a_hand_only(table: PaperTable) -> None:
    """Beside a hand's name they say nothing, and what cannot be a card is not written down."""
    table.deal(3)
    table.must(HandClaimed(3, community=("xx",), hand="straight", dealer=("2c",)))
    assert (table.state.community, table.state.dealer) == ((), ())


def test_a_card_cannot_lie_at_two_seats(table: PaperTable) -> None:
    """Claims of one round come from one deck and one flop."""
    table.deal(3, 5)
    table.must(HandClaimed(5, ROYAL, FLOP))
    assert "Ah" in table.refusal(HandClaimed(3, ("Ah", "Kc"), FLOP)).reason
    assert "Th Jh Qh" in table.refusal(HandClaimed(3, FLUSH, ("Th", "Jh", "2c"))).reason


def test_28_10_h_4_ii_3_a_supervisor_validates_before_anything_is_paid(table: PaperTable) -> None:
    """Fixed, validated, paid, deducted: in this order only."""
    table.deal(3)
    table.must(HandClaimed(3, FLUSH, FLOP))
    assert "waiting for the meter" in table.refusal(ClaimValidated(3, "Sue")).reason
    table.fix()
    assert "waiting for the supervisor" in table.refusal(PayoutConfirmed(3, "Dan")).reason
    table.must(ClaimValidated(3, "Sue"))
    assert not any(isinstance(order.entry, DeductAward) for order in table.entries)
    table.must(PayoutConfirmed(3, "Dan"))
    assert table.entries[-1].entry == DeductAward(2, "Sue", "Dan", 50_00)
    assert table.refusal(PayoutConfirmed(3, "Dan"))
    assert table.refusal(HandClaimed(3, FLUSH, FLOP))


def test_a_straight_on_table_a_never_touches_the_meter(table: PaperTable) -> None:
    """Only what the pay table marks is deducted."""
    table.deal(3)
    table.must(HandClaimed(3, STRAIGHT, FLOP))
    assert table.claim(3).amount_cents == 1_000
    table.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))
    assert len(table.entries) == 1


def test_28_11_g_a_straight_on_table_b_is_deducted() -> None:
    """(M) marks the straight of tables B, C and D (S-25a)."""
    table = PaperTable(table_rules("B"))
    table.deal(3)
    table.must(HandClaimed(3, STRAIGHT, FLOP))
    assert table.entries[-1].entry == FixAward(1, 3, "straight", 0, 1_000)


def test_28_10_h_the_seat_at_the_dealers_right_is_settled_first(table: PaperTable) -> None:
    """Two straight flushes claimed in the wrong order are fixed in the right one; nobody said "no win" of seat 5."""
    table.deal(2, 5)
    flop = ("5h", "6h", "7h")
    table.must(HandClaimed(2, ("3h", "4h"), flop))
    assert len(table.entries) == 1, "seat 5 comes first"
    table.must(HandClaimed(5, ("8h", "9h"), flop))
    assert [order.entry for order in table.entries[1:]] == [FixAward(1, 5, "straight_flush", 1_000, 0)]
    table.fix(10_000)
    assert table.claim(2).state is ClaimState.WAITING
    table.must(ClaimValidated(5, "Sue"), PayoutConfirmed(5, "Dan"))
    assert table.claim(2).state is ClaimState.ASKED


def test_28_10_h_a_validated_claim_yields_to_the_seat_at_the_dealers_right(table: PaperTable) -> None:
    """Until it is paid: the dealer had overlooked a royal, and the award is asked for anew at its own turn."""
    table.deal(2, 5)
    table.must(HandClaimed(2, FLUSH, FLOP))
    table.fix()
    table.must(ClaimValidated(2, "Sue"), HandClaimed(5, ROYAL, FLOP))
    assert [order.entry for order in table.entries[3:]] == [
        ReleaseAward(2, "seat 5 is paid first", "table"),
        FixAward(1, 5, "royal_flush", 10_000, 0),
    ]
    assert (table.claim(2).state, table.claim(2).validated_by) == (ClaimState.WAITING, "")
    assert table.refusal(AwardFixed(2, 1, 10, 9)), "the released award is nobody's any more"
    assert table.refusal(PayoutConfirmed(2, "Dan"))
    table.fix(10_000)
    table.must(ClaimValidated(5, "Sue"), PayoutConfirmed(5, "Dan"))
    assert table.entries[-1].entry == FixAward(1, 2, "flush", 0, 50_00)


def test_28_10_h_the_dealer_answers_for_every_earlier_lit_seat_before_the_meter_is_asked(table: PaperTable) -> None:
    """One answer for all of them; a seat without a light, or with a win, cannot be answered away."""
    table.deal(1, 2, 4, 6)
    table.must(HandClaimed(2, FLUSH, FLOP))
    assert act_of_meter(table.rules, table.state) == AskSeats((6, 4), walk(table.rules, table.state)[2])
    assert table.refusal(NoWinShown((3,), "Dan")).rule == "28.10(h)4ii(2)"
    assert "has claimed" in table.refusal(NoWinShown((2,), "Dan")).reason
    table.must(NoWinShown((6, 4), "Dan"))
    assert table.entries[-1].entry == FixAward(1, 2, "flush", 0, 50_00)
    table.must(HandClaimed(6, ROYAL, FLOP))
    assert table.claim(6).state is ClaimState.ASKED, "the dealer had overlooked it"


def test_28_10_h_what_the_rack_pays_alone_waits_for_nobody(table: PaperTable) -> None:
    """A straight on table A is not deducted: it is paid out of order, and does not hold up the meter."""
    table.deal(3, 5)
    table.must(HandClaimed(3, STRAIGHT, FLOP), ClaimValidated(3, "Sue"))
    table.must(HandClaimed(5, FLUSH, FLOP))
    assert (table.claim(3).state, table.claim(5).state) == (ClaimState.VALIDATED, ClaimState.ASKED)
    table.must(PayoutConfirmed(3, "Dan"))


def test_28_10_a_2_i_folded_seats_come_after_all_standing_ones(table: PaperTable) -> None:
    """Seat 5 folded: its royal waits for seat 3, whose tenth is taken of the whole meter first (S-19)."""
    table.deal(3, 5)
    table.must(SeatFolded(5), HandClaimed(5, ROYAL, FLOP))
    assert len(table.entries) == 1, "seat 3 comes first"
    table.must(HandClaimed(3, STRAIGHT_FLUSH, FLOP))
    assert table.entries[-1].entry == FixAward(1, 3, "straight_flush", 1_000, 0)
    table.fix(10_000_00)
    table.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))
    assert table.entries[-1].entry == FixAward(1, 5, "royal_flush", 10_000, 0)


def test_28_10_a_2_i_a_fold_told_late_moves_the_turn(table: PaperTable) -> None:
    """The award that was asked for at seat 5 goes back, for seat 3 stands."""
    table.deal(3, 5)
    table.must(HandClaimed(5, ROYAL, FLOP), HandClaimed(3, STRAIGHT_FLUSH, FLOP))
    assert table.claim(5).state is ClaimState.ASKED
    table.must(SeatFolded(5))
    assert [table.claim(seat).state for seat in (5, 3)] == [ClaimState.WAITING, ClaimState.ASKED]


@pytest.mark.parametrize(("names_will_do", "flush_by_name"), [(False, False), (True, True)])
def test_28_10_h_4_ii_1_cards_are_written_down_for_what_leaves_the_meter(
    names_will_do: bool, flush_by_name: bool
) -> None:
    """Amounts by name where the house chose so, a part of the meter never; what the rack pays alone always."""
    table = PaperTable(table_rules(names_will_do=names_will_do))
    table.deal(3, 4, 5)
    assert "enter its cards" in table.refusal(HandClaimed(5, hand="straight_flush")).reason
    assert (table.do(HandClaimed(4, hand="flush")).refusal is None) is flush_by_name
    table.must(HandClaimed(3, hand="straight"))
    assert table.claim(3).state is ClaimState.FIXED


def test_28_10_h_what_was_paid_stands_and_who_comes_late_is_paid_from_the_meter_as_it_is(table: PaperTable) -> None:
    """A line that left the rack is not taken back."""
    table.deal(2, 5)
    table.win(2)
    table.must(HandClaimed(5, ROYAL, FLOP))
    assert table.claim(5).state is ClaimState.ASKED
    assert table.claim(2).state is ClaimState.PAID


def test_a_rejected_claim_gives_its_amount_back_and_may_be_claimed_again(table: PaperTable) -> None:
    """Rejection needs a reason and never ends the player's right to a true claim."""
    table.deal(3)
    table.must(HandClaimed(3, FLUSH, FLOP))
    table.fix()
    assert table.refusal(ClaimRejected(3, "Sue", "")).reason
    table.must(ClaimRejected(3, "Sue", "the light was reported by mistake"))
    assert table.entries[-1].entry == ReleaseAward(2, "the light was reported by mistake", "Sue")
    table.must(HandClaimed(3, STRAIGHT_FLUSH, FLOP))
    assert len([claim for claim in table.state.claims if claim.is_open]) == 1


def test_the_end_of_the_round_waits_for_open_claims(table: PaperTable) -> None:
    """The refusal names the seat and the hand; the light survives until the player is paid."""
    table.deal(3)
    table.must(HandClaimed(3, FLUSH, FLOP))
    refusal = table.refusal(EndOfRoundPressed())
    assert refusal.reason.startswith("seat 3: flush")
    table.fix()
    table.must(ClaimValidated(3, "Sue"))
    assert table.lit == [3]
    table.must(PayoutConfirmed(3, "Dan"))
    assert table.lit == []
    table.must(EndOfRoundPressed())


def test_a_misread_claim_binds_nobody_once_it_is_rejected(table: PaperTable) -> None:
    """Its cards may lie elsewhere, and the flop may be another one."""
    table.deal(3, 5)
    table.must(HandClaimed(3, ("Ah", "Kh"), FLOP), ClaimRejected(3, "Sue", "cards and flop misread"))
    table.must(HandClaimed(5, ("Ah", "Kh"), ("Th", "Jh", "2h")))
    assert table.state.community == ("Th", "Jh", "2h")


def test_28_11_i_nothing_is_paid_while_other_tables_claim_a_part_of_the_meter_too(table: PaperTable) -> None:
    """Management decides who comes first; fixed amounts of this table's own are not touched by it (S-21)."""
    table.deal(3, 5)
    table.must(HandClaimed(5, ROYAL, FLOP))
    table.fix(10_000_00)
    table.must(ClaimValidated(5, "Sue"), AwardsHeld("management decides who comes first"))
    refusal = table.refusal(PayoutConfirmed(5, "Dan"))
    assert (refusal.rule, "management decides" in refusal.reason) == ("28.11(i)", True)
    table.must(AwardsFreed(), PayoutConfirmed(5, "Dan"), AwardsHeld("again"))
    table.win(3)


def test_28_11_i_nothing_is_validated_while_nobody_knows_what_it_comes_to(table: PaperTable) -> None:
    """What was fixed before another table claimed may become less, so no slip says it yet."""
    table.deal(3, 5)
    table.must(HandClaimed(5, ROYAL, FLOP))
    table.fix(10_000_00)
    table.must(AwardsHeld("management decides who comes first"))
    refusal = table.refusal(ClaimValidated(5, "Sue"))
    assert (refusal.rule, "do not validate yet, management decides" in refusal.reason) == ("28.11(i)", True)
    assert table.state.slips == 0
    table.must(AwardFixed(2, 9_000_00, 9_000_00, 0), AwardsFreed(), ClaimValidated(5, "Sue"))
    assert (table.claim(5).slip, table.claim(5).amount_cents) == (1, 9_000_00)


def test_28_11_i_a_share_is_not_validated_while_the_meter_is_held() -> None:
    """Nobody knows yet what there is to share; at the linked caribbean table two royals can lie."""
    table = PaperTable(table_rules("base", name="caribbean-stud"))
    table.deal(3, 5)
    for seat, suit in ((5, "h"), (3, "s")):
        table.must(HandClaimed(seat, tuple(f"{rank}{suit}" for rank in "AKQJT")))
    table.fix(10_000_00)
    table.must(AwardsHeld("management decides who comes first"))
    assert table.refusal(ClaimValidated(3, "Sue")).rule == "16.12(g)"
    assert table.refusal(ClaimValidated(5, "Sue")).rule == "16.12(g)"
    table.must(AwardsFreed(), ClaimValidated(3, "Sue"), ClaimValidated(5, "Sue"))


def test_28_11_i_an_amount_that_managements_order_changed_is_validated_anew(table: PaperTable) -> None:
    """The last word of the meter counts until somebody is paid; the same word twice is no news."""
    table.deal(3)
    table.must(HandClaimed(3, STRAIGHT_FLUSH, FLOP), AwardFixed(2, 1_000_00, 10_000_00, 9_000_00))
    assert "no claim waits" in table.refusal(AwardFixed(2, 1_000_00, 10_000_00, 9_000_00)).reason
    table.must(ClaimValidated(3, "Sue"), AwardFixed(2, 500_00, 5_000_00, 4_500_00))
    claim = table.claim(3)
    assert (claim.state, claim.amount_cents, claim.slip) == (ClaimState.FIXED, 500_00, 0), "slip 1 said another amount"
    table.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))
    assert table.claim(3).slip == 2
    assert table.entries[-1].entry == DeductAward(2, "Sue", "Dan", 500_00)
    assert table.refusal(AwardFixed(2, 400_00, 4_000_00, 3_600_00)), "what was paid was paid"
