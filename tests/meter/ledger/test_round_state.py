"""Law 6: what a table claims in a round, each hand once and only where a light is lit."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from link.messages import Award, Entry, Wagers
from meter.booking.results import MessageResult
from meter.ledger.balances import LinkBalances
from meter.ledger.decisions import Close, DecideHeld, EntryRef, SettleAward, SwapBoard
from meter.service.alarms import standing
from meter.service.state import is_news, state_of
from tests.support.meter.accounting_bench import days
from tests.support.meter.meter_bench import (
    TERMS,
    MeterBench,
    envelope,
    flush,
    hello,
    payout,
    rejection,
    royal,
    straight_flush,
    wagers,
    with_cards,
)
from tests.support.meter.watched_desk import watched_desk

ONE = EntryRef("T1", "journal-T1", 2)
SHARED = with_cards(Award(1, 6, "royal_flush", percent_bp=10_000, sharers=(6, 4, 3)))


@pytest.fixture
def meter() -> MeterBench:
    """Seat 3 of T1 has a royal flush in round 1."""
    meter = MeterBench()
    meter.join()
    meter.say(envelope(1, wagers(1, 2, 3, 4, 5, 6, 7, number=1)), envelope(2, royal()))
    return meter


@pytest.mark.parametrize("again", [royal(), SHARED, replace(royal(), clock="synchronised")])
@pytest.mark.parametrize("between", [None, payout(2), wagers(1, number=1)])
def test_r71_a_hand_claims_once_in_a_round(meter: MeterBench, again: Award, between: Entry | None) -> None:
    """Three royal flushes of one seat are one: paid or not, alone or shared, nothing is fixed for the second."""
    seq = 3
    if between:
        meter.say(envelope(3, between))
        seq = 4
    before = meter.heads["main"].pot
    assert meter.outcome(envelope(seq, again)).result is MessageResult.KEPT_ASIDE
    pot = meter.heads["main"].pot
    assert (pot.balances, pot.awards, pot.claims) == (before.balances, before.awards, before.claims)
    assert "seat 3 has claimed royal_flush in round 1 already, by entry 2" in pot.doubted[0].reason
    reopened = MeterBench(meter.store)
    assert reopened.outcome(envelope(seq + 1, again)).result is MessageResult.KEPT_ASIDE
    assert reopened.outcome(envelope(seq + 2, wagers(1, number=2))).result is MessageResult.BOOKED


def test_r71_a_second_claim_of_a_hand_blocks_nobody(meter: MeterBench) -> None:
    """Its payout waits for two persons; once they have said that it is none, it is booked and moves nothing."""
    meter.say(envelope(3, payout(2)), envelope(4, royal()))
    before = meter.heads["main"].pot.balances
    assert meter.outcome(envelope(5, payout(4))).result is MessageResult.HELD
    assert meter.decide(DecideHeld(EntryRef("T1", "journal-T1", 4), counts=False)) == ""
    assert meter.outcome(envelope(5, payout(4))).result is MessageResult.KEPT_ASIDE
    assert meter.outcome(envelope(6, royal())).result is MessageResult.KEPT_ASIDE  # the first was paid
    assert meter.outcome(envelope(7, rejection(6))).result is MessageResult.BOOKED
    assert meter.heads["main"].pot.balances == before
    assert MeterBench(meter.store).heads == meter.heads


@pytest.mark.parametrize("other", [royal(seat=4), straight_flush(), flush()])
def test_another_seat_or_another_hand_is_another_claim(meter: MeterBench, other: Award) -> None:
    """Only the same hand of the same seat is a claim made twice."""
    assert meter.outcome(envelope(3, other)).result is MessageResult.BOOKED


def test_another_round_is_another_claim(meter: MeterBench) -> None:
    """The same seat may be as lucky again."""
    meter.say(envelope(3, payout(2)), envelope(4, wagers(3, number=2)))
    assert meter.outcome(envelope(5, royal(number=2))).result is MessageResult.BOOKED


@pytest.mark.parametrize("by_people", [True, False])
def test_a_rejected_hand_may_claim_again(meter: MeterBench, by_people: bool) -> None:
    """A table that gives its turn to a higher seat rejects and claims anew; a misread hand is read again."""
    if by_people:
        assert meter.decide(SettleAward(ONE, paid=False)) == ""
    else:
        meter.say(envelope(3, rejection(2)))
    assert meter.outcome(envelope(3 if by_people else 4, royal())).result is MessageResult.BOOKED
    assert MeterBench(meter.store).heads == meter.heads


DARK = [
    (None, royal(number=1)),
    (wagers(1, 2, number=1), royal(number=1)),
    (wagers(1, 2, 3, number=1), royal(number=2)),
    (wagers(1, 2, 3, number=2), royal(number=1)),
    (wagers(6, 4, number=1), SHARED),
]


@pytest.mark.parametrize(("before", "claimed"), DARK)
def test_law_6_nothing_is_fixed_for_a_seat_without_a_wager(before: Wagers | None, claimed: Award) -> None:
    """It is booked and kept aside with an alarm: no amount is told, the meter stands, and everybody plays on."""
    meter = MeterBench()
    meter.join()
    meter.say(hello("T1"), *([envelope(1, before)] if before else []))
    pot, seq = meter.heads["main"].pot, 2 if before else 1
    report = meter.say(envelope(seq, claimed))
    reply = report.replies[0][1]
    assert (report.outcomes[0].result, reply.awards, reply.booked_seq) == (MessageResult.KEPT_ASIDE, (), seq)
    assert "two persons decide whether it counts" in reply.held
    head = meter.heads["main"]
    assert (head.pot.balances, head.pot.awards, head.pot.claims) == (pot.balances, (), ())
    (alarm,) = standing("main", head)
    assert (alarm.kind, alarm.table) == ("award held", "T1")
    assert f"in round {claimed.round} is booked" in alarm.words
    assert (state_of("main", head, 0).held, state_of("main", head, 0).health) == (1, "attention")
    assert is_news(replace(head, pot=pot), head)
    assert meter.outcome(envelope(1, wagers(), "T2")).result is MessageResult.BOOKED
    assert meter.outcome(envelope(seq + 1, wagers(1, number=9))).result is MessageResult.BOOKED
    assert MeterBench(meter.store).heads == meter.heads


@pytest.fixture
def dark() -> MeterBench:
    """T1 has claimed the whole meter and T2 fifty dollars, both for seats without a wager."""
    meter = MeterBench()
    meter.join()
    meter.say(envelope(1, royal()), envelope(1, flush(), "T2"))
    return meter


def test_two_persons_let_a_claim_without_a_wager_count(dark: MeterBench) -> None:
    """Found in order after all: it is fixed now, its table is told, and pays as ever."""
    assert dark.decide(DecideHeld(EntryRef("T1", "journal-T1", 1), counts=True)) == ""
    assert [award.amount_cents for award in dark.told["T1"].awards] == [TERMS.base_cents]
    assert dark.decide(DecideHeld(EntryRef("T2", "journal-T2", 1), counts=True)) == ""
    assert dark.outcome(envelope(2, payout(1))).result is MessageResult.BOOKED
    assert dark.outcome(envelope(2, payout(1), "T2")).result is MessageResult.BOOKED
    pot = dark.heads["main"].pot
    assert (pot.paid_cents, pot.doubted) == (TERMS.base_cents + 50_00, ())
    assert all(day.is_reconciled for day in days(dark))
    assert MeterBench(dark.store).heads == dark.heads


def test_two_persons_find_a_claim_without_a_wager_to_be_none(dark: MeterBench) -> None:
    """Nothing was fixed, nothing goes back; what its table says of it is booked and moves nothing."""
    before = dark.heads["main"].pot.balances
    assert dark.decide(DecideHeld(EntryRef("T1", "journal-T1", 1), counts=False)) == ""
    assert dark.told["T1"].held == ""
    assert "is not held" in dark.decide(DecideHeld(EntryRef("T1", "journal-T1", 1), counts=True))
    assert (
        dark.outcome(envelope(2, royal())).result is MessageResult.KEPT_ASIDE
    )  # it may claim again, and is doubted again
    assert dark.outcome(envelope(3, rejection(1))).result is MessageResult.BOOKED
    assert dark.heads["main"].pot.balances == before
    assert MeterBench(dark.store).heads == dark.heads


def test_a_claim_without_a_wager_is_neither_paid_nor_settled_before_it_counts(dark: MeterBench) -> None:
    """The payout waits at the table, the decision is refused with what to do; the table may reject it."""
    assert dark.outcome(envelope(2, payout(1))).result is MessageResult.HELD
    for is_paid in (True, False):
        assert "DecideHeld" in dark.decide(SettleAward(EntryRef("T1", "journal-T1", 1), paid=is_paid))
    assert dark.outcome(envelope(2, rejection(1))).result is MessageResult.BOOKED
    assert [doubted.table for doubted in dark.heads["main"].pot.doubted] == ["T2"]


def test_a_claim_without_a_wager_is_open_business(dark: MeterBench) -> None:
    """The link stays, and so do its boards, until it is decided."""
    assert "open at table T1, T2" in dark.decide(Close())
    assert "of the old board is open" in dark.decide(SwapBoard("T1", "journal-T1", "new"))
    assert LinkBalances(doubted=dark.heads["main"].pot.doubted).has_balance


def test_a_round_that_is_registered_in_two_entries_lights_all_its_seats() -> None:
    """Seat 3 by the first, seat 1 by the second."""
    meter = MeterBench()
    meter.join("T1")
    meter.say(envelope(1, wagers(3, number=1)), envelope(2, wagers(1, number=1)))
    assert meter.outcome(envelope(3, royal())).result is MessageResult.BOOKED


def test_a_new_board_lights_its_seats_itself(meter: MeterBench) -> None:
    """Its rounds are numbered anew: those of the old journal light nothing."""
    meter.say(envelope(3, payout(2)))
    assert meter.decide(SwapBoard("T1", "journal-T1", "new")) == ""
    meter.say(hello("T1", journal="new"))
    assert meter.outcome(envelope(1, royal(seat=5), journal="new")).result is MessageResult.KEPT_ASIDE


@pytest.fixture
def hasty() -> MeterBench:
    """T1 has registered seat 3 with a stake that it did not join with."""
    meter = MeterBench()
    meter.join("T1")
    assert meter.outcome(envelope(1, Wagers(1, 500, (3,)))).result is MessageResult.KEPT_ASIDE
    return meter


def test_r2_a_claim_waits_with_the_wager_that_is_held(hasty: MeterBench) -> None:
    """Neither moves the meter before two persons have decided, and the claim says which entry comes first."""
    assert hasty.outcome(envelope(2, royal())).result is MessageResult.KEPT_ASIDE
    pot = hasty.heads["main"].pot
    assert (pot.amount_cents, pot.awards, pot.claims) == (TERMS.base_cents, (), ())
    assert pot.doubted[0].reason == "the wager of seat 3 in round 1 is held: first decide about entry 1"
    for seq in (1, 2):
        assert hasty.decide(DecideHeld(EntryRef("T1", "journal-T1", seq), counts=True)) == ""
    amount = TERMS.base_cents + 500 * TERMS.rate_bp // 10_000
    assert [award.amount_cents for award in hasty.told["T1"].awards] == [amount]
    assert MeterBench(hasty.store).heads == hasty.heads


@pytest.mark.parametrize(("counts", "result"), [(True, MessageResult.BOOKED), (False, MessageResult.KEPT_ASIDE)])
def test_r2_a_held_wager_lights_its_seat_once_it_counts(hasty: MeterBench, counts: bool, result: MessageResult) -> None:
    """Decided before the hand claims, also over a restart; one that never counts leaves its seat dark."""
    assert hasty.decide(DecideHeld(EntryRef("T1", "journal-T1", 1), counts=counts)) == ""
    assert MeterBench(hasty.store).outcome(envelope(2, royal())).result is result


def test_r2_a_held_wager_of_an_old_round_puts_out_no_light(meter: MeterBench) -> None:
    """Round 1 comes again in round 2: who wagered in round 2 is paid, and nobody in round 1 once more."""
    meter.say(envelope(3, payout(2)), envelope(4, wagers(5, number=2)), envelope(5, wagers(3, number=1)))
    assert meter.outcome(envelope(6, royal(number=1))).result is MessageResult.KEPT_ASIDE
    assert meter.decide(DecideHeld(EntryRef("T1", "journal-T1", 5), counts=True)) == ""
    assert meter.outcome(envelope(7, royal(seat=3, number=2))).result is MessageResult.KEPT_ASIDE
    assert meter.outcome(envelope(8, royal(seat=5, number=2))).result is MessageResult.BOOKED


def test_r71_a_claim_before_its_wagers_is_the_claim_of_its_round(meter: MeterBench) -> None:
    """It is kept aside; made again after the wagers have come, it is the second, and neither is fixed by itself."""
    meter.say(envelope(3, payout(2)))
    assert meter.outcome(envelope(4, royal(number=2))).result is MessageResult.KEPT_ASIDE
    assert meter.outcome(envelope(5, wagers(3, number=2))).result is MessageResult.BOOKED
    assert meter.outcome(envelope(6, royal(number=2))).result is MessageResult.KEPT_ASIDE
    assert "by entry 4" in meter.heads["main"].pot.doubted[1].reason


def test_a_claim_ahead_of_its_round_keeps_no_hand_of_this_one_from_claiming(meter: MeterBench) -> None:
    """The same hand of the same seat, claimed too early for round 2, is fixed in round 1."""
    assert meter.outcome(envelope(3, flush(number=2))).result is MessageResult.KEPT_ASIDE
    assert meter.outcome(envelope(4, flush(number=1))).result is MessageResult.BOOKED


def test_r71_a_decision_about_the_old_board_lets_no_hand_of_the_new_one_claim_again(hasty: MeterBench) -> None:
    """Both journals have an entry 1; only the wagers of the old one are decided."""
    assert hasty.decide(SwapBoard("T1", "journal-T1", "new")) == ""
    hasty.say(hello("T1", journal="new"), envelope(1, royal(), journal="new"))
    assert hasty.decide(DecideHeld(EntryRef("T1", "journal-T1", 1), counts=False)) == ""
    hasty.say(envelope(2, wagers(3, number=1), journal="new"))
    assert hasty.outcome(envelope(3, royal(), journal="new")).result is MessageResult.KEPT_ASIDE


async def test_a_claim_without_a_wager_is_an_alarm_until_it_is_decided(tmp_path: Path) -> None:
    """Raised when it comes, over when two persons have decided."""
    async with watched_desk(tmp_path / "ledger.sqlite") as floor:
        floor.say(hello("T1"), envelope(1, royal()))
        assert floor.kinds == [("award held", "T1")]
        floor.decide(DecideHeld(EntryRef("T1", "journal-T1", 1), counts=False))
        assert [one.stands for one in floor.watch.open_alarms] == [False]
