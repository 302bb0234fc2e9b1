"""R88: what may go from one link to another, and when; what players wait for or own stays theirs."""

import pytest
from msgspec.structs import replace

from games.paytable import Fixed
from meter.ledger.accounts import Account
from meter.ledger.balances import LinkTerms
from meter.ledger.decisions import Close, Correct, Transfer
from meter.settings import AllowedGame, Link
from tests.support.meter.meter_bench import (
    GAME,
    TERMS,
    MemoryStore,
    MeterBench,
    envelope,
    link,
    payout,
    rejection,
    royal,
    wagers,
)

PAI_GOW = Link("side", TERMS, ("P1",), (AllowedGame("pai-gow-poker", ("base",), (500,)),))
B_ALONE = replace(link(name="side"), games=(AllowedGame(GAME, ("B",), (100,)),))
A_ALONE = replace(link(), games=(AllowedGame(GAME, ("A",), (100,)),))
RAISED = replace(A_ALONE, name="side", games=(AllowedGame(GAME, ("A",), (100,), {"flush": Fixed(60_00)}),))
SEEDING = LinkTerms(7_037, 1_000_00, 500_00, limit_cents=1_000_00, overflow_seeds_next=True)


@pytest.mark.parametrize(
    ("main", "side", "words"),
    [
        (link(), link(replace(TERMS, rehearsal=True), "side"), "one of the two links is a rehearsal"),
        (link(replace(TERMS, rehearsal=True)), link(name="side"), "one of the two links is a rehearsal"),
        (link(), PAI_GOW, "not of similar wager and probability: a wager is $5 in pai-gow-poker"),
        (A_ALONE, B_ALONE, "for straight the meter pays $10 in texas-holdem-bonus B"),
        (A_ALONE, RAISED, "for flush the meter pays $60"),
        (link(), B_ALONE, ""),
        (link(replace(TERMS, rehearsal=True)), link(replace(TERMS, rehearsal=True), "side"), ""),
    ],
)
def test_r88_money_goes_only_to_what_is_alike(main: Link, side: Link, words: str) -> None:
    """Never between play money and money, and only to the same wager, prizes from the meter and odds."""
    meter = MeterBench(MemoryStore(), main, side)
    refusal = meter.decide(Transfer("side", 1_00))
    assert (words in refusal) if words else (refusal == "")
    assert meter.heads["side"].number == 1 + (refusal == "")


@pytest.mark.parametrize("is_settled", [False, True])
@pytest.mark.parametrize(
    ("decision", "at"),
    [(Transfer("side", 1_00), "main"), (Transfer("main", 1_00), "side"), (Correct(TERMS.reset_cents, 1), "main")],
)
def test_nobody_moves_a_meter_that_players_wait_for(decision: Transfer | Correct, at: str, is_settled: bool) -> None:
    """R82: out of it, into it or to another amount: whoever waits for his part of it would get another one."""
    meter = MeterBench(MemoryStore(), link(), link(name="side"))
    meter.join()
    meter.deal("T1", "T2")
    meter.say(envelope(2, royal()), envelope(2, royal(), "T2"))
    if is_settled:
        meter.say(envelope(3, rejection(2), "T2"), envelope(3, payout(2)))
    before = meter.heads["main"].number
    refusal = meter.decide(decision, link=at)
    assert (refusal == "") == is_settled
    assert ("an award is open at table T1, T2" in refusal) != is_settled
    assert meter.heads["main"].number == before + is_settled


def seeded_links(side: LinkTerms) -> MeterBench:
    """Main has $14.77 and a part of a cent of overflow, which seeds its next jackpot."""
    meter = MeterBench(MemoryStore(), link(SEEDING), link(side, "side"))
    meter.join("T1")
    meter.say(*(envelope(seq, wagers(1, 2, 3, 4, 5, 6, 7)) for seq in range(1, 4)))
    assert meter.heads["main"].pot.cents(Account.OVERFLOW) == 14_77
    return meter


def test_r85_r90_a_link_is_not_closed_while_its_overflow_is_to_seed_a_jackpot() -> None:
    """The players' money goes to another link that seeds; what is below a cent is all that the house gets of it."""
    meter = seeded_links(replace(SEEDING, base_cents=0))
    assert "$14.77 of overflow are to seed" in meter.decide(Close())
    assert meter.decide(Transfer("side", 1_000_00, 0, 14_77)) == ""
    side = meter.heads["side"].pot
    assert (side.amount_cents, side.cents(Account.OVERFLOW)) == (1_000_00, 14_77)
    meter.drain()
    assert meter.decide(Close()) == ""
    assert meter.heads["main"].pot.balances[Account.HOUSE] == -1_000_00 * 10_000 + 7_700
    assert MeterBench(meter.store, *meter.booker._links).heads == meter.heads


@pytest.mark.parametrize(
    ("overflow_cents", "side", "words"),
    [
        (14_78, SEEDING, "the overflow holds $14.77"),
        (14_77, replace(SEEDING, overflow_seeds_next=False), "link side: its overflow does not seed the next jackpot"),
    ],
)
def test_r85_overflow_goes_only_where_it_stays_the_players(overflow_cents: int, side: LinkTerms, words: str) -> None:
    """Neither more than there is, nor to a link where it would be the house's."""
    assert words in seeded_links(side).decide(Transfer("side", overflow_cents=overflow_cents))


def test_r85_overflow_that_is_the_houses_is_not_transferred() -> None:
    """It is no player's money: it goes to the house when the link is closed."""
    meter = MeterBench(MemoryStore(), link(replace(SEEDING, overflow_seeds_next=False)), link(SEEDING, "side"))
    meter.join("T1")
    meter.say(envelope(1, wagers()))
    assert "its overflow does not seed" in meter.decide(Transfer("side", overflow_cents=1))
    meter.drain()
    assert meter.decide(Close()) == ""
