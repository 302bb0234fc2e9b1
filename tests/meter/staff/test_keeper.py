"""The meter's staff file and key: who is in it, what is secret, and what closes."""

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from common.auth.directory import Directory, DirectoryFault, NoDirectory
from common.auth.roles import Role
from meter.staff.book import StaffBook, with_person
from meter.staff.keeper import KEY_FILE, STAFF_FILE, StaffKeeper
from tests.support.staff_pins import DAN, FAST, STAFF_KEY, SUE, give_staff, staff_book

NOW_MS = int(datetime(2026, 11, 18, 12, tzinfo=UTC).timestamp() * 1000)


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


def test_somebody_whose_time_is_over_proves_nothing(keeper: StaffKeeper) -> None:
    """The last day counts, the next does not."""
    book = keeper.book()
    for day, still in (("2026-11-18", True), ("2026-11-17", False)):
        people = tuple(replace(person, expires_on=day) for person in book.directory.people)
        keeper.keep(StaffBook(replace(book.directory, people=people), book.secrets))
        assert (keeper.secret_of(SUE.number) is not None) is still


def test_files_are_the_meters_alone_and_hold_no_pin(tmp_path: Path, keeper: StaffKeeper) -> None:
    """Mode 600; what tables get holds neither a PIN nor a secret."""
    for name in (STAFF_FILE, KEY_FILE):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    assert SUE.pin not in (tmp_path / STAFF_FILE).read_text()
    secret = keeper.secret_of(SUE.number)
    assert secret is not None
    assert secret.secret.hex() not in keeper.signed().decode()


def test_a_new_directory_is_on_disk_for_good_and_counts_at_once(
    tmp_path: Path, keeper: StaffKeeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is synced after the change of names; what a power cut left is used up by the next one."""
    (tmp_path / f".{STAFF_FILE}.pitlink-new").write_bytes(b"half a")
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
    keeper.keep(with_person(keeper.book(), "5001", "Eve", Role.DEALER, "864213", cost=FAST))
    assert steps == ["file synced", "replaced", "folder synced"]
    assert keeper.directory().person("5001") is not None
    assert sorted(file.name for file in tmp_path.iterdir()) == [STAFF_FILE, KEY_FILE]


def test_a_directory_that_was_never_made_is_no_fault_of_the_files(tmp_path: Path) -> None:
    """One that the ledger knows of is: it closes, whatever is missing."""
    with pytest.raises(NoDirectory, match="pitlink staff init"):
        StaffKeeper(tmp_path, lambda: NOW_MS).directory()
    with pytest.raises(DirectoryFault, match="restore the file") as fault:
        StaffKeeper(tmp_path, lambda: NOW_MS, least=1).directory()
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
    assert StaffKeeper(tmp_path, lambda: NOW_MS, least=7).directory().number == 7
    with pytest.raises(DirectoryFault, match="number 7, but the ledger knows of number 8"):
        StaffKeeper(tmp_path, lambda: NOW_MS, least=8).directory()


def test_the_key_is_made_once(tmp_path: Path) -> None:
    """A second key would shut every table's copy out."""
    keeper = StaffKeeper(tmp_path / "new", lambda: NOW_MS)
    with pytest.raises(DirectoryFault, match="pitlink staff key"):
        keeper.public_key()
    keeper.make_key()
    assert len(keeper.public_key()) == len(STAFF_KEY)
    with pytest.raises(DirectoryFault, match="already"):
        keeper.make_key()
    (tmp_path / "new" / KEY_FILE).write_text("no key")
    with pytest.raises(DirectoryFault, match="not a signing key"):
        keeper.public_key()


@pytest.mark.parametrize(
    ("number", "name", "pin", "words"),
    [
        ("12", "Eve", "864213", "3 to 10 digits"),
        ("abc", "Eve", "864213", "3 to 10 digits"),
        (SUE.number, "Eve", "864213", "Sue's already"),
        ("5001", "sue", "864213", "has this name already"),
        *[("5001", name, "864213", "as a name") for name in ("", "x" * 33, "1st", "a\nb", "<b>")],
        *[("5001", "Eve", pin, "6 to 12 digits") for pin in ("", "12345", "12a456", "1" * 13, "١٢٣٤٥٦")],
        *[("5001", "Eve", pin, "too easy") for pin in ("111111", "123456", "987654", "789012")],
    ],
)
def test_odd_numbers_names_and_pins_are_refused(number: str, name: str, pin: str, words: str) -> None:
    """A name goes into journals and onto paper; a number and a name are one person's."""
    with pytest.raises(DirectoryFault, match=words):
        with_person(staff_book(), number, name, Role.DEALER, pin, cost=FAST)


def test_two_persons_with_one_pin_have_different_checks() -> None:
    """Salted: nobody sees that they share it."""
    book = with_person(StaffBook(Directory()), "5001", "Eve", Role.DEALER, "864213", cost=FAST)
    book = with_person(book, "5002", "Ivo", Role.DEALER, "864213", cost=FAST)
    assert len({person.check for person in book.directory.people}) == 2
