"""The plug is pulled at every step of handing a table over: never two boards that start, never half a table."""

from pathlib import Path

import pytest

from common.settings import SettingsError
from controller.journal.file import JournalFault
from controller.journal.journal import Journal
from controller.journal.records import EventRecord, Moment
from controller.settings.table import load
from games.round.events import ChipPlaced
from games.round.state import RoundState
from tests.support.flash.flash_plug import Plug, PowerCut
from tests.support.table.swap_bench import SwapBench


def furnished(folder: Path) -> SwapBench:
    """A board whose table has written something, closed and stopped."""
    folder.mkdir()
    house = SwapBench(folder)
    house.state.mkdir()
    journal = Journal.open(house.state / "journal.db")
    journal.write([EventRecord(ChipPlaced(1), None, 1, Moment(0, 0))], RoundState(), snapshot=True)
    journal.close()
    return house


def can_start(house: SwapBench) -> bool:
    """Whether a table would come up on this board, with this table's journal."""
    try:
        load(house.config)
        journal = Journal.open(house.state / "journal.db")
    except (SettingsError, JournalFault):
        return False
    assert journal.last_number == 1, "a table that starts has its whole journal"
    journal.close()
    return True


@pytest.fixture(autouse=True)
def _cheap_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow key is for thieves, not for hundreds of cuts."""
    monkeypatch.setattr("flashing.swap_file._COST", 4)


def test_the_plug_pulled_at_any_step_of_an_export(folder: Path) -> None:
    """As soon as there is a file the old board is locked; the same again completes it."""
    plug, house = Plug(), furnished(folder / "whole")
    with plug.in_the_way():
        assert house.export() == 0
    assert plug.steps > 4
    for at in range(1, plug.steps + 1):
        house = furnished(folder / str(at))
        with Plug(at).in_the_way(), pytest.raises(PowerCut):
            house.export()
        assert not (house.file.exists() and can_start(house)), f"two boards at step {at}"
        assert house.export() == 0
        assert house.file.exists()
        assert not can_start(house)


def test_the_plug_pulled_at_any_step_of_an_import(folder: Path) -> None:
    """Before the last step nothing starts; the same again completes it, and then the table is whole."""
    house = furnished(folder / "house")
    house.export()
    house.fresh_board("old")
    plug = Plug()
    with plug.in_the_way():
        assert house.take_over() == 0
    assert plug.steps > 10
    for at in range(1, plug.steps + 1):
        house.fresh_board(f"cut-{at}")
        with Plug(at).in_the_way(), pytest.raises(PowerCut):
            house.take_over()
        can_start(house)
        assert house.take_over() == 0
        assert can_start(house)


def test_a_file_comes_back_to_the_board_that_it_left(folder: Path) -> None:
    """A swap that was called off: the old board imports its own file and starts again."""
    house = furnished(folder / "house")
    house.export()
    assert not can_start(house)
    assert house.take_over() == 0
    assert can_start(house)
