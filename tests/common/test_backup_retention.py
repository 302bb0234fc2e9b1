"""A folder of copies: old ones make room before the next is written, and the last one is never dropped."""

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from common.backup_retention import RESERVE_BYTES, NoRoom, RotatedCopies


@pytest.fixture
def copies(tmp_path: Path) -> RotatedCopies:
    """Three copies of ten bytes."""
    for day in (1, 2, 3):
        (tmp_path / f"book-{day}.db").write_bytes(bytes(10))
    return RotatedCopies(tmp_path, "book-*.db", "book-*.part*")


def names(copies: RotatedCopies) -> list[str]:
    return sorted(path.name for path in copies.folder.iterdir())


def disk_of(size: int, copies: RotatedCopies, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk with so many bytes beside the reserve."""

    def usage(folder: Path) -> SimpleNamespace:
        taken = sum(path.stat().st_size for path in copies.folder.iterdir())
        return SimpleNamespace(free=RESERVE_BYTES + size - taken)

    monkeypatch.setattr(shutil, "disk_usage", usage)


def test_old_copies_go_before_the_next_is_made(copies: RotatedCopies) -> None:
    """One less than shall stay, so that the next one has its place."""
    copies.make_room(10, keep=3)
    assert names(copies) == ["book-2.db", "book-3.db"]
    copies.make_room(10, keep=3)
    assert names(copies) == ["book-2.db", "book-3.db"], "failing again and again eats no copies"


def test_the_last_copy_stays_until_there_is_another(copies: RotatedCopies) -> None:
    """Whoever keeps one has two for a moment."""
    copies.make_room(10, keep=1)
    assert names(copies) == ["book-3.db"]
    made = copies.folder / "book-1.db"
    made.touch()
    copies.drop_old(made, keep=1)
    assert names(copies) == ["book-1.db"]


def test_what_a_power_cut_left_goes_first(copies: RotatedCopies) -> None:
    """With everything SQLite puts beside it."""
    for end in ("", "-journal", "-wal", "-shm"):
        (copies.folder / f"book-4.part{end}").touch()
    copies.make_room(10, keep=9)
    assert names(copies) == ["book-1.db", "book-2.db", "book-3.db"]


def test_a_tight_disk_gets_its_room_from_the_oldest_copies(
    copies: RotatedCopies, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty-five bytes hold one copy of ten and a new one of fifteen."""
    disk_of(25, copies, monkeypatch)
    copies.make_room(15, keep=9)
    assert names(copies) == ["book-3.db"]


def test_a_copy_that_would_touch_the_reserve_is_refused(copies: RotatedCopies, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest copy stays even then."""
    disk_of(25, copies, monkeypatch)
    with pytest.raises(NoRoom, match="no room for a copy of 1 MB with 128 MB left free; free some space"):
        copies.make_room(16, keep=9)
    assert names(copies) == ["book-3.db"]
