"""A meter that goes says so with its last figures (R82); a failed self-check stays stopped (R63)."""

import asyncio
import io
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, cast

import pytest
import structlog
from msgspec.structs import replace

from common.log import open_log
from common.supervision import ServiceManager
from drivers.mqtt.client import Outgoing
from link.messages import Envelope, State, decode
from meter.booking.booker import Work
from meter.booking.group_commit import GroupCommit
from meter.ledger.accounts import Account
from meter.service.background_audit import settle_doubt
from meter.service.link_desk import LinkDesk
from meter.service.shutdown import Shutdown
from meter.service.state import state_of
from meter.store import sqlite as sqlite_store
from meter.store.base import OpenStore, OutOfReach, StoreFault
from meter.store.sqlite import SqliteStore
from tests.support.meter.meter_bench import (
    NOW_MS,
    MemoryStore,
    MeterBench,
    envelope,
    flush,
    hello,
    ledger_of_rounds,
    link,
    wagers,
)

ROUNDS = 200
PAGE_BYTES = 4_096


class Door:
    """A pipe of which only the leaving counts."""

    oversized = 0
    farewell: Callable[[], bytes]

    def leave_with(self, farewell: Callable[[], bytes]) -> None:
        self.farewell = farewell

    def flush(self) -> None: ...

    def bequeath(self, will: Outgoing) -> None: ...

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> None: ...


async def stopped(meter: MeterBench, work: Work) -> State:
    """Lets the books fail over this, and returns the last words."""
    authenticator = Door()
    books = GroupCommit(meter.booker, lambda _link, _report: None)
    log = structlog.get_logger()
    desk = LinkDesk(
        link(), meter.heads["main"], post=authenticator, submit=books.submit, wall_ms=lambda: NOW_MS, log=log
    )
    doubt = cast("OpenStore", meter.store).write_doubt
    words = Shutdown(meter.booker, {"main": desk}, {"main": authenticator}, doubt=doubt, wall_ms=lambda: NOW_MS)
    books.submit(work)
    with pytest.raises(StoreFault):
        await asyncio.wait_for(words.of(books.run()), 60)
    return decode(authenticator.farewell(), State)


async def test_r82_a_planned_stop_lowers_no_amount_and_hides_no_award() -> None:
    """SIGTERM: the retained state keeps every figure of the last moment, and says that nobody is there."""
    meter, authenticator = MeterBench(), Door()
    meter.join("T1")
    log = structlog.get_logger()
    desk = LinkDesk(
        link(), meter.heads["main"], post=authenticator, submit=lambda _: None, wall_ms=lambda: NOW_MS, log=log
    )
    Shutdown(meter.booker, {"main": desk}, {"main": authenticator}, doubt=lambda _words: None, wall_ms=lambda: NOW_MS)
    desk.took(meter.say(envelope(1, wagers()), envelope(2, flush())))
    left = decode(authenticator.farewell(), State)
    told = state_of("main", meter.heads["main"], NOW_MS)
    assert (left.alive, left.notice, left.forbids_play) == (False, "the meter was shut down", False)
    assert [award.amount_cents for award in left.pending] == [50_00]
    assert replace(left, alive=True, notice=told.notice, notices=told.notices) == told


async def test_r63_a_link_that_was_stopped_is_not_said_to_be_shut_down() -> None:
    """Two persons have stopped it, or it has stopped itself: SIGTERM makes no loss of that."""
    meter, authenticator = MeterBench(), Door()
    meter.join("T1")
    head, log = replace(meter.heads["main"], stopped="the figures disagree"), structlog.get_logger()
    desk = LinkDesk(link(), head, post=authenticator, submit=lambda _: None, wall_ms=lambda: NOW_MS, log=log)
    Shutdown(meter.booker, {"main": desk}, {"main": authenticator}, doubt=lambda _words: None, wall_ms=lambda: NOW_MS)
    left = decode(authenticator.farewell(), State)
    assert left.forbids_play
    assert "the figures disagree" in left.notice


async def test_a_full_disk_is_said_to_everybody() -> None:
    """The retained state says that the meter has stopped, and why; nothing says that it is alive."""
    meter = MeterBench()
    meter.join("T1")

    def fail(pages: object) -> None:
        raise StoreFault("the disk is full")

    meter.store.commit = fail  # type: ignore[method-assign]  # the disk fills up
    state = await stopped(meter, Work("main", envelope(1, wagers())))
    assert (state.alive, state.health, state.forbids_play) == (False, "stopped", True)
    assert "the disk is full" in state.notice


async def test_r41_r63_a_failed_self_check_stays_stopped_after_a_restart() -> None:
    """Said, written into the ledger, and not opened by starting again."""
    store = MemoryStore()
    meter = MeterBench(store)
    meter.join("T1")
    books = meter.booker._link_bookers["main"]._state
    books.head = replace(
        books.head, pot=replace(books.head.pot, balances={**books.head.pot.balances, Account.METER: 1})
    )
    state = await stopped(meter, Work("main", envelope(1, wagers())))
    assert "add up to" in state.notice
    again = MeterBench(store)
    assert "add up to" in again.heads["main"].stopped
    assert "is stopped" in again.reply(hello("T1")).refusal
    assert again.amount_cents == meter.amount_cents


@pytest.mark.parametrize(
    ("fault", "doubt"),
    [
        (StoreFault("the image is malformed"), "the image is malformed"),
        (OutOfReach("another meter has taken over"), ""),
    ],
)
async def test_r63_damage_met_in_play_is_doubted_and_a_lost_store_is_not(fault: StoreFault, doubt: str) -> None:
    """The next start reads all of a damaged ledger back; books that only went to another meter are as good as ever."""
    store = MemoryStore()
    meter = MeterBench(store)
    meter.join("T1")

    def fail(link: str, table: str, journal: str, seq: int) -> NoReturn:
        raise fault

    meter.say(envelope(1, wagers()))
    store.find = fail  # type: ignore[method-assign]  # a repeated entry is looked up
    assert str(fault) in (await stopped(meter, Work("main", envelope(1, wagers())))).notice
    assert store.doubts == doubt


async def test_r63_a_ledger_that_cannot_even_be_stopped_is_doubted() -> None:
    """A failed self-check on figures that cannot be read any more: no restart opens the link on trust."""
    store = MemoryStore()
    meter = MeterBench(store)
    meter.join("T1")
    state = meter.booker._link_bookers["main"]._state
    state.head = replace(
        state.head, pot=replace(state.head.pot, balances={**state.head.pot.balances, Account.METER: 1})
    )
    store.rows["main"].pop()
    await stopped(meter, Work("main", envelope(1, wagers())))
    assert "add up to" in store.doubts
    assert "ends at record 1" in store.doubts


def damage_page_of(path: Path, entry: Envelope) -> None:
    """Writes rubbish over the page that holds this entry."""
    at = path.read_bytes().index(b'"seq":%d,' % entry.seq) // PAGE_BYTES * PAGE_BYTES
    with path.open("r+b") as file:
        file.seek(at)
        file.write(b"\xa5" * PAGE_BYTES)


async def test_r63_a_stop_for_a_damaged_page_is_not_talked_open_by_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opened on trust, stopped by a repeat that met the damage: the next start reads everything back and refuses."""
    monkeypatch.setattr(sqlite_store, "CHECKED_AT_START_BYTES", 0)  # as of a long ledger
    entries = [envelope(seq, wagers()) for seq in range(6, ROUNDS)]
    path = ledger_of_rounds(tmp_path, *entries)
    damage_page_of(path, entries[ROUNDS // 2])
    store = SqliteStore(path)
    meter = MeterBench(store, audited_at_most=3)
    assert "malformed" in (await stopped(meter, Work("main", entries[ROUNDS // 2]))).notice
    store.close()
    store = SqliteStore(path)
    assert "malformed" in store.doubt()
    with pytest.raises(StoreFault, match="damaged"):
        await settle_doubt(str(path), store, open_log(io.StringIO()), ServiceManager({}))
    store.close()
