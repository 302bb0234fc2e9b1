"""Decisions of two persons: corrections, transfers, closing, boards, parameters, stop and reopening."""

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from meter.booking.booker import refuse_orphans
from meter.booking.results import MessageResult
from meter.ledger.accounts import Account, Kind, Posting
from meter.ledger.balances import LinkTerms
from meter.ledger.decisions import (
    ChangeTerms,
    Close,
    Correct,
    Decided,
    EntryRef,
    Reopen,
    SettleAward,
    Stop,
    SwapBoard,
    Transfer,
)
from meter.ledger.records import Stopped, read_record
from meter.service.state import state_of
from meter.store.base import StoreFault
from tests.support.meter.meter_bench import (
    TERMS,
    MemoryStore,
    MeterBench,
    envelope,
    flush,
    hello,
    link,
    payout,
    royal,
    shown_after,
    wagers,
)

BASE = TERMS.base_cents
FIX = Correct(BASE, BASE + 70)


@pytest.mark.parametrize(
    ("persons", "reason", "words"),
    [
        (("Ann", ""), "x", "both persons"),
        (("", "Ben"), "x", "both persons"),
        (("Ann", "ann "), "x", "two different persons"),
        (("Ann Lee", " ann   LEE"), "x", "two different persons"),
        (("José", "Jose\u0301"), "x", "two different persons"),
        (("Straße", "STRASSE"), "x", "two different persons"),
        (("Ann", "Ben"), " ", "say why"),
    ],
)
def test_r83_r94_nobody_decides_alone_or_without_a_reason(persons: tuple[str, str], reason: str, words: str) -> None:
    """The ledger does not even take the record."""
    meter = MeterBench()
    assert words in meter.decide(FIX, *persons, reason=reason)
    assert (meter.amount_cents, meter.heads["main"].number) == (BASE, 1)


@pytest.mark.parametrize("new", [BASE + 700, BASE - 70, 0])
def test_r82_r83_a_correction_keeps_old_and_new_and_who_and_why(new: int) -> None:
    """Up or down, the carry stays; one more record says all of it, and none before it is touched (R109)."""
    meter = MeterBench()
    meter.join("T1")
    meter.say(envelope(1, wagers(1)))
    now = meter.amount_cents
    carry = meter.heads["main"].pot.carry
    before = [row.body for row in meter.store.records("main")]
    assert meter.decide(Correct(now, new), "Ann", "Ben", reason="register read twice") == ""
    *kept, written = [row.body for row in meter.store.records("main")]
    record = read_record(written)
    assert kept == before
    assert record.cause == Decided(Correct(now, new), "Ann", "Ben", "register read twice")
    ways = {True: (Account.HOUSE, Account.METER), False: (Account.METER, Account.HOUSE)}
    assert record.postings == (Posting(Kind.CORRECTION, *ways[new > now], abs(new - now) * 10_000),)
    assert (meter.amount_cents, meter.heads["main"].pot.carry) == (new, carry)
    state = state_of("main", meter.heads["main"], 0)
    explained = state.base_cents + state.contribution_cents - state.deducted_cents + state.refill_cents
    assert state.amount_cents == explained + state.adjusted_cents


def test_a_correction_of_another_amount_is_refused() -> None:
    """The meter has moved since the person looked: look again."""
    meter = MeterBench()
    assert "look again" in meter.decide(Correct(BASE - 1, BASE))
    assert "what the meter shows" in meter.decide(Correct(BASE, BASE))


def test_r84_a_correction_above_the_limit_is_refused() -> None:
    """A limit holds for people, too."""
    meter = MeterBench(MemoryStore(), link(replace(TERMS, limit_cents=BASE + 1)))
    assert "limit" in meter.decide(FIX)


def two_links(limit_cents: int = 0) -> MeterBench:
    """Main, and another link beside it."""
    side = link(LinkTerms(7_037, 100_00, 500_000, limit_cents=limit_cents, reset_rate_bp=100), "side")
    return MeterBench(MemoryStore(), link(replace(TERMS, reset_rate_bp=100)), side)


def test_r88_a_transfer_conserves_the_sum_over_both_links() -> None:
    """One transaction, two ledgers, the same amount out and in, from meter and reset meter."""
    meter = two_links()
    meter.join("T1")
    meter.say(envelope(1, wagers(1, 2, 3, 4, 5)))
    before = sum(
        head.pot.balances.get(a, 0) for head in meter.heads.values() for a in (Account.METER, Account.RESET_METER)
    )
    assert isinstance(meter.store, MemoryStore)
    commits = meter.store.commits
    assert meter.decide(Transfer("side", BASE, 5)) == ""
    assert meter.store.commits == commits + 1
    after = sum(
        head.pot.balances.get(a, 0) for head in meter.heads.values() for a in (Account.METER, Account.RESET_METER)
    )
    assert after == before
    assert meter.heads["side"].pot.amount_cents == 100_00 + BASE
    assert meter.heads["side"].pot.cents(Account.RESET_METER) == 5
    assert sum(head.pot.balances.get(Account.OTHER_LINKS, 0) for head in meter.heads.values()) == 0
    assert MeterBench(meter.store, *meter.booker._links).heads == meter.heads


@pytest.mark.parametrize(
    ("transfer", "words"),
    [
        (Transfer("side"), "nothing would be transferred"),
        (Transfer("side", BASE + 1), "the meter holds"),
        (Transfer("side", 1, 1), "the reset meter holds"),
        (Transfer("elsewhere", 1), "there is no link elsewhere"),
        (Transfer("main", 1), "to itself"),
        (Transfer("side", 2), "link side: the limit"),
    ],
)
def test_a_transfer_that_cannot_be_moves_nothing_anywhere(transfer: Transfer, words: str) -> None:
    """Neither link has a record of it."""
    meter = two_links(limit_cents=100_01)
    assert words in meter.decide(transfer)
    assert {head.number for head in meter.heads.values()} == {1}


def test_r90_a_closed_link_takes_nothing_more() -> None:
    """Closing sends what is left to the house, to the last fraction, and refuses every table for ever."""
    meter = MeterBench()
    meter.join("T1")
    meter.say(envelope(1, wagers(1)))
    meter.drain()
    assert meter.decide(Close()) == ""
    head = meter.heads["main"]
    assert (head.closed, head.pot.has_balance, head.pot.balances[Account.METER]) == (True, False, 0)
    assert "was closed" in meter.reply(hello("T2")).refusal
    assert "was closed" in meter.reply(envelope(2, wagers(1))).refusal
    assert "was closed" in meter.decide(Reopen())
    state = state_of("main", head, 0)
    assert (state.alive, state.health, state.amount_cents) == (False, "closed", 0)
    assert MeterBench(meter.store).heads == meter.heads


def test_a_link_with_an_open_award_cannot_be_closed() -> None:
    """What was promised to a player is settled first."""
    meter = MeterBench()
    meter.join("T1")
    meter.deal("T1")
    meter.say(envelope(2, royal()))
    assert "open at table T1" in meter.decide(Close())


def test_r90_a_link_with_a_balance_cannot_be_dropped_from_the_settings() -> None:
    """The meter does not start; closed by a decision, the link may go."""
    meter = two_links()
    main = meter.booker._links[:1]
    with pytest.raises(StoreFault, match=r"link side holds \$100 .* is not in the settings"):
        refuse_orphans(meter.store, main)  # type: ignore[arg-type]  # it asks for links and figures only
    meter.decide(Close(), link="side")
    refuse_orphans(meter.store, main)  # type: ignore[arg-type]  # as above


def test_a_swapped_board_goes_on_and_the_old_one_is_locked_out() -> None:
    """A new journal starts at 1 under the known name, once two persons have said so."""
    meter = MeterBench()
    meter.join("T1")
    meter.say(envelope(1, wagers(1)))
    new = hello("T1", journal="new")
    assert "SwapBoard to new" in meter.reply(new).refusal
    assert meter.decide(SwapBoard("T1", "journal-T1", "new")) == ""
    assert meter.reply(new).booked_seq == 0
    assert meter.reply(envelope(1, wagers(1), journal="new")).booked_seq == 1
    assert "another journal" in meter.reply(envelope(2, wagers(1))).refusal
    assert "another journal" in meter.reply(hello("T1")).refusal
    assert "locked out" in meter.decide(SwapBoard("T1", "new", "journal-T1"))
    assert MeterBench(meter.store).heads == meter.heads


def test_a_board_is_swapped_only_from_the_journal_it_has() -> None:
    """A mistyped name swaps nothing."""
    meter = MeterBench()
    meter.join("T1")
    assert "is journal-T1" in meter.decide(SwapBoard("T1", "wrong", "new"))
    assert "is none" in meter.decide(SwapBoard("T3", "wrong", "new"))


def test_a_dead_boards_award_is_settled_by_decision() -> None:
    """Its table cannot pay or reject any more: two persons do, and then the board may be swapped."""
    meter = MeterBench()
    meter.join("T1")
    meter.deal("T1", seats=(3, 4))
    meter.say(envelope(2, flush(seat=3)), envelope(3, flush(seat=4)))
    assert "of the old board is open" in meter.decide(SwapBoard("T1", "journal-T1", "new"))
    assert meter.decide(SettleAward(EntryRef("T1", "journal-T1", 2), paid=True)) == ""
    assert meter.decide(SettleAward(EntryRef("T1", "journal-T1", 3), paid=False)) == ""
    assert "no award" in meter.decide(SettleAward(EntryRef("T1", "journal-T1", 3), paid=True))
    pot = meter.heads["main"].pot
    assert (pot.hits, pot.paid_cents, pot.amount_cents) == (1, 50_00, shown_after(2) - 50_00)
    assert meter.decide(SwapBoard("T1", "journal-T1", "new")) == ""


def test_r91_a_stopped_link_takes_no_wager_until_it_is_opened_again() -> None:
    """R75: cease, and go on exactly where it was; a restart does not open it."""
    meter = MeterBench()
    meter.join("T1")
    assert meter.decide(Stop(), reason="funds seized") == ""
    assert "funds seized" in meter.reply(envelope(1, wagers(1))).refusal
    assert state_of("main", meter.heads["main"], 0).alive is False
    again = MeterBench(meter.store)
    assert "funds seized" in again.reply(hello("T1")).refusal
    assert "is stopped" in again.decide(Stop())
    assert again.decide(Reopen()) == ""
    assert "not stopped" in again.decide(Reopen())
    assert again.reply(envelope(1, wagers(1))).booked_seq == 1


def test_r63_a_meter_that_stopped_itself_cannot_be_talked_open_by_a_restart() -> None:
    """The stop is in the ledger; only a decision ends it."""
    meter = MeterBench()
    meter.join("T1")
    meter.booker.stop("the accounts add up to 1 unit")
    again = MeterBench(meter.store)
    state = state_of("main", again.heads["main"], 0)
    assert (state.alive, state.health) == (False, "stopped")
    assert "add up to 1 unit" in state.notice
    assert "add up to 1 unit" in again.reply(hello("T1")).refusal
    assert isinstance(meter.store, MemoryStore)
    assert isinstance(meter.store.rows["main"][-2][0].cause, Stopped), "and behind it how far T1 has come"
    assert again.decide(Reopen()) == ""
    assert again.outcome(hello("T1")).result is MessageResult.JOINED


def test_r96_new_terms_start_at_a_ledger_entry() -> None:
    """Two persons, a record, and from there on the new rate; the old entries keep theirs."""
    meter = MeterBench()
    meter.join("T1")
    meter.say(envelope(1, wagers(1)))
    meter.drain()
    again = meter.changed(link(replace(TERMS, rate_bp=8_000)))
    assert again.heads["main"].number == meter.heads["main"].number + 1
    again.decide(Reopen())
    again.say(envelope(2, wagers(1)))
    pot = again.heads["main"].pot
    assert pot.amount_cents + pot.carry == BASE + Fraction((7_037 + 8_000) * 100, 10_000)
    assert MeterBench(meter.store, link(replace(TERMS, rate_bp=8_000))).heads == again.heads
    with pytest.raises(StoreFault, match="--apply-terms"):
        MeterBench(meter.store)


@pytest.mark.parametrize(
    ("changed", "words"),
    [({"limit_cents": BASE - 1}, "below the \\$10,000 on the meter"), ({"rehearsal": True}, "rehearsal cannot become")],
)
def test_r84_terms_that_cannot_follow_are_refused(changed: dict[str, int], words: str) -> None:
    """A limit below the present amount, or play money turned into money."""
    with pytest.raises(StoreFault, match=words):
        MeterBench().changed(link(replace(TERMS, **changed)))


def test_terms_do_not_change_while_an_award_is_open() -> None:
    """What was fixed on the old terms is settled on them."""
    meter = MeterBench()
    meter.join("T1")
    meter.deal("T1")
    meter.say(envelope(2, royal()))
    meter.drain()
    with pytest.raises(StoreFault, match="open at table T1"):
        meter.changed(link(replace(TERMS, rate_bp=8_000)))
    meter.decide(Reopen())
    meter.say(envelope(3, payout(2)))
    meter.reopen(link(replace(TERMS, rate_bp=8_000)))


def test_r96_tables_and_pay_tables_are_parameters_too() -> None:
    """Another table in the settings is a change of the link, and refused like a rate."""
    meter = MeterBench()
    with pytest.raises(StoreFault, match="other tables, games"):
        MeterBench(meter.store, replace(link(), tables=("T1", "T2")))


@pytest.mark.parametrize(
    "changed",
    [{"shortest_round_ms": 60_000}, {"shortest_round_ms": None}, {"approved": ("5f2c",)}],
    ids=["longer", "the game's", "approved"],
)
def test_r96_r98_what_is_asked_of_tables_is_a_parameter_too(changed: dict[str, Any]) -> None:
    """Which configurations may join, and how fast they may play: two persons and a record, or no start."""
    meter = MeterBench()
    other = replace(link(), **changed)
    with pytest.raises(StoreFault, match=r"approved configurations or shortest times.*--apply-terms"):
        MeterBench(meter.store, other)
    assert meter.changed(other).heads["main"].number == meter.heads["main"].number + 1
    assert isinstance(meter.store, MemoryStore)
    decided = meter.store.rows["main"][-1][0].cause
    assert isinstance(decided, Decided)
    assert isinstance(decided.decision, ChangeTerms)
    assert decided.decision.offer == other.offer
    MeterBench(meter.store, other)


def test_r98_the_order_of_approved_configurations_is_no_parameter() -> None:
    """A list that was sorted otherwise approves the same."""
    meter = MeterBench(MemoryStore(), replace(link(), approved=("5f2c", "0bad")))
    MeterBench(meter.store, replace(link(), approved=("0bad", "5f2c")))
