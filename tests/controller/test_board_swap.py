"""pitlink swap: another board takes the table over; nothing is counted twice, and the old board stays out."""

import json
import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cli.main import main
from controller.journal.backup import copy_to
from controller.journal.file import JournalFault
from controller.journal.journal import Journal
from controller.journal.records import EventRecord, Moment
from flashing.errors import FlashError
from flashing.files import SyncedFiles
from flashing.swap_file import SwapFile, SwappedFile, decode, encode, seal, unpack, unseal
from games.round.events import ChipPlaced, CloseAsked, TableOpened
from games.round.state import RoundState
from meter.ledger.decisions import Decided, SwapBoard
from tests.support.table.paper_floor import Bench, PaperFloor
from tests.support.table.swap_bench import PASSPHRASE, SwapBench


@pytest.fixture
def house(tmp_path: Path) -> SwapBench:
    return SwapBench(tmp_path)


@pytest.fixture
async def floor(tmp_path: Path, house: SwapBench) -> AsyncIterator[PaperFloor]:
    """A table that has dealt a round whose wagers the meter has not heard of, closed and stopped."""
    floor = PaperFloor(tmp_path, link={"name": "demo", "loss_s": 60.0})
    floor.meter.start()
    async with floor.bench("T1") as bench:
        await play_a_round(bench)
        await bench.booked()
        floor.broker.deaf_to.add("entry")
        bench.insert_chip(2)
        await bench.pass_time(0.12)
        await bench.settle()
        await bench.press_lock_out()
        await bench.until(lambda: bench.state.counted is not None)
        await end_and_close(bench)
    floor.broker.deaf_to.clear()
    yield floor
    await floor.meter.kill()


async def play_a_round(bench: Bench) -> None:
    await bench.linked()
    await bench.turn_key(on=True)
    await bench.settle()
    await bench.must(TableOpened("Ann"))
    await bench.settle()
    await bench.deal(1, 3)
    await bench.press_end_of_round()
    await bench.settle()


async def end_and_close(bench: Bench) -> None:
    await bench.press_end_of_round()
    await bench.settle()
    await bench.turn_key(on=True)
    await bench.settle()
    await bench.must(CloseAsked("Ann", "swap"))
    await bench.until(lambda: bench.state.phase.value == "closed")


async def play_on_a_new_board(floor: PaperFloor, house: SwapBench) -> None:
    """Another board takes the table over from the house's file, plays a round and closes."""
    house.fresh_board("old")
    house.take_over()
    async with floor.bench("T1") as bench:
        await play_a_round(bench)
        await bench.booked()
        await end_and_close(bench)


def wagered_cents(floor: PaperFloor) -> int:
    return floor.meter.pot.in_cents


async def test_a_swapped_board_sends_what_the_old_one_owed_and_the_meter_counts_it_once(
    floor: PaperFloor, house: SwapBench, capsys: pytest.CaptureFixture[str]
) -> None:
    """The parcel has journal and outbox: the entry that waited is booked by the new board, once; the old one is out."""
    assert wagered_cents(floor) == 2_00
    assert house.export() == 0
    house.fresh_board("old")
    assert house.take_over() == 0, capsys.readouterr().err
    assert house.config.read_text() == (house.folder / "old" / "etc" / "table.toml").read_text()
    assert (house.config.parent / "T1.key").stat().st_mode & 0o777 == 0o640
    assert (house.config.parent / "trust" / "house.pub").read_text() == "a public key"
    async with floor.bench("T1") as bench:
        await bench.linked()
        await bench.booked()
        assert wagered_cents(floor) == 3_00
        await play_a_round(bench)
        await bench.booked()
        await end_and_close(bench)
    assert wagered_cents(floor) == 5_00
    house.put_back("old")
    with pytest.raises(JournalFault, match=r"handed over to another board \(.* UTC, T1\.swap\); use that one"):
        floor.bench("T1").assemble()
    assert wagered_cents(floor) == 5_00


async def test_the_old_board_takes_the_table_back_from_the_new_ones_file(floor: PaperFloor, house: SwapBench) -> None:
    """What the new board has written since goes on in the old one; an older file would be refused by the new."""
    house.export()
    first = house.file.read_bytes()
    await play_on_a_new_board(floor, house)
    house.export()
    second = house.file.read_bytes()
    house.file.write_bytes(first)
    assert house.take_over() == 1, "the new board knows more than the first file"
    house.put_back("old")
    house.file.write_bytes(second)
    assert house.take_over() == 0
    async with floor.bench("T1") as bench:
        await bench.linked()
        await bench.booked()
    assert wagered_cents(floor) == 5_00


async def test_a_file_imported_twice_is_found_out_by_the_meter(floor: PaperFloor, house: SwapBench) -> None:
    """Two boards with one journal number the same entries with other content: the second is refused, not counted."""
    house.export()
    await play_on_a_new_board(floor, house)
    house.fresh_board("second")
    house.take_over()
    async with floor.bench("T1") as bench:
        await bench.until(lambda: "the meter has entries this journal never wrote" in bench.state.link_down)
    assert wagered_cents(floor) == 5_00


async def test_a_dead_board_is_replaced_from_a_backup_and_locked_out_at_the_meter(
    floor: PaperFloor, house: SwapBench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A new journal with new numbers; what the meter has stays, and the dead board's voice is heard no more."""
    backup = tmp_path / "backup.db"
    copy_to(house.state / "journal.db", backup)
    shutil.move(house.state, tmp_path / "dead")
    assert main(["swap", "replace", "--config", str(house.config), "--backup", str(backup)]) == 0
    said = capsys.readouterr().out
    assert "when the copy was made: 1 entries" in said
    assert "entry 2: Wagers round=2 stake_cents=100 seats=[2]" in said
    decision = json.loads(said[said.index("{") : said.index("}") + 1])
    old, new = Journal.look(backup), Journal.look(house.state / "journal.db")
    assert decision == {"type": "SwapBoard", "table": "T1", "old_journal": old.id, "new_journal": new.id}
    assert new.recall()[0].round == 10_000
    old.abandon()
    new.abandon()
    async with floor.bench("T1") as bench:
        await bench.until(lambda: f"SwapBoard to {decision['new_journal']}" in bench.state.link_down)
        swap = SwapBoard("T1", decision["old_journal"], decision["new_journal"])
        verdict = await floor.meter.books.decide("demo", Decided(swap, "Ann", "Bob", "the board is dead"))
        assert verdict.refusal == ""
        await bench.linked()
        await play_a_round(bench)
        await bench.booked()
        assert bench.state.round > 10_000
    assert wagered_cents(floor) == 4_00, "the entry that nobody has heard of is accounting's; nothing comes twice"


def test_an_export_of_a_table_that_is_not_at_rest_changes_nothing(
    house: SwapBench, capsys: pytest.CaptureFixture[str]
) -> None:
    """A table in use, or one that was not stopped cleanly, is not handed over."""
    house.state.mkdir()
    journal = Journal.open(house.state / "journal.db")
    assert house.export() == 1
    assert "another process runs this table; stop it first" in capsys.readouterr().err
    journal.abandon()
    assert not house.file.exists()


def test_a_file_that_cannot_be_written_leaves_the_board_as_it_was(house: SwapBench, tmp_path: Path) -> None:
    """The lock is taken before the file is written, and given back if that fails."""
    house.state.mkdir()
    Journal.open(house.state / "journal.db").close()
    house.file.parent.write_text("not a folder")
    assert house.export() == 1
    journal = Journal.open(house.state / "journal.db")
    journal.abandon()


def test_a_board_with_a_table_of_its_own_takes_no_other(house: SwapBench, capsys: pytest.CaptureFixture[str]) -> None:
    """Its own journal would be lost."""
    house.state.mkdir()
    Journal.open(house.state / "journal.db").close()
    house.export()
    house.fresh_board("old")
    house.state.mkdir(parents=True)
    stranger = Journal.open(house.state / "journal.db")
    stranger.write([EventRecord(ChipPlaced(1), None, 1, Moment(0, 0))], RoundState())
    stranger.close()
    assert house.take_over() == 1
    assert "this board has events that the swap file does not know; take a fresh board" in capsys.readouterr().err


def test_only_the_passphrase_opens_a_parcel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another passphrase, a flipped bit, a cut file or another file: told, never half-read."""
    monkeypatch.setattr("flashing.swap_file._COST", 8)  # what costs a second on a board need not cost it ten times here
    sealed = seal(b"keys", PASSPHRASE)
    assert unseal(sealed, PASSPHRASE) == b"keys"
    assert b"keys" not in sealed
    for damaged in (sealed[:-1], sealed[:20] + bytes([sealed[20] ^ 1]) + sealed[21:], sealed + b"x"):
        with pytest.raises(FlashError, match="another passphrase, or the file is damaged"):
            unseal(damaged, PASSPHRASE)
    with pytest.raises(FlashError, match="another passphrase"):
        unseal(sealed, "another passphrase")
    for other in (b"", b"PITLINK\x01" + sealed[8:], sealed[:8] + b"\xff" + sealed[9:]):
        with pytest.raises(FlashError, match="no swap file"):
            unseal(other, PASSPHRASE)
    with pytest.raises(FlashError, match="too short"):
        seal(b"keys", "short")


def test_a_technicians_umask_does_not_hide_a_tables_files(tmp_path: Path) -> None:
    """What the table's user must read he can read, with new folders on the way to it; the rest stays private."""
    before = os.umask(0o077)
    try:
        unpack(
            SwappedFile("", b"a key", 0o644, "root", "root"), tmp_path / "etc" / "trust" / "house.pub", SyncedFiles()
        )
        unpack(SwappedFile("", b"staff", 0o600), tmp_path / "state" / "staff.json", SyncedFiles())
    finally:
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.rglob("*")}
    assert modes == {"etc": 0o755, "trust": 0o755, "house.pub": 0o644, "state": 0o700, "staff.json": 0o600}


def test_a_parcel_of_another_kind_is_refused() -> None:
    """A board that does not understand it says so."""
    file = SwappedFile("/x", b"", 0o600)
    swap_file = SwapFile("T1", "id", "0.1.0", (file,), file)
    assert decode(encode(swap_file)) == swap_file
    with pytest.raises(FlashError, match="does not understand"):
        decode(b"\x81\xa1x\x01")
