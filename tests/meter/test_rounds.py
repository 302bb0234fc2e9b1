"""Law 6: what a table claims in a round, each hand once and only where a light is lit."""

import pytest
from meter_bench import MeterBench, envelope, flush, payout, rejection, royal, straight_flush, wagers
from msgspec.structs import replace

from meter.clerk import Result
from meter.decisions import Claim, SettleAward
from meter.link import Award, Entry

ONE = Claim("T1", "journal-T1", 2)
SHARED = Award(1, 6, "royal_flush", percent_bp=10_000, sharers=(6, 4, 3))


@pytest.fixture
def meter() -> MeterBench:
    """Seat 3 of T1 has a royal flush in round 1."""
    meter = MeterBench()
    meter.join()
    meter.say(envelope(1, wagers(1, 2, 3, 4, 5, 6, 7, number=1)), envelope(2, royal()))
    return meter


@pytest.mark.parametrize("again", [royal(), SHARED, replace(royal(), clock="synchronised")])
@pytest.mark.parametrize("between", [None, payout(2), wagers(1, number=1)])
def test_a_hand_claims_once_in_a_round(meter: MeterBench, again: Award, between: Entry | None) -> None:
    """Three royal flushes of one seat are one: paid or not, alone or shared, the second is refused."""
    seq = 3
    if between:
        meter.say(envelope(3, between))
        seq = 4
    before = meter.heads["main"]
    outcome = meter.outcome(envelope(seq, again))
    assert (outcome.result, meter.heads["main"]) == (Result.REFUSED, before)
    assert "seat 3 has claimed royal_flush in round 1 already, by entry 2" in outcome.words
    assert MeterBench(meter.store).outcome(envelope(seq, again)).result is Result.REFUSED


@pytest.mark.parametrize("other", [royal(seat=4), straight_flush(), flush()])
def test_another_seat_or_another_hand_is_another_claim(meter: MeterBench, other: Award) -> None:
    """Only the same hand of the same seat is a claim made twice."""
    assert meter.outcome(envelope(3, other)).result is Result.BOOKED


def test_another_round_is_another_claim(meter: MeterBench) -> None:
    """The same seat may be as lucky again."""
    meter.say(envelope(3, payout(2)), envelope(4, wagers(3, number=2)))
    assert meter.outcome(envelope(5, royal(number=2))).result is Result.BOOKED


@pytest.mark.parametrize("by_people", [True, False])
def test_a_rejected_hand_may_claim_again(meter: MeterBench, by_people: bool) -> None:
    """A table that gives its turn to a higher seat rejects and claims anew; a misread hand is read again."""
    if by_people:
        assert meter.decide(SettleAward(ONE, paid=False)) == ""
    meter.say(envelope(3, rejection(2)))
    assert meter.outcome(envelope(4, royal())).result is Result.BOOKED
    assert MeterBench(meter.store).heads == meter.heads
