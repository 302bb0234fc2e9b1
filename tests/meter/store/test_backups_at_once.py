"""Several backups at once: each that reports success is whole, and none is cut down by another."""

import os
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cli.main import main
from meter.ledger.link_state import LinkState
from meter.ledger.records import Filed
from meter.settings import read_meter_settings
from meter.store import backup
from meter.store.backup import back_up_into
from meter.store.base import Page
from meter.store.sqlite import SqliteStore, locked
from tests.support.meter.meter_bench import MeterBench, envelope, wagers
from tests.support.meter.meter_settings import GOOD

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
RECORDS = 3  # the opening, the hello, the round


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Settings of a meter that has booked a round."""
    path = tmp_path / "meter.toml"
    path.write_text(GOOD.replace("ledger.sqlite", str(tmp_path / "ledger.sqlite")))
    store = SqliteStore(tmp_path / "ledger.sqlite")
    meter = MeterBench(store, *read_meter_settings(path).links)
    meter.join("T1")
    meter.say(envelope(1, wagers()))
    store.close()
    return path


def make(config: Path) -> int:
    return main(["backup", "make", str(config.parent / "night.backup"), "--config", str(config)])


def records(file: Path) -> int:
    """How many records a file has that verify calls sound."""
    assert main(["ledger", "verify", "--store", str(file)]) == 0
    database = sqlite3.connect(file)
    (number,) = database.execute("SELECT count(*) FROM ledger").fetchone()
    database.close()
    return int(number)


def in_the_middle(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Lets something happen once, when a backup has written its first page and not its last."""
    real, left = backup._page, [act]

    def page(state: LinkState, batch: list[Filed]) -> Page:
        if state.head.number and left:
            left.pop()()
        return real(state, batch)

    monkeypatch.setattr(backup, "RECORDS_AT_ONCE", 1)
    monkeypatch.setattr(backup, "_page", page)


def test_a_second_backup_of_the_same_name_is_refused_and_harms_nothing(
    config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It removed the part of the first, whose name then went to an empty shell with a report of success."""
    codes = list[int]()
    in_the_middle(monkeypatch, lambda: codes.append(make(config)))
    assert make(config) == 0
    assert codes == [3]
    assert "night.backup is being written by another pitlink; wait for it" in capsys.readouterr().err
    assert records(config.parent / "night.backup") == RECORDS
    assert [path.name for path in config.parent.glob("night*")] == ["night.backup"]


def test_a_second_backup_that_sees_no_lock_gets_no_part_of_the_first(
    config: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """From another machine on a share without locks: one is faster, and the other says so."""
    monkeypatch.setattr(backup, "sweep", lambda *_: [])
    codes = list[int]()
    in_the_middle(monkeypatch, lambda: codes.append(make(config)))
    assert make(config) == 3
    assert codes == [0]
    assert "somebody else has made" in capsys.readouterr().err
    assert records(config.parent / "night.backup") == RECORDS
    assert [path.name for path in config.parent.glob("night*")] == ["night.backup"]


def test_what_dead_backups_left_goes_and_nothing_else(config: Path) -> None:
    """By any program so far; a file that only looks like a part is somebody's own."""
    dead = [f"night.backup.part{mark}{end}" for mark in ("", "-0123456789abcdef") for end in ("", "-wal", ".lock")]
    kept = ["night.backup.part2", "night.backup.partial", "nightXbackup.part", "night.backup.part-notes"]
    for name in (*dead, *kept):
        (config.parent / name).touch()
    assert make(config) == 0
    assert sorted(path.name for path in config.parent.glob("night*")) == sorted(["night.backup", *kept])


def test_two_backups_into_one_folder_leave_each_other_alone(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An hourly one and one by hand; what a power cut left goes all the same."""
    folder, address = config.parent / "copies", str(config.parent / "ledger.sqlite")
    folder.mkdir()
    (folder / "ledger-20261116T110000000000Z.sqlite.part-journal").touch()
    in_the_middle(monkeypatch, lambda: back_up_into(address, folder, NOON + timedelta(hours=1), keep=5))
    back_up_into(address, folder, NOON, keep=5)
    assert [path.name[7:18] for path in sorted(folder.iterdir())] == ["20261116T12", "20261116T13"]
    assert [records(path) for path in folder.iterdir()] == [RECORDS, RECORDS]


def test_a_part_that_is_locked_is_alive(tmp_path: Path) -> None:
    """And stays, with its lock, until its process ends."""
    part = tmp_path / "night.backup.part-0123456789abcdef"
    part.touch()
    lock = locked(part)
    assert backup.sweep(tmp_path, "night.backup") == [part]
    assert sorted(path.name for path in tmp_path.iterdir()) == [part.name, f"{part.name}.lock"]
    os.close(lock)
    assert backup.sweep(tmp_path, "night.backup") == []
    assert list(tmp_path.iterdir()) == []
