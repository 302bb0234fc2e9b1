"""A table that claims and takes back without end neither fills the ledger nor is kept from its journal for ever."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from link.messages import Award, Entry
from meter.booking.rate_limits import MOST_IN_A_MINUTE, TOO_OFTEN
from meter.booking.results import MessageOutcome, MessageResult
from tests.support.meter.meter_bench import MeterBench, envelope, flush, hello, payout, rejection, royal, wagers
from tests.support.meter.watched_desk import watched_desk

FIRST = 4  # the number of the first entry that is said without end
SEATS = range(1, 8)


def pairs(claimed: Callable[[int], Award]) -> Iterator[Entry]:
    """Claimed and taken back, claimed and taken back."""
    for seq in count(FIRST, 2):
        yield claimed(seq)
        yield rejection(seq)


def contradictions(entry: Entry) -> Iterator[Entry]:
    """The same word again of the award of entry 2, whose payout waits for two persons."""
    while True:
        yield entry


ENDLESS: dict[str, Callable[[], Iterator[Entry]]] = {
    "one hand": lambda: pairs(lambda _seq: royal()),
    "a sum": lambda: pairs(lambda _seq: flush()),
    "hand after hand": lambda: pairs(lambda seq: flush(seat=1 + seq // 2 % 7)),
    "without a wager": lambda: pairs(lambda seq: royal(number=seq)),
    "paid again": lambda: contradictions(payout(2)),
    "paid and rejected": lambda: contradictions(rejection(2)),
}


def at_table() -> MeterBench:
    """Every seat of T1 has wagered in round 1, and entry 2 was paid with another amount than was fixed (R72)."""
    meter = MeterBench()
    meter.join()
    meter.say(envelope(1, wagers(*SEATS, number=1)), envelope(2, flush(seat=7)))
    meter.say(envelope(3, replace(payout(2), amount_cents=1)))
    return meter


def said_without_end(meter: MeterBench, entries: Iterator[Entry], first: int = FIRST, most: int = 1_000) -> int:
    """Says these as fast as the line allows until one is not taken; returns its number."""
    for seq in range(first, first + most):
        outcome = meter.outcome(envelope(seq, next(entries)))
        if outcome.result not in (MessageResult.BOOKED, MessageResult.KEPT_ASIDE):
            assert outcome == MessageOutcome("T1", MessageResult.TOO_OFTEN, TOO_OFTEN)
            return seq
    pytest.fail(f"{most} entries in one moment")


@pytest.mark.parametrize("endless", ENDLESS.values(), ids=ENDLESS.keys())
def test_one_table_does_not_fill_the_ledger_with_awards(endless: Callable[[], Iterator[Entry]]) -> None:
    """As many as people can mean in a minute; then the next one waits, unbooked and not refused, and others play on."""
    meter, entries = at_table(), endless()
    before = meter.heads["main"].number
    seq = said_without_end(meter, entries)
    assert meter.heads["main"].number <= before + 2 * MOST_IN_A_MINUTE
    reply = meter.reply(hello("T1"))
    assert (reply.booked_seq, reply.refusal, reply.held) == (seq - 1, "", TOO_OFTEN)
    assert meter.outcome(envelope(1, wagers(number=1), "T2")).result is MessageResult.BOOKED
    assert MeterBench(meter.store).heads == meter.heads


def test_what_waits_is_booked_as_it_is_once_its_table_is_calm() -> None:
    """Repeated unchanged, it is taken a minute later, and whatever comes behind it; nobody has to decide anything."""
    meter = at_table()
    seq = said_without_end(meter, pairs(lambda _seq: royal()))
    meter.now_ms += 59_999
    assert meter.outcome(envelope(seq, royal())).result is MessageResult.TOO_OFTEN
    meter.now_ms += 1
    reply = meter.reply(envelope(seq, royal()))
    assert (reply.booked_seq, reply.held, [award.seq for award in reply.awards]) == (seq, "", [2, seq])
    assert meter.outcome(envelope(seq + 1, payout(seq))).result is MessageResult.BOOKED
    assert meter.outcome(envelope(seq + 2, wagers(1, number=2))).result is MessageResult.BOOKED


def test_every_round_begins_anew() -> None:
    """A table that hands in a night which it played without the meter says all of its rejections in one moment."""
    meter = at_table()
    seq = FIRST
    for number in range(2, 2 * MOST_IN_A_MINUTE):
        entries: tuple[Entry, ...] = (wagers(3, number=number), flush(number=number), rejection(seq + 1))
        told = meter.say(*(envelope(seq + offset, entry) for offset, entry in enumerate(entries))).outcomes
        assert {outcome.result for outcome in told} == {MessageResult.BOOKED}
        seq += 3


@given(
    steps=st.lists(st.tuples(st.integers(-100_000, 30_000), st.integers(1, MOST_IN_A_MINUTE)), min_size=1, max_size=6)
)
def test_whatever_the_clock_does_what_waits_is_booked_after_a_calm_minute(steps: list[tuple[int, int]]) -> None:
    """The meter's calendar may be set back or forward: no journal waits for ever."""
    meter, seq = at_table(), FIRST
    for step_ms, times in steps:
        meter.now_ms += step_ms
        for _ in range(times):
            if meter.outcome(envelope(seq, flush())).result is MessageResult.BOOKED:
                assert meter.outcome(envelope(seq + 1, rejection(seq))).result is MessageResult.BOOKED
                seq += 2
    meter.now_ms += 60_000
    assert meter.outcome(envelope(seq, flush())).result is MessageResult.BOOKED


async def test_a_table_that_takes_back_without_end_is_an_alarm(tmp_path: Path) -> None:
    """Raised when one of its claims has to wait: somebody looks at the table."""
    async with watched_desk(tmp_path / "ledger.sqlite") as floor:
        floor.say(hello("T1"), envelope(1, wagers(*SEATS, number=1)))
        for seq in range(2, 2 * MOST_IN_A_MINUTE + 2, 2):
            floor.say(envelope(seq, flush()), envelope(seq + 1, rejection(seq)))
        assert floor.kinds == []
        floor.say(envelope(2 * MOST_IN_A_MINUTE + 2, flush()))
        assert floor.kinds == [("message refused", "T1")]
