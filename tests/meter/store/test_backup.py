"""A ledger copied and put back: the same records, the same seals, the same figures, or nothing at all."""

import shutil
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cli.main import main
from meter.ledger.decisions import Reopen
from meter.ledger.records import Filed
from meter.store import backup
from meter.store.audit import audited
from meter.store.backup import back_up, back_up_into, restore
from meter.store.base import StoreFault
from meter.store.open import open_store
from meter.store.sqlite import files_of
from tests.support.meter.meter_bench import MeterBench, envelope, flush, link, wagers
from tests.support.meter.meter_settings import GOOD
from tests.support.meter.postgres_bench import PostgresServer, active_store

NewStore = Callable[[], str]
MORNING = datetime(2027, 1, 16, 6, tzinfo=UTC)
NIGHT_RECORDS = 1 + 3 + 2 * 20 + 2
"""What play() books on link main."""


@pytest.fixture(params=["sqlite", "postgres"])
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> NewStore:
    """Names a store of this kind that does not exist yet or is empty."""
    if request.param == "postgres":
        server: PostgresServer = request.getfixturevalue("postgres")
        return server.database
    numbers = iter(range(1, 100))
    return lambda: str(tmp_path / f"ledger{next(numbers)}.sqlite")


def play(address: str, rounds: int = 20) -> MeterBench:
    """A night at two links; the store stays open."""
    meter = MeterBench(active_store(address), link(), link(name="side"))
    meter.join()
    for seq in range(1, rounds + 1):
        meter.say(envelope(seq, wagers(), "T1"), envelope(seq, wagers(1), "T2"))
    meter.say(envelope(1, wagers(3), "T3"), envelope(2, flush(), "T3"))
    return meter


def rows(address: str) -> dict[str, list[Filed]]:
    """Every record of every link, audited."""
    store = open_store(address, reading=True)
    found = {name: list(store.records(name)) for name in store.links()}
    for name in found:
        audited(store, name)
    store.close()
    return found


def as_copied(address: str) -> dict[str, list[Filed]]:
    """The same of a restored store, without the stop behind each ledger."""
    return {name: copied[:-1] for name, copied in rows(address).items()}


def leave(meter: MeterBench) -> None:
    """Closes the meter's store."""
    meter.store.close()  # type: ignore[attr-defined]  # a bench is handed an open store here


def test_a_backup_comes_back_as_it_was(new_store: NewStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Made while the meter works, restored into an empty store, played on: nothing is missing, nothing twice."""
    monkeypatch.setattr(backup, "RECORDS_AT_ONCE", 7)
    address, other, file = new_store(), new_store(), tmp_path / "night.backup"
    meter = play(address)
    heads = back_up(address, file)
    assert heads == meter.heads
    before = rows(address)
    meter.say(envelope(21, wagers()))
    leave(meter)
    restored = restore(file, other, MORNING)
    assert {name: head.pot for name, head in restored.items()} == {name: head.pot for name, head in heads.items()}
    assert as_copied(other) == before
    again = MeterBench(active_store(other), link(), link(name="side"))
    assert again.heads == restored
    assert again.decide(Reopen()) == ""
    assert again.say(envelope(21, wagers())).replies[0][1].booked_seq == 21
    leave(again)
    assert sorted(path.name for path in tmp_path.glob("night*")) == ["night.backup"]


def test_books_move_from_one_kind_of_store_to_the_other(postgres: PostgresServer, tmp_path: Path) -> None:
    """A house that outgrows its file takes its ledger along, and back."""
    file, database, back = str(tmp_path / "ledger.sqlite"), postgres.database(), str(tmp_path / "back.sqlite")
    leave(play(file))
    restore(Path(file), database, MORNING)
    back_up(database, Path(back))
    assert as_copied(database) == rows(file)
    assert rows(database) == rows(back)


def test_damage_is_not_copied(tmp_path: Path) -> None:
    """The first bad record is named, and no file pretends to be a backup."""
    address, file = tmp_path / "ledger.sqlite", tmp_path / "night.backup"
    leave(play(str(address)))
    database = sqlite3.connect(address)
    with database:
        database.execute(
            "UPDATE ledger SET body = replace(body, 'journal', 'jurnal') WHERE number = 9 AND link = 'main'"
        )
    database.close()
    with pytest.raises(StoreFault, match="link main is damaged at record 9"):
        back_up(str(address), file)
    assert list(tmp_path.glob("night*")) == []


def test_a_restore_cut_short_leaves_nothing(
    new_store: NewStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The beginning of a ledger would be a sound ledger without its last night: it must never be found."""
    address, other, file = new_store(), new_store(), tmp_path / "night.backup"
    leave(play(address))
    back_up(address, file)
    monkeypatch.setattr(backup, "RECORDS_AT_ONCE", 7)
    monkeypatch.setattr(backup, "difference", lambda state, saved: "the power failed")
    with pytest.raises(StoreFault, match="the power failed"):
        restore(file, other, MORNING)
    monkeypatch.undo()
    restore(file, other, MORNING)
    assert as_copied(other) == rows(address)


def test_a_ledger_is_never_written_over(new_store: NewStore, tmp_path: Path) -> None:
    """Neither by a backup nor by a restore."""
    address, file = new_store(), tmp_path / "night.backup"
    leave(play(address))
    back_up(address, file)
    with pytest.raises(StoreFault, match=r"holds night\.backup; move all of it away"):
        back_up(address, file)
    with pytest.raises(StoreFault, match=r"holds ledger1\.sqlite; move all of it|a ledger in this store already"):
        restore(file, address, MORNING)


@pytest.mark.parametrize("left", [["-wal"], ["-shm"], ["-journal"], ["-wal", "-shm"]])
def test_what_is_left_of_an_older_ledger_is_named_and_never_read_into_a_new_one(
    tmp_path: Path, left: list[str]
) -> None:
    """A write-ahead log beside a restored ledger would be read into it; neither a restore nor a meter begins."""
    backup_file, ledger = tmp_path / "night.backup", tmp_path / "ledger.sqlite"
    leave(play(str(backup_file)))
    rest = [tmp_path / f"ledger.sqlite{end}" for end in left]
    for file in rest:
        file.write_bytes(b"wagers")
    names = ", ".join(file.name for file in rest)
    with pytest.raises(StoreFault, match=f"holds {names}; move all of it away together, and keep it"):
        restore(backup_file, str(ledger), MORNING)
    with pytest.raises(StoreFault, match=f"is gone, and {names} is left of it"):
        open_store(str(ledger))
    assert [file.read_bytes() for file in rest] == [b"wagers"] * len(rest)
    for file in rest:
        file.rename(tmp_path / f"old{file.suffix}")
    assert restore(backup_file, str(ledger), MORNING)["main"].number == NIGHT_RECORDS + 1
    assert len(as_copied(str(ledger))["main"]) == NIGHT_RECORDS


def test_the_log_of_a_killed_meter_does_not_get_into_the_ledger_that_replaces_it(tmp_path: Path) -> None:
    """Moved away without its log, a ledger is not replaced; moved away with it, the backup is what it was."""
    ledger, file = tmp_path / "ledger.sqlite", tmp_path / "night.backup"
    meter = play(str(ledger))
    heads = back_up(str(ledger), file)
    meter.say(envelope(21, wagers()))
    for killed in files_of(ledger):  # as they are on disk at the moment of the power cut
        shutil.copy(killed, tmp_path / killed.name.replace("ledger", "killed"))
    leave(meter)
    ledger, old = tmp_path / "killed.sqlite", tmp_path / "old"
    old.mkdir()
    ledger.rename(old / ledger.name)
    with pytest.raises(StoreFault, match=r"holds killed\.sqlite-wal, killed\.sqlite-shm; move all of it"):
        restore(file, str(ledger), MORNING)
    for rest in files_of(ledger):
        rest.rename(old / rest.name)
    restore(file, str(ledger), MORNING)
    assert as_copied(str(ledger)) == rows(str(file))
    assert len(rows(str(old / ledger.name))["main"]) == heads["main"].number + 1


def test_a_store_in_use_is_not_restored_into(new_store: NewStore, tmp_path: Path) -> None:
    """Whoever restores stops the meters first, also where somebody has moved the file away under the meter."""
    file, address = tmp_path / "night.backup", new_store()
    leave(play(str(file)))
    store = active_store(address)
    for moved in files_of(Path(address)):
        moved.rename(tmp_path / f"moved{moved.suffix}")
    with pytest.raises(StoreFault, match=r"stop all of them|in use by another meter"):
        restore(file, address, MORNING)
    store.close()


def test_a_folder_that_is_not_there_is_not_restored_into(tmp_path: Path) -> None:
    """In words, as everywhere."""
    leave(play(str(tmp_path / "night.backup")))
    with pytest.raises(StoreFault, match=r"nowhere/ledger\.sqlite: No such file or directory; check the folder"):
        restore(tmp_path / "night.backup", str(tmp_path / "nowhere" / "ledger.sqlite"), MORNING)


def test_an_empty_store_is_no_backup(tmp_path: Path) -> None:
    """Nothing is written for nothing."""
    active_store(str(tmp_path / "ledger.sqlite")).close()
    with pytest.raises(StoreFault, match="no ledger in it"):
        back_up(str(tmp_path / "ledger.sqlite"), tmp_path / "night.backup")


def test_a_folder_keeps_the_newest_copies(new_store: NewStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Old ones make room before the next is written; on a full disk nothing is written, and the newest stays."""
    address, folder, noon = new_store(), tmp_path / "copies", datetime(2026, 11, 16, 12, tzinfo=UTC)
    leave(play(address))
    for hour in range(3):
        back_up_into(address, folder, noon + timedelta(hours=hour), keep=2)
    assert [path.name[7:18] for path in sorted(folder.iterdir())] == ["20261116T13", "20261116T14"]
    (folder / "ledger-20261116T150000000000Z.sqlite.part-journal").touch()
    monkeypatch.setattr("common.backup_retention.RESERVE_BYTES", 2**62)
    with pytest.raises(StoreFault, match="no room for a copy"):
        back_up_into(address, folder, noon + timedelta(hours=4), keep=2)
    assert [path.name[7:18] for path in folder.iterdir()] == ["20261116T14"]


def test_the_command_says_what_it_copied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Records, amount and last seal of every link; a second restore is refused with a code of its own."""
    config, file = tmp_path / "meter.toml", str(tmp_path / "night.backup")
    ledger = tmp_path / "ledger.sqlite"
    config.write_text(GOOD.replace("ledger.sqlite", str(ledger)))
    meter = play(str(ledger))
    assert main(["backup", "make", file, "--config", str(config)]) == 0
    assert f"link main: {meter.heads['main'].number} records" in (said := capsys.readouterr().out)
    assert meter.heads["main"].seal.hex() in said
    leave(meter)
    assert main(["backup", "restore", file, "--config", str(config)]) == 3
    assert "not done: " in capsys.readouterr().err
    ledger.unlink()
    assert main(["backup", "restore", file, "--config", str(config)]) == 0
    assert main(["backup", "make", file, "--config", str(tmp_path / "none.toml")]) == 2
    assert main(["backup", "make", str(tmp_path / "copies"), "--keep", "1", "--config", str(config)]) == 0
    assert len(list((tmp_path / "copies").glob("ledger-*.sqlite"))) == 1
    assert main(["backup", "make", str(tmp_path / "copies"), "--keep", "0", "--config", str(config)]) == 3
