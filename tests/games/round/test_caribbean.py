"""The round of caribbean stud's progressive, clause by clause (16.11 to 16.13); it shares a royal meter."""

import pytest

from games.round.effects import DeductAward, FixAward, ReleaseAward
from games.round.events import (
    AwardFixed,
    ChipPlaced,
    ChipsCounted,
    ClaimRejected,
    ClaimValidated,
    EndOfRoundPressed,
    HandClaimed,
    HandsAllShown,
    IrregularityNoted,
    LockOutPressed,
    NoWinShown,
    PapersCompleted,
    PayoutConfirmed,
    RefundsConfirmed,
)
from games.round.state import ClaimState, Phase
from tests.support.games.pit import FLOP, ROYAL, PaperTable, table_rules

RULES = table_rules("base", name="caribbean-stud")
SHARING = "16.12(g)"


def royal(suit: str) -> tuple[str, ...]:
    """The royal flush of a suit."""
    return tuple(f"{rank}{suit}" for rank in "AKQJT")


FLUSH = ("2c", "4c", "6c", "8c", "Tc")


@pytest.fixture
def table() -> PaperTable:
    return PaperTable(RULES)


def share(table: PaperTable, cents: int, **royals: str) -> None:
    """Royals at these seats, all shown, fixed for so much."""
    table.must(*(HandClaimed(int(seat[1:]), royal(suit)) for seat, suit in royals.items()))
    table.fix(cents)


def test_the_wagers_are_locked_then_counted(table: PaperTable) -> None:
    """Our reading of rules that we do not have in full, and it says so (S-72)."""
    table.must(ChipPlaced(3), LockOutPressed())
    assert table.phase is Phase.LOCKED
    assert table.refusal(ChipPlaced(4)).rule == "house: caribbean's wagers"
    assert table.refusal(ChipsCounted(0)).rule == "house: caribbean's wagers"
    table.must(ChipsCounted(1))


def test_16_11_b_hand_light_and_supervisor_come_before_the_payout(table: PaperTable) -> None:
    """Each with its own clause; the dealer's hand is not asked for (16.11(c), S-67, S-68)."""
    table.deal(3)
    assert table.refusal(HandClaimed(4, FLUSH)).rule == "16.11(b)2"
    assert table.refusal(HandClaimed(3, ("2c", "4c", "6c", "8c", "Th"))).rule == "16.11(b)1"
    assert table.refusal(HandClaimed(3, FLUSH[:4])).rule == "16.11(b)1"
    assert table.refusal(HandClaimed(3, FLUSH, ("2h", "3h", "4h"))).rule == "16.11(b)1"
    table.must(HandClaimed(3, FLUSH))
    table.fix()
    table.refusal(PayoutConfirmed(3, "Dan"))
    assert table.refusal(EndOfRoundPressed()).rule == "16.11(b)"
    table.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))
    assert table.entries[-1].entry == DeductAward(2, "Sue", "Dan", 50_00)


@pytest.mark.parametrize(
    ("pay_table", "entry"),
    [
        ("base", FixAward(1, 3, "straight_flush", 1_000, 0)),
        ("pre_amendment", FixAward(1, 3, "straight_flush", 0, 5_000_00)),
    ],
)
def test_16_12_e_a_straight_flush_by_the_rule_as_amended_and_before(pay_table: str, entry: FixAward) -> None:
    """A tenth of the meter, or $5,000 at a table that stays alone (S-70, S-71)."""
    table = PaperTable(table_rules(pay_table, name="caribbean-stud"))
    table.deal(3)
    table.must(HandClaimed(3, ("5h", "6h", "7h", "8h", "9h")))
    assert table.entries[-1].entry == entry


def test_16_12_g_two_royals_share_equally_and_the_odd_cent_goes_first(table: PaperTable) -> None:
    """One award for both, whole cents to each, deducted when both are paid (S-73)."""
    table.deal(2, 5)
    share(table, 100_01, s2="s", s5="h")
    assert [order.entry for order in table.entries[1:]] == [
        FixAward(1, 5, "royal_flush", 10_000, 0, sharers=(5, 2)),
    ]
    assert [table.claim(seat).amount_cents for seat in (5, 2)] == [50_01, 50_00]
    table.must(ClaimValidated(2, "Sue"), ClaimValidated(5, "Max"))
    assert "Max validated this" in table.refusal(PayoutConfirmed(5, "Max")).reason
    table.must(PayoutConfirmed(5, "Dan"))
    assert not any(isinstance(order.entry, DeductAward) for order in table.entries)
    table.must(PayoutConfirmed(2, "Eve"))
    assert table.entries[-1].entry == DeductAward(2, "Max, Sue", "Dan, Eve", 100_01)
    table.must(PapersCompleted(5, "Dan"), PapersCompleted(2, "Dan"), EndOfRoundPressed())


def test_16_12_g_four_royals_divide_the_meter_to_the_cent(table: PaperTable) -> None:
    """As many as a deck has; the shares add up."""
    table.deal(1, 3, 5, 7)
    share(table, 1_000_03, s1="s", s3="h", s5="d", s7="c")
    assert [table.claim(seat).amount_cents for seat in (7, 5, 3, 1)] == [250_01, 250_01, 250_01, 250_00]


def test_16_12_g_a_royal_is_paid_only_when_every_hand_was_looked_at(table: PaperTable) -> None:
    """What might have to be shared is not even asked for whole; a new royal asks again."""
    table.deal(1, 2, 5)
    table.must(HandClaimed(5, royal("h")))
    assert len(table.entries) == 1, "the meter is not asked while another hand may share it"
    assert table.claim(5).state is ClaimState.WAITING
    table.must(HandsAllShown("Dan"))
    assert table.sent() == FixAward(1, 5, "royal_flush", 10_000, 0)
    table.must(HandClaimed(2, royal("s")))
    assert table.sent() == ReleaseAward(2, "seat 2 shares the meter", "table")
    assert table.claim(5).state is ClaimState.WAITING
    table.must(HandsAllShown("Dan"))
    table.fix(100_00)
    table.must(ClaimValidated(5, "Sue"))
    refusal = table.refusal(PayoutConfirmed(5, "Dan"))
    assert (refusal.rule, "validate" in refusal.reason) == (SHARING, True)
    table.must(ClaimValidated(2, "Sue"), PayoutConfirmed(5, "Dan"), PayoutConfirmed(2, "Dan"))
    assert [table.claim(seat).amount_cents for seat in (5, 2)] == [50_00, 50_00]


def test_16_12_g_a_validated_royal_too_is_divided_anew_when_another_is_found(table: PaperTable) -> None:
    """Until somebody is paid; whoever validated the whole validates the half again."""
    table.deal(2, 5)
    share(table, 100_00, s5="h")
    table.must(ClaimValidated(5, "Sue"), HandClaimed(2, royal("s")))
    assert table.claim(5).state is ClaimState.ASKED
    assert table.claim(5).validated_by == ""
    assert table.claim(2).state is ClaimState.SHARING
    assert "sharing" in table.refusal(ClaimValidated(2, "Sue")).reason, "the meter has not answered yet"


def test_16_12_g_who_comes_after_the_payment_is_a_case_for_management(table: PaperTable) -> None:
    """He shares what was paid, not what the meter collected since; the table does not invent an amount."""
    table.deal(2, 5)
    share(table, 100_00, s5="h")
    table.must(ClaimValidated(5, "Sue"), PayoutConfirmed(5, "Dan"))
    refusal = table.refusal(HandClaimed(2, royal("s")))
    assert (refusal.rule, "management" in refusal.reason) == (SHARING, True)
    table.must(HandClaimed(2, FLUSH))


def test_16_12_g_a_rejected_royal_leaves_the_meter_to_the_others(table: PaperTable) -> None:
    """Before anybody is paid it is fixed again without it; afterwards the division stands."""
    table.deal(2, 5)
    share(table, 100_00, s2="s", s5="h")
    table.must(ClaimRejected(5, "Sue", "a jack is missing"))
    assert table.sent() == ReleaseAward(2, "a jack is missing", "Sue")
    assert table.claim(2).state is ClaimState.WAITING, "seat 5 comes first, and nobody knows its hand any more"
    table.must(NoWinShown((5,), "Dan"))
    assert table.sent() == FixAward(1, 2, "royal_flush", 10_000, 0)
    table.fix(100_00)
    table.must(HandClaimed(5, royal("d")))
    table.fix(100_00)
    table.must(ClaimValidated(5, "Sue"), ClaimValidated(2, "Sue"), PayoutConfirmed(5, "Dan"))
    assert table.refusal(ClaimRejected(2, "Sue", "too late")).rule == SHARING
    table.must(PayoutConfirmed(2, "Dan"))


def test_16_12_g_between_two_royals_a_flush_is_paid_in_its_turn(table: PaperTable) -> None:
    """From the dealer's right, one after the other; the flush comes off the meter that began anew (S-73)."""
    table.deal(2, 4, 6)
    table.must(HandClaimed(4, FLUSH))
    share(table, 100_00, s2="s", s6="h")
    table.must(ClaimValidated(6, "Sue"), ClaimValidated(2, "Sue"))
    assert "sharing" in table.refusal(PayoutConfirmed(2, "Dan")).reason
    table.must(PayoutConfirmed(6, "Dan"))
    assert table.entries[-1].entry == FixAward(1, 4, "flush", 0, 50_00)
    assert table.claim(2).state is ClaimState.SHARING
    table.fix()
    table.must(ClaimValidated(4, "Sue"), PayoutConfirmed(4, "Dan"), PayoutConfirmed(2, "Dan"))
    assert [type(order.entry).__name__ for order in table.entries[-2:]] == ["DeductAward", "DeductAward"]


def test_16_12_g_a_flush_at_the_dealers_right_goes_before_the_royals(table: PaperTable) -> None:
    """Whoever shares waits for it, and the meter is fixed anew at their turn."""
    table.deal(2, 5, 6)
    share(table, 100_00, s2="s", s5="h")
    table.must(HandClaimed(6, FLUSH))
    assert table.claim(2).state is table.claim(5).state is ClaimState.WAITING
    assert table.entries[-2].entry == ReleaseAward(2, "seat 6 is paid first", "table")
    assert table.refusal(AwardFixed(2, 100_00, 100_00, 0)), "that award is nobody's any more"
    table.fix()
    table.must(ClaimValidated(6, "Sue"), PayoutConfirmed(6, "Dan"))
    assert table.entries[-1].entry == FixAward(1, 5, "royal_flush", 10_000, 0, sharers=(5, 2))


def test_28_11_i_hold_em_knows_the_same_rule_but_one_flop_has_one_royal() -> None:
    """The flop is everybody's (S-20): whoever needs two cards of the royal leaves none, so nobody is asked to share."""
    table = PaperTable(table_rules())
    table.deal(2, 5)
    table.must(HandClaimed(5, ROYAL, FLOP))
    assert table.entries[-1].entry == FixAward(1, 5, "royal_flush", 10_000, 0)
    assert table.rules.game.shares_whole_meter
    assert table.refusal(HandClaimed(2, ROYAL, FLOP)).rule == "28.10(h)4ii(1)"
    assert "enter its cards" in table.refusal(HandClaimed(2, hand="royal_flush")).reason
    table.fix(100_01)
    table.must(ClaimValidated(5, "Sue"), PayoutConfirmed(5, "Dan"))


def test_2_19_h_four_aces_of_one_colour_share_equally() -> None:
    """Blackjack divides its meter like caribbean stud (S-57)."""
    table = PaperTable(table_rules("base", name="blackjack", decks=8))
    table.deal(2, 5)
    table.must(HandClaimed(5, ("As", "Ac", "As", "Ac")))
    assert len(table.entries) == 1, "seat 2 may hold four aces, too"
    table.must(HandClaimed(2, ("Ah", "Ad", "Ah", "Ad")))
    table.fix(100_01)
    table.must(ClaimValidated(5, "Sue"))
    assert table.refusal(PayoutConfirmed(5, "Dan")).rule == "2.19(h)"
    table.must(ClaimValidated(2, "Sue"), PayoutConfirmed(5, "Dan"), PayoutConfirmed(2, "Dan"))
    assert [table.claim(seat).amount_cents for seat in (5, 2)] == [50_01, 50_00]


@pytest.mark.parametrize(
    ("irregularity", "rule"),
    [
        ("hole_card_exposed", "16.13(a)"),
        ("several_cards_face_up", "16.13(b)"),
        ("dealer_misdealt", "16.13(d)"),
        ("dealing_shoe_fault", "16.13(f)"),
    ],
)
def test_16_13_a_void_round_refunds_the_progressive(table: PaperTable, irregularity: str, rule: str) -> None:
    """No exception for the progressive here, unlike hold 'em (S-74, S-75, S-77, S-78)."""
    table.deal(3, 5)
    table.must(IrregularityNoted(irregularity, "Sue"))
    known = table.rules.irregularity(irregularity)
    assert known is not None
    assert known.rule == rule
    assert table.refusal(IrregularityNoted(irregularity, "Sue")).rule == rule, "it is written down already"
    assert table.refusal(HandClaimed(3, FLUSH)).reason.startswith("seat 3: the hand is void")
    assert table.state.refunds_due == {3: ("progressive",), 5: ("progressive",)}
    table.must(RefundsConfirmed("Dan"), EndOfRoundPressed())
    assert len(table.entries) == 1, "a contribution stays on the meter"


@pytest.mark.parametrize("irregularity", ["one_card_face_up", "card_drawn_in_error", "dealer_four_cards"])
def test_16_13_b_what_is_mended_at_the_table_voids_nothing(table: PaperTable, irregularity: str) -> None:
    """One card face up, a card drawn in error, a fifth card for the dealer (S-75, S-76, S-77)."""
    table.deal(3)
    table.must(IrregularityNoted(irregularity, "Sue"))
    assert (table.state.voided, table.state.refunds_due) == ((), {})
    assert [noted.name for noted in table.state.irregularities] == [irregularity]
    table.must(HandClaimed(3, FLUSH))


def test_16_13_d_a_wrong_count_of_cards_voids_that_hand_only(table: PaperTable) -> None:
    """Its wager is refunded, the others play on (S-77)."""
    table.deal(3, 5)
    assert table.refusal(IrregularityNoted("player_wrong_number_of_cards", "Sue")).rule == "16.13(d)"
    table.must(IrregularityNoted("player_wrong_number_of_cards", "Sue", (3,)), RefundsConfirmed("Dan"))
    assert table.lit == [5]
    table.must(HandClaimed(5, FLUSH))
