"""Another board, another version, and a journal whose beginning is in volumes: nothing is lost or counted twice."""

from pathlib import Path

import pytest

from cli.main import main
from controller.journal.archive import archive
from controller.journal.backup import copy_to
from controller.journal.journal import Journal
from controller.journal.rollback_copy import keep_copy, settle
from games.round.events import ChipPlaced, ChipsCounted, EndOfRoundPressed, LockOutPressed, TableClosed
from tests.support.table.old_books import ALL, OldBooks, rows_of, volumes_in
from tests.support.table.swap_bench import SwapBench


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SwapBench:
    """A board whose table was closed and stopped, with two old rounds in a volume and an entry that waits."""
    monkeypatch.setattr("flashing.swap_file._COST", 4)
    house = SwapBench(tmp_path)
    house.state.mkdir()
    books = OldBooks(house.state / "journal.db", tmp_path / "twin.db")
    books.rounds(2)
    archive(house.state / "journal.db", tmp_path / "archive", ALL)
    books.must(ChipPlaced(1), LockOutPressed(), ChipsCounted(1), EndOfRoundPressed(), TableClosed("Sue", "night"))
    books.close()
    return house


def is_whole(house: SwapBench) -> None:
    """Volumes and journal are the twin, and the table starts with what waits."""
    assert rows_of(*volumes_in(house.folder / "archive"), house.state / "journal.db") == rows_of(
        house.folder / "twin.db"
    )
    journal = Journal.open(house.state / "journal.db")
    assert [letter.seq for letter in journal.waiting()] == [3]
    assert journal.recall()[0].round == 3
    journal.close()


def test_an_archived_journal_moves_to_another_board(house: SwapBench, capsys: pytest.CaptureFixture[str]) -> None:
    """The export names what stays behind; the new board goes on, and the old one may take the table back."""
    assert house.export() == 0
    assert f"not in it: events 1 to 14 are in {volumes_in(house.folder / 'archive')[0]}" in capsys.readouterr().out
    house.fresh_board("old")
    assert house.take_over() == 0
    is_whole(house)
    assert house.export() == 0
    house.put_back("old")
    assert house.take_over() == 0
    is_whole(house)


def test_a_board_that_was_away_too_long_is_told_what_to_do(
    house: SwapBench, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its last event is in a volume of the other board: nobody can compare, so nobody guesses."""
    assert house.export() == 0
    house.fresh_board("old")
    assert house.take_over() == 0
    books = OldBooks(house.state / "journal.db")
    books.table.state = books.journals[0].recall()[0]
    books.book()
    books.rounds(2)
    archive(house.state / "journal.db", house.folder / "archive", ALL)
    books.must(TableClosed("Sue", "night"))
    books.close()
    assert house.export() == 0
    house.put_back("old")
    assert house.take_over() == 1
    assert "move journal.db away, keep it, and import again" in capsys.readouterr().err
    (house.state / "journal.db").rename(house.folder / "kept.db")
    assert house.take_over() == 0


def test_a_dead_board_is_replaced_from_the_copy_of_an_archived_journal(
    house: SwapBench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With what waited; a volume is no such copy, for its numbers are long used up."""
    copy_to(house.state / "journal.db", tmp_path / "backup.db")
    house.fresh_board("dead")
    house.put_back("dead")
    (house.state / "journal.db").unlink()
    words = ["swap", "replace", "--config", str(house.config), "--backup"]
    assert main([*words, str(volumes_in(tmp_path / "archive")[0])]) == 1
    assert "name the newest copy of the journal itself" in capsys.readouterr().err
    assert main([*words, str(tmp_path / "backup.db")]) == 0
    assert "1 entries waited for the meter" in capsys.readouterr().out


def test_a_flash_that_goes_back_keeps_an_archived_journal(house: SwapBench) -> None:
    """Where both versions know volumes, what the meter was sent is counted with them."""
    path, copy = house.state / "journal.db", house.state / "copy.db"
    keep_copy(path, copy)
    assert settle(path, copy) == "the journal goes on as it is"
    path.write_bytes(b"ruined" * 1000)
    assert "not readable by this version" in settle(path, copy)
    is_whole(house)
