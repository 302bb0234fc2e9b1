"""What must be settled before a link is closed, changed or given a new board, and whose money a refill was."""

import pytest
from msgspec.structs import replace

from link.messages import Wagers
from meter.ledger.accounts import Account
from meter.ledger.balances import LinkTerms
from meter.ledger.decisions import Close, DecideHeld, EntryRef, SwapBoard
from meter.ledger.parameters import terms_fault
from meter.store.base import StoreFault
from tests.support.meter.meter_bench import (
    MemoryStore,
    MeterBench,
    envelope,
    flush,
    hello,
    link,
    payout,
    rejection,
    royal,
    wagers,
)

TERMS = LinkTerms(7_037, 1_000_00, 500_00)
DEARER = link(replace(TERMS, rate_bp=8_000))
HELD = envelope(1, Wagers(1, 500, (1,)))


def bench(terms: LinkTerms = TERMS) -> MeterBench:
    """A meter on these terms, with three tables joined."""
    meter = MeterBench(MemoryStore(), link(terms))
    meter.join()
    return meter


@pytest.fixture
def waiting() -> MeterBench:
    """T2 and T3 wait for management; the award before them was rejected, so that none is fixed."""
    meter = bench()
    meter.deal()
    meter.say(envelope(2, royal()), envelope(2, royal(), "T2"), envelope(2, royal(), "T3"), envelope(3, rejection(2)))
    pot = meter.heads["main"].pot
    assert (pot.awards, [claim.table for claim in pot.claims]) == ((), ["T2", "T3"])
    return meter


def test_r2_r90_a_link_with_held_wagers_is_not_closed() -> None:
    """They are somebody's money as long as nobody has decided."""
    meter = bench()
    meter.say(HELD)
    assert "wagers are held" in meter.decide(Close())
    assert meter.decide(DecideHeld(EntryRef("T1", "journal-T1", 1), counts=False)) == ""
    meter.drain()
    assert meter.decide(Close()) == ""


def test_r2_r96_terms_do_not_change_while_wagers_are_held() -> None:
    """They count on the terms that they were made on."""
    meter = bench()
    meter.say(HELD)
    with pytest.raises(StoreFault, match="wagers are held"):
        meter.changed(DEARER)
    meter.decide(DecideHeld(EntryRef("T1", "journal-T1", 1), counts=True))
    assert meter.reopen(DEARER).heads["main"].terms == DEARER.terms


def test_r90_claims_that_wait_keep_a_link_open(waiting: MeterBench) -> None:
    """Nothing is fixed, and yet two players are owed something; the terms stay, too."""
    assert "open at table T2, T3" in waiting.decide(Close())
    with pytest.raises(StoreFault, match="open at table T2, T3"):
        waiting.changed(DEARER)


def test_a_board_is_not_swapped_while_its_claim_waits(waiting: MeterBench) -> None:
    """The new journal could never settle it."""
    assert "of the old board is open" in waiting.decide(SwapBoard("T2", "journal-T2", "new"))
    assert waiting.decide(SwapBoard("T1", "journal-T1", "new")) == ""


def test_r85_a_rejected_award_gives_the_overflow_back_what_it_seeded() -> None:
    """Overflow, reset meter and house each have their own again, to the fraction."""
    terms = LinkTerms(7_037, 999_00, 500_00, limit_cents=1_000_00, overflow_seeds_next=True, reset_rate_bp=1_537)
    meter = bench(terms)
    meter.say(envelope(1, wagers(1, 2, 3)))
    before = meter.heads["main"].pot.balances
    meter.say(envelope(2, royal()))
    (award,) = meter.heads["main"].pot.awards
    assert (award.refill_cents, award.collected_cents, award.seeded_cents) == (500_00, 46, 111)
    meter.say(envelope(3, rejection(2)))
    after = meter.heads["main"].pot.balances
    assert {account: after.get(account, 0) for account in Account} == {a: before.get(a, 0) for a in Account}


def test_r87_the_players_part_of_a_refill_goes_back_before_the_houses() -> None:
    """A flush has eaten all of it but 70 cents: 61 are the reset meter's, 9 the overflow's, and none the house's."""
    meter = bench(LinkTerms(7_037, 99_00, 30_00, limit_cents=100_00, overflow_seeds_next=True, reset_rate_bp=1_537))
    meter.deal("T1", seats=(1, 2))
    meter.deal("T2")
    meter.say(envelope(2, flush(1)), envelope(3, flush(2)), envelope(4, wagers(1)), envelope(5, royal(1, number=4)))
    award = meter.heads["main"].pot.awards[-1]
    assert (award.taken_cents, award.refill_cents, award.collected_cents, award.seeded_cents) == (70, 30_00, 61, 111)
    meter.say(envelope(2, flush(), "T2"))
    house = meter.heads["main"].pot.balances[Account.HOUSE]
    meter.say(envelope(6, rejection(5)))
    pot = meter.heads["main"].pot
    assert (pot.amount_cents, pot.cents(Account.RESET_METER), pot.cents(Account.OVERFLOW)) == (0, 61, 9)
    assert pot.balances[Account.HOUSE] == house


@pytest.mark.parametrize(
    ("limit_cents", "wagered", "is_refused"),
    [(1_000_00, 0, False), (999_99, 0, True), (1_000_70, 1, True), (1_000_71, 1, False)],
)
def test_r84_a_limit_may_be_what_stands_there_and_no_part_of_a_cent_less(
    limit_cents: int, wagered: int, is_refused: bool
) -> None:
    """$1,000 on the meter fit under $1,000; 70.37 cents more do not fit under 70."""
    meter = bench()
    meter.say(hello("T1"), *(envelope(seq, wagers(1)) for seq in range(1, wagered + 1)))
    fault = terms_fault(meter.heads["main"].pot, TERMS, replace(TERMS, limit_cents=limit_cents))
    assert (fault is not None) == is_refused


def test_an_award_that_is_paid_keeps_nobody_from_anything() -> None:
    """Once all is settled, the link can be changed, its board swapped, and closed."""
    meter = bench()
    meter.deal("T1")
    meter.say(envelope(2, royal()), envelope(3, payout(2)))
    meter = meter.reopen(DEARER)
    assert meter.decide(SwapBoard("T1", "journal-T1", "new")) == ""
    meter.drain()
    assert meter.decide(Close()) == ""
