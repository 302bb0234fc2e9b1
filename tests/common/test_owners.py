"""What root leaves behind among a daemon's files is the daemon's."""

import os
from pathlib import Path

import pytest

from common.files import make_folder, write_privately
from controller.journal.file import JournalFault, hold
from meter.store.open import open_store

DAEMON = 4_321
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A daemon's state directory."""
    folder = tmp_path / "state"
    folder.mkdir()
    os.chown(folder, DAEMON, DAEMON)
    return folder


def owner(path: Path) -> tuple[int, int]:
    return path.stat().st_uid, path.stat().st_gid


def test_a_private_file_belongs_to_its_folders_owner(state: Path) -> None:
    """Also where root had left one of his own."""
    file = state / "staff.json"
    file.write_bytes(b"root's")
    write_privately(file, b"[]")
    assert owner(file) == (DAEMON, DAEMON)
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_file_in_roots_folder_keeps_its_owner(tmp_path: Path) -> None:
    """A staff file in /etc stays readable to the daemon that reads it."""
    file = tmp_path / "staff.json"
    file.write_bytes(b"[]")
    os.chown(file, DAEMON, DAEMON)
    write_privately(file, b"[]")
    assert owner(file) == (DAEMON, DAEMON)


def test_the_journals_lock_belongs_to_its_folders_owner(state: Path) -> None:
    """The table can take it afterwards."""
    hold(state / "journal.db").close()
    assert owner(state / "journal.lock") == (DAEMON, DAEMON)


def test_a_link_in_the_daemons_folder_gives_nothing_away(state: Path, tmp_path: Path) -> None:
    """Root neither empties nor gives away what the daemon's user points at."""
    (tmp_path / "shadow").write_bytes(b"secret")
    (state / "journal.lock").symlink_to(tmp_path / "shadow")
    with pytest.raises(JournalFault):
        hold(state / "journal.db")
    assert owner(tmp_path / "shadow") == (0, 0)
    assert (tmp_path / "shadow").read_bytes() == b"secret"


def test_a_new_folder_belongs_to_the_owner_of_the_one_around_it(state: Path) -> None:
    """Every one that was missing."""
    make_folder(state / "floor" / "T1")
    assert {owner(state / "floor"), owner(state / "floor" / "T1")} == {(DAEMON, DAEMON)}


def test_the_ledgers_lock_belongs_to_its_folders_owner(state: Path) -> None:
    """The meter can take it after root has applied terms."""
    store = open_store(str(state / "ledger.sqlite"))
    store.close()
    assert owner(state / "ledger.sqlite.lock") == (DAEMON, DAEMON)
