"""Accounting reads books alone: it needs no certificate, no meter, and where only a file is left no settings."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cli.main import main
from meter.settings import read_meter_settings
from meter.store.backup import back_up
from meter.store.sqlite import SqliteStore
from tests.support.meter.accounting_bench import books_on_disk, ledger, spoil
from tests.support.meter.meter_bench import MeterBench, envelope, wagers

ROOT = Path(__file__).parents[3]
TLS = """
[broker.tls]
ca = "/nowhere/ca.crt"
certificate = "/nowhere/{identity}.crt"
key = "/nowhere/{identity}.key"
[floor.tls]
certificate = "/nowhere/floor.crt"
key = "/nowhere/floor.key"
"""


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """All that the accountant has."""
    config = books_on_disk(tmp_path)
    copy = tmp_path / "2027-01-15.ledger"
    back_up(str(tmp_path / "ledger.sqlite"), copy)
    config.unlink()
    (tmp_path / "ledger.sqlite").unlink()
    return copy


@pytest.mark.parametrize("action", ["statement", "verify", "award", "export"])
def test_accounting_needs_no_certificates(tmp_path: Path, capsys: pytest.CaptureFixture[str], action: str) -> None:
    """They are the meter's, on the meter's machine."""
    config = books_on_disk(tmp_path)
    config.write_text(config.read_text() + TLS)
    assert main(["meter", "--config", str(config), "--print-config"]) == 2
    capsys.readouterr()
    assert ledger(config, action) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("example", ["pit", "properties"])
def test_the_example_settings_lack_nothing_but_the_books(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    """On a machine without a meter the store is what cannot be opened, not the settings."""
    assert main(["ledger", "verify", "--config", str(ROOT / "config" / example / "meter.toml")]) == 3
    assert ".crt" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('day_start = "05:00"', "day_start: unknown key"),
        ('day_starts = "5"', "day_starts: '5' will not do"),
    ],
)
def test_what_says_which_books_and_days_is_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, words: str
) -> None:
    """A day that begins at another hour than somebody meant is a wrong statement."""
    config = books_on_disk(tmp_path)
    config.write_text(f"{line}\n{config.read_text()}")
    assert ledger(config, "statement") == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("form", ["text", "json", "csv"])
@pytest.mark.parametrize("action", ["statement", "verify", "award", "export"])
def test_a_backup_alone_is_enough(backup: Path, capsys: pytest.CaptureFixture[str], action: str, form: str) -> None:
    """The links stand in the ledger."""
    assert main(["ledger", action, "--store", str(backup), "--format", form]) == 0
    assert "main" in capsys.readouterr().out
    assert sorted(path.name for path in backup.parent.iterdir()) == [backup.name, "ledger.sqlite.lock"]


def test_a_damaged_backup_is_found_without_anything_else(backup: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first bad record is named."""
    spoil(backup, "UPDATE ledger SET body = replace(body, 'royal', 'loyal') WHERE number = 5")
    assert main(["ledger", "verify", "--store", str(backup)]) == 1
    assert "record 5" in capsys.readouterr().out


def test_the_day_of_a_lone_ledger_begins_at_six_unless_told(backup: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The hour stands in no record."""
    for told, begins in (((), "T06:00:00"), (("--day-starts", "04:30"), "T04:30:00")):
        assert main(["ledger", "statement", "--store", str(backup), "--format", "json", *told]) == 0
        (day,) = json.loads(capsys.readouterr().out)
        assert begins in day["lasts"]["begins"]
    with pytest.raises(SystemExit):
        main(["ledger", "statement", "--store", str(backup), "--day-starts", "25:00"])


def test_the_books_are_named_once(tmp_path: Path, backup: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither, both, or an hour that the settings have: nobody guesses."""
    config = books_on_disk(tmp_path)
    assert main(["ledger", "verify"]) == 2
    assert "--store" in capsys.readouterr().err
    assert main(["ledger", "--config", str(config), "verify", "--store", str(backup)]) == 2
    assert "write one of them" in capsys.readouterr().err
    assert ledger(config, "statement", "--day-starts", "05:00") == 2
    assert "goes with --store" in capsys.readouterr().err
    assert main(["ledger", "verify", "--store", str(tmp_path / "none")]) == 3
    assert main(["ledger", "verify", "--store", str(config)]) == 3


def seal_now(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What somebody notes today."""
    assert main(["ledger", "verify", "--store", str(folder / "ledger.sqlite"), "--format", "json"]) == 0
    return str(json.loads(capsys.readouterr().out)[0]["seal"])


def test_r86_a_seal_that_was_noted_is_found_in_the_books_that_have_grown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It names the record; in capitals, too; a word that is no seal is a bad request."""
    config = books_on_disk(tmp_path)
    noted = seal_now(tmp_path, capsys)
    store = SqliteStore(tmp_path / "ledger.sqlite")
    MeterBench(store, *read_meter_settings(config).links).say(envelope(4, wagers()))
    store.close()
    later = seal_now(tmp_path, capsys)
    assert ledger(config, "verify", "--seal", noted.upper(), "--seal", later) == 0
    text = capsys.readouterr().out
    assert f"link main: record 6 has the seal {noted} as it was noted" in text
    assert f"link main: record 7 has the seal {later} as it was noted" in text
    with pytest.raises(SystemExit):
        ledger(config, "verify", "--seal", noted[:-1])


def test_r86_books_that_were_written_anew_from_the_first_record_are_found_by_a_noted_seal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Everything agrees with itself, for whoever did it has this program; only the seal on paper does not."""
    books_on_disk(tmp_path)
    noted = seal_now(tmp_path, capsys)
    (tmp_path / "ledger.sqlite").unlink()
    config = books_on_disk(tmp_path, seats=(2, 3))
    assert ledger(config, "verify") == 0
    capsys.readouterr()
    for form in ("text", "json", "csv"):
        assert ledger(config, "--format", form, "verify", "--seal", noted) == 1
        assert f"no record has the seal {noted}" in capsys.readouterr().out


def test_r86_books_that_end_before_the_noted_record_are_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An older backup put in the place of the ledger is sound, and lacks what was noted since."""
    config = books_on_disk(tmp_path)
    old = tmp_path / "old.ledger"
    back_up(str(tmp_path / "ledger.sqlite"), old)
    store = SqliteStore(tmp_path / "ledger.sqlite")
    MeterBench(store, *read_meter_settings(config).links).say(envelope(4, wagers()))
    store.close()
    noted = seal_now(tmp_path, capsys)
    assert main(["ledger", "verify", "--store", str(old), "--seal", noted]) == 1


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Nobody may write there, whoever runs this test."""
    folder.chmod(0o555)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65_534)
    try:
        yield
    finally:
        os.seteuid(user)
        folder.chmod(0o755)


def test_a_backup_on_a_medium_that_cannot_be_written_is_verified(
    backup: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SQLite would write beside it; nothing of the copy that is read instead is left."""
    with tempfile.TemporaryDirectory() as place:  # outside of pytest's, which only its owner may enter
        folder = Path(place)
        copy = Path(shutil.copy(backup, folder))
        copy.chmod(0o444)
        assert main(["ledger", "verify", "--store", str(backup)]) == 0  # another user may not read our program's files
        capsys.readouterr()
        with read_only(folder):
            assert main(["ledger", "verify", "--store", str(copy)]) == 0
        assert "6 records are sound" in capsys.readouterr().out
        assert [path.name for path in folder.iterdir()] == [copy.name]
