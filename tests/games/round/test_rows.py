"""Rows of the rule book on what happens at the table before a payout, that no other test names."""

import pytest

from games.round.effects import AddWagers, Light
from games.round.events import (
    ChipLifted,
    ChipPlaced,
    ChipsCounted,
    ClaimValidated,
    CouponAccepted,
    CouponRedeemed,
    HandClaimed,
    LockOutPressed,
    PayoutConfirmed,
)
from tests.support.games.pit import PaperTable, table_rules

FLUSH = ("2h", "5h", "9h", "Jh", "Kh")
TRIPS = ("9s", "9h", "9d")
SEVEN = ("Ah", "Kh", "Qh", "Jh", "Th", "3c", "2d")


def test_16_11_b_light_hand_and_supervisor_come_before_a_payout() -> None:
    """Caribbean stud: no light, a losing hand, or nobody's validation, and nothing is paid (S-67)."""
    table = PaperTable(table_rules("base", name="caribbean-stud"))
    table.deal(3)
    assert table.refusal(HandClaimed(4, FLUSH)).rule.startswith("16.11(b)2")
    assert table.refusal(HandClaimed(3, ("2h", "5h", "9h", "Jh", "Kc"))).rule.startswith("16.11(b)1")
    table.must(HandClaimed(3, FLUSH))
    table.fix()
    assert table.do(PayoutConfirmed(3, "Dan")).refusal is not None
    table.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))


def test_11_14_c_light_hand_and_supervisor_for_what_the_meter_pays() -> None:
    """Pai gow: a tenth of the meter needs the supervisor, $2 for three of a kind does not (S-100)."""
    table = PaperTable(table_rules("base", name="pai-gow-poker"))
    table.deal(2, 3)
    assert table.refusal(HandClaimed(4, SEVEN)).rule.startswith("11.14(c)1")
    table.must(HandClaimed(3, SEVEN))
    table.fix(1_000_00)
    assert table.do(PayoutConfirmed(3, "Dan")).refusal is not None
    table.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))
    table.must(HandClaimed(2, ("9s", "9h", "9d", "2c", "4h", "6s", "7c")), PayoutConfirmed(2, "Dan"))


@pytest.mark.parametrize(
    ("name", "pay_table"), [("texas-holdem-bonus", "A"), ("caribbean-stud", "base"), ("pai-gow-poker", "base")]
)
def test_11_7_c_28_6_b_nothing_is_wagered_or_withdrawn_after_no_more_bets(name: str, pay_table: str) -> None:
    """A late chip and a late coupon stay dark; a chip lifted late changes nothing, and is flagged (S-84, S-16)."""
    table = PaperTable(table_rules(pay_table, name=name))
    table.must(ChipPlaced(3), LockOutPressed())
    assert table.open_gates == []
    for late in (ChipPlaced(4), CouponRedeemed(5, "C-1")):
        assert table.refusal(late).rule == table.rules.clause("late")
    table.do(ChipLifted(3))
    table.must(ChipsCounted(1))
    assert table.entries[-1].entry == AddWagers(1, 100, (3,), ())
    assert table.lit == [3]


def test_11_14_b_pai_gow_chips_are_counted_after_the_lock_out_and_registered_once() -> None:
    """Locked, counted against the lights, registered, and only then dealt (S-99)."""
    table = PaperTable(table_rules("base", name="pai-gow-poker", stake_cents=500))
    table.must(ChipPlaced(1), ChipPlaced(6), LockOutPressed())
    assert table.entries == []
    assert table.refusal(ChipsCounted(1)).rule == "11.14(b)"
    assert table.refusal(HandClaimed(1, SEVEN)).rule == "11.14(b)"
    table.must(ChipsCounted(2))
    assert table.entries[-1].entry == AddWagers(1, 500, (1, 6), ())


@pytest.mark.parametrize(("name", "stake"), [("three-card-poker", 100), ("three-card-poker", 500)])
def test_1_10a_d_2_a_wager_tried_too_late_is_not_recognized(name: str, stake: int) -> None:
    """On a sensor the chip can be laid down, but it stays dark, off the meter, and flagged (S-28)."""
    table = PaperTable(table_rules(name=name, stake_cents=stake))
    table.deal(3)
    before = len(table.entries)
    assert table.refusal(ChipPlaced(5)).rule == table.rules.clause("late")
    assert table.lights.get(5) is not Light.LIT
    assert table.state.flagged == (5,)
    assert len(table.entries) == before


def test_11_7_d_a_coupon_lights_its_seat_and_is_counted_apart() -> None:
    """Chip or coupon, the light says that the wager counts (S-85)."""
    table = PaperTable(table_rules("base", name="pai-gow-poker"))
    table.must(ChipPlaced(2), CouponRedeemed(5, "C-1"), CouponAccepted(1))
    assert table.lit == [2, 5]
    table.must(LockOutPressed(), ChipsCounted(1))
    assert table.entries[-1].entry == AddWagers(1, 100, (2, 5), (5,))


def test_20_13_d_amounts_need_no_supervisor_and_the_meters_award_does() -> None:
    """Three card poker: light and hand always, validation for what comes off the meter (S-39)."""
    table = PaperTable(table_rules(name="three-card-poker"))
    table.deal(2, 3)
    assert table.refusal(HandClaimed(5, TRIPS)).rule == "20.13(d)2"
    assert table.refusal(HandClaimed(3, ("9s", "8h", "2d"))).rule == "20.13(d)1"
    table.must(HandClaimed(3, TRIPS), PayoutConfirmed(3, "Dan"), HandClaimed(2, ("As", "Ks", "Qs")))
    table.fix(10_000_00)
    assert table.do(PayoutConfirmed(2, "Dan")).refusal is not None
    table.must(ClaimValidated(2, "Sue"), PayoutConfirmed(2, "Dan"))
