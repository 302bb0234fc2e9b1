"""A new board under a known name: it joins by its own hello, and no board before it comes back."""

from itertools import pairwise

from meter.booking.results import MessageResult
from meter.ledger.decisions import Reopen, Stop, SwapBoard
from tests.support.meter.meter_bench import MeterBench, envelope, hello, wagers


def test_r98_a_new_board_is_heard_once_its_hello_is_taken() -> None:
    """Two persons name a journal, not what is dealt there: the old board's hello, refused or not, is no word of it."""
    meter = MeterBench()
    meter.join("T1", "T2")
    assert "pay table D" in meter.reply(hello("T1", pay_table="D")).refusal
    for table in ("T1", "T2"):
        assert meter.decide(SwapBoard(table, f"journal-{table}", "new")) == ""
    assert "must say hello first" in meter.told["T1"].refusal
    for bench in (meter, MeterBench(meter.store), MeterBench(meter.store, audited_at_most=0)):
        for table in ("T1", "T2"):
            assert "must say hello first" in bench.reply(envelope(1, wagers(1), table, "new")).refusal
    assert "pay table D" in meter.reply(hello("T1", journal="new", pay_table="D")).refusal
    assert "pay table D" in meter.reply(envelope(1, wagers(1), journal="new")).refusal
    assert meter.heads["main"].pot.in_cents == 0
    meter.say(*(hello(table, journal="new") for table in ("T1", "T2")))
    for bench in (meter, MeterBench(meter.store)):
        entry = envelope(1, wagers(1), "T1" if bench is meter else "T2", "new")
        assert bench.outcome(entry).result is MessageResult.BOOKED


def test_a_new_board_that_greets_while_the_link_is_stopped_greets_again() -> None:
    """Its word about what is left counts; it has joined only once the link is open."""
    meter = MeterBench()
    meter.join("T1")
    meter.decide(Stop())
    assert meter.decide(SwapBoard("T1", "journal-T1", "new")) == ""
    meter.say(hello("T1", journal="new", idle=True))
    assert meter.decide(Reopen()) == ""
    assert "must say hello first" in meter.reply(envelope(1, wagers(1), journal="new")).refusal
    assert meter.outcome(hello("T1", journal="new")).result is MessageResult.JOINED
    assert meter.outcome(envelope(1, wagers(1), journal="new")).result is MessageResult.BOOKED


def test_a_board_that_was_swapped_is_locked_out_for_ever_whatever_it_had_booked() -> None:
    """Through restarts, later boards and their rounds: the second board here has nothing booked."""
    meter = MeterBench()
    meter.join("T1")
    for old, new in pairwise(("journal-T1", "b", "c")):
        assert meter.decide(SwapBoard("T1", old, new)) == ""
    meter.say(hello("T1", journal="c"), envelope(1, wagers(1), journal="c"), envelope(2, wagers(1), journal="c"))
    for bench in (meter, MeterBench(meter.store), MeterBench(meter.store, audited_at_most=0)):
        for journal in ("journal-T1", "b"):
            assert "locked out" in bench.decide(SwapBoard("T1", "c", journal))
