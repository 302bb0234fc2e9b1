"""What the books ask of any store, on each store there is."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import pytest
from msgspec.structs import replace

from meter.booking.booker import refuse_orphans
from meter.booking.results import MessageResult
from meter.ledger.records import Entered, first_seal, read_record, seal_of
from meter.store.audit import audited
from meter.store.base import OpenStore, Page, Saved, Store, StoreFault
from meter.store.postgres import PostgresStore
from meter.store.sqlite import SqliteStore
from tests.support.meter.meter_bench import MemoryStore, MeterBench, envelope, flush, hello, link, store_address, wagers
from tests.support.meter.postgres_bench import reopening

Reopen = Callable[[], Store]


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Reopen]:
    """Opens the same store again, as the next process would."""
    if request.param == "memory":
        memory = MemoryStore()
        yield lambda: memory
        return
    with reopening(store_address(request, tmp_path)) as open_again:
        yield open_again


def test_a_new_store_knows_nothing(reopen: Reopen) -> None:
    """No figures, no records, no entry."""
    store = reopen()
    assert store.load("main") is None
    assert list(store.records("main")) == []
    assert store.find("main", "T1", "journal-T1", 1) is None


def test_what_was_committed_is_there_after_a_restart(reopen: Reopen) -> None:
    """Head, members and records, in order, each sealed after the one before."""
    meter = MeterBench(reopen())
    meter.join("T2", "T1")
    meter.deal("T1", "T2")
    meter.say(envelope(2, flush(), "T2"))
    store = reopen()
    saved = store.load("main")
    assert saved is not None
    assert saved.head == meter.heads["main"]
    assert {member.hello.table: member.booked_seq for member in saved.members} == {"T1": 1, "T2": 2}
    seal = first_seal("main")
    for number, row in enumerate(store.records("main"), start=1):
        assert read_record(row.body).number == number
        seal = seal_of(row.body, seal)
        assert seal == row.seal
    assert seal == saved.head.seal


def test_an_entry_is_found_by_its_table_journal_and_number(reopen: Reopen) -> None:
    """And by nothing less."""
    meter = MeterBench(reopen())
    meter.join("T1")
    meter.deal("T1")
    meter.say(envelope(2, flush()))
    store = reopen()
    record = store.find("main", "T1", "journal-T1", 2)
    assert record is not None
    assert record.cause == Entered(envelope(2, flush()))
    assert record.answer is not None
    for key in (("side", "T1", "journal-T1", 2), ("main", "T2", "journal-T1", 2), ("main", "T1", "other", 2)):
        assert store.find(*key) is None
    assert store.find("main", "T1", "journal-T1", 3) is None


def test_a_repeat_after_a_restart_gets_the_same_answer(reopen: Reopen) -> None:
    """The answer comes from the store, not from memory."""
    meter = MeterBench(reopen())
    meter.join("T1")
    meter.deal("T1")
    first = meter.reply(envelope(2, flush()))
    meter.say(envelope(3, wagers()))
    again = MeterBench(reopen())
    report = again.say(envelope(2, flush()))
    assert report.outcomes[0].result is MessageResult.DUPLICATE
    assert report.replies[0][1].awards == first.awards
    assert again.heads == meter.heads


def test_a_transaction_is_kept_whole_or_not_at_all(reopen: Reopen, request: pytest.FixtureRequest) -> None:
    """A page that cannot be written takes the page before it along."""
    if "memory" in request.node.name:
        return
    meter = MeterBench(reopen(), link(), link(name="side"))
    meter.join("T1")
    store = reopen()
    main, side = store.load("main"), store.load("side")
    assert main is not None
    assert side is not None
    again = list(MeterBench(MemoryStore()).store.records("main"))  # its first record is in the store already
    record = read_record(again[0].body)
    good = Page("side", [(replace(record, number=2), again[0])], (), replace(side.head, number=2))
    with pytest.raises(StoreFault):
        store.commit([good, Page("main", [(record, again[0])], (), main.head)])
    assert (store.load("main"), store.load("side")) == (main, side)
    assert len(list(store.records("side"))) == 1


def test_long_ledgers_are_read_in_pieces_without_a_seam(reopen: Reopen, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every record once and in order, whatever fits into one question."""
    for module in ("meter.store.sqlite", "meter.store.postgres"):
        monkeypatch.setattr(f"{module}.ROWS_AT_ONCE", 3)
    meter = MeterBench(reopen())
    meter.join("T1")
    for seq in range(1, 8):
        meter.say(envelope(seq, wagers()))
    assert [read_record(row.body).number for row in reopen().records("main")] == list(range(1, 10))


def test_a_doubt_outlives_the_process_that_had_it(reopen: Reopen) -> None:
    """It is there at the next start, and gone only when somebody says so."""
    store = cast("OpenStore", reopen())
    assert store.doubt() == ""
    store.write_doubt("record 7 is odd")
    store = cast("OpenStore", reopen())
    assert store.doubt() == "record 7 is odd"
    store.write_doubt("")
    assert cast("OpenStore", reopen()).doubt() == ""


def test_a_store_names_its_links(reopen: Reopen) -> None:
    """Those that have records, and no others."""
    MeterBench(reopen(), link(), link(name="side"))
    assert cast("OpenStore", reopen()).links() == ("main", "side")


@pytest.mark.parametrize("left", ["head", "member", "ledger"])
def test_r90_a_link_is_named_as_long_as_anything_of_it_is_left(
    reopen: Reopen, left: str, request: pytest.FixtureRequest
) -> None:
    """Its figures, its tables or its records: what was taken away of it does not make it unknown."""
    if "memory" in request.node.name:
        return
    store = cast("SqliteStore | PostgresStore", reopen())
    MeterBench(store, link(), link(name="side")).say(hello(), link="side")
    for table in {"head", "member", "ledger"} - {left}:
        store._database.execute(f"DELETE FROM {table} WHERE link = 'side'")
    assert store.links() == ("main", "side")
    with pytest.raises(StoreFault, match="link side is damaged"):
        refuse_orphans(store, (link(),))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("seq = 77 WHERE number = 4", "record 4: it is filed as record 4, entry 77 of journal journal-T1 of table T1"),
        (
            "table_id = 'T3' WHERE number = 4",
            "record 4: it is filed as record 4, entry 2 of journal journal-T1 of table T3",
        ),
        ("journal = 'other' WHERE number = 4", "record 4: it is filed as record 4, entry 2 of journal other"),
        (
            "table_id = NULL WHERE number = 4",
            "record 4: it is filed as record 4, entry 2 of journal journal-T1 of table None",
        ),
        ("table_id = 'T1', journal = 'j', seq = 9 WHERE number = 2", "record 2: it is filed as record 2, entry 9"),
        ("number = 0 WHERE number = 1", "record 1: it is filed as record 0"),
    ],
)
def test_r86_a_record_that_is_filed_as_another_is_damaged(
    reopen: Reopen, change: str, words: str, request: pytest.FixtureRequest
) -> None:
    """A repeat of its entry would not be found, or found for another: audit, backup and every start name it."""
    if "memory" in request.node.name:
        return
    store = cast("SqliteStore | PostgresStore", reopen())
    meter = MeterBench(store)
    meter.join("T1")
    for seq in range(1, 4):
        meter.say(envelope(seq, wagers()))
    audited(store, "main")
    store._database.execute(f"UPDATE ledger SET {change}")
    with pytest.raises(StoreFault, match=f"damaged at {words}"):
        audited(reopen(), "main")


@pytest.mark.parametrize("change", ["seq = 9 WHERE seq = 1", "seq = seq - 3 WHERE seq < 3"], ids=["gone", "exchanged"])
def test_a_repeat_whose_record_is_misfiled_is_told_of_the_books_and_not_of_a_second_table(
    reopen: Reopen, change: str, request: pytest.FixtureRequest
) -> None:
    """Whoever reads it must look at the meter's store, not for another board; the table's next entries are taken."""
    if "memory" in request.node.name:
        return
    store = cast("SqliteStore | PostgresStore", reopen())
    meter = MeterBench(store)
    meter.join("T1")
    meter.say(envelope(1, wagers(1)), envelope(2, wagers(2)))
    for part in (change, "seq = -seq WHERE seq < 0"):
        store._database.execute(f"UPDATE ledger SET {part}")
    refusal = meter.reply(envelope(1, wagers(1))).refusal
    assert "entry 1 is booked, but not found in the meter's books" in refusal
    assert refusal.endswith("have pitlink ledger verify run")
    assert "two tables" not in refusal
    assert meter.reply(envelope(3, wagers(1))).refusal == ""


def test_a_proof_writes_nothing_into_the_ledger(reopen: Reopen) -> None:
    """A transaction without pages only shows that there could be one."""
    meter = MeterBench(reopen())
    reopen().commit(())
    assert len(list(reopen().records("main"))) == 1
    assert reopen().load("main") == Saved(meter.heads["main"], ())
