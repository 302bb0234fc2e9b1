"""R90, R96: no link is closed or changed over a wager that was made on it; the way out is stopped, heard, decided."""

from typing import Any

import pytest
from msgspec.structs import replace

from meter.booking.results import MessageResult
from meter.ledger.decisions import ChangeTerms, Close, Correct, Decided, Reopen, Stop, SwapBoard
from meter.ledger.records import HelloRefused
from meter.settings import Link
from meter.store.base import StoreFault
from tests.support.meter.meter_bench import TERMS, MemoryStore, MeterBench, envelope, hello, link, royal, wagers

DEARER = link(replace(TERMS, rate_bp=8_000))
NOTHING_LEFT = {"next_seq": 2, "idle": True}


def played(*tables: str) -> MeterBench:
    """A link on which each of these tables has wagered once."""
    meter = MeterBench()
    meter.join(*tables)
    meter.say(*(envelope(1, wagers(), table) for table in tables))
    return meter


def refusals(meter: MeterBench, given_up: tuple[str, ...] = ()) -> tuple[str, str]:
    """Why the link can neither be closed nor changed now."""
    with pytest.raises(StoreFault) as caught:
        meter.changed(DEARER, given_up=given_up)
    return meter.decide(Close(given_up)), str(caught.value)


def notes(meter: MeterBench) -> list[HelloRefused]:
    """How far the ledger says the tables had come."""
    assert isinstance(meter.store, MemoryStore)
    return [row.cause for row, _ in meter.store.rows["main"] if isinstance(row.cause, HelloRefused)]


def test_r90_r96_a_link_in_operation_is_neither_closed_nor_changed() -> None:
    """A royal on the layout is not taken from its player by a decision, nor a wager counted at another rate."""
    meter = played("T1")
    for words in refusals(meter):
        assert "not stopped" in words
        assert "let two persons Stop the link" in words
    assert meter.outcome(envelope(2, royal())).result is MessageResult.BOOKED


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (None, "table T1 has not been heard since the link was stopped"),
        ({"next_seq": 4, "idle": True}, "table T1 has 2 entries that are not booked"),
        ({"next_seq": 2}, "table T1 has a round in hand, or may still take wagers"),
        ({"next_seq": 1, "idle": True}, "table T1 has 1 entries less than are booked"),
    ],
)
def test_r96_a_table_that_is_not_at_rest_is_named_with_what_is_left_there(
    said: dict[str, Any] | None, words: str
) -> None:
    """And what to do about it: nothing that was wagered before the stop is lost."""
    meter = played("T1", "T2")
    meter.drain("T2")
    if said is not None:
        meter.say(hello("T1", **said))
    for refusal in refusals(meter):
        assert words in refusal
        assert "T2" not in refusal
        assert "Reopen lets tables hand in" in refusal
        assert "given up by its name" in refusal


def test_r96_once_every_table_is_at_rest_the_parameters_change() -> None:
    """What was heard stands in the ledger, so that the meter may be stopped and the settings applied to its store."""
    meter = played("T1", "T2")
    meter.drain()
    again = meter.changed(DEARER)
    assert again.heads["main"].terms == DEARER.terms
    assert "is stopped" in again.reply(hello("T1", next_seq=2)).refusal
    assert again.decide(Reopen()) == ""
    assert again.outcome(envelope(2, wagers())).result is MessageResult.BOOKED


def test_r90_once_every_table_is_at_rest_the_link_is_closed() -> None:
    """On the same books, by the running meter or the next one."""
    meter = played("T1", "T2")
    meter.drain()
    assert MeterBench(meter.store).decide(Close()) == ""


@pytest.mark.parametrize("joined", [False, True])
def test_a_link_without_tables_of_its_own_is_changed_and_closed_at_once(joined: bool) -> None:
    """Nobody has wagered: there is nothing to stop; nor is there once the change takes the only table off."""
    meter = MeterBench()
    pot = DEARER
    if joined:
        meter.join("T3")
        pot = replace(DEARER, tables=("T1", "T2"))
    assert meter.changed(pot).decide(Close()) == ""


def test_what_a_table_says_counts_for_this_stop_only() -> None:
    """Opened again, it has played on: whoever stops the link anew asks anew, after a restart, too."""
    meter = played("T1")
    meter.drain()
    assert meter.decide(Reopen()) == ""
    assert meter.decide(Stop()) == ""
    for refusal in refusals(MeterBench(meter.store)):
        assert "has not been heard since" in refusal


def test_what_a_table_said_before_the_stop_is_no_word_about_what_is_left() -> None:
    """Only a link that is stopped makes it true."""
    meter = played("T1")
    meter.say(hello("T1", rehearsal=True, **NOTHING_LEFT))
    meter.decide(Stop())
    assert "has not been heard since" in refusals(meter)[0]


def test_a_table_that_begins_again_while_the_link_is_stopped_takes_its_word_back() -> None:
    """One that may play on without its meter: the last word counts."""
    meter = played("T1")
    meter.drain()
    meter.say(hello("T1", next_seq=2))
    assert "has a round in hand" in refusals(meter)[0]


def test_how_far_a_table_has_come_is_noted_when_it_changes() -> None:
    """It greets every second: one record for each thing that it says."""
    meter = played("T1")
    meter.decide(Stop())
    for said in (3, 3, 2):
        for idle in (False, True, True):
            meter.say(hello("T1", next_seq=said, idle=idle))
    assert [(note.next_seq, note.idle) for note in notes(meter)] == [
        (3, False),
        (3, True),
        (3, False),
        (3, True),
        (2, False),
        (2, True),
    ]


def test_a_strangers_word_is_not_a_tables() -> None:
    """Another journal under its name says nothing about what is left."""
    meter = played("T1")
    meter.decide(Stop())
    meter.say(hello("T1", journal="other", **NOTHING_LEFT))
    assert notes(meter) == []


def test_what_was_wagered_before_the_stop_counts_when_the_link_is_opened_again() -> None:
    """The table is told so, and hands in what it has."""
    meter = played("T1")
    meter.decide(Stop(), reason="drill")
    refusal = meter.reply(envelope(2, wagers())).refusal
    assert "what waits at a table counts once it is opened again: drill" in refusal
    meter.decide(Reopen())
    assert meter.told["T1"].refusal == ""
    assert meter.outcome(envelope(2, wagers())).result is MessageResult.BOOKED


def test_r91_no_decision_lets_a_table_play_while_the_link_is_stopped() -> None:
    """Each answers every table: with the stop, and not with a word that it is welcome."""
    meter = played("T1")
    meter.decide(Stop())
    assert "is stopped" in meter.told["T1"].refusal
    meter.decide(Correct(meter.amount_cents, meter.amount_cents + 1))
    assert "is stopped" in meter.told["T1"].refusal


def test_a_table_given_up_is_not_waited_for_and_stands_in_the_record() -> None:
    """Two persons say that it will not come back; a name that nobody has is a mistake."""
    meter = played("T1", "T2")
    meter.drain("T2")
    assert "table T9 has not joined" in meter.decide(Close(("T1", "T9")))
    with pytest.raises(StoreFault, match="table T9 has joined no link"):
        meter.changed(DEARER, given_up=("T1", "T9"))
    meter.changed(DEARER, given_up=("T1",))
    assert isinstance(meter.store, MemoryStore)
    decided = meter.store.rows["main"][-1][0].cause
    assert isinstance(decided, Decided)
    assert isinstance(decided.decision, ChangeTerms)
    assert decided.decision.given_up == ("T1",)
    assert MeterBench(meter.store, DEARER).decide(Close(("T1",))) == ""


def test_a_table_given_up_does_not_bring_old_wagers_to_new_parameters() -> None:
    """It comes back with an entry of before: that is people's to count. With none it joins as it did."""
    meter = played("T1", "T2")
    meter.drain("T2")
    again = meter.changed(DEARER, given_up=("T1",))
    again.decide(Reopen())
    again = MeterBench(meter.store, DEARER)
    before = again.heads["main"].pot.in_cents
    assert "must say hello first" in again.reply(envelope(2, wagers())).refusal
    assert "was given up when the parameters changed" in again.reply(hello("T1", next_seq=3)).refusal
    assert "was given up" in again.reply(envelope(2, wagers())).refusal
    assert again.heads["main"].pot.in_cents == before
    assert again.decide(SwapBoard("T1", "journal-T1", "new")) == ""
    assert again.outcome(hello("T1", journal="new")).result is MessageResult.JOINED
    assert again.outcome(envelope(1, wagers(), journal="new")).result is MessageResult.BOOKED


def test_a_table_given_up_that_has_nothing_left_joins_as_it_did() -> None:
    """Its board was only switched off."""
    meter = played("T1", "T2")
    meter.drain("T2")
    again = meter.changed(DEARER, given_up=("T1",))
    again.decide(Reopen())
    assert again.outcome(hello("T1", next_seq=2)).result is MessageResult.JOINED
    assert MeterBench(meter.store, DEARER).outcome(envelope(2, wagers())).result is MessageResult.BOOKED


def two_pots() -> tuple[Link, Link]:
    """T1 and T2 on main, T3 on side."""
    return replace(link(), tables=("T1", "T2")), replace(link(name="side"), tables=("T3",))


def test_each_link_waits_for_its_own_tables() -> None:
    """A change of one link asks nothing of the other's, and a table is given up where it plays."""
    main, side = two_pots()
    meter = MeterBench(MemoryStore(), main, side)
    meter.join("T1")
    meter.say(hello("T3"), link="side")
    dearer = replace(side, terms=DEARER.terms)
    with pytest.raises(StoreFault, match="link side cannot change: the link is not stopped"):
        meter.changed(main, dearer)
    meter.decide(Stop(), link="side")
    again = meter.changed(main, dearer, given_up=("T3",))
    assert again.heads["side"].terms == DEARER.terms
    assert again.outcome(envelope(1, wagers())).result is MessageResult.BOOKED


def test_a_table_that_changed_while_the_link_was_stopped_greets_before_it_plays() -> None:
    """Its hello fits, but the link was not there to take it: another pay table is not judged by the old one."""
    meter = played("T1")
    meter.decide(Stop())
    meter.say(hello("T1", pay_table="B", next_seq=2))
    meter.decide(Reopen())
    assert "must say hello again" in meter.told["T1"].refusal
    assert "must say hello again" in meter.reply(envelope(2, wagers())).refusal
    assert meter.outcome(hello("T1", pay_table="B", next_seq=2)).result is MessageResult.JOINED
    assert meter.outcome(envelope(2, wagers())).result is MessageResult.BOOKED


def test_many_tables_are_named_by_a_few() -> None:
    """Two thousand names fit into no answer."""
    names = tuple(f"T{number}" for number in range(1, 9))
    meter = MeterBench(MemoryStore(), replace(link(), tables=names))
    meter.join(*names)
    meter.decide(Stop())
    refusal = meter.decide(Close())
    assert refusal.count("has not been heard") == 5
    assert "; 3 more tables." in refusal
