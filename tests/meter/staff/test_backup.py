"""Backups hold the staff, too: who is in it, by which PINs and codes, and the key that signs it."""

from pathlib import Path

import pytest

from cli.main import main
from meter.settings import read_meter_settings
from meter.staff.backup import SUFFIX
from meter.staff.changes import RemovePerson
from meter.staff.keeper import KEY_FILE, STAFF_FILE, STAGED, StaffKeeper
from meter.store.audit_log import StaffChanged, append
from meter.store.sqlite import SqliteStore
from tests.support.meter.meter_bench import NOW_MS, MeterBench
from tests.support.meter.meter_settings import GOOD
from tests.support.meter.staff_pins import DAN, EVERYBODY, SUE, give_staff


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A meter with its staff, and a folder for another one."""
    folder = tmp_path / "meter"
    folder.mkdir()
    path = folder / "meter.toml"
    path.write_text(GOOD.replace("ledger.sqlite", str(folder / "ledger.sqlite")))
    store = SqliteStore(folder / "ledger.sqlite")
    MeterBench(store, *read_meter_settings(path).links)
    store.close()
    give_staff(folder)
    return path


def other_meter(tmp_path: Path) -> Path:
    path = tmp_path / "other" / "meter.toml"
    path.parent.mkdir()
    path.write_text(GOOD.replace("ledger.sqlite", str(path.parent / "ledger.sqlite")))
    return path


def backup(action: str, file: Path, config: Path, *more: str) -> int:
    return main(["backup", action, str(file), "--config", str(config), *more])


def test_a_restored_meter_knows_its_staff_by_the_same_pins_and_key(config: Path, tmp_path: Path) -> None:
    """On a new machine: the same secrets, the key that every table's settings name, and files of mode 600."""
    file, other = tmp_path / "day.ledger", other_meter(tmp_path)
    assert backup("make", file, config) == 0
    assert backup("restore", file, other) == 0
    before, after = (StaffKeeper(path.parent, lambda: NOW_MS) for path in (config, other))
    assert after.book() == before.book()
    assert after.table_key() == before.table_key()
    known = after.secret_of(SUE.number)
    assert known is not None
    assert known.secret == SUE.secret
    private = [other.parent / STAFF_FILE, other.parent / KEY_FILE, file.with_name(file.name + SUFFIX)]
    assert {path.stat().st_mode & 0o777 for path in private} == {0o600}


def test_a_restore_leaves_the_staff_that_is_there(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever was removed after the backup does not come back with it."""
    file, other = tmp_path / "day.ledger", other_meter(tmp_path)
    assert backup("make", file, config) == 0
    give_staff(other.parent, *(each for each in EVERYBODY if each is not DAN), number=2)
    assert backup("restore", file, other) == 0
    assert "staff.json and staff.key" in capsys.readouterr().out
    assert StaffKeeper(other.parent, lambda: NOW_MS).secret_of(DAN.number) is None


def test_a_change_between_its_line_and_its_file_is_copied_as_the_line_says(config: Path, tmp_path: Path) -> None:
    """A power cut between the two leaves the staged file: that is the directory that counts."""
    keeper = StaffKeeper(config.parent, lambda: NOW_MS)
    line: StaffChanged = keeper.stage(RemovePerson(DAN.number), "Sue", "Ann")
    store = SqliteStore(config.parent / "ledger.sqlite")
    append(store, line, NOW_MS)
    store.close()
    assert (config.parent / STAGED).exists()
    file, other = tmp_path / "day.ledger", other_meter(tmp_path)
    assert backup("make", file, config) == 0
    assert backup("restore", file, other) == 0
    assert StaffKeeper(other.parent, lambda: NOW_MS, line).directory().person(DAN.number) is None


def test_old_copies_of_the_staff_go_with_their_ledgers(config: Path, tmp_path: Path) -> None:
    """A folder of copies holds one of each."""
    folder = tmp_path / "copies"
    folder.mkdir()
    for _ in range(4):
        assert backup("make", folder, config, "--keep", "2") == 0
    ledgers = {path.name for path in folder.glob("ledger-*.sqlite")}
    assert {path.name for path in folder.glob(f"*{SUFFIX}")} == {f"{name}{SUFFIX}" for name in ledgers}
    assert len(ledgers) == 2


def test_a_meter_without_a_directory_is_told_so(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its ledger is copied all the same; a damaged copy of the staff is named at the restore."""
    (config.parent / STAFF_FILE).unlink()
    file, other = tmp_path / "day.ledger", other_meter(tmp_path)
    assert backup("make", file, config) == 0
    assert "pitlink staff init" in capsys.readouterr().out
    file.with_name(file.name + SUFFIX).write_text("{")
    assert backup("restore", file, other) == 3
    assert "cannot be read" in capsys.readouterr().err
