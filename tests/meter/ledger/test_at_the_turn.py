"""A part of the meter is of what it shows when it is fixed for payment, whatever it showed before."""

import pytest

from tests.support.meter.meter_bench import MeterBench, envelope, royal, shown_after, straight_flush, wagers


@pytest.mark.parametrize("part", [100, 10])
def test_20_13_g_wagers_between_deal_and_payment_count(part: int) -> None:
    """Another table registers six wagers after this one's deal and before its claim: they are in the award (S-42)."""
    meter = MeterBench()
    meter.join("T1", "T2")
    meter.deal("T1", seats=(3,))
    at_the_deal = shown_after(1)
    meter.say(envelope(1, wagers(1, 2, 3, 4, 5, 6), "T2"))
    meter.say(envelope(2, royal() if part == 100 else straight_flush()))
    award = meter.heads["main"].pot.award("T1", "journal-T1", 2)
    assert award is not None
    assert (award.before_cents, award.amount_cents) == (shown_after(7), -(-shown_after(7) * part // 100))
    assert award.before_cents > at_the_deal


def test_20_13_g_wagers_after_the_award_was_fixed_are_the_next_jackpots() -> None:
    """They stay on the meter beside its reset amount (S-42)."""
    meter = MeterBench()
    meter.join("T1", "T2")
    meter.deal("T1", seats=(3,))
    meter.say(envelope(2, royal()), envelope(1, wagers(1, 2), "T2"))
    pot = meter.heads["main"].pot
    award = pot.award("T1", "journal-T1", 2)
    assert award is not None
    assert award.amount_cents == shown_after(1)
    assert pot.amount_cents == 500_000 + 141  # 70.37 cents of each dollar, and the fractions of all three
