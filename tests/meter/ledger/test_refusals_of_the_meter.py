"""What the meter does not take, and what it tells the person who must act."""

from itertools import chain
from typing import Any

import pytest
from msgspec.structs import replace

from link.messages import MOST_WORDS, Award, Entry, Release, Wagers
from meter.booking.results import MessageResult
from meter.ledger.contributions import MOST_OPEN
from meter.ledger.decisions import EntryRef, SettleAward, Stop
from tests.support.meter.meter_bench import (
    TERMS,
    MemoryStore,
    MeterBench,
    envelope,
    flush,
    hello,
    link,
    payout,
    rejection,
    wagers,
)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"v": 2}, "version 2"),
        ({"table": "T9", "journal": "j9"}, "not one of link main's tables"),
        ({"rehearsal": True}, "rehearsal"),
        ({"game": "baccarat"}, "no game baccarat"),
        ({"pay_table": "D"}, "does not allow pay table D"),
        ({"stake_cents": 500}, "no wager of $5"),
        ({"seats": 8}, "at most 7 seats"),
    ],
)
def test_r20_a_table_that_does_not_fit_may_not_join(changed: dict[str, Any], words: str) -> None:
    """The refusal says what does not fit, and the table is no member."""
    meter = MeterBench()
    asking = hello(**changed)
    reply = meter.reply(asking)
    assert words in reply.refusal
    assert "say hello" in meter.reply(envelope(1, wagers(), asking.table, asking.journal)).refusal


def test_a_live_table_cannot_join_a_rehearsal() -> None:
    """Play money and money never meet, in either direction."""
    meter = MeterBench(MemoryStore(), link(replace(TERMS, rehearsal=True)))
    assert "rehearsal" in meter.reply(hello("T1")).refusal
    assert meter.reply(hello("T1", rehearsal=True)).refusal == ""


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (Wagers(1, 100, ()), "at least one"),
        (Wagers(1, 100, (1, 1)), "exactly once"),
        (Wagers(1, 100, (1, 2), (2, 2)), "exactly once"),
        (Wagers(1, 100, (1, 2), (3,)), "coupon at a seat without a wager"),
        (Award(1, 8, "flush", fixed_cents=50_00), "seat 8"),
        (Award(1, 3, "flush", percent_bp=10_000), "pays flush from the meter otherwise"),
        (Award(1, 3, "flush", fixed_cents=50_01), "pays flush from the meter otherwise"),
        (Award(1, 3, "flush", percent_bp=1, fixed_cents=50_00), "pays flush from the meter otherwise"),
        (Award(1, 3, "straight", fixed_cents=10_00), "or not at all"),
        (Award(1, 3, "four_aces", fixed_cents=10_00), "or not at all"),
        (Award(1, 3, "straight_flush", percent_bp=1_000, sharers=(4, 3)), "seats 4, 3 cannot share"),
        (Award(1, 3, "royal_flush", percent_bp=10_000, sharers=(4, 2)), "cannot share"),
        (Award(1, 3, "royal_flush", percent_bp=10_000, sharers=(3,)), "cannot share"),
        (Award(1, 3, "royal_flush", percent_bp=10_000, sharers=(3, 3)), "cannot share"),
        (Award(1, 3, "royal_flush", percent_bp=10_000, sharers=(8, 3)), "cannot share"),
        (Release(1, "", "supervisor"), "reason"),
        (Release(1, "misread", ""), "person"),
        (Release(1, " ", "supervisor"), "reason"),
        (Release(1, "misread", " "), "person"),
        (payout(1), "no award that is still open"),
        (rejection(7), "no award that is still open"),
    ],
)
def test_an_entry_that_no_table_sends_never_moves_the_meter(entry: Entry, words: str) -> None:
    """It is refused with its reason, the table's next entries wait behind it, and other tables play on."""
    meter = MeterBench()
    meter.join()
    before = meter.heads["main"]
    outcome = meter.outcome(envelope(1, entry))
    assert outcome.result is MessageResult.REFUSED
    assert words in outcome.words
    assert meter.heads["main"] == before
    assert meter.reply(envelope(1, wagers(), "T2")).booked_seq == 1


def test_28_11_g_a_straight_comes_from_the_meter_only_where_its_pay_table_says_so() -> None:
    """Table B marks the straight (M), table A does not (S-25a)."""
    meter = MeterBench()
    meter.say(hello("T1"), hello("T2", pay_table="B"))
    meter.deal("T1", "T2")
    straight = Award(1, 3, "straight", fixed_cents=10_00)
    assert meter.outcome(envelope(2, straight)).result is MessageResult.REFUSED
    assert meter.outcome(envelope(2, straight, "T2")).result is MessageResult.BOOKED


def test_nothing_is_paid_twice_and_nothing_paid_is_released() -> None:
    """A settled award is settled; so is a released one."""
    meter = MeterBench()
    meter.join("T1")
    meter.deal("T1")
    meter.say(envelope(2, flush()), envelope(3, payout(2)))
    assert meter.outcome(envelope(4, payout(2))).result is MessageResult.REFUSED
    assert meter.outcome(envelope(4, rejection(2))).result is MessageResult.REFUSED


@pytest.mark.parametrize("claimed", [flush(), Award(1, 3, "full_house", fixed_cents=100_00)])
def test_a_table_that_only_claims_cannot_make_the_books_slow_for_everybody(claimed: Award) -> None:
    """After so many open awards the next is refused with what to do, and nothing of it is lost: the table keeps it."""
    meter = MeterBench()
    meter.join()
    rounds: list[tuple[Entry, ...]] = [
        (wagers(3), replace(claimed, round=seq)) for seq in range(1, 2 * MOST_OPEN + 2, 2)
    ]
    night = [envelope(seq, entry) for seq, entry in enumerate(chain.from_iterable(rounds), start=1)]
    report = meter.say(*night)
    assert [outcome.result for outcome in report.outcomes[:-1]] == [MessageResult.BOOKED] * (2 * MOST_OPEN + 1)
    assert report.outcomes[-1].result is MessageResult.REFUSED
    assert f"{MOST_OPEN} rounds and awards of table T1 are open: two persons settle" in report.outcomes[-1].words
    meter.deal("T2")
    assert meter.outcome(envelope(2, flush(), "T2")).result is MessageResult.BOOKED
    assert meter.decide(SettleAward(EntryRef("T1", "journal-T1", 2), paid=True)) == ""
    assert meter.outcome(night[-1]).result is MessageResult.BOOKED
    assert MeterBench(meter.store).heads == meter.heads


def test_nobody_settles_another_tables_award() -> None:
    """Entry 2 of T2 is not entry 2 of T1."""
    meter = MeterBench()
    meter.join()
    meter.deal("T1", "T2")
    meter.say(envelope(2, flush()))
    assert "no award" in meter.outcome(envelope(2, payout(2), "T2")).words


def test_a_books_refusal_is_no_longer_than_a_message_may_carry() -> None:
    """A stop's reason may fill a message by itself; what is said around it is cut, not the message refused."""
    meter = MeterBench()
    meter.join("T1")
    meter.decide(Stop(), reason="x" * MOST_WORDS)
    assert len(meter.reply(hello("T1")).refusal) == MOST_WORDS
