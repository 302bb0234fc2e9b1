"""A store that cannot be trusted or written is refused in words, before anything is said to anybody."""

import hashlib
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from common.backup_retention import RESERVE_BYTES
from meter.ledger.records import first_seal, seal_of
from meter.store import sqlite
from meter.store.base import OutOfReach, StoreFault
from meter.store.sqlite import SqliteStore
from tests.support.meter.meter_bench import (
    TERMS,
    MeterBench,
    envelope,
    flush,
    ledger_of_rounds,
    link,
    payout,
    small_disk,
    wagers,
)

RESTAMP = "UPDATE head SET stamp = sha256(body)"


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A ledger of a few rounds, closed."""
    return ledger_of_rounds(tmp_path, envelope(6, flush(number=5)), envelope(7, payout(6)))


def reopen(path: Path) -> MeterBench:
    """Starts a meter on this ledger, as a new process does."""
    store = SqliteStore(path)
    try:
        return MeterBench(store)
    finally:
        store.close()


def _bytes(cell: str | bytes) -> bytes:
    return cell.encode() if isinstance(cell, str) else cell


def sql(*statements: str) -> Callable[[Path], None]:
    """Tampers with the file behind the meter's back."""

    def tamper(path: Path) -> None:
        database = sqlite3.connect(path)
        database.create_function("sha256", 1, lambda text: hashlib.sha256(_bytes(text)).digest())
        with database:
            for statement in statements:
                database.execute(statement)
        database.close()

    return tamper


def test_a_sound_ledger_opens_where_it_stood(ledger: Path) -> None:
    """Three tables' joins, ten rounds, an award and its payout after the opening."""
    meter = reopen(ledger)
    assert meter.heads["main"].number == 1 + 3 + 10 + 2
    assert meter.amount_cents == TERMS.base_cents - 50_00 + 30 * 7_037 // 100


@pytest.mark.parametrize(
    ("tamper", "words"),
    [
        (sql("UPDATE ledger SET body = replace(body, 'flush', 'royal') WHERE number = 15"), "record 15: its seal"),
        (sql("UPDATE ledger SET seal = x'00' WHERE number = 3"), "record 3: its seal"),
        (sql("DELETE FROM ledger WHERE number = 9"), "record 9: its seal"),
        (sql("DELETE FROM ledger WHERE number = 16"), "ends at record 15 instead of 16"),
        (sql("DELETE FROM ledger"), "ends at record 0 instead of 16"),
        (sql("UPDATE ledger SET number = CASE number WHEN 5 THEN 600 ELSE number END"), "record 5: its seal"),
        (
            sql("UPDATE head SET body = replace(body, '\"hits\":1', '\"hits\":0')"),
            "were changed",
        ),
        (
            sql("UPDATE head SET body = replace(body, '\"hits\":1', '\"hits\":0')", RESTAMP),
            "not those that the records make",
        ),
        (sql("DELETE FROM head"), "tables but no figures"),
        (
            sql("UPDATE member SET body = replace(body, '\"booked_seq\":5', '\"booked_seq\":4')"),
            "were changed",
        ),
        (sql("UPDATE member SET stamp = 'none' WHERE table_id = 'T2'"), "figures kept beside the records were changed"),
        (sql("DELETE FROM member WHERE table_id = 'T3'"), "not those that the records"),
        (sql("UPDATE head SET body = x'7b'", RESTAMP), "truncated"),
        (sql("DELETE FROM head", "DELETE FROM ledger"), "tables but no figures"),
        (sql("DELETE FROM head", "DELETE FROM member"), "records without figures"),
        (sql("PRAGMA user_version = 99"), "another version (99"),
    ],
)
def test_r54_a_changed_ledger_is_found_at_the_first_bad_record(
    ledger: Path, tamper: Callable[[Path], None], words: str
) -> None:
    """One row, one figure, one end cut off: the meter does not start, and says where it is wrong."""
    tamper(ledger)
    with pytest.raises(StoreFault, match=re.escape(words)):
        reopen(ledger)


@pytest.mark.parametrize(
    ("number", "old", "new", "words"),
    [
        (5, b",2111100]", b",9111100]", "record 5: its figures do not follow from its cause"),
        (15, b'"amount_cents":5000', b'"amount_cents":5001', "record 15: its figures do not follow"),
        (16, b'"award_seq":6', b'"award_seq":5', "record 16: it should not have been booked: entry 5"),
        (9, b'"number":9', b'"number":8', "record 9: its figures do not follow"),
        (9, b'{"link"', b'{"lynk"', "record 9: it cannot be read"),
    ],
)
def test_a_forgery_with_good_seals_is_found_by_its_figures(
    ledger: Path, number: int, old: bytes, new: bytes, words: str
) -> None:
    """Who can compute seals still cannot write what does not follow from the records before it."""
    database = sqlite3.connect(ledger)
    rows = database.execute("SELECT number, body FROM ledger ORDER BY number").fetchall()
    assert old in rows[number - 1][1]
    seal = first_seal("main")
    for at, body in rows:
        forged = body.replace(old, new) if at == number else body
        seal = seal_of(forged, seal)
        database.execute("UPDATE ledger SET body = ?, seal = ? WHERE number = ?", (forged, seal, at))
    database.commit()
    database.close()
    with pytest.raises(StoreFault, match=re.escape(words)):
        reopen(ledger)


def test_a_file_of_another_version_is_left_as_it_is(ledger: Path) -> None:
    """A newer program's file is none of ours to change."""
    sql("PRAGMA user_version = 99", "DROP TABLE floor_book", "ALTER TABLE meter DROP COLUMN floor_seal")(ledger)
    before = ledger.read_bytes()
    with pytest.raises(StoreFault, match=r"another version \(99"):
        SqliteStore(ledger)
    assert ledger.read_bytes() == before


def test_a_damaged_file_is_named(ledger: Path) -> None:
    """A page of rubbish in the middle of the file is not read as money."""
    size = ledger.stat().st_size
    with ledger.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (size - 4096))
    with pytest.raises(StoreFault, match=r"ledger\.sqlite"):
        reopen(ledger)


def test_something_else_is_not_a_ledger(tmp_path: Path) -> None:
    """A text file under the ledger's name is left alone."""
    path = tmp_path / "ledger.sqlite"
    path.write_text("shopping list\n" * 100)
    with pytest.raises(StoreFault, match="not a database"):
        SqliteStore(path)
    assert path.read_text().startswith("shopping list")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    """The message says which path and what to look at."""
    with pytest.raises(StoreFault, match=r"nowhere/ledger\.sqlite.*check the disk"):
        SqliteStore(tmp_path / "nowhere" / "ledger.sqlite")


def test_a_second_meter_on_the_same_ledger_is_refused(tmp_path: Path) -> None:
    """Two processes never book into one store."""
    store = SqliteStore(tmp_path / "ledger.sqlite")
    with pytest.raises(StoreFault, match="in use by another meter"):
        SqliteStore(tmp_path / "ledger.sqlite")
    store.close()
    SqliteStore(tmp_path / "ledger.sqlite").close()


def test_a_full_disk_loses_the_transaction_and_nothing_before_it(ledger: Path) -> None:
    """What could not be written is not answered, and the ledger before it is whole."""
    store = SqliteStore(ledger)
    meter = MeterBench(store)
    pages = store._database.execute("PRAGMA page_count").fetchone()[0]
    store._database.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(OutOfReach, match="full"):  # which casts no doubt on what is written
        _play_on(meter)
    answered = meter.heads["main"].number
    store.close()
    assert reopen(ledger).heads["main"].number == answered


def test_a_disk_without_room_to_go_on_is_refused(ledger: Path) -> None:
    """The little that a start writes fits on any disk; a log of wagers does not. Nothing is left of the trial."""
    store = SqliteStore(ledger)
    store.require_room()
    files = sorted(ledger.parent.iterdir())
    with small_disk(sqlite.ROOM_BYTES - 1):
        store.commit(())
        with pytest.raises(OutOfReach, match=r"no room for 96 MB.*free some space"):
            store.require_room()
    assert sorted(ledger.parent.iterdir()) == files
    store.close()


def test_the_room_holds_a_whole_log_and_what_it_makes_of_the_file() -> None:
    """And copies leave more than that free, or an hourly copy would keep the next start from the floor."""
    page = 4_096
    log, in_the_file = sqlite.CHECKPOINT_PAGES * (page + 24), sqlite.CHECKPOINT_PAGES * page
    assert log + in_the_file < sqlite.ROOM_BYTES < RESERVE_BYTES


def test_r96_the_terms_of_an_open_link_cannot_change(ledger: Path) -> None:
    """Another rate in the settings does not start; the message says what the ledger says."""
    store = SqliteStore(ledger)
    with pytest.raises(StoreFault, match=r"rate_bp 7037 -> 8000.*--apply-terms"):
        MeterBench(store, link(replace(TERMS, rate_bp=8_000)))
    store.close()


def test_several_links_share_a_store_and_nothing_else(tmp_path: Path) -> None:
    """Each link has its own chain, its own members and its own money."""
    path = tmp_path / "ledger.sqlite"
    store = SqliteStore(path)
    links = (link(), link(replace(TERMS, base_cents=7), "side"))
    meter = MeterBench(store, *links)
    meter.join("T1")
    meter.say(envelope(1, wagers()))
    assert meter.heads["side"].pot.amount_cents == 7
    assert "say hello" in meter.say(envelope(1, wagers()), link="side").replies[0][1].refusal
    store.close()
    store = SqliteStore(path)
    assert MeterBench(store, *links).heads == meter.heads
    store.close()


def _play_on(meter: MeterBench) -> None:
    for seq in range(8, 1_000):
        meter.say(envelope(seq, wagers()))
