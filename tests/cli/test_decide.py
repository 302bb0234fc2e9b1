"""Deciding at the meter's machine: pitlink decide and --apply-terms, with and without a running meter, with PINs."""

import io
import json
import sqlite3
from pathlib import Path

import pytest

from cli.main import main
from meter.ledger.decisions import Decided, Stop
from meter.ledger.records import read_record
from meter.settings import read_meter_settings
from meter.store.open import open_store
from meter.store.sqlite import SqliteStore
from tests.support.meter.meter_bench import MeterBench
from tests.support.meter.meter_settings import GOOD
from tests.support.meter.postgres_bench import PostgresServer
from tests.support.meter.staff_pins import ANN, SUE, give_staff, type_pins


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings of a meter that does not run; Ann and Sue type their PINs."""
    path = tmp_path / "meter.toml"
    path.write_text(GOOD.replace("ledger.sqlite", str(tmp_path / "ledger.sqlite")))
    give_staff(tmp_path)
    type_pins(monkeypatch, ANN, SUE)
    return path


def decide(config: Path, *words: str) -> int:
    return main(["decide", "--config", str(config), *words])


def start_once(config: Path) -> None:
    """Opens the links as a meter's first start does."""
    store = SqliteStore(config.parent / "ledger.sqlite")
    MeterBench(store, *read_meter_settings(config).links)
    store.close()


SIGNED = ("--by", ANN.number, "--and-by", SUE.number, "--reason", "drill")
STOP = ("main", '{"type": "Stop"}', *SIGNED)


def test_pitlink_decide_works_on_the_store_while_no_meter_runs(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two persons stop a link, look, and open it again."""
    assert decide(config, *STOP) == 0
    capsys.readouterr()
    assert decide(config, "main") == 0
    assert json.loads(capsys.readouterr().out)["state"]["health"] == "stopped"
    assert decide(config, *STOP) == 1
    assert "is stopped: drill" in capsys.readouterr().out
    assert decide(config, "main", '{"type": "Reopen"}', *SIGNED) == 0


def test_pitlink_decide_names_what_is_wrong(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No such link, no such decision, a store in use."""
    assert decide(config, "side") == 2
    assert decide(config, "main", '{"type": "Bless"}') == 2
    assert decide(config, "main", "{") == 2
    assert "Bless" in capsys.readouterr().err
    store = SqliteStore(config.parent / "ledger.sqlite")
    assert decide(config, *STOP) == 3
    store.close()
    assert "is in use by another meter" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["no store", "sqlite", "postgres"])
def test_a_look_begins_nothing_where_no_meter_was_ever_started(
    config: Path, capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest, kind: str
) -> None:
    """It says so: the first start opens a link, with its base amount, and not whoever is curious."""
    address = str(config.parent / "ledger.sqlite")
    if kind == "postgres":
        server: PostgresServer = request.getfixturevalue("postgres")
        config.write_text(config.read_text().replace(address, address := server.database()))
    elif kind == "sqlite":
        SqliteStore(config.parent / "ledger.sqlite").close()
    before = sorted(path.name for path in config.parent.iterdir())
    assert decide(config, "main") == 3
    assert "no meter has been started on it" in capsys.readouterr().out
    assert sorted(path.name for path in config.parent.iterdir()) == before
    if kind != "no store":
        store = open_store(address)
        assert store.links() == ()
        store.close()


def test_a_look_reads_beside_a_meter_and_changes_not_a_byte(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also where no meter answers, and where the settings are not those of the ledger (R96)."""
    start_once(config)
    before = (config.parent / "ledger.sqlite").read_bytes()
    config.write_text(config.read_text().replace("rate_bp = 7000", "rate_bp = 7100"))
    assert decide(config, "main") == 0
    assert json.loads(capsys.readouterr().out)["terms"]["rate_bp"] == 7_000
    assert (config.parent / "ledger.sqlite").read_bytes() == before
    store = SqliteStore(config.parent / "ledger.sqlite")
    assert decide(config, "main") == 0
    store.close()


def test_a_look_at_a_damaged_ledger_names_the_first_bad_record(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No figure is shown that the records do not make."""
    start_once(config)
    database = sqlite3.connect(config.parent / "ledger.sqlite")
    with database:
        database.execute("UPDATE ledger SET seal = x'00'")
    database.close()
    assert decide(config, "main") == 3
    assert "damaged at record 1: its seal is broken" in capsys.readouterr().out


def test_r96_pitlink_meter_applies_changed_terms(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Refused without two persons, recorded with them, and from then on the settings fit."""
    start_once(config)
    config.write_text(config.read_text().replace("rate_bp = 7000", "rate_bp = 7100"))
    assert decide(config, *STOP) == 3
    assert "--apply-terms" in capsys.readouterr().out
    words = ["meter", "--config", str(config), "--apply-terms", "--by", ANN.number, "--reason", "approved"]
    assert main(words) == 1
    assert "both persons" in capsys.readouterr().err
    assert main([*words, "--and-by", SUE.number]) == 0
    assert "record 2" in capsys.readouterr().out
    assert decide(config, *STOP) == 0


def test_r96_parameters_beside_a_running_meter_are_refused_in_words_of_their_own(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The meter goes on, and nobody is told that tables are closed; who stops it knows which links go with it."""
    _, _, part = config.read_text().partition("[[link]]")
    side = part.replace('"main"', '"side"').replace('["T1", "T2"]', '["T3"]')
    config.write_text(f"{config.read_text()}[[link]]{side}")
    words = f"meter --config {config} --apply-terms --by 4001 --and-by 2001 --reason approved".split()
    store = SqliteStore(config.parent / "ledger.sqlite")
    assert main(words) == 3
    store.close()
    said = capsys.readouterr().err
    assert "the parameters were not changed" in said
    assert "in use by another meter" in said
    assert "goes on as it was" in said
    assert "every table of main, side" in said
    assert "refused_to_start" not in said
    assert "stays closed" not in said
    config.write_text(config.read_text().replace("rate_bp = 7000", "rate_bp = 7100"))
    assert main(words) == 0


def test_r96_parameters_that_cannot_change_say_so_and_nothing_of_a_start(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody has tried to start a meter."""
    start_once(config)
    config.write_text(config.read_text().replace("base_cents", "rehearsal = true\nbase_cents"))
    capsys.readouterr()
    assert main(["meter", "--config", str(config), "--apply-terms", *SIGNED]) == 3
    said = capsys.readouterr().err
    assert "a rehearsal cannot become a live link" in said
    assert "refused_to_start" not in said
    assert "goes on as it was" not in said


def test_r96_a_table_that_is_out_keeps_pitlink_meter_from_changing_its_link(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Asked of the store while no meter runs: the table is named, and two persons may give it up by that name."""
    store = SqliteStore(config.parent / "ledger.sqlite")
    meter = MeterBench(store, *read_meter_settings(config).links)
    meter.join("T1")
    meter.decide(Stop())
    store.close()
    config.write_text(config.read_text().replace("rate_bp = 7000", "rate_bp = 7100"))
    words = ["meter", "--config", str(config), "--apply-terms", *SIGNED]
    assert main(words) == 3
    assert "table T1 has not been heard since the link was stopped" in capsys.readouterr().err
    assert main([*words, "--given-up", "T1", "--given-up", "T2"]) == 3
    assert "T2 has joined no link" in capsys.readouterr().err
    assert main([*words, "--given-up", "T1"]) == 0


def test_pitlink_decide_asks_both_persons_for_their_pins(
    config: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a meter, too; from a script a line each, and a wrong one decides nothing."""
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{ANN.pin}\n000000\n"))
    assert decide(config, *STOP) == 1
    assert "2001: number and PIN do not match" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{ANN.pin}\n{SUE.pin}\n"))
    assert decide(config, *STOP) == 0
    store = SqliteStore(config.parent / "ledger.sqlite", reading=True)
    last = [read_record(row.body).cause for row in store.records("main")][-1]
    store.close()
    assert last == Decided(Stop(), "Ann", "Sue", "drill")


@pytest.mark.parametrize(
    ("stdin", "names", "code", "words"),
    [
        (io.StringIO(""), ("4001", "2001"), 2, "4001 gave no PIN"),
        (io.StringIO(f"{ANN.pin}\n"), ("4001", "2001"), 2, "2001 gave no PIN"),
        (None, ("4001", "2001"), 2, "4001 gave no PIN"),
        (io.StringIO(""), ("4001", "4001"), 1, "two different persons"),
        (io.StringIO(""), ("", "2001"), 1, "name both persons"),
    ],
)
def test_a_pin_that_nobody_gave_counts_against_nobody(
    config: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    stdin: io.StringIO | None,
    names: tuple[str, str],
    code: int,
    words: str,
) -> None:
    """A script without a terminal locks nobody out, and one person is not asked twice."""
    monkeypatch.setattr("sys.stdin", stdin)
    by, and_by = names
    assert decide(config, "main", '{"type": "Stop"}', "--by", by, "--and-by", and_by, "--reason", "drill") == code
    said = capsys.readouterr()
    assert words in said.out + said.err
    assert not (config.parent / "attempts.json").exists()


def test_r96_parameters_change_by_two_persons_with_their_pins(
    config: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names alone change nothing, nor does a staff file that nobody can read."""
    start_once(config)
    config.write_text(config.read_text().replace("rate_bp = 7000", "rate_bp = 7100"))
    words = f"meter --config {config} --apply-terms --by 4001 --and-by 2001 --reason approved".split()
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{ANN.pin}\n\n"))
    assert main(words) == 2
    assert "2001 gave no PIN" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{ANN.pin}\n000000\n"))
    assert main(words) == 1
    assert "2001: number and PIN do not match" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{ANN.pin}\n{SUE.pin}\n"))
    assert main(words) == 0
    (config.parent / "staff.json").write_text("[{")
    assert main(words) == 2
    assert "cannot be read" in capsys.readouterr().err
