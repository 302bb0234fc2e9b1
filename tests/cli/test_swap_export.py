"""pitlink swap export: nothing is written between copy and lock, and a file that may exist keeps the board locked."""

import errno
import getpass
import os
from pathlib import Path

import pytest

from cli import swap
from cli.main import main
from common import files as disk
from controller.journal.file import JournalFault
from controller.journal.journal import Journal
from controller.journal.records import EventRecord, Moment
from flashing import swap_file
from flashing.errors import FlashError
from flashing.swap_file import decode, seal, unseal
from games.round.events import ChipPlaced
from games.round.state import RoundState
from tests.support.table.swap_bench import PASSPHRASE, SwapBench


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SwapBench:
    """A board whose table was closed and stopped."""
    monkeypatch.setattr("flashing.swap_file._COST", 4)
    house = SwapBench(tmp_path)
    house.write_journal()
    return house


def write_an_event(house: SwapBench) -> None:
    journal = Journal.open(house.state / "journal.db")
    journal.write([EventRecord(ChipPlaced(1), None, 1, Moment(0, 0))], RoundState(), snapshot=True)
    journal.close()


def is_locked(house: SwapBench) -> bool:
    try:
        Journal.open(house.state / "journal.db").close()
    except JournalFault as fault:
        return "handed over" in str(fault)
    return False


def fail_to_sync(folder: Path) -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO), str(folder))


def test_what_is_written_while_somebody_types_the_passphrase_is_in_the_file(
    house: SwapBench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The passphrase comes first, the copy after it."""
    words = iter([PASSPHRASE, PASSPHRASE])

    def typed(_prompt: str) -> str:
        write_an_event(house)
        return next(words)

    monkeypatch.setattr(getpass, "getpass", typed)
    assert main(["swap", "export", str(house.file), "--config", str(house.config)]) == 0
    parcel = decode(unseal(house.file.read_bytes(), PASSPHRASE))
    (tmp_path / "copy.db").write_bytes(parcel.journal.data)
    copy = Journal.look(tmp_path / "copy.db")
    assert copy.last_number == 2
    copy.abandon()


def test_no_table_starts_between_the_copy_and_the_lock(house: SwapBench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sealing takes a while, and an event of that time would be on the locked board only."""

    def slow_seal(content: bytes, passphrase: str) -> bytes:
        with pytest.raises(JournalFault, match="another process runs this table"):
            write_an_event(house)
        return seal(content, passphrase)

    monkeypatch.setattr(swap, "seal", slow_seal)
    assert house.export() == 0


def test_a_file_whose_folder_cannot_be_synced_is_taken_back_before_the_board_is_unlocked(
    house: SwapBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has its name already then: file and board together would be two tables."""
    house.file.parent.mkdir()
    monkeypatch.setattr(disk, "sync", fail_to_sync)
    assert house.export() == 1
    assert list(house.file.parent.iterdir()) == []
    assert not is_locked(house)


def test_a_board_stays_locked_if_the_file_may_be_there(
    house: SwapBench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Somebody has pulled the stick: nobody knows what is on it."""
    remove = os.unlink

    def pulled(name: str, *, dir_fd: int | None = None) -> None:
        if dir_fd is not None:
            raise OSError(errno.EIO, os.strerror(errno.EIO), name)
        remove(name)

    monkeypatch.setattr(disk, "sync", fail_to_sync)
    monkeypatch.setattr(os, "unlink", pulled)
    assert house.export() == 1
    assert "may be there, so this board stays locked; export to another stick" in capsys.readouterr().err
    assert is_locked(house)


def test_a_failed_second_export_does_not_unlock_the_board(
    house: SwapBench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another board may have the first file."""
    assert house.export() == 0
    house.file.rename(house.folder / "taken-away.swap")
    monkeypatch.setattr(disk, "sync", fail_to_sync)
    assert house.export() == 1
    assert "was locked before and stays so" in capsys.readouterr().err
    assert is_locked(house)


def test_the_copy_is_made_beside_the_journal(house: SwapBench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder for passing files is memory on a board; nothing is left beside the journal, either."""
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")
    before = {path.name for path in house.state.iterdir()}
    assert house.export() == 0
    assert {path.name for path in house.state.iterdir()} == before


def test_a_table_too_large_for_a_file_is_told_before_the_lock(
    house: SwapBench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The seal takes less than two gigabytes."""
    monkeypatch.setattr(swap_file, "LARGEST_BYTES", 10)
    assert house.export() == 1
    assert "do not fit into a swap file" in capsys.readouterr().err
    assert not is_locked(house)
    with pytest.raises(FlashError, match="do not fit"):
        seal(bytes(11), PASSPHRASE)
