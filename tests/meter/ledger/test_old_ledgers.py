"""Ledgers of an older Pitlink are read back, trusted and written on: what was added since has not been said there.

old_ledger.json was written by the program of 17 November 2026: link main with a swapped board, held wagers, a stop and
changed parameters; link side, which was closed while its table had not been asked anything.
"""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from meter.booking.booker import Booker, Work
from meter.booking.results import MessageResult
from meter.ledger.decisions import SwapBoard
from meter.ledger.link_state import Head, Member
from meter.ledger.records import SealedRecord, read_record
from meter.settings import AllowedGame, Link
from meter.store.audit import trusted
from meter.store.base import Saved, StoreFault
from tests.support.meter_bench import (
    GAME,
    NOW_MS,
    TABLES,
    TERMS,
    MemoryStore,
    MeterBench,
    envelope,
    hello,
    wagers,
)

OLD = json.loads((Path(__file__).parent / "old_ledger.json").read_text(encoding="utf-8"))
GAMES = (AllowedGame(GAME, ("A", "B"), (100,)),)
LINKS = (Link("main", replace(TERMS, rate_bp=7_100), TABLES, GAMES), Link("side", TERMS, TABLES, GAMES))


def saved(kept: dict[str, Any]) -> Saved:
    """The figures beside the records, as they were kept then."""
    members = (msgspec.json.decode(json.dumps(member), type=Member) for member in kept["members"])
    return Saved(msgspec.json.decode(json.dumps(kept["head"]), type=Head), tuple(members))


@pytest.fixture
def store() -> MemoryStore:
    """The old books."""
    store = MemoryStore()
    for name, kept in OLD.items():
        rows = [SealedRecord(row["body"].encode(), bytes.fromhex(row["seal"])) for row in kept["records"]]
        store.rows[name] = [(read_record(row.body), row) for row in rows]
        store.saved[name] = saved(kept)
    return store


@pytest.mark.parametrize("audited_at_most", [None, 0])
def test_an_old_ledger_is_opened_and_written_on(store: MemoryStore, audited_at_most: int | None) -> None:
    """Read back from the first record or taken on trust: the same figures, the same settings, and the next wager."""
    booker = Booker(store, LINKS, lambda: NOW_MS)
    heads = booker.open(audited_at_most=audited_at_most)
    assert {name: head.number for name, head in heads.items()} == {"main": 18, "side": 5}, "today's rules are a record"
    next_round = replace(envelope(7, wagers(1, number=7)), at_ms=NOW_MS + 60_000)
    report = booker.book([Work("main", hello("T1", next_seq=7)), Work("main", next_round)])
    assert [outcome.result for outcome in report["main"].outcomes] == [MessageResult.JOINED, MessageResult.BOOKED]
    Booker(store, LINKS, lambda: NOW_MS).open()


def test_an_old_repeat_is_known_as_one(store: MemoryStore) -> None:
    """What was booked then and comes again now is the same entry."""
    booker = Booker(store, LINKS, lambda: NOW_MS)
    booker.open()
    report = booker.book([Work("main", envelope(6, wagers(1, 2, number=6)))])["main"]
    assert report.outcomes[0].result is MessageResult.DUPLICATE


def test_old_figures_are_what_they_were(store: MemoryStore) -> None:
    """Head and members mean the same to whoever trusts them."""
    state = trusted("main", store.saved["main"])
    assert (state.members["T1"].booked_seq, state.members["T2"].hello.journal) == (6, "new-T2")
    assert state.head.terms == LINKS[0].terms


def as_kept_before(store: MemoryStore, **other: object) -> None:
    """The tables as a program kept them that forgot what was said before a board was swapped."""
    kept = store.saved["main"]
    before = {"unheard": False, "locked_out": ()} | other
    store.saved["main"] = replace(kept, members=tuple(replace(member, **before) for member in kept.members))


def test_boards_that_an_older_program_swapped_are_read_back() -> None:
    """It booked the new one without a hello, and knew none of the boards before: what it kept contradicts nothing."""
    meter = MeterBench()
    meter.join("T1")
    assert meter.decide(SwapBoard("T1", "journal-T1", "b")) == ""
    assert isinstance(meter.store, MemoryStore)
    as_kept_before(meter.store)
    MeterBench(meter.store)
    older = MeterBench(meter.store, audited_at_most=0)
    for seq in (1, 2):
        assert older.outcome(envelope(seq, wagers(), journal="b")).result is MessageResult.BOOKED
        MeterBench(meter.store)
    assert older.decide(SwapBoard("T1", "b", "c")) == ""
    again = MeterBench(meter.store)
    assert "must say hello first" in again.reply(envelope(1, wagers(), journal="c")).refusal


@pytest.mark.parametrize("kept", [{"locked_out": ("x",)}, {"locked_out": ("x", "journal-T1")}, {"unheard": True}])
def test_what_no_program_kept_of_a_board_is_damage(kept: dict[str, Any]) -> None:
    """Another board before it, one more, or a new one that has said its hello."""
    meter = MeterBench()
    meter.join("T1")
    assert meter.decide(SwapBoard("T1", "journal-T1", "b")) == ""
    meter.say(hello("T1", journal="b"))
    assert isinstance(meter.store, MemoryStore)
    as_kept_before(meter.store, **kept)
    with pytest.raises(StoreFault, match="figures kept beside the records"):
        MeterBench(meter.store)
