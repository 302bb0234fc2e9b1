"""28.11(i): percentages claimed at several tables wait for management's word, and the entered order rules."""

import pytest
from msgspec.structs import replace

from link.messages import Award
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

SHOWN = shown_after(2)
"""What the meter shows after the wagers of both who claim."""


@pytest.fixture
def meter() -> MeterBench:
    """T1 has claimed the whole meter, T2 a tenth of it."""
    meter = MeterBench()
    meter.join()
    meter.deal("T1", "T2")
    meter.say(envelope(2, royal()))
    meter.say(envelope(2, straight_flush(), "T2"))
    return meter


def order(*tables: str) -> OrderClaims:
    """The first claim of each of these tables, in this order."""
    return OrderClaims(tuple(EntryRef(table, f"journal-{table}", 2) for table in tables))


def amounts(meter: MeterBench) -> dict[str, int]:
    """What is fixed, by table."""
    return {award.table: award.amount_cents for award in meter.heads["main"].pot.awards}


def test_28_11_i_the_later_message_is_booked_and_waits(meter: MeterBench) -> None:
    """S-21: nothing is lost, nothing is fixed, and both tables are told not to pay."""
    reply = meter.reply(hello("T2"))
    assert (reply.booked_seq, reply.awards, reply.refusal) == (2, (), "")
    assert "management decides" in reply.held
    assert "management decides" in meter.reply(hello("T1")).held
    assert meter.reply(hello("T3")).held == ""
    assert amounts(meter) == {"T1": SHOWN}


def test_28_11_i_the_first_table_hears_of_the_contest_at_once() -> None:
    """The claim of T2 makes the meter speak to T1, which did not ask (S-21)."""
    meter = MeterBench()
    meter.join()
    meter.deal("T1", "T2")
    meter.say(envelope(2, royal()))
    replies = dict(meter.say(envelope(2, straight_flush(), "T2")).replies)
    assert "management decides" in replies["T1"].held


def test_28_11_i_a_contested_award_is_not_paid(meter: MeterBench) -> None:
    """The payout waits at the table until the order is entered; then it is taken (S-21)."""
    outcome = meter.outcome(envelope(3, payout(2)))
    assert outcome.result is MessageResult.HELD
    assert "claimed at table T2" in outcome.words
    assert meter.decide(order("T1", "T2")) == ""
    assert meter.outcome(envelope(3, payout(2))).result is MessageResult.BOOKED


def test_other_tables_play_on_while_claims_are_contested(meter: MeterBench) -> None:
    """R66: wagers and fixed prizes wait for nobody."""
    reply = meter.reply(envelope(1, wagers(3), "T3"))
    assert (reply.booked_seq, reply.held) == (1, "")
    assert meter.reply(envelope(2, flush(), "T3")).awards[0].amount_cents == 50_00


def test_28_11_i_the_entered_order_that_arrival_had(meter: MeterBench) -> None:
    """T1 keeps its amount; R80: T2 is fixed when T1's award is settled, on the meter at its turn (S-21)."""
    assert meter.decide(order("T1", "T2")) == ""
    assert "by management's decision" in meter.told["T2"].held
    assert meter.told["T1"].held == ""
    assert amounts(meter) == {"T1": SHOWN}
    replies = dict(meter.say(envelope(3, payout(2))).replies)
    assert replies["T2"].awards[0].amount_cents == TERMS.reset_cents // 10
    assert amounts(meter) == {"T2": TERMS.reset_cents // 10}


def test_28_11_i_the_entered_order_against_arrival(meter: MeterBench) -> None:
    """T2 received its hand first: it gets a tenth of the full meter, and T1 what is left when that is settled."""
    assert meter.decide(order("T2", "T1")) == ""
    assert amounts(meter) == {"T2": SHOWN // 10}
    assert meter.told["T2"].awards[0].amount_cents == SHOWN // 10
    assert meter.told["T1"].awards == ()
    assert meter.amount_cents == SHOWN - SHOWN // 10
    meter.say(envelope(3, payout(2), "T2"))
    assert amounts(meter) == {"T1": SHOWN - SHOWN // 10}
    assert meter.amount_cents == TERMS.reset_cents
    again = meter.reply(envelope(2, royal()))  # repeated: the amount of now, not the one of the first time
    assert again.awards[0].amount_cents == SHOWN - SHOWN // 10


def test_a_table_that_lost_its_turn_cannot_report_the_old_amount_as_paid(meter: MeterBench) -> None:
    """Its payout waits, and when its turn comes an amount that is not the fixed one is kept aside (R72)."""
    meter.decide(order("T2", "T1"))
    assert "an amount said before is void" in meter.told["T1"].held
    assert "an amount said before is void" in meter.outcome(envelope(3, payout(2))).words
    meter.say(envelope(3, payout(2), "T2"))
    outcome = meter.outcome(envelope(3, replace(payout(2), amount_cents=SHOWN)))
    assert outcome.result is MessageResult.KEPT_ASIDE
    (alarm,) = standing("main", meter.heads["main"])
    assert "$10,001.40 was paid, $9,001.26 is fixed" in alarm.words
    assert amounts(meter) == {"T1": SHOWN - SHOWN // 10}


def test_a_repeated_claim_is_never_told_an_amount_that_is_void(meter: MeterBench) -> None:
    """T1 crashed before it heard of its amount: put behind T2 it hears none, then the new one, then what was paid."""
    meter.decide(order("T2", "T1"))
    reply = meter.reply(envelope(2, royal()))
    assert (reply.awards, "is void" in reply.held) == ((), True)
    meter.say(envelope(3, payout(2), "T2"))
    left = SHOWN - SHOWN // 10
    assert [award.amount_cents for award in meter.reply(envelope(2, royal())).awards] == [left]
    report = meter.say(envelope(2, royal()), envelope(3, payout(2)))
    assert [award.amount_cents for award in report.replies[0][1].awards] == [left]
    assert [award.amount_cents for award in meter.reply(envelope(2, royal())).awards] == [left]


@pytest.mark.parametrize("is_paid", [True, False])
@pytest.mark.parametrize("claimed", [royal(), flush()])
def test_a_repeated_claim_that_people_settled_is_told_what_they_paid(claimed: Award, is_paid: bool) -> None:
    """Sixty dollars, or nothing at all where they rejected it: the amount of the first time would be paid once more."""
    meter = MeterBench()
    meter.join("T1")
    meter.deal("T1")
    meter.say(envelope(2, claimed))
    settled = SettleAward(EntryRef("T1", "journal-T1", 2), paid=is_paid, amount_cents=60_00 if is_paid else 0)
    assert meter.decide(settled) == ""
    told = [award.amount_cents for award in meter.reply(envelope(2, claimed)).awards]
    assert told == ([60_00] if is_paid else [])


def test_r80_a_rejected_first_claim_gives_the_next_the_full_meter(meter: MeterBench) -> None:
    """Decided, then rejected: the second claim finds the meter as if the first had never been."""
    meter.decide(order("T1", "T2"))
    meter.say(envelope(3, rejection(2)))
    assert amounts(meter) == {"T2": SHOWN // 10}


def test_a_contest_that_ends_by_itself_needs_no_decision(meter: MeterBench) -> None:
    """Once only one table claims, its claims are fixed in its own order, and it is told."""
    replies = dict(meter.say(envelope(3, rejection(2))).replies)
    assert replies["T2"].awards[0].amount_cents == SHOWN // 10
    assert replies["T2"].held == ""


def test_a_contest_that_the_later_claim_leaves_frees_the_first_at_once(meter: MeterBench) -> None:
    """The table whose award was fixed hears that it may pay, without asking (S-21)."""
    replies = dict(meter.say(envelope(3, rejection(2), "T2")).replies)
    assert (replies["T1"].held, replies["T1"].awards[0].amount_cents) == ("", SHOWN)


def test_a_claim_that_waits_can_be_rejected(meter: MeterBench) -> None:
    """Nothing was taken, nothing goes back, and the other table may pay."""
    meter.say(envelope(3, rejection(2), "T2"))
    assert meter.heads["main"].pot.claims == ()
    assert meter.outcome(envelope(3, payout(2))).result is MessageResult.BOOKED


def test_one_tables_second_hand_waits_behind_the_contest() -> None:
    """T1's next seat claims while T2 waits: it is part of the contest, and one table keeps its own order."""
    meter = MeterBench()
    meter.join()
    meter.deal("T1", "T2", seats=(1, 3))
    meter.say(envelope(2, royal()), envelope(2, straight_flush(), "T2"), envelope(3, straight_flush(seat=1)))
    both = EntryRef("T1", "journal-T1", 2), EntryRef("T1", "journal-T1", 3)
    second = EntryRef("T2", "journal-T2", 2)
    assert "keep their own order" in meter.decide(OrderClaims((both[1], both[0], second)))
    assert meter.decide(OrderClaims((both[0], second, both[1]))) == ""
    assert [claim.key[0] for claim in meter.heads["main"].pot.claims] == ["T2", "T1"]


def test_the_order_names_every_open_claim(meter: MeterBench) -> None:
    """Half an order is none, and the refusal lists what must be named."""
    refusal = meter.decide(order("T2"))
    assert "T1 journal-T1 2" in refusal
    assert "T2 journal-T2 2" in refusal
    assert "no claims are open" in MeterBench().decide(order("T1"))


def test_a_third_claim_after_the_decision_is_contested_again(meter: MeterBench) -> None:
    """Whoever claims while others are open is part of a new decision."""
    meter.decide(order("T1", "T2"))
    meter.deal("T3")
    meter.say(envelope(2, royal(), "T3"))
    assert "management decides" in meter.reply(hello("T2")).held
    assert meter.outcome(envelope(3, payout(2))).result is MessageResult.HELD


def test_the_evidence_stands_beside_the_claims(meter: MeterBench) -> None:
    """R76: each table's own time and clock, its sequence, and the meter it saw."""
    award, claim = meter.heads["main"].pot.awards[0], meter.heads["main"].pot.claims[0]
    assert (award.at_ms, award.seq, award.before_cents) == (1_800_000_000_002, 2, SHOWN)
    assert (claim.at_ms, claim.seq, claim.before_cents) == (1_800_000_000_002, 2, TERMS.reset_cents)


def test_r35_everybody_sees_what_is_pending_and_contested(meter: MeterBench) -> None:
    """Both tables stand in the state, with a notice for the signs."""
    state = state_of("main", meter.heads["main"], 0)
    assert {award.table: award.contested for award in state.pending} == {"T1": True, "T2": True}
    assert state.notice == "award pending at table T1, T2"
    assert state.health == "attention"


def test_a_restart_finds_the_contest_where_it_stood(meter: MeterBench) -> None:
    """R42: claims, order and amounts come from the ledger."""
    meter.decide(order("T2", "T1"))
    again = MeterBench(meter.store)
    assert again.heads == meter.heads
    again.say(envelope(3, payout(2), "T2"))
    assert amounts(again) == {"T1": SHOWN - SHOWN // 10}
