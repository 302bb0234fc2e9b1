"""Whoever may not join may not wager: a refused hello binds a table that had joined, until one of its hellos fits."""

from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from games.paytable import Fixed
from meter.booking.results import MessageResult
from meter.ledger.decisions import Correct, Reopen, Stop, SwapBoard
from meter.ledger.records import HelloRefused
from meter.settings import AllowedGame, Link
from meter.store.base import StoreFault
from tests.support.meter.meter_bench import GAME, TERMS, MemoryStore, MeterBench, envelope, hello, link, royal, wagers

WITHOUT_T3 = replace(link(), tables=("T1", "T2"))
WITHOUT_B = replace(link(), games=(AllowedGame(GAME, ("A",), (100,)),))
GUARDED = replace(link(), approved=("5f2c",))
PAID_MORE = AllowedGame(GAME, ("A", "B"), (100,), {"flush": Fixed(60_00)})


def notes(meter: MeterBench) -> list[HelloRefused]:
    """What the ledger says of refused hellos."""
    assert isinstance(meter.store, MemoryStore)
    return [row.cause for row, _ in meter.store.rows["main"] if isinstance(row.cause, HelloRefused)]


@pytest.mark.parametrize(
    ("pot", "joined", "turned", "words"),
    [
        (link(), {}, {"rehearsal": True}, "a rehearsal table cannot join"),
        (link(), {}, {"pay_table": "D"}, "does not allow pay table D"),
        (link(), {}, {"pays": {"flush": 60_00}}, "$60 at this table"),
        (GUARDED, {"config_hash": "5f2c"}, {"config_hash": "0bad"}, "is not one of those approved"),
    ],
)
def test_r98_a_table_that_has_changed_is_not_heard_any_more(
    pot: Link, joined: dict[str, Any], turned: dict[str, Any], words: str
) -> None:
    """Its hello is refused, and so is every entry, through a restart, until it is as it was."""
    meter = MeterBench(MemoryStore(), pot)
    meter.say(hello("T1", **joined), envelope(1, wagers()))
    assert words in meter.reply(hello("T1", **turned)).refusal
    for bench in (meter, MeterBench(meter.store, pot)):
        assert words in bench.reply(envelope(2, royal())).refusal
        assert bench.heads["main"].pot.awards == ()
    again = MeterBench(meter.store, pot)
    reply = again.reply(hello("T1", **joined))
    assert (reply.refusal, reply.booked_seq) == ("", 1)
    assert again.outcome(envelope(2, wagers())).result is MessageResult.BOOKED


@pytest.mark.parametrize(
    ("changed", "table", "joined", "words"),
    [
        (WITHOUT_T3, "T3", {}, "not one of link main's tables"),
        (WITHOUT_B, "T1", {"pay_table": "B"}, "does not allow pay table B"),
        (GUARDED, "T1", {}, "is not one of those approved"),
    ],
)
def test_r20_a_table_that_the_link_no_longer_wants_is_not_heard(
    changed: Link, table: str, joined: dict[str, Any], words: str
) -> None:
    """It says no hello, for it has noticed nothing: its wagers and its royal are refused all the same."""
    meter = MeterBench()
    meter.say(hello(table, **joined))
    meter = meter.reopen(changed)
    for entry in (wagers(), royal()):
        assert words in meter.reply(envelope(1, entry, table)).refusal
    assert (meter.heads["main"].pot.in_cents, meter.heads["main"].pot.awards) == (0, ())
    assert words in meter.reply(hello(table, **joined)).refusal


def put_off(*, and_changed: Link = WITHOUT_T3) -> MeterBench:
    """A link that goes on without T3, of whose three rounds one is booked; nobody waited for the other two."""
    meter = MeterBench()
    meter.join()
    meter.say(envelope(1, wagers(), "T3"))
    meter.drain("T1", "T2")
    meter = meter.changed(and_changed)
    assert meter.decide(Reopen()) == ""
    assert "not one of link main's tables" in meter.reply(hello("T3", next_seq=4)).refusal
    assert meter.outcome(envelope(2, wagers(), "T3")).result is MessageResult.REFUSED
    return meter


def hand_in(meter: MeterBench) -> None:
    """T3 joins with what it has, and all of it counts."""
    assert meter.decide(Reopen()) == ""
    assert meter.outcome(hello("T3", next_seq=4)).result is MessageResult.JOINED
    for seq in (2, 3):
        assert meter.outcome(envelope(seq, wagers(), "T3")).result is MessageResult.BOOKED
    assert meter.heads["main"].pot.in_cents == 900


@pytest.mark.parametrize("said", [None, {"next_seq": 4}, {"next_seq": 4, "idle": True}])
@pytest.mark.parametrize("back", [link(), replace(GUARDED, approved=("", "5f2c")), link(replace(TERMS, base_cents=1))])
def test_what_waits_at_a_table_that_was_put_off_counts_once_it_is_written_back(
    said: dict[str, Any] | None, back: Link
) -> None:
    """Nothing is lost: two persons write it back into the settings, silent or not, and it hands in what it has."""
    meter = put_off()
    meter.drain("T1", "T2")
    if said is not None:
        meter.say(hello("T3", **said))
    hand_in(meter.changed(back))


@pytest.mark.parametrize(
    ("dearer", "words"),
    [
        (link(replace(TERMS, rate_bp=8_000)), "rate_bp 7037 -> 8000"),
        (replace(link(), shortest_round_ms=None), "shortest_round_ms 0 -> unsaid"),
        (replace(link(), games=(PAID_MORE,)), f"what {GAME} pays from the meter"),
    ],
)
@pytest.mark.parametrize("is_changed_before", [False, True])
def test_r96_what_waits_at_a_table_that_was_put_off_never_counts_by_other_parameters(
    dearer: Link, words: str, is_changed_before: bool
) -> None:
    """Changed meanwhile, or by what writes it back: it hands in by the old ones first, and they change afterwards."""
    meter = put_off(and_changed=replace(dearer, tables=("T1", "T2")) if is_changed_before else WITHOUT_T3)
    meter.drain("T1", "T2")
    for said in ((), (hello("T3", next_seq=4, idle=True),)):
        if said:
            meter.say(*said)
        with pytest.raises(StoreFault) as caught:
            meter.changed(dearer)
        assert ("has 2 entries that are not booked" if said else "has not been heard") in str(caught.value)
        assert f"since it was removed from the link: {words})" in str(caught.value)
        assert "with the parameters that it had when it was removed" in str(caught.value)
    meter = meter.changed(link())
    hand_in(meter)
    meter.drain()
    assert meter.changed(dearer).decide(Reopen()) == ""


def test_a_table_that_was_put_off_with_nothing_left_comes_back_to_any_parameters() -> None:
    """It says so while the link is stopped, as every table."""
    meter = MeterBench()
    meter.join()
    meter.drain("T1", "T2")
    meter = meter.changed(WITHOUT_T3)
    meter.say(hello("T3", idle=True))
    meter = meter.changed(link(replace(TERMS, rate_bp=8_000)))
    assert meter.decide(Reopen()) == ""
    assert meter.outcome(hello("T3")).result is MessageResult.JOINED


def test_a_table_that_was_written_back_is_waited_for_again() -> None:
    """It is on the link like any other: the next change finds what it has not handed in."""
    meter = put_off()
    meter.drain("T1", "T2")
    meter = meter.changed(link())
    with pytest.raises(StoreFault, match="table T3 has not been heard"):
        meter.changed(link(replace(TERMS, rate_bp=8_000)))


def test_nobody_is_welcomed_by_a_decision() -> None:
    """A decision answers every table; one that may not join is told so again, and not that all is well."""
    meter = MeterBench()
    meter.join("T1", "T2")
    meter.say(hello("T1", rehearsal=True))
    base = meter.amount_cents
    assert meter.decide(Correct(base, base + 1)) == ""
    assert (meter.told["T1"].refusal[:11], meter.told["T2"].refusal) == ("a rehearsal", "")


def test_a_hello_refused_while_the_link_is_stopped_binds_when_it_is_opened() -> None:
    """The stop was not the only reason."""
    meter = MeterBench()
    meter.join("T1")
    meter.decide(Stop())
    meter.say(hello("T1", rehearsal=True))
    meter.decide(Reopen())
    assert "rehearsal" in meter.told["T1"].refusal
    assert "rehearsal" in meter.reply(envelope(1, wagers())).refusal


def test_r13_a_stranger_under_its_name_does_not_bar_a_table() -> None:
    """Another journal is refused; the table whose name it took plays on, and the ledger says nothing of it."""
    meter = MeterBench()
    meter.join("T1")
    for stranger in (hello("T1", journal="other"), hello("T1", journal="other", rehearsal=True)):
        assert meter.outcome(stranger).result is MessageResult.REFUSED
    assert meter.outcome(envelope(1, wagers())).result is MessageResult.BOOKED
    assert notes(meter) == []


def test_a_table_that_asks_again_and_again_is_noted_once() -> None:
    """It greets every second: a record when it is turned away, another one when it is for another reason."""
    meter = MeterBench()
    meter.join("T1")
    for _ in range(3):
        meter.say(hello("T1", rehearsal=True))
    meter.say(hello("T1", pay_table="D"))
    assert [note.refusal[:6] for note in notes(meter)] == ["a rehe", "link m"]


def test_every_answer_has_the_greeting_of_the_last_hello_and_the_ledger_has_none() -> None:
    """So that a table knows an answer of before; a meter that was started since knows none, and says none."""
    store = MemoryStore()
    meter = MeterBench(store)
    assert meter.reply(hello("T1")).nonce is UNSET
    before = meter.heads["main"].number
    for word in ("first", "second"):
        assert meter.reply(hello("T1", nonce=word)).nonce == word
        assert meter.reply(envelope(1, wagers())).nonce == word
    assert meter.heads["main"].number == before + 1, "a greeting changes no table"
    assert meter.reply(hello("T1", nonce="third", rehearsal=True)).nonce == "third"
    again = MeterBench(store)
    assert again.reply(envelope(1, wagers())).nonce is UNSET
    assert not any(member.hello.nonce for member in again.booker.members("main"))


def test_nobody_fills_the_meters_memory_with_hellos_that_are_refused() -> None:
    """Ever new journals and ever new names: each is answered with its greeting, and none is kept."""
    meter = MeterBench()
    meter.join("T1")
    meter.say(hello("T1", nonce="mine"))
    link_booker = meter.booker._link_bookers["main"]
    for turn in range(5):
        strangers = [hello("T1", journal=f"j{turn}-{number}", nonce=f"g{number}") for number in range(200)]
        strangers += [hello(f"X{turn}-{number}", nonce=f"x{number}") for number in range(200)]
        said = {(table, reply.journal): reply for table, reply in meter.say(*strangers).replies}
        assert all(said[one.table, one.journal].nonce == one.nonce for one in strangers)
        assert all(said[one.table, one.journal].refusal for one in strangers)
        assert len(link_booker._nonces) == 1
    assert meter.reply(envelope(1, wagers())).nonce == "mine"


def test_a_board_that_was_swapped_is_not_known_by_its_greeting() -> None:
    """Nothing of the old one is kept; the new one is told its own word as soon as it says hello."""
    meter = MeterBench()
    meter.join("T1")
    meter.say(hello("T1", nonce="old"))
    assert meter.decide(SwapBoard("T1", "journal-T1", "new")) == ""
    assert len(meter.booker._link_bookers["main"]._nonces) == 0
    assert meter.reply(hello("T1", journal="new", nonce="new board")).nonce == "new board"
    assert meter.reply(envelope(1, wagers(), journal="new")).nonce == "new board"
