"""Journal and settings between versions: another version's are refused, and nothing that was written is lost."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.main import main
from controller.journal.file import JournalFault
from controller.journal.journal import Journal
from controller.journal.records import EventRecord, Moment
from controller.journal.rollback_copy import SET_ASIDE, keep_copy, settle
from controller.journal.schema import SCHEMA, schema_of
from games.round.events import ChipPlaced, LinkLost
from games.round.state import Phase, RoundState
from link.messages import Wagers
from tests.support.table.newer_journal import to_newer

EXAMPLE = Path(__file__).parents[3] / "config" / "table.toml"


def written(path: Path, *, entries: int = 1, state: RoundState | None = None, snapshot: bool = True) -> Path:
    """A journal with a few events and entries, as a clean stop leaves it."""
    journal = Journal.open(path)
    chips = [EventRecord(ChipPlaced(seat), None, 1, Moment(0, 0)) for seat in (1, 2)]
    begun = journal.booked_seq() + len(journal.waiting())
    sent = [
        EventRecord(LinkLost("x"), None, 1, Moment(0, 0), ((seq, Wagers(1, 100, (1,))),))
        for seq in range(begun + 1, begun + entries + 1)
    ]
    journal.write([*chips, *sent], state or RoundState(), snapshot=snapshot)
    journal.close()
    return path


def content(path: Path) -> list[str]:
    """Everything in the file, as SQLite writes it down."""
    with closing(sqlite3.connect(path)) as database:
        return list(database.iterdump())


def test_an_older_program_refuses_a_newer_journal(tmp_path: Path) -> None:
    """Which is what settle finds out before it decides."""
    path = written(tmp_path / "journal.db")
    to_newer(path)
    with pytest.raises(JournalFault, match="written by a newer Pitlink"):
        Journal.open(path)


def test_only_a_table_at_rest_is_copied_for_a_flash(tmp_path: Path) -> None:
    """A round in hand, or a stop that was none: the words say what to do first."""
    (tmp_path / "a").mkdir()
    in_hand = written(tmp_path / "a" / "journal.db", state=RoundState(phase=Phase.LOCKED))
    with pytest.raises(JournalFault, match="a round is in hand; start the table, end the round, close it, and flash"):
        keep_copy(in_hand, tmp_path / "copy.db")
    (tmp_path / "b").mkdir()
    unclean = written(tmp_path / "b" / "journal.db", snapshot=False)
    with pytest.raises(JournalFault, match="was not stopped cleanly"):
        keep_copy(unclean, tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()


def test_a_journal_that_can_be_read_goes_on(tmp_path: Path) -> None:
    """With everything the other version has added to it."""
    path, copy = written(tmp_path / "journal.db"), tmp_path / "copy.db"
    assert keep_copy(path, copy) == 3
    written(path, entries=0)
    before = content(path)
    assert settle(path, copy) == "the journal goes on as it is"
    assert content(path) == before
    assert settle(path, tmp_path / "gone.db") == "the journal goes on as it is", "it was put back already"


def test_a_journal_of_another_schema_is_set_aside(tmp_path: Path) -> None:
    """The copy goes on under its name; the other file is kept, and no run is numbered twice."""
    path, copy = written(tmp_path / "journal.db"), tmp_path / "copy.db"
    keep_copy(path, copy)
    written(path, entries=0)
    to_newer(path)
    assert f"schema {SCHEMA + 1} is of a newer version" in settle(path, copy)
    journal = Journal.open(path)
    assert (len(list(journal.lines())), journal.boot) == (3, 3)
    journal.abandon()
    assert schema_of(tmp_path / SET_ASIDE) == SCHEMA + 1


@given(cut=st.integers(0, 6))
def test_putting_back_may_be_cut_off_anywhere(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    """The same again completes it, with the write-ahead log of the other file at its side."""
    folder = tmp_path_factory.mktemp("cut")
    path, copy = written(folder / "journal.db"), folder / "copy.db"
    keep_copy(path, copy)
    to_newer(path)
    path.with_name("journal.db-wal").write_bytes(b"not ours")
    renames = iter(range(cut))
    with pytest.MonkeyPatch.context() as patch:
        rename = Path.rename

        def cut_rename(self: Path, target: Path) -> Path:
            if next(renames, None) is None:
                raise PowerError
            return rename(self, target)

        patch.setattr(Path, "rename", cut_rename)
        try:
            settle(path, copy)
        except PowerError:
            patch.undo()
            settle(path, copy)
    assert not path.with_name("journal.db-wal").exists()
    assert schema_of(path) == SCHEMA
    assert [path.exists() for path in (copy, folder / SET_ASIDE)] == [False, True]


class PowerError(Exception):
    """The plug was pulled here."""


def test_entries_for_the_meter_are_never_set_aside(tmp_path: Path) -> None:
    """The table did not open in between, so there are none; if there are, nobody throws them away."""
    path, copy = written(tmp_path / "journal.db"), tmp_path / "copy.db"
    keep_copy(path, copy)
    written(path, entries=2)
    to_newer(path)
    before = content(path)
    with pytest.raises(JournalFault, match="2 entries for the meter are not in the copy; keep both files"):
        settle(path, copy)
    assert content(path) == before


def test_a_journal_that_is_none_any_more_gives_way_to_the_copy(tmp_path: Path) -> None:
    """A new version that ruined the file has not ruined the table."""
    path, copy = written(tmp_path / "journal.db"), tmp_path / "copy.db"
    keep_copy(path, copy)
    path.write_bytes(b"ruined" * 1000)
    assert "not readable by this version" in settle(path, copy)
    journal = Journal.open(path)
    journal.abandon()


def test_a_settings_file_of_a_newer_version_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And one that says its version is read."""
    path = tmp_path / "table.toml"
    path.write_text("settings_version = 1\n" + EXAMPLE.read_text())
    assert main(["check", str(path)]) == 0
    path.write_text("settings_version = 2\n" + EXAMPLE.read_text())
    assert main(["check", str(path)]) != 0
    assert "settings_version: 2 will not do; write at most 1: a newer Pitlink wrote it" in capsys.readouterr().out


def test_the_command_that_a_flash_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """copy, forward, back, settle and settings; what stands in the way is exit 1 with words."""
    path, copy = written(tmp_path / "journal.db"), tmp_path / "copy.db"
    for words in (["copy", str(path), str(copy)], ["forward", str(path)], ["back", str(path), str(copy)]):
        assert main(["migrate", *words]) == 0
    assert main(["migrate", "settle", str(path), str(copy)]) == 0
    assert capsys.readouterr().out.endswith("the journal goes on as it is\n")
    assert main(["migrate", "settings", str(EXAMPLE)]) == 0
    assert capsys.readouterr().out == EXAMPLE.read_text()
    assert main(["migrate", "forward", str(tmp_path / "nothing.db")]) == 1
    assert main(["migrate", "settings", str(tmp_path / "nothing.toml")]) == 1


def test_the_command_refuses_forms_that_it_does_not_know(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """There is one schema and one form of settings; a file of another says which program to install."""
    path, settings = written(tmp_path / "journal.db"), tmp_path / "table.toml"
    to_newer(path)
    assert main(["migrate", "forward", str(path)]) == 1
    assert "written by a newer Pitlink; install that version" in capsys.readouterr().err
    settings.write_text("settings_version = 2\n" + EXAMPLE.read_text())
    assert main(["migrate", "settings", str(settings)]) == 1
    assert "2 is not this version's, 1; install the Pitlink that it was written for" in capsys.readouterr().err


def test_a_journal_says_which_programs_wrote_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A note at every change, none in between; one that was altered is found out (R60)."""
    path = tmp_path / "journal.db"
    for program in ("0.1.0 aa", "0.1.0 aa", "0.2.0 bb", "0.1.0 aa"):
        journal = Journal.open(path)
        journal.keep_program(program)
        journal.write([EventRecord(ChipPlaced(1), None, 1, Moment(0, 0))], RoundState())
        journal.close()
    look = Journal.look(path)
    assert [(ran.run, ran.after, ran.program) for ran in look.programs()] == [
        (1, 0, "0.1.0 aa"),
        (3, 2, "0.2.0 bb"),
        (4, 3, "0.1.0 aa"),
    ]
    look.abandon()
    assert main(["journal", "verify", str(path)]) == 0
    assert "pitlink 0.2.0 bb: from start 3 on, after event 2" in capsys.readouterr().out
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE programs SET program = '0.2.0 cc' WHERE run = 3")
    assert main(["journal", "verify", str(path)]) == 1
    assert "the program's note of run 3 was altered" in capsys.readouterr().err
