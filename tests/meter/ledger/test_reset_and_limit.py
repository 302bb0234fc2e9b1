"""The hidden reset meter and the limit: what is set aside, what overflows, what the next jackpot starts with."""

from fractions import Fraction

import pytest

from meter.ledger.accounts import Account
from meter.ledger.balances import LinkBalances, LinkTerms
from meter.service.state import state_of
from tests.support.meter.meter_bench import (
    MemoryStore,
    MeterBench,
    envelope,
    flush,
    link,
    payout,
    rejection,
    royal,
    wagers,
)


def bench(terms: LinkTerms) -> MeterBench:
    """A meter on these terms, with three tables joined."""
    meter = MeterBench(MemoryStore(), link(terms))
    meter.join()
    return meter


def pot(meter: MeterBench) -> LinkBalances:
    return meter.heads["main"].pot


def test_r8_the_reset_meter_collects_its_own_part_of_every_wager() -> None:
    """15 % of three dollars beside the 70.37 %, exact below the cent, and never on the display."""
    meter = bench(LinkTerms(7_037, 1_000_00, 500_00, reset_rate_bp=1_537))
    meter.say(envelope(1, wagers(1, 2, 3)))
    assert pot(meter).balances[Account.RESET_METER] == 300 * 1_537
    assert (meter.amount_cents, pot(meter).carry) == (1_000_00 + 211, Fraction(11, 100))


def test_s_58_the_reset_amount_is_the_houses_part_and_what_was_collected() -> None:
    """$500 and the 46 whole cents; the reset meter starts at zero and keeps its 11/100 of a cent."""
    meter = bench(LinkTerms(7_037, 1_000_00, 500_00, reset_rate_bp=1_537))
    meter.say(envelope(1, wagers(1, 2, 3)), envelope(2, royal()))
    (award,) = pot(meter).awards
    assert award.amount_cents == 1_000_00 + 211
    assert meter.amount_cents == 500_00 + 46
    assert pot(meter).balances[Account.RESET_METER] == 300 * 1_537 - 46 * 10_000
    assert pot(meter).refill_cents == 500_46


def test_a_rejected_whole_meter_award_gives_the_reset_meter_back_what_it_collected() -> None:
    """Every account stands where it stood."""
    meter = bench(LinkTerms(7_037, 1_000_00, 500_00, reset_rate_bp=1_537))
    meter.say(envelope(1, wagers(1, 2, 3)))
    before = pot(meter).balances
    meter.say(envelope(2, royal()), envelope(3, rejection(2)))
    assert {a: u for a, u in pot(meter).balances.items() if u} == {a: u for a, u in before.items() if u}


def test_r7_above_the_limit_the_display_is_pinned_and_the_excess_counted() -> None:
    """$1,000.00 and not a cent more; what three dollars would have added beyond it is overflow, exactly."""
    meter = bench(LinkTerms(7_037, 999_00, 500_00, limit_cents=1_000_00))
    meter.say(envelope(1, wagers(1, 2, 3)))
    assert (meter.amount_cents, pot(meter).carry) == (1_000_00, Fraction(0))
    assert pot(meter).balances[Account.OVERFLOW] == 300 * 7_037 - 100 * 10_000


@pytest.mark.parametrize(("seeds", "start"), [(False, 500_00), (True, 500_00 + 111)])
def test_r85_the_overflow_may_seed_the_next_jackpot(seeds: bool, start: int) -> None:
    """A parameter says whether what did not fit comes back after the next whole-meter award."""
    meter = bench(LinkTerms(7_037, 999_00, 500_00, limit_cents=1_000_00, overflow_seeds_next=seeds))
    meter.say(envelope(1, wagers(1, 2, 3)), envelope(2, royal()))
    assert meter.amount_cents == start


def test_a_released_award_that_no_longer_fits_is_overflow() -> None:
    """While $50 were pending the meter filled up to its limit: they cannot go back onto it, and are not lost."""
    meter = bench(LinkTerms(10_000, 999_00, 500_00, limit_cents=1_000_00))
    meter.deal("T1")
    meter.say(envelope(2, flush()))
    meter.say(*(envelope(seq, wagers(1, 2, 3, 4, 5), "T2") for seq in range(1, 11)))
    assert meter.amount_cents == 1_000_00
    meter.say(envelope(3, rejection(2)))
    assert (meter.amount_cents, pot(meter).cents(Account.OVERFLOW)) == (1_000_00, 50_00)


@pytest.mark.parametrize("is_claimed", [True, False])
def test_r7_a_released_award_leaves_no_part_of_a_cent_below_the_limit(is_claimed: bool) -> None:
    """70.5 cents a wager on a full meter are overflow to the fraction, whether the whole meter was claimed or not."""
    meter = bench(LinkTerms(7_050, 1_000_00, 500_00, limit_cents=1_000_00))
    meter.deal("T1", seats=(3, 4))
    claimed, rejected = ([envelope(2, royal())], [envelope(3, rejection(2))]) if is_claimed else ([], [])
    meter.say(*claimed, envelope(1, wagers(1), "T2"), *rejected)
    assert (meter.amount_cents, pot(meter).carry) == (1_000_00, Fraction(0))
    assert pot(meter).balances[Account.OVERFLOW] == 300 * 7_050
    state = state_of("main", meter.heads["main"], 0)
    explained = state.base_cents + state.contribution_cents - state.deducted_cents + state.refill_cents
    assert state.amount_cents == explained + state.adjusted_cents


def test_r36_r37_limit_and_reserve_are_said_to_everybody() -> None:
    """Notices in the state, for the signs."""
    meter = bench(LinkTerms(7_037, 999_00, 500_00, limit_cents=1_000_00, reset_rate_bp=1_405))
    state = state_of("main", meter.heads["main"], 0)
    assert state.notices == (
        "the jackpot is limited to $1,000",
        "14.05 % of each wager is set aside for the next jackpot",
    )
    assert (state.limit_cents, state.reset_rate_bp, state.health) == (1_000_00, 1_405, "good")


def test_r10_the_last_twenty_five_awards_are_at_hand() -> None:
    """The 26th pushes the first out of the view, not out of the ledger."""
    meter = bench(LinkTerms(7_037, 99_999_00, 500_00))
    for seq in range(1, 79, 3):
        meter.say(envelope(seq, wagers(3)), envelope(seq + 1, flush(number=seq)), envelope(seq + 2, payout(seq + 1)))
    assert pot(meter).hits == 26
    assert [award.seq for award in pot(meter).last_paid] == list(range(5, 79, 3))
    assert isinstance(meter.store, MemoryStore)
    assert meter.store.find("main", "T1", "journal-T1", 2) is not None


def test_r33_the_last_win_is_said_with_its_table() -> None:
    """Which table won, how much, and what the meter shows now."""
    meter = bench(LinkTerms(7_037, 1_000_00, 500_00))
    meter.deal("T2", seats=(5,))
    meter.say(envelope(2, royal(seat=5), "T2"), envelope(3, payout(2), "T2"))
    state = state_of("main", meter.heads["main"], 0)
    assert state.last_win is not None
    assert (state.last_win.table, state.last_win.seat, state.last_win.amount_cents) == ("T2", 5, 1_000_70)
    assert (state.amount_cents, state.hits, state.wins_cents) == (500_00, 1, 1_000_70)
