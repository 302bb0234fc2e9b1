"""R80: several percentages of one table come one after the other, each when the one before is paid or rejected."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meter.booking.results import MessageResult
from meter.ledger.decisions import EntryRef, OrderClaims, SettleAward
from meter.service.alarms import standing
from meter.service.state import state_of
from tests.support.meter.meter_bench import (
    TERMS,
    MeterBench,
    envelope,
    flush,
    hello,
    payout,
    rejection,
    royal,
    shown_after,
    straight_flush,
    wagers,
)

SHOWN, RESET = shown_after(3), TERMS.reset_cents
"""What the meter shows after T1's three wagers, and after the first of its claims."""


@pytest.fixture
def meter() -> MeterBench:
    """Seats 7, 2 and 1 of T1 have wagered; seats 7 and 2 both claim the whole meter."""
    meter = MeterBench()
    meter.join()
    meter.deal("T1", seats=(7, 2, 1))
    meter.say(envelope(2, royal(seat=7)), envelope(3, royal(seat=2)))
    return meter


def amounts(meter: MeterBench) -> dict[int, int]:
    """What is fixed, by seat."""
    return {award.seat: award.amount_cents for award in meter.heads["main"].pot.awards}


def test_r80_the_second_seat_gets_the_whole_meter_if_the_first_is_rejected(meter: MeterBench) -> None:
    """As if the first had never claimed: it does not keep the reset amount beside a full meter."""
    assert amounts(meter) == {7: SHOWN}
    meter.say(envelope(4, rejection(2)))
    assert amounts(meter) == {2: SHOWN}
    assert meter.amount_cents == RESET


def test_r80_the_second_seat_gets_the_reset_amount_once_the_first_is_paid(meter: MeterBench) -> None:
    """S-106: no sharing rule, no order of management: seat after seat."""
    reply = meter.reply(envelope(4, payout(2)))
    assert [(award.seq, award.amount_cents) for award in reply.awards] == [(3, RESET)]
    assert meter.outcome(envelope(5, payout(3))).result is MessageResult.BOOKED
    assert meter.heads["main"].pot.paid_cents == SHOWN + RESET


def test_nothing_is_held_while_only_one_table_claims(meter: MeterBench) -> None:
    """Its first award may be paid, nothing is contested, and there is no order to enter."""
    reply = meter.reply(hello("T1"))
    assert (reply.held, reply.refusal, [award.seq for award in reply.awards]) == ("", "", [2])
    head = meter.heads["main"]
    state = state_of("main", head, 0)
    assert ([award.contested for award in state.pending], state.health) == ([False, False], "good")
    assert standing("main", head) == []
    order = OrderClaims((EntryRef("T1", "journal-T1", 3), EntryRef("T1", "journal-T1", 2)))
    assert "at several tables" in meter.decide(order)


def test_a_seat_that_has_no_amount_yet_cannot_be_paid(meter: MeterBench) -> None:
    """It says which award is before it; once that one is settled by decision, the payout is taken."""
    outcome = meter.outcome(envelope(4, payout(3)))
    assert outcome.result is MessageResult.REFUSED
    assert "the award before it at table T1 is paid or rejected first" in outcome.words
    assert meter.decide(SettleAward(EntryRef("T1", "journal-T1", 2), paid=True)) == ""
    assert meter.outcome(envelope(4, payout(3))).result is MessageResult.BOOKED


def test_a_seat_that_waits_can_be_rejected(meter: MeterBench) -> None:
    """Nothing was taken for it, nothing goes back."""
    assert meter.outcome(envelope(4, rejection(3))).result is MessageResult.BOOKED
    assert (amounts(meter), meter.heads["main"].pot.claims) == ({7: SHOWN}, ())


def test_fixed_sums_wait_for_nobody(meter: MeterBench) -> None:
    """Only parts of the meter hang on what is before them."""
    meter.say(envelope(4, flush(seat=1)))
    assert amounts(meter) == {7: SHOWN, 1: 50_00}


def test_another_tables_claim_makes_it_a_contest(meter: MeterBench) -> None:
    """28.11(i): all three are put in order; the table whose first award is open may pay it, and is not held."""
    meter.deal("T2")
    meter.say(envelope(2, straight_flush(), "T2"))
    assert "management decides" in meter.reply(hello("T1")).held
    keys = [EntryRef("T1", "journal-T1", 2), EntryRef("T2", "journal-T2", 2), EntryRef("T1", "journal-T1", 3)]
    assert meter.decide(OrderClaims(tuple(keys))) == ""
    assert meter.told["T1"].held == ""
    assert "waits for table T1" in meter.told["T2"].held
    meter.say(envelope(4, payout(2)))
    assert "waits for table T2" in meter.reply(hello("T1")).held


@given(moves=st.lists(st.sampled_from(["royal", "straight flush", "pay", "reject", "wager"]), max_size=25))
def test_only_the_first_of_a_tables_open_claims_has_an_amount(moves: list[str]) -> None:
    """R80: whatever it claims, pays and rejects, in the order of its claims, with wagers between."""
    meter = MeterBench()
    meter.join("T1")
    seq, open_seqs = 0, list[int]()
    for move in moves:
        if move in ("pay", "reject") and not open_seqs:
            continue
        seq += 1
        match move:
            case "royal" | "straight flush":
                claim = royal(number=seq) if move == "royal" else straight_flush(number=seq)
                meter.say(envelope(seq, wagers(3)), envelope(seq + 1, claim))
                seq += 1
                open_seqs.append(seq)
            case "pay" | "reject":
                settled = open_seqs.pop(0)
                meter.say(envelope(seq, payout(settled) if move == "pay" else rejection(settled)))
            case _:
                meter.say(envelope(seq, wagers(1, 2, 3)))
        pot = meter.heads["main"].pot
        assert [award.seq for award in (*pot.awards, *pot.claims)] == open_seqs
        assert [award.seq for award in pot.awards] == open_seqs[:1]
