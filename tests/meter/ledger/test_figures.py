"""Figures that the rules give, worked out by the meter."""

from fractions import Fraction

import pytest

from link.messages import Award, Coupon
from meter.ledger.balances import LinkTerms, open_pot
from meter.store.audit_log import award_news
from tests.support.meter.accounting_bench import days
from tests.support.meter.meter_bench import (
    MemoryStore,
    MeterBench,
    envelope,
    flush,
    link,
    payout,
    rejection,
    royal,
    straight_flush,
    wagers,
    with_cards,
)

EVERY_SEAT = (1, 2, 3, 4, 5, 6, 7)


def bench(terms: LinkTerms) -> MeterBench:
    """A meter on these terms, with three tables joined."""
    meter = MeterBench(MemoryStore(), link(terms))
    meter.join()
    return meter


def dealt(shown_cents: int, *others: str, reset_cents: int = 5_000_00) -> MeterBench:
    """A meter that shows so much after seven wagers, of 70 cents each on it, at T1 and at each of these others."""
    meter = bench(LinkTerms(7_000, shown_cents - 490 * (1 + len(others)), reset_cents))
    meter.deal("T1", *others, seats=EVERY_SEAT)
    assert meter.amount_cents == shown_cents
    return meter


def test_28_11_i_each_percentage_is_of_the_meter_at_that_players_turn() -> None:
    """$100,000 and two straight flushes: $10,000, then $9,000 (S-19)."""
    meter = dealt(100_000_00)
    meter.say(envelope(2, straight_flush(seat=7)))
    both = meter.reply(envelope(3, straight_flush(seat=2)))
    assert [award.amount_cents for award in both.awards] == [10_000_00]
    assert (both.held, both.refusal) == ("", "")
    next_turn = meter.reply(envelope(4, payout(2)))
    assert [(award.seq, award.amount_cents) for award in next_turn.awards] == [(3, 9_000_00)]
    assert meter.amount_cents == 81_000_00


def test_28_11_f_a_flush_takes_fifty_dollars_from_the_meter() -> None:
    """Amounts are deducted like percentages (S-25)."""
    meter = dealt(100_000_00)
    meter.say(envelope(2, flush()))
    assert meter.amount_cents == 99_950_00


def test_a_percentage_is_rounded_up_to_the_cent() -> None:
    """A tenth of $0.01 is a cent: no less than the percentage."""
    meter = bench(LinkTerms(rate_bp=100, base_cents=0, reset_cents=5_000_00))
    meter.deal("T1")
    assert meter.amount_cents == 1
    (award,) = meter.reply(envelope(2, straight_flush())).awards
    assert award.amount_cents == 1
    assert meter.amount_cents == 0


def test_r66_a_whole_meter_award_leaves_the_reset_amount_at_once() -> None:
    """The meter stands at it while the royal flush is pending, and the next seat of the same round is paid from it."""
    meter = dealt(100_000_00, reset_cents=5_000_00)
    (award,) = meter.reply(envelope(2, royal(seat=7))).awards
    assert (award.amount_cents, award.meter_before_cents, award.meter_after_cents) == (100_000_00, 100_000_00, 5_000_00)
    assert meter.amount_cents == 5_000_00
    meter.say(envelope(3, royal(seat=2)), envelope(4, payout(2)))
    assert [award.amount_cents for award in meter.heads["main"].pot.awards] == [5_000_00]


def test_s_20_s_73_royals_at_one_table_share_the_amount_when_the_first_is_paid() -> None:
    """One award of the whole meter; the shares add up to it, the odd cents one each in paying order (R79)."""
    meter = dealt(100_000_01, reset_cents=5_000_00)
    claim = with_cards(Award(1, 6, "royal_flush", percent_bp=10_000, sharers=(6, 4, 1)))
    (award,) = meter.reply(envelope(2, claim)).awards
    assert award.amount_cents == 100_000_01
    shares = meter.heads["main"].pot.awards[0].shares
    assert shares == {6: 33_333_34, 4: 33_333_34, 1: 33_333_33}
    assert sum(shares.values()) == 100_000_01
    assert meter.amount_cents == 5_000_00


def test_r69_wagers_after_the_award_belong_to_the_next_jackpot() -> None:
    """What is registered while an award is pending does not change it, and stands on top of the reset amount."""
    meter = dealt(100_000_00, reset_cents=5_000_00)
    meter.say(envelope(2, royal()))
    meter.say(envelope(1, wagers(1, 2), table="T2"))
    assert meter.amount_cents == 5_000_00 + 140
    assert meter.heads["main"].pot.awards[0].amount_cents == 100_000_00


def test_a_prize_the_meter_cannot_cover_is_paid_by_the_house() -> None:
    """The meter stops at zero, and the rest is recorded as house-funded."""
    meter = dealt(20_00)
    (award,) = meter.reply(envelope(2, flush())).awards
    assert (award.amount_cents, award.house_funded_cents, award.meter_after_cents) == (50_00, 30_00, 0)


def test_a_deducted_prize_may_take_the_meter_below_the_reset_amount() -> None:
    """Nothing is topped up."""
    meter = dealt(5_010_00, reset_cents=5_000_00)
    meter.say(envelope(2, flush()))
    assert meter.amount_cents == 4_960_00


def test_a_rejected_whole_meter_award_returns_the_money_and_the_refill() -> None:
    """Released, the meter shows what it showed, and what was wagered meanwhile on top."""
    meter = dealt(100_000_00, reset_cents=5_000_00)
    meter.say(envelope(2, royal()))
    meter.say(envelope(1, wagers(1, 2), table="T2"))
    meter.say(envelope(3, rejection(2)))
    pot = meter.heads["main"].pot
    assert pot.amount_cents == 100_000_00 + 140
    assert (pot.deducted_cents, pot.refill_cents, pot.awards, pot.hits) == (0, 0, (), 0)


def test_a_refill_that_paid_other_prizes_goes_back_only_as_far_as_the_meter_holds_it() -> None:
    """The meter never goes below zero, whatever is rejected; what the house left on it stays in the books."""
    meter = dealt(20_00, "T2", reset_cents=60_00)
    meter.say(envelope(2, royal()))
    meter.say(envelope(2, flush(), table="T2"))
    meter.say(envelope(3, rejection(2)))
    pot = meter.heads["main"].pot
    assert pot.amount_cents == 0
    assert (pot.deducted_cents, pot.refill_cents) == (50_00, 30_00)


def test_r5_r6_hits_and_wins_count_what_was_paid() -> None:
    """A pending award is no hit; a paid one is, with its amount, whoever funded it."""
    meter = dealt(20_00)
    meter.say(envelope(2, flush()))
    assert (meter.heads["main"].pot.hits, meter.heads["main"].pot.paid_cents) == (0, 0)
    meter.say(envelope(3, payout(2)))
    assert (meter.heads["main"].pot.hits, meter.heads["main"].pot.paid_cents) == (1, 50_00)


@pytest.mark.parametrize("sharers", [(), (6, 4), (6, 4, 1)])
def test_r5_each_hand_that_is_paid_is_a_hit(sharers: tuple[int, ...]) -> None:
    """k wins are k hits, also where they share one award; in the day's statement, too."""
    meter = dealt(100_000_00)
    meter.say(
        envelope(2, with_cards(Award(1, 6, "royal_flush", percent_bp=10_000, sharers=sharers))), envelope(3, payout(2))
    )
    pot = meter.heads["main"].pot
    assert (pot.hits, pot.paid_cents, len(pot.last_paid)) == (len(sharers) or 1, 100_000_00, 1)
    (day,) = days(meter)
    assert [(table.hits, table.paid_cents) for table in day.tables] == [(pot.hits, 100_000_00)]
    assert [news.what for news in award_news("main", open_pot(meter.heads["main"].terms).pot, pot)] == ["paid"]


def test_r3_coupons_move_the_meter_like_chips_and_are_counted_apart() -> None:
    """Four lights, one of them a coupon: three chips, one coupon, four contributions."""
    meter = bench(LinkTerms(rate_bp=7_037, base_cents=0, reset_cents=5_000_00))
    meter.say(envelope(1, Coupon(1, 5, "C-1")), envelope(2, wagers(1, 2, 5, 7, coupons=(5,), number=1)))
    pot = meter.heads["main"].pot
    assert (pot.chips, pot.coupons, pot.chip_cents, pot.coupon_cents, pot.in_cents) == (3, 1, 300, 100, 400)
    assert (pot.amount_cents, pot.carry) == (281, Fraction(48, 100))


def test_r12_a_meter_of_thirteen_digits_is_exact() -> None:
    """A hundred million dollars and a cent are not rounded."""
    meter = bench(LinkTerms(rate_bp=7_000, base_cents=100_000_000_00, reset_cents=5_000_00))
    meter.say(envelope(1, wagers(1)))
    assert meter.amount_cents == 10_000_000_070
