"""The table's copy of the staff directory: what is taken, what is not, and what stays."""

import os
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from common.auth.directory import Directory, DirectoryFault, seal_directory, sign_directory, table_key
from controller.meter_link.staff_copy import COPY, StaffCopy
from link.messages import MAX_STAFF_BYTES
from meter.staff.book import StaffBook
from meter.staff.changes import MOST_PEOPLE, AddPerson, with_person
from tests.support.meter.staff_pins import DAN, FAST, KEY, STAFF_KEY, SUE, give_copy, sealed, staff_book

DAY_MS = 86_400_000
OTHER = Ed25519PrivateKey.from_private_bytes(b"\x02" * 32)


def from_meter(number: int, key: Ed25519PrivateKey = KEY) -> bytes:
    """Everybody, in a directory of this number."""
    return sealed(staff_book(number=number).directory, key)


FORGED = seal_directory(sign_directory(staff_book(number=9).directory, OTHER), KEY)
"""Sealed by somebody who stole a board's settings: he has no key to sign with."""


@pytest.fixture
def copy(tmp_path: Path) -> StaffCopy:
    return StaffCopy(tmp_path, STAFF_KEY)


def test_only_a_higher_number_is_taken(copy: StaffCopy) -> None:
    """An old message that a broker kept, or a thief sends again, brings nobody back."""
    assert copy.take(from_meter(5)) == ""
    assert "it is not taken" in copy.take(from_meter(4))
    assert copy.take(from_meter(5)) == ""
    assert copy.directory().number == 5
    assert copy.take(from_meter(6)) == ""
    assert copy.directory().number == 6


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"\xff",
        FORGED,
        from_meter(9, OTHER),
        from_meter(9)[:-1] + b"\x00",
    ],
)
def test_what_the_meter_did_not_sign_is_not_taken(copy: StaffCopy, content: bytes) -> None:
    """The copy stays as it was, and counts."""
    copy.take(from_meter(5))
    assert copy.take(content)
    assert copy.directory().number == 5


def test_a_damaged_copy_closes_and_the_meters_next_word_mends_it(copy: StaffCopy, tmp_path: Path) -> None:
    """Whatever its number is."""
    copy.take(from_meter(5))
    (tmp_path / COPY).write_bytes(b"[{")
    with pytest.raises(DirectoryFault, match="is damaged"):
        copy.directory()
    assert copy.take(from_meter(5)) == ""
    assert copy.directory().number == 5


def test_without_a_key_or_a_copy_nobody_signs_in_and_the_words_say_what_to_do(tmp_path: Path) -> None:
    """A key that is not in the settings takes no copy, either."""
    with pytest.raises(DirectoryFault, match="the meter sends the staff directory"):
        StaffCopy(tmp_path, STAFF_KEY).directory()
    without = StaffCopy(tmp_path, "")
    with pytest.raises(DirectoryFault, match="write staff_key"):
        without.directory()
    assert without.take(from_meter(5)) == ""
    assert not (tmp_path / COPY).exists()


def test_a_copy_with_another_key_is_nobodys(tmp_path: Path) -> None:
    """A directory that somebody signed himself lets nobody in."""
    give_copy(tmp_path)
    with pytest.raises(DirectoryFault, match="compare staff_key"):
        StaffCopy(tmp_path, table_key(OTHER)).directory()


def test_a_copy_that_the_meter_did_not_confirm_for_long_is_told_of(copy: StaffCopy, tmp_path: Path) -> None:
    """Hearing of the meter confirms it; it never closes."""
    assert copy.staleness(0, 7) == ""
    copy.take(from_meter(5))
    written_ms = (tmp_path / COPY).stat().st_mtime_ns // 1_000_000
    assert copy.staleness(written_ms + 7 * DAY_MS - 1, 7) == ""
    assert "7 days ago" in copy.staleness(written_ms + 7 * DAY_MS, 7)
    assert copy.staleness(written_ms + 70 * DAY_MS, 0) == ""
    os.utime(tmp_path / COPY, (0, 0))
    copy.touch(written_ms)
    assert copy.staleness(written_ms + DAY_MS, 7) == ""
    assert copy.directory().number == 5


def test_500_persons_fit_into_one_message() -> None:
    """With the longest names, badges and days."""
    person = with_person(
        StaffBook(), AddPerson(DAN.number, "X" * 32, SUE.role, SUE.pin, badge="1", expires_on="2030-12-31"), FAST
    ).directory.people[0]
    assert len(sealed(Directory(10**9, (person,) * MOST_PEOPLE))) < MAX_STAFF_BYTES
