"""The round of pai gow poker's progressive, clause by clause (11.7, 11.9, 11.14)."""

import pytest
from msgspec.structs import replace

from games.round.device_events import NOT_YET
from games.round.effects import AddWagers, DeductAward, DrawNumber, FixAward, ReleaseAward
from games.round.events import (
    AwardFixed,
    ChipPlaced,
    ChipsCounted,
    ClaimValidated,
    CouponAccepted,
    CouponRedeemed,
    EndOfRoundPressed,
    Event,
    HandClaimed,
    LinkLost,
    LinkRestored,
    LockOutPressed,
    NumberDrawn,
    PayoutConfirmed,
    WagerPlaced,
    WagersRegistered,
)
from games.round.state import ClaimState, Phase
from tests.support.games.pit import PaperTable, table_rules

ONE = table_rules("base", name="pai-gow-poker")
FIVE = table_rules("base", name="pai-gow-poker", stake_cents=500)


def cards(text: str) -> tuple[str, ...]:
    """Cards as a dealer reads them out."""
    return tuple(text.split())


STRAIGHT_AND_PAIR = cards("6h 7h 8h 9h Qh Tc Qd")  # a flush too, which pays less
FLUSH_AND_PAIR = cards("7s 7h 7d As Qs Ts Jk")  # a full house too, which pays less
NATURAL_ROYAL = cards("As Ks Qs Js Ts 2h 7d")
NATURAL_ROYAL_OR_ROYAL_AND_PAIR = cards("As Ks Qs Js Ts Jk Td")  # 10 % of the meter, or an amount
FIVE_ACES_AND_PAIR = cards("As Ah Ad Ac Jk 9h 9d")
QUADS_AND_PAIR = cards("8s 8h 8d 8c 2h 5d 5c")
STRAIGHT_FLUSH = cards("9h Th Jh Qh Kh 3c 2d")


@pytest.fixture
def table() -> PaperTable:
    return PaperTable(ONE)


def test_11_14_b_the_wagers_are_locked_then_counted(table: PaperTable) -> None:
    """11.7(c) closes them; the chips of the return device must equal the lights (S-84, S-85, S-99)."""
    table.must(ChipPlaced(3), CouponRedeemed(5, "C-1"), CouponAccepted(1), LockOutPressed())
    assert table.refusal(ChipPlaced(4)).rule == "11.7(c)"
    assert table.refusal(ChipsCounted(2)).rule == "11.14(b)"
    assert table.phase is Phase.LOCKED
    table.must(ChipsCounted(1))
    assert table.entries[-1].entry == AddWagers(1, 100, (3, 5), (5,))


def test_11_14_a_five_dollars_where_the_house_says_so() -> None:
    """The stake is the table's, and so is the pay table (S-98, S-102)."""
    table = PaperTable(FIVE)
    table.deal(3)
    registered = table.entries[-1]
    assert registered.entry == AddWagers(1, 500, (3,), ())
    table.must(HandClaimed(3, STRAIGHT_FLUSH))
    assert table.entries[-1].entry == FixAward(1, 3, "straight_flush", 0, 125_00)


@pytest.mark.parametrize(
    ("seven", "hand", "cents"),
    [(STRAIGHT_AND_PAIR, "straight_and_pair", 4_00), (FLUSH_AND_PAIR, "flush_and_pair", 6_00)],
)
def test_11_9_j_the_dealer_resets_the_hand_to_what_pays_most(
    table: PaperTable, seven: tuple[str, ...], hand: str, cents: int
) -> None:
    """The highest pay counts, not the highest rank (S-90)."""
    table.deal(3)
    table.must(HandClaimed(3, seven))
    assert (table.claim(3).hand, table.claim(3).amount_cents) == (hand, cents)


def test_11_14_c_3_only_what_the_meter_pays_needs_a_supervisor(table: PaperTable) -> None:
    """Four of a kind and a pair, forty dollars, is paid from the rack; a straight flush of 25 waits (S-104)."""
    table.deal(3, 5)
    table.must(HandClaimed(5, QUADS_AND_PAIR))
    assert table.claim(5).state is ClaimState.VALIDATED
    table.must(PayoutConfirmed(5, "Dan"))
    assert len(table.entries) == 1
    table.must(HandClaimed(3, STRAIGHT_FLUSH))
    table.fix()
    assert table.claim(3).state is ClaimState.FIXED
    table.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))
    assert table.entries[-1].entry == DeductAward(2, "Sue", "Dan", 25_00)


def test_11_14_c_1_the_light_is_looked_at_first(table: PaperTable) -> None:
    """Before the hand itself (S-100)."""
    table.deal(3)
    assert table.refusal(HandClaimed(4, FIVE_ACES_AND_PAIR)).rule == "11.14(c)1"
    assert table.refusal(HandClaimed(3, cards("2s 4h 5d 7c 9s Jh Kd"))).rule == "11.14(c)2"


def test_11_2_a_there_is_one_joker_and_seven_cards(table: PaperTable) -> None:
    """Two jokers, six cards or a card at two seats cannot be."""
    table.deal(3, 5)
    for impossible in ("As Ah Ad Ac Jk Jk 9d", "As Ah Ad Ac Jk 9h", "As Ah Ad Ac As 9h 9d"):
        assert table.refusal(HandClaimed(3, cards(impossible))).rule == "11.14(c)2"
    table.must(HandClaimed(3, FIVE_ACES_AND_PAIR))
    assert "Jk" in table.refusal(HandClaimed(5, cards("Kc Qc Jc Tc Jk 4h 4d"))).reason


def test_11_14_d_a_natural_royal_is_a_tenth_of_the_meter(table: PaperTable) -> None:
    """What is fixed at an ample meter stays (S-101)."""
    table.deal(3)
    table.must(HandClaimed(3, NATURAL_ROYAL))
    assert table.entries[-1].entry == FixAward(1, 3, "natural_royal_flush", 1_000, 0)
    table.must(AwardFixed(2, 1_200_00, 12_000_00, 10_800_00))
    assert table.claim(3).state is ClaimState.FIXED


def test_11_14_g_the_meter_at_the_time_of_payment_decides_which_hand_pays_most() -> None:
    """At $5 and a meter of $9,990, a tenth is less than $1,000: the meter's own amount turns the hand."""
    table = PaperTable(FIVE)
    table.deal(3)
    table.must(HandClaimed(3, NATURAL_ROYAL_OR_ROYAL_AND_PAIR))
    assert table.entries[-1].entry == FixAward(1, 3, "natural_royal_flush", 1_000, 0)
    table.must(AwardFixed(2, 999_00, 9_990_00, 8_991_00))
    assert [order.entry for order in table.entries[2:]] == [
        ReleaseAward(2, "royal flush and pair pays more at this meter", "table"),
        FixAward(1, 3, "royal_flush_and_pair", 0, 1_000_00),
    ]
    table.must(AwardFixed(4, 1_000_00, 9_990_00, 8_990_00))
    assert (table.claim(3).state, table.claim(3).amount_cents) == (ClaimState.FIXED, 1_000_00)


def test_11_14_g_at_a_meter_so_low_that_the_rack_pays_more_the_meter_is_left_alone(table: PaperTable) -> None:
    """Five aces: a tenth of $150 is less than the twenty dollars of four of a kind, which are not deducted."""
    table.deal(3)
    table.must(HandClaimed(3, cards("As Ah Ad Ac Jk 9h 3d")))
    table.must(AwardFixed(2, 15_00, 150_00, 135_00))
    assert isinstance(table.entries[-1].entry, ReleaseAward)
    assert (table.claim(3).hand, table.claim(3).amount_cents) == ("four_of_a_kind", 20_00)
    table.must(PayoutConfirmed(3, "Dan"))
    assert isinstance(table.entries[-1].entry, ReleaseAward)


def test_11_13_b_4_the_number_that_was_drawn_decides_a_number_wager_and_no_hand() -> None:
    """The dealer cannot say that it wins; the draw pays it at once, before any card, down to whole dollars (S-97)."""
    table = PaperTable(table_rules("base", name="pai-gow-poker", offers=("number",)))
    table.must(WagerPlaced(3, "number", 5_00, number=4), WagerPlaced(3, "number", 1_00, number=2))
    assert table.refusal(WagerPlaced(3, "number", 5_00)).rule == "11.13(a)"
    assert table.refusal(WagerPlaced(3, "number", 5_00, number=8)).rule == "11.13(a)"
    table.deal(5)
    assert table.refusal(HandClaimed(3, hand="number", wager="number", by="Dan", paid=True)).rule == "11.13(a)"
    assert table.refusal(NumberDrawn(8)).rule == "11.4(a)2"
    table.must(NumberDrawn(4))
    assert "is 4" in table.refusal(NumberDrawn(2)).reason, "there is no second draw"
    claim = table.state.claim(3, "number")
    assert claim is not None
    assert (claim.amount_cents, claim.state) == (27_00, ClaimState.VALIDATED)
    assert "seat 3: number $27 is to be paid" in table.refusal(EndOfRoundPressed()).reason
    table.must(PayoutConfirmed(3, "Dan", "number"), EndOfRoundPressed())


def test_11_15_d_a_name_does_not_outweigh_the_cards_that_were_written_down() -> None:
    """A bonus wager that these seven cards lose cannot be claimed by the name of a better hand."""
    table = PaperTable(table_rules("base", name="pai-gow-poker", offers=("bonus", "insurance")))
    table.must(WagerPlaced(3, "bonus", 5_00), WagerPlaced(3, "insurance", 1_00))
    table.deal(3)
    table.must(HandClaimed(3, STRAIGHT_AND_PAIR))
    bonus = table.state.claim(3, "bonus")
    assert bonus is not None
    assert (bonus.hand, bonus.amount_cents) == ("flush", 20_00), "the cards decide every wager of the seat"
    assert table.state.claim(3, "insurance") is None
    refusal = table.refusal(HandClaimed(3, hand="nine_high", wager="insurance", by="Dan", paid=True))
    assert "has shown 6h 7h 8h 9h Qh Tc Qd" in refusal.reason


def test_11_14_g_of_two_whole_meters_the_second_is_paid_from_the_reset_amount(table: PaperTable) -> None:
    """There is no sharing rule: each is fixed at its own turn, from the dealer's right (11.9(i), S-106)."""
    table.deal(2, 5)
    table.must(HandClaimed(2, cards("As Ks Qs Js Ts 2h 2d")), HandClaimed(5, cards("Ac Kc Qc Jc Tc 3h 3d")))
    table.fix(12_345_67)
    table.must(ClaimValidated(5, "Sue"), PayoutConfirmed(5, "Dan"))
    assert table.entries[-1].entry == FixAward(1, 2, "natural_royal_flush_and_pair", 10_000, 0)
    table.fix(10_000_00)
    table.must(ClaimValidated(2, "Sue"), PayoutConfirmed(2, "Dan"))
    assert [table.claim(seat).amount_cents for seat in (5, 2)] == [12_345_67, 10_000_00]
    assert {table.claim(seat).source for seat in (5, 2)} == {"cage"}


@pytest.mark.parametrize("is_lost_first", [True, False])
def test_11_8_c_a_table_that_queues_draws_its_number_without_the_meter(is_lost_first: bool) -> None:
    """The round is dealt while its wagers wait for a meter that is lost, so the number is drawn (S-82, S-97)."""
    table = PaperTable(replace(ONE, offers=("number",), queue_when_link_lost=True))
    steps: list[Event] = [LinkLost("the network is down"), ChipPlaced(3), LockOutPressed(), ChipsCounted(1)]
    if not is_lost_first:
        steps = [*steps[1:], steps[0]]
    table.must(*steps)
    assert table.phase is Phase.COUNTED
    assert [order for order in table.orders if isinstance(order, DrawNumber)] == [DrawNumber()]
    table.must(NumberDrawn(4), LinkRestored(), WagersRegistered(table.state.wagers_seq))
    assert [order for order in table.orders if isinstance(order, DrawNumber)] == [DrawNumber()]


@pytest.mark.parametrize("why", [LinkLost("refused", refused=True), LinkLost(NOT_YET)])
def test_11_8_c_no_number_is_drawn_while_the_meter_may_refuse_the_wagers(why: LinkLost) -> None:
    """A meter that is there and does not let the table play, or was never heard, is not queued for (S-97)."""
    table = PaperTable(replace(ONE, offers=("number",), queue_when_link_lost=True))
    table.must(ChipPlaced(3), LockOutPressed(), ChipsCounted(1), why)
    assert not any(isinstance(order, DrawNumber) for order in table.orders)
