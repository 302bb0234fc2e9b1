"""pitlink swap replace: a new journal gets its name only with its numbers in it, however often it is begun."""

from pathlib import Path

import pytest

from cli.main import main
from controller.journal.backup import copy_to
from controller.journal.journal import Journal
from controller.journal.records import EventRecord, Moment
from games.round.events import ChipPlaced
from games.round.state import RoundState
from tests.support.flash.flash_plug import Plug, PowerCut
from tests.support.table.swap_bench import SwapBench


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """The copy of a dead board's journal."""
    journal = Journal.open(tmp_path / "dead.db")
    journal.write([EventRecord(ChipPlaced(1), None, 7, Moment(0, 0))], RoundState(round=7), snapshot=True)
    journal.close()
    copy_to(tmp_path / "dead.db", tmp_path / "backup.db")
    return tmp_path / "backup.db"


def replace(house: SwapBench, backup: Path) -> int:
    return main(["swap", "replace", "--config", str(house.config), "--backup", str(backup)])


def first_round(house: SwapBench) -> int:
    journal = Journal.look(house.state / "journal.db")
    try:
        return journal.recall()[0].round
    finally:
        journal.abandon()


def test_a_journal_without_its_numbers_never_has_the_name_of_one(
    tmp_path: Path, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that started with it would number its rounds from one again."""
    house = SwapBench(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Journal, "begin_with", cut)
        with pytest.raises(PowerCut):
            replace(house, backup)
    assert not (house.state / "journal.db").exists()
    assert replace(house, backup) == 0
    assert sorted(path.name for path in house.state.iterdir()) == ["journal-before-swap.db", "journal.db"]
    assert first_round(house) == 10_000


def cut(journal: Journal, state: RoundState) -> None:
    journal.abandon()
    raise PowerCut


def test_the_plug_pulled_at_any_step_of_a_replacement(folder: Path, backup: Path) -> None:
    """There is no journal, and the same again makes it; or it is whole."""
    (folder / "whole").mkdir()
    plug, house = Plug(), SwapBench(folder / "whole")
    with plug.in_the_way():
        assert replace(house, backup) == 0
    assert plug.steps > 4
    for at in range(1, plug.steps + 1):
        (folder / str(at)).mkdir()
        house = SwapBench(folder / str(at))
        with Plug(at).in_the_way(), pytest.raises(PowerCut):
            replace(house, backup)
        if not (house.state / "journal.db").exists():
            assert replace(house, backup) == 0
        assert first_round(house) == 10_000
