"""Coupons on paper: a wager once the meter has accepted it, given back as a coupon, redeemed once (S-122, 1.18)."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.round.effects import AddWagers, Collect, FlashRefusal, FreeCoupon, Light, RedeemCoupon
from games.round.events import (
    BaseWagerMissed,
    ChipPlaced,
    ChipsAttested,
    ChipsCounted,
    CloseAsked,
    CouponAccepted,
    CouponRedeemed,
    CouponRefused,
    CouponReturned,
    Event,
    IrregularityNoted,
    LinkLost,
    LockOutPressed,
    MismatchExplained,
    RefundsConfirmed,
    TableClosed,
    WagersRegistered,
)
from games.round.outputs import is_at_rest
from games.round.state import AskedCoupon, Phase, SeatWager
from games.round.step import at_boot
from link.messages import Coupon
from tests.support.games.pit import PaperTable, table_rules

THREE_CARD = table_rules("A", name="three-card-poker")
CARIBBEAN = table_rules("base", name="caribbean-stud")
REDEEMED = "coupon C-1 was redeemed already: table T2, seat 5, round 7"


@pytest.fixture
def table() -> PaperTable:
    """A hold 'em table, open."""
    return PaperTable()


def ordered(table: PaperTable) -> list[Any]:
    """Every entry for the meter, by kind and content."""
    return [order.entry for order in table.entries]


def test_1_18_a_coupon_is_a_wager_when_the_meter_has_accepted_it(table: PaperTable) -> None:
    """The meter is asked first; the seat stays dark and shut until then."""
    table.must(CouponRedeemed(5, "C-1"))
    assert (table.lit, 5 in table.open_gates) == ([], False)
    assert ordered(table) == [RedeemCoupon(1, 5, "C-1")]
    table.must(CouponAccepted(1))
    assert (table.lit, table.state.wagers) == ([5], {5: SeatWager("C-1", 1)})
    table.must(ChipPlaced(3), LockOutPressed(), ChipsCounted(1))
    assert ordered(table)[1:] == [AddWagers(1, 100, (3, 5), (5,))]


def test_1_18_a_refused_coupon_is_no_wager(table: PaperTable) -> None:
    """Its seat flashes, says why, and takes a chip or another coupon."""
    table.must(CouponRedeemed(5, "C-1"), CouponRefused(1, REDEEMED))
    assert (table.lit, table.state.refused_coupons) == ([], {5: REDEEMED})
    assert table.orders.count(FlashRefusal(5)) == 1
    assert 5 in table.open_gates
    table.must(CouponRedeemed(5, "C-2"))
    assert table.state.refused_coupons == {}
    table.must(CouponAccepted(2), LockOutPressed(), ChipsCounted(0), WagersRegistered(3))
    assert ordered(table)[-1] == AddWagers(1, 100, (5,), (5,))


def test_one_coupon_lies_at_one_seat_however_it_is_spelled(table: PaperTable) -> None:
    """Also while the meter has not answered for it."""
    table.must(CouponRedeemed(5, " c-1 "))
    assert table.state.asked_coupons == {5: AskedCoupon("C-1", 1)}
    assert "on the table already" in table.refusal(CouponRedeemed(6, "C-1")).reason
    assert "not answered" in table.refusal(CouponRedeemed(5, "C-2")).reason
    assert "not answered" in table.refusal(ChipPlaced(5)).reason
    table.must(CouponAccepted(1))
    assert "on the table already" in table.refusal(CouponRedeemed(6, "c-1")).reason


@given(st.text(max_size=50))
def test_whatever_is_typed_the_meter_can_read_it_or_the_dealer_is_told(serial: str) -> None:
    """An entry that no meter can read would stand in the way of every later one."""
    table = PaperTable()
    step = table.do(CouponRedeemed(3, serial))
    for entry in ordered(table):
        coupon = Coupon(entry.round, entry.seat, entry.serial)
        assert msgspec.json.decode(msgspec.json.encode(coupon), type=Coupon) == coupon
    assert bool(ordered(table)) == (step.refusal is None)


@pytest.mark.parametrize(
    ("rules", "closing"),
    [
        (table_rules(), LockOutPressed()),
        (CARIBBEAN, LockOutPressed()),
        (table_rules("A", name="three-card-poker", by_eye=True), ChipsAttested(0)),
        (table_rules(), TableClosed("Sue", "night")),
        (CARIBBEAN, IrregularityNoted("hole_card_exposed", "Sue")),
    ],
)
def test_nothing_closes_the_wagers_while_a_coupon_is_not_answered(rules: Any, closing: Event) -> None:
    """It is neither lost nor a wager: the dealer waits a moment, or gives it back."""
    table = PaperTable(rules)
    table.must(CouponRedeemed(5, "C-1"))
    assert "seat 5: the meter has not answered for the coupon yet" in table.refusal(closing).reason
    assert (table.phase, table.state.asked_coupons) == (Phase.OPEN, {5: AskedCoupon("C-1", 1)})
    table.must(CouponReturned(5))
    table.must(closing)


def test_20_13_b_a_count_waits_for_the_meter() -> None:
    """Where coupons come during the count, it closes nothing before the answer, and begins anew with it."""
    for answer, lit in ((CouponAccepted(1), [3, 5]), (CouponRefused(1, REDEEMED), [3]), (CouponReturned(5), [3])):
        table = PaperTable(THREE_CARD)
        table.must(ChipPlaced(3), LockOutPressed(), CouponRedeemed(5, "C-1"))
        for chips in (1, 2):
            assert "not answered" in table.refusal(ChipsCounted(chips)).reason
        assert (table.phase, table.state.is_miscounted) == (Phase.COUNTING, False)
        assert Collect() in at_boot(table.rules, table.state)
        before = table.orders.count(Collect())
        table.must(answer)
        assert table.orders.count(Collect()) == before + 1
        table.must(ChipsCounted(1))
        assert (table.phase, table.lit) == (Phase.COUNTED, lit)


def test_while_the_link_is_lost_no_coupon_is_taken_and_one_that_waits_can_go_back() -> None:
    """Also where the house plays on without its meter."""
    table = PaperTable(table_rules(queue_when_link_lost=True))
    table.must(CouponRedeemed(5, "C-1"), LinkLost("the meter is silent"))
    assert "no coupons" in table.refusal(CouponRedeemed(6, "C-2")).reason
    assert not is_at_rest(table.rules, table.state)
    table.must(CouponReturned(5), LockOutPressed())
    assert ordered(table) == [RedeemCoupon(1, 5, "C-1"), FreeCoupon(1, "C-1")]


def test_an_answer_that_comes_late_changes_nothing(table: PaperTable) -> None:
    """The coupon went back while the meter was asked: its player has it, and it is free."""
    table.must(CouponRedeemed(5, "C-1"), CouponReturned(5))
    for late in (CouponAccepted(1), CouponRefused(1, REDEEMED), CouponAccepted(7)):
        assert "no coupon that waits" in table.refusal(late).reason
    assert (table.lit, table.state.refused_coupons) == ([], {})


def test_a_coupon_that_the_dealer_returns_is_free_again(table: PaperTable) -> None:
    """Its light goes out, and the meter hears which entry redeemed it."""
    table.must(ChipPlaced(3), CouponRedeemed(5, "C-1"), CouponAccepted(1), CouponReturned(5))
    assert (table.lit, ordered(table)[-1]) == ([3], FreeCoupon(1, "C-1"))
    assert "no coupon" in table.refusal(CouponReturned(3)).reason


@pytest.mark.parametrize("answered", [True, False])
def test_a_coupon_without_a_base_wager_goes_back(table: PaperTable, *, answered: bool) -> None:
    """As a coupon: no chip more is expected in the count."""
    table.must(CouponRedeemed(5, "C-1"), *((CouponAccepted(1),) if answered else ()), BaseWagerMissed(5))
    assert (table.lit, ordered(table)[-1], table.state.chips_due) == ([], FreeCoupon(1, "C-1"), 0)
    assert table.state.asked_coupons == {}


def test_a_coupon_void_by_the_supervisors_word_goes_back(table: PaperTable) -> None:
    """Void before registration: freed, not registered; void chips are in the count."""
    table.must(ChipPlaced(3), CouponRedeemed(5, "C-1"), CouponAccepted(1), LockOutPressed())
    assert table.refusal(ChipsCounted(2))
    table.must(MismatchExplained("Sue", "two chips of seat 3", (3, 5)))
    assert ordered(table) == [RedeemCoupon(1, 5, "C-1"), FreeCoupon(1, "C-1")]
    table = PaperTable()
    table.must(ChipPlaced(3), CouponRedeemed(5, "C-1"), CouponAccepted(1), LockOutPressed())
    assert table.refusal(ChipsCounted(2))
    table.must(MismatchExplained("Sue", "its player left", (5,)))
    assert ordered(table)[1:] == [FreeCoupon(1, "C-1"), AddWagers(1, 100, (3,), ())]


def test_a_round_that_is_void_before_registration_gives_coupons_back() -> None:
    """They are free when the dealer has confirmed that they went back, and once."""
    table = PaperTable(CARIBBEAN)
    table.must(ChipPlaced(3), CouponRedeemed(5, "C-1"), CouponAccepted(1))
    table.must(IrregularityNoted("hole_card_exposed", "Sue"))
    assert (table.phase, ordered(table)) == (Phase.VOIDED, [RedeemCoupon(1, 5, "C-1")])
    assert table.lights[5] is Light.LIT
    table.must(RefundsConfirmed("Dan"))
    assert (table.lit, ordered(table)[1:]) == ([], [FreeCoupon(1, "C-1")])
    assert table.refusal(RefundsConfirmed("Dan"))


def test_a_refund_after_registration_gives_the_coupon_back_and_keeps_the_contribution() -> None:
    """The wager stays registered; its serial number is free."""
    table = PaperTable(CARIBBEAN)
    table.must(ChipPlaced(3), CouponRedeemed(5, "C-1"), CouponAccepted(1), LockOutPressed(), ChipsCounted(1))
    table.must(WagersRegistered(2), IrregularityNoted("hole_card_exposed", "Sue"))
    assert set(table.state.refunds_due) == {3, 5}
    table.must(RefundsConfirmed("Dan"))
    assert ordered(table)[1:] == [AddWagers(1, CARIBBEAN.stake_cents, (3, 5), (5,)), FreeCoupon(1, "C-1")]


def test_a_table_that_is_to_close_waits_for_the_coupon(table: PaperTable) -> None:
    """It does not close over a coupon that may become a wager."""
    table.must(CouponRedeemed(5, "C-1"), CloseAsked("Sue", "night"))
    assert table.phase is Phase.OPEN
    table.must(CouponAccepted(1))
    assert table.lit == [5]
