"""A table that changes its Hello without end neither fills the ledger nor is kept out for ever."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meter.booking.rate_limits import MOST_IN_A_MINUTE, TOO_OFTEN
from meter.booking.results import MessageOutcome, MessageResult
from meter.ledger.decisions import Close, Stop
from tests.support.meter.meter_bench import MemoryStore, MeterBench, envelope, hello, link, wagers

CHANGES: dict[str, Any] = {
    "software": lambda number: {"software": f"v{number}"},
    "a game that is refused": lambda number: {"game": f"game{number}"},
    "in and out": lambda number: {"pay_table": "AD"[number % 2]},
}


def joined(meter: MeterBench, **other: Any) -> MessageOutcome:
    """What became of T1's Hello."""
    return meter.outcome(hello("T1", **other))


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_one_table_does_not_fill_the_ledger(change: Any) -> None:
    """However it changes: a few records a minute; then it is refused, with an alarm, until it has calmed down."""
    meter = MeterBench()
    meter.join("T1")
    before = meter.heads["main"].number
    meter.say(*(hello("T1", **change(number)) for number in range(1_000)))
    assert meter.heads["main"].number <= before + MOST_IN_A_MINUTE
    assert joined(meter) == MessageOutcome("T1", MessageResult.REFUSED, TOO_OFTEN)
    assert meter.outcome(envelope(1, wagers())) == MessageOutcome("T1", MessageResult.REFUSED, TOO_OFTEN)
    meter.join("T2")
    meter.now_ms += 60_000
    assert joined(meter).result is MessageResult.JOINED
    assert meter.outcome(envelope(1, wagers())).result is MessageResult.BOOKED
    assert MeterBench(meter.store).heads == meter.heads


def test_a_table_that_says_the_same_as_often_as_it_likes_is_welcome() -> None:
    """Nothing is written for it; nor is anybody restless who is started anew a few times."""
    meter = MeterBench()
    for number in range(MOST_IN_A_MINUTE - 1):
        assert {joined(meter, software=f"v{number}").result for _ in range(50)} == {MessageResult.JOINED}


def test_a_restless_table_counts_as_not_heard_where_a_link_is_to_be_closed() -> None:
    """What it said last of its rest was never written down: nobody closes on what it said before."""
    meter = MeterBench(MemoryStore(), link())
    meter.join("T1")
    meter.drain("T1")
    meter.say(*(hello("T1", next_seq=number, idle=True) for number in (*range(2, 100), 1)))
    assert meter.heads["main"].stopped
    assert "has not been heard" in meter.decide(Close())
    meter.now_ms += 60_000
    meter.say(hello("T1", next_seq=1, idle=True))
    assert meter.decide(Close()) == ""
    assert meter.decide(Stop())


@given(steps=st.lists(st.tuples(st.integers(-100_000, 30_000), st.integers(0, 3)), max_size=80))
def test_whatever_the_clock_does_a_table_that_is_calm_for_a_minute_is_heard(steps: list[tuple[int, int]]) -> None:
    """The meter's calendar may be set back or forward: it is never refused for ever."""
    meter = MeterBench()
    for step_ms, version in steps:
        meter.now_ms += step_ms
        joined(meter, software=f"v{version}")
    meter.now_ms += 60_000
    assert joined(meter, software="v9").result is MessageResult.JOINED
