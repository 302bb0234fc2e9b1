"""Attacks with a stolen table certificate: every entry that it can send, and the secrets of one person at most."""

import pytest
from msgspec.structs import replace

from link.messages import Payout, Validation
from meter.booking.proofs import ProofCheck
from meter.booking.rate_limits import FREE_TRIES, WRONG_PROOFS
from meter.ledger.awards import TO_APPROVE
from meter.ledger.decisions import ApproveAward, EntryRef
from meter.ledger.records import Entered
from tests.support.meter.meter_bench import (
    TERMS,
    MemoryStore,
    MeterBench,
    envelope,
    flush,
    link,
    royal,
)
from tests.support.meter.proved import STAFF, Paper
from tests.support.meter.staff_pins import ANN, DAN, SAM, SUE, TIM, Login

FLUSH_CENTS = 50_00
CHECK = ProofCheck(STAFF.get)
PAPER = Paper(2, "flush", FLUSH_CENTS)


def strict_meter(store: MemoryStore | None = None) -> MeterBench:
    """A meter that knows its staff, and a table that has dealt round 1 and claimed a flush by entry 2."""
    meter = MeterBench(store, proofs=CHECK)
    meter.join("T1")
    meter.deal("T1")
    meter.say(envelope(2, flush()))
    return meter


def is_paid(meter: MeterBench) -> bool:
    return meter.heads["main"].pot.paid_cents > 0


def test_two_persons_with_their_pins_are_paid_out_and_booked_by_the_directorys_names() -> None:
    """The right way: validated, agreed, paid; the record names those whom the directory names."""
    store = MemoryStore()
    meter = strict_meter(store)
    reply = meter.reply(envelope(3, PAPER.validation(SUE)))
    assert (reply.awards[0].validated, reply.awards[0].refused) == ((3,), "")
    meter.say(envelope(4, PAPER.payout(SUE, DAN)))
    assert is_paid(meter)
    cause = store.rows["main"][-1][0].cause
    assert isinstance(cause, Entered)
    assert cause.persons
    assert (cause.persons.validated_by, cause.persons.paid_by) == ("Sue", "Dan")


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (Payout(2), "nobody proved"),
        (Payout(2, {3: "2001:" + "0" * 64}, {3: "1001:" + "0" * 64}), "does not hold"),
        (PAPER.payout(SUE, SUE), "two persons"),
        (PAPER.payout(DAN, SUE), "may not validate"),
        (PAPER.payout(ANN, DAN), "may not validate"),
        (PAPER.payout(SUE, TIM), "may not pay"),
        (Paper(2, "flush", FLUSH_CENTS, round=9).payout(SUE, DAN), "does not hold"),
        (Paper(2, "flush", FLUSH_CENTS, table="T2").payout(SUE, DAN), "does not hold"),
        (PAPER.payout(Login("9999", "Eve", SUE.role, "123456"), DAN), "not in the meter's directory"),
    ],
)
def test_a_payout_that_two_persons_have_not_proved_is_held_for_two_persons(entry: Payout, why: str) -> None:
    """It is booked and pays nothing; the award stands open, and the floor has an alarm."""
    meter = strict_meter()
    reply = meter.reply(envelope(3, entry))
    pot = meter.heads["main"].pot
    assert (reply.booked_seq, reply.refusal, is_paid(meter)) == (3, "", False)
    assert why in pot.reported[0].reason
    assert pot.awards


def test_a_validation_that_does_not_hold_leaves_the_award_open_for_a_right_one() -> None:
    """The reply says why, and that the meter does not agree."""
    meter = strict_meter()
    wrong = Validation(2, 3, FLUSH_CENTS, "2001:" + "0" * 64)
    (award,) = meter.reply(envelope(3, wrong)).awards
    assert (award.validated, "does not hold" in award.refused) == ((), True)
    (award,) = meter.reply(envelope(4, PAPER.validation(SAM))).awards
    assert (award.validated, award.refused) == ((3,), "")


def test_guessing_proofs_is_slowed_down_at_the_meter() -> None:
    """Three wrong ones in a row, and the next waits: at last a quarter of an hour each."""
    meter = strict_meter()
    for seq in range(3, 3 + FREE_TRIES):
        assert meter.reply(envelope(seq, Validation(2, 3, FLUSH_CENTS, f"2001:{seq:064x}"))).held == ""
    seq = 3 + FREE_TRIES
    right = envelope(seq, PAPER.validation(SUE))
    assert meter.reply(right).held == WRONG_PROOFS
    meter.now_ms += 60_000
    assert meter.reply(right).awards[0].validated == (3,)


def test_a_part_of_the_meter_is_not_fixed_without_legal_cards() -> None:
    """A royal flush by name, or with the same card twice, is refused."""
    meter = MeterBench(proofs=CHECK)
    meter.join("T1")
    meter.deal("T1")
    nameless = royal()
    for cards in ({}, {3: ("Ah", "Ah", "Kh", "Qh", "Jh")}, {3: ("Jk", "Kh", "Qh", "Jh", "Th")}, {4: ("Ah",)}):
        assert meter.reply(envelope(2, type(nameless)(1, 3, "royal_flush", percent_bp=10_000, cards=cards))).refusal


def hasty_meter() -> MeterBench:
    """A meter with the least times of its game, and two persons' PINs in the hands of the same thief."""
    meter = MeterBench(None, replace(link(), shortest_claim_ms=None, shortest_payout_ms=None), proofs=CHECK)
    meter.join("T1")
    meter.deal("T1")
    return meter


def test_a_claim_sooner_than_the_cards_can_be_dealt_is_held_for_two_persons() -> None:
    """Not refused: the entry is booked, nothing is fixed for it, and people decide."""
    meter = hasty_meter()
    reply = meter.reply(envelope(2, royal()))
    (doubted,) = meter.heads["main"].pot.doubted
    assert (reply.booked_seq, reply.refusal, reply.awards) == (2, "", ())
    assert "a claim 0 ms after its wagers" in doubted.reason


def test_a_payout_sooner_than_two_persons_can_sign_in_is_held_for_two_persons() -> None:
    """By the meter's calendar, whatever the table's own time says."""
    meter = hasty_meter()
    meter.now_ms += 4_500
    meter.say(envelope(2, flush()))
    late = replace(envelope(3, PAPER.payout(SUE, DAN)), at_ms=meter.now_ms + 3_600_000)
    meter.say(late)
    (reported,) = meter.heads["main"].pot.reported
    assert "a payout 0 ms after its claim; it takes at least 5000 ms" in reported.reason
    assert not is_paid(meter)


def test_at_a_human_pace_two_persons_are_paid_out() -> None:
    """The least times hold up nobody who deals and signs in."""
    meter = hasty_meter()
    meter.now_ms += 4_500
    meter.say(envelope(2, flush()))
    meter.now_ms += 5_000
    meter.say(envelope(3, PAPER.payout(SUE, DAN)))
    assert is_paid(meter)


def test_a_whole_meter_above_the_limit_waits_for_an_approval_at_the_meter() -> None:
    """Validated, it waits; a payout before the approval is held, after it is paid."""
    terms = replace(TERMS, approval_above_cents=100_00)
    for is_approved in (True, False):
        meter = MeterBench(None, link(terms), proofs=CHECK)
        meter.join("T1")
        meter.deal("T1")
        amount = meter.reply(envelope(2, royal())).awards[0].amount_cents
        paper, entry = Paper(2, "royal_flush", amount), EntryRef("T1", "journal-T1", 2)
        assert meter.reply(envelope(3, paper.validation(SUE))).awards[0].waits == TO_APPROVE
        assert "look again" in meter.decide(ApproveAward(entry, amount + 1))
        if is_approved:
            assert meter.decide(ApproveAward(entry, amount)) == ""
            assert "waits for no approval" in meter.decide(ApproveAward(entry, amount))
        meter.say(envelope(4, paper.payout(SUE, DAN)))
        assert is_paid(meter) is is_approved
