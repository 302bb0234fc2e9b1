"""The meter's staff file and key: who is in it, what is secret, and what closes."""

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from common.auth.directory import DirectoryFault, NoDirectory, open_directory
from common.auth.roles import Role
from common.files import write_privately
from meter.staff.book import StaffBook
from meter.staff.changes import AddPerson, FirstPersons, RemovePerson
from meter.staff.keeper import KEY_FILE, STAFF_FILE, STAGED, StaffKeeper
from meter.store.audit_log import StaffChanged
from tests.support.meter.staff_pins import ANN, DAN, STAFF_KEY, SUE, give_staff

NOW_MS = int(datetime(2026, 11, 18, 12, tzinfo=UTC).timestamp() * 1000)


def line(directory: int) -> StaffChanged:
    """What the floor's book says of a directory whose file is another."""
    return StaffChanged("Sue", "Ann", "added somebody", directory, "")


@pytest.fixture
def keeper(tmp_path: Path) -> StaffKeeper:
    give_staff(tmp_path)
    return StaffKeeper(tmp_path, lambda: NOW_MS)


def test_the_right_pin_of_the_right_person_gives_the_secret_that_the_meter_keeps(keeper: StaffKeeper) -> None:
    """Another one's PIN, no PIN and a longer one give nothing."""
    person = keeper.directory().person(SUE.number)
    kept = keeper.secret_of(SUE.number)
    assert person is not None
    assert kept is not None
    assert (kept.name, kept.role, kept.secret) == ("Sue", Role.SUPERVISOR, person.secret(SUE.pin))
    assert [person.secret(pin) for pin in (DAN.pin, "", f"0{SUE.pin}")] == [None] * 3
    assert keeper.secret_of("999") is None


def test_somebody_whose_time_is_over_proves_nothing(tmp_path: Path, keeper: StaffKeeper) -> None:
    """The last day counts, the next does not."""
    book = keeper.book()
    for day, still in (("2026-11-18", True), ("2026-11-17", False)):
        people = tuple(replace(person, expires_on=day) for person in book.directory.people)
        write_privately(
            tmp_path / STAFF_FILE, keeper.content(StaffBook(replace(book.directory, people=people), book.secrets))
        )
        assert (keeper.secret_of(SUE.number) is not None) is still


def test_files_are_the_meters_alone_and_hold_no_pin(tmp_path: Path, keeper: StaffKeeper) -> None:
    """Mode 600; what tables get holds neither a PIN nor a secret."""
    for name in (STAFF_FILE, KEY_FILE):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    assert SUE.pin not in (tmp_path / STAFF_FILE).read_text()
    secret = keeper.secret_of(SUE.number)
    assert secret is not None
    assert secret.secret.hex() not in str(open_directory(keeper.sealed(), keeper.table_key()))


def test_a_new_directory_is_on_disk_for_good_and_counts_at_once(
    tmp_path: Path, keeper: StaffKeeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is synced after the change of names; what a power cut left is used up by the next one."""
    (tmp_path / f".{STAGED}.pitlink-new").write_bytes(b"half a")
    steps: list[str] = []
    replaced, fsync = Path.replace, os.fsync

    def note_replace(draft: Path, path: Path) -> Path:
        steps.append("replaced")
        return replaced(draft, path)

    def note_sync(handle: int) -> None:
        steps.append("folder synced" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file synced")
        fsync(handle)

    assert keeper.directory().person("5001") is None
    monkeypatch.setattr(Path, "replace", note_replace)
    monkeypatch.setattr(os, "fsync", note_sync)
    keeper.finish(keeper.stage(AddPerson("5001", "Eve", Role.DEALER, "864213"), "Sue", "Ann"))
    assert steps == ["file synced", "replaced", "folder synced", "replaced", "folder synced"]
    assert keeper.directory().person("5001") is not None
    assert sorted(file.name for file in tmp_path.iterdir()) == [STAFF_FILE, KEY_FILE]


def test_a_directory_that_was_never_made_is_no_fault_of_the_files(tmp_path: Path) -> None:
    """One that the ledger knows of is: it closes, whatever is missing."""
    with pytest.raises(NoDirectory, match="pitlink staff init"):
        StaffKeeper(tmp_path, lambda: NOW_MS).directory()
    with pytest.raises(DirectoryFault, match="restore the file") as fault:
        StaffKeeper(tmp_path, lambda: NOW_MS, line(1)).directory()
    assert not isinstance(fault.value, NoDirectory)


@pytest.mark.parametrize("spoilt", [b"", b"[{", b'{"signed": {"directory": "", "signature": ""}, "secrets": {}}'])
def test_a_damaged_file_closes_at_once(tmp_path: Path, keeper: StaffKeeper, spoilt: bytes) -> None:
    """Also one that was read a moment ago."""
    assert keeper.directory().people
    (tmp_path / STAFF_FILE).write_bytes(spoilt)
    with pytest.raises(DirectoryFault) as fault:
        keeper.directory()
    assert not isinstance(fault.value, NoDirectory)


def test_a_changed_person_breaks_the_signature(tmp_path: Path, keeper: StaffKeeper) -> None:
    """A dealer whom an editor makes a supervisor is nobody."""
    text = (tmp_path / STAFF_FILE).read_text()
    (tmp_path / STAFF_FILE).write_text(text.replace("dealer", "supervisor"))
    with pytest.raises(DirectoryFault, match="not signed"):
        keeper.directory()


def test_an_older_directory_than_the_ledger_knows_closes(tmp_path: Path) -> None:
    """A file from last week would bring back who was removed since."""
    give_staff(tmp_path, number=7)
    assert StaffKeeper(tmp_path, lambda: NOW_MS, line(7)).directory().number == 7
    with pytest.raises(DirectoryFault, match="number 7, but the ledger knows of number 8"):
        StaffKeeper(tmp_path, lambda: NOW_MS, line(8)).directory()


def test_the_key_is_made_once(tmp_path: Path) -> None:
    """A second key would shut every table's copy out."""
    keeper = StaffKeeper(tmp_path / "new", lambda: NOW_MS)
    with pytest.raises(DirectoryFault, match="pitlink staff key"):
        keeper.table_key()
    keeper.make_key()
    assert len(keeper.table_key()) == len(STAFF_KEY)
    with pytest.raises(DirectoryFault, match="already"):
        keeper.make_key()
    (tmp_path / "new" / KEY_FILE).write_text("no key")
    with pytest.raises(DirectoryFault, match="not a signing key"):
        keeper.table_key()


@pytest.mark.parametrize("when", ["before the line", "after the line"])
def test_after_a_power_cut_the_book_says_which_directory_counts(tmp_path: Path, keeper: StaffKeeper, when: str) -> None:
    """The line in the floor's book decides, whatever the files had come to."""
    written = keeper.stage(RemovePerson(DAN.number), "Sue", "Ann")
    after = StaffKeeper(tmp_path, lambda: NOW_MS, written if when == "after the line" else line(1))
    assert (after.directory().person(DAN.number) is None) is (when == "after the line")
    assert (tmp_path / STAGED).exists() is (when == "before the line")
    assert (written.what, written.directory) == ("removed Dan (number 1001)", 2)


def test_the_first_two_begin_the_directory(tmp_path: Path) -> None:
    """Its number is 1, and both can sign in."""
    keeper = StaffKeeper(tmp_path, lambda: NOW_MS)
    keeper.make_key()
    first, second = (AddPerson(each.number, each.name, each.role, each.pin) for each in (SUE, ANN))
    written = keeper.stage(FirstPersons((first, second)), "Sue", "Ann")
    with pytest.raises(NoDirectory):
        keeper.directory()
    keeper.finish(written)
    assert [person.name for person in keeper.directory().people] == ["Sue", "Ann"]
    assert keeper.directory().number == 1
    assert keeper.secret_of(ANN.number) is not None
