"""A long ledger opens on its last figures; what is wrong further back is found behind the running meter and kept."""

import asyncio
import io
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from common.log import open_log
from meter.booking.booker import Booker, Work
from meter.booking.group_commit import GroupCommit
from meter.ledger.accounts import Account
from meter.service import background_audit
from meter.service.background_audit import BackgroundAudit
from meter.service.hang_guard import HangGuard
from meter.store.audit import audited, trusted
from meter.store.base import OutOfReach, Page, StoreFault
from meter.store.sqlite import SqliteStore
from tests.support.meter.meter_bench import (
    NOW_MS,
    TABLES,
    MemoryStore,
    MeterBench,
    envelope,
    flush,
    hello,
    ledger_of_rounds,
    link,
    wagers,
)
from tests.support.meter.proved import Unchecked


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A ledger of a few rounds with an open award, closed."""
    return ledger_of_rounds(tmp_path, envelope(6, flush(number=5)))


def damage(path: Path, number: int) -> None:
    """Changes one byte of a record behind the meter's back."""
    database = sqlite3.connect(path)
    with database:
        database.execute("UPDATE ledger SET body = replace(body, 'journal', 'jurnal') WHERE number = ?", (number,))
    database.close()


def keeper_on(path: Path) -> tuple[SqliteStore, Booker]:
    """A bookkeeper of this ledger, not yet opened."""
    store = SqliteStore(path)
    return store, Booker(store, (link(),), lambda: NOW_MS, Unchecked())


def test_trust_and_audit_come_to_the_same_book(ledger: Path) -> None:
    """Nothing that a book knows is missing from the figures after its last record."""
    store = SqliteStore(ledger)
    snapshot = store.load("main")
    assert snapshot is not None
    known, read_again = vars(trusted("main", snapshot)), vars(audited(store, "main"))
    for book in (known, read_again):
        book.pop("coupons")  # where coupons are looked up, no part of the figures
    assert known == read_again
    store.close()


def test_a_short_ledger_is_audited_and_a_long_one_trusted(ledger: Path) -> None:
    """Only what was trusted is left for the background."""
    store, booker = keeper_on(ledger)
    heads = booker.open(audited_at_most=15)
    assert booker.unaudited == {}
    store.close()
    store, booker = keeper_on(ledger)
    assert booker.open(audited_at_most=14) == heads
    assert booker.unaudited == {"main": store.load("main")}
    assert booker.book([Work("main", envelope(7, wagers()))])["main"].head.number == 16
    audited(store, "main")
    store.close()


@pytest.mark.parametrize(
    ("at_most", "trusted_links"),
    [(15 + 4, set()), (15 + 3, {"side"}), (15, {"side"}), (14, {"main"}), (3, {"main", "side"})],
)
def test_a_start_reads_no_more_records_than_that_of_all_links_together(
    ledger: Path, at_most: int, trusted_links: set[str]
) -> None:
    """Forty-five links of a few thousand records each would keep a standby waiting until it takes over."""
    store = SqliteStore(ledger)
    links = (link(), link(name="side"))
    MeterBench(store, *links).say(*(hello(table) for table in TABLES), link="side")
    meter = MeterBench(store, *links, audited_at_most=at_most)
    assert set(meter.booker.unaudited) == trusted_links
    assert {name: head.number for name, head in meter.heads.items()} == {"main": 15, "side": 4}
    store.close()


@pytest.mark.parametrize("number", [15, 14])
def test_the_end_of_a_long_ledger_is_never_taken_on_trust(ledger: Path, number: int) -> None:
    """The last record must carry the seal that the figures have, after the seal of the one before.

    Where the damage began is said by the audit that such a start begins with, and not before a standby loses patience.
    """
    database = sqlite3.connect(ledger)
    with database:
        database.execute("UPDATE ledger SET seal = x'00' WHERE number = ?", (number,))
    database.close()
    store, booker = keeper_on(ledger)
    with pytest.raises(StoreFault, match="its figures are not sealed to record 15"):
        booker.open(audited_at_most=3)
    store.close()


def test_trusted_figures_must_agree_with_each_other(ledger: Path) -> None:
    """Double entry is checked before anything is said."""
    store = SqliteStore(ledger)
    snapshot = store.load("main")
    store.close()
    assert snapshot is not None
    pot = snapshot.head.pot
    wrong = replace(snapshot.head, pot=replace(pot, balances={**pot.balances, Account.METER: 1}))
    with pytest.raises(StoreFault, match="add up to"):
        trusted("main", replace(snapshot, head=wrong))


async def test_a_sound_ledger_passes_in_the_background(ledger: Path) -> None:
    """Records that are booked while it is read disturb nobody."""
    store, booker = keeper_on(ledger)
    booker.open(audited_at_most=3)
    booker.book([Work("main", envelope(7, wagers()))])
    said = io.StringIO()
    audit = BackgroundAudit(str(ledger), booker.unaudited, open_log(said))
    task = asyncio.create_task(audit.run())
    async with asyncio.timeout(60):
        while "ledger_audited" not in said.getvalue():  # noqa: ASYNC110  a log sets no event
            await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    store.close()


async def test_damage_is_found_in_the_background_and_named(ledger: Path) -> None:
    """The audit ends with the first bad record."""
    damage(ledger, 6)
    store, booker = keeper_on(ledger)
    booker.open(audited_at_most=3)
    audit = BackgroundAudit(str(ledger), booker.unaudited, open_log())
    with pytest.raises(StoreFault, match="record 6: its seal is broken"):
        await asyncio.wait_for(audit.run(), 60)
    store.close()


async def test_an_auditor_that_dies_is_no_proof(ledger: Path) -> None:
    """A store that cannot be read again is a finding, too."""
    store, booker = keeper_on(ledger)
    booker.open(audited_at_most=3)
    audit = BackgroundAudit(str(ledger.parent / "gone.sqlite"), booker.unaudited, open_log())
    with pytest.raises(OutOfReach, match=r"gone\.sqlite"):  # which ends the meter, and casts no doubt on the records
        await asyncio.wait_for(audit.run(), 60)
    store.close()


class HangingStore(MemoryStore):
    """A store on a disk that stops answering."""

    def __init__(self) -> None:
        super().__init__()
        self.let_go = threading.Event()
        self.hangs = False

    def commit(self, pages: Sequence[Page]) -> None:
        if self.hangs:
            self.let_go.wait(30)
        super().commit(pages)


@pytest.mark.parametrize("busy", [True, False])
async def test_a_disk_that_hangs_is_noticed(busy: bool) -> None:
    """With a wager to book or without: while the loop stands still, somebody else says what to look at."""
    store, said = HangingStore(), list[str]()
    booker = Booker(store, (link(),), lambda: NOW_MS, Unchecked())
    booker.open()

    def end(words: str) -> None:
        said.append(words)
        store.let_go.set()  # in earnest the process is gone now

    guard = HangGuard(end, hang_s=0.05)
    books = GroupCommit(booker, lambda name, report: None, guard=guard)
    store.hangs = True
    if busy:
        books.submit(Work("main", hello()))
    task = asyncio.create_task(books.run())
    async with asyncio.timeout(60):
        while not said:  # noqa: ASYNC110  a thread sets no event of the loop
            await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.wait([task])
    guard.close()
    assert "has not answered for 0.05 s" in said[0]


def test_a_store_that_answers_is_left_alone() -> None:
    """Between two acts, however long, nobody is ended; a guard that is closed says nothing more."""
    said, looked = list[str](), threading.Event()
    guard = HangGuard(said.append, hang_s=0.5)
    with guard:
        pass
    looked.wait(1.0)
    guard.close()
    with guard:
        looked.wait(1.0)
    assert not said


async def test_an_idle_meter_proves_that_it_could_book() -> None:
    """Without a single wager the store is written again and again."""
    store = MemoryStore()
    booker = Booker(store, (link(),), lambda: NOW_MS, Unchecked())
    booker.open()
    written = store.commits
    task = asyncio.create_task(GroupCommit(booker, lambda name, report: None).run())
    async with asyncio.timeout(60):
        while store.commits == written:  # noqa: ASYNC110  a store sets no event
            await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.wait([task])


@pytest.mark.parametrize("damaged", [False, True])
def test_the_auditor_says_what_it_found(
    ledger: Path, damaged: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Told on standard input what to read, it ends with 0 and its word, or with a code and the first bad record."""
    store = SqliteStore(ledger)
    task = background_audit.Task(str(ledger), "main", store.load("main"))
    store.close()
    if damaged:
        damage(ledger, 6)
    monkeypatch.setattr(background_audit, "worker_task", lambda niceness: msgspec.json.encode(task))
    assert background_audit.main() == (background_audit.DAMAGED if damaged else 0)
    said = capsys.readouterr().out
    assert "record 6: its seal is broken" in said if damaged else said == background_audit.SOUND.decode()


async def test_an_audit_that_says_nothing_proves_nothing(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that ends well without its word has not read the ledger."""

    async def silent(_module: str, _task: bytes) -> tuple[int, bytes]:
        return 0, b""

    monkeypatch.setattr(background_audit, "run_worker", silent)
    audit = BackgroundAudit(str(ledger), {"main": None}, open_log())
    with pytest.raises(StoreFault, match="the audit of link main ended with code 0") as caught:
        await audit.check()
    assert not isinstance(caught.value, OutOfReach), "nobody knows what it met"
