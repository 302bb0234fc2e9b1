"""pitlink meter on the command line, as far as it comes without a broker."""

import gc
import io
import json
import os
import signal
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from cli import meter as meter_command
from cli.main import main
from common.log import open_log
from common.supervision import ServiceManager
from meter import daemon
from tests.support.meter.meter_bench import small_disk
from tests.support.meter.meter_settings import GOOD
from tests.support.meter.staff_pins import ANN, SUE, give_staff, type_pins


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A good settings file with a ledger in the test's folder."""
    path = tmp_path / "meter.toml"
    path.write_text(GOOD.replace("ledger.sqlite", str(tmp_path / "ledger.sqlite")))
    return path


def test_print_config_shows_what_is_in_force(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """R1: defaults included, as JSON; nothing is opened."""
    assert main(["meter", "--config", str(config), "--print-config"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["broker"]["keepalive_s"] == 5
    assert shown["links"][0]["terms"] == {
        "rate_bp": 7000,
        "base_cents": 1000000,
        "reset_cents": 500000,
        "rehearsal": False,
        "reset_rate_bp": 0,
        "limit_cents": 0,
        "overflow_seeds_next": False,
        "ends_on": "",
        "approval_above_cents": None,
    }
    assert shown["links"][0]["shortest_round_ms"] == {"texas-holdem-bonus": 4500}
    assert not (config.parent / "ledger.sqlite").exists()


def test_bad_settings_are_named_and_give_2(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing file is a fault like any other."""
    assert main(["meter", "--config", str(config.parent / "none.toml")]) == 2
    assert "none.toml: file: cannot be read" in capsys.readouterr().err


def test_a_ledger_that_is_none_gives_3(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The message names the file and what to do."""
    (config.parent / "ledger.sqlite").write_text("no ledger" * 1_000)
    assert main(["meter", "--config", str(config)]) == 3
    assert "ledger.sqlite: file is not a database" in capsys.readouterr().err


class StopAt(io.StringIO):
    """A log that ends the process cleanly at a certain event."""

    def __init__(self, event: str) -> None:
        super().__init__()
        self.event = event

    def write(self, line: str) -> int:
        if f'"event": "{self.event}"' in line:
            os.kill(os.getpid(), signal.SIGTERM)
        return super().write(line)

    def forget(self) -> None:
        """Begins anew."""
        self.seek(0)
        self.truncate()

    def named(self, event: str) -> list[dict[str, Any]]:
        """Every line of this event."""
        return [line for line in map(json.loads, self.getvalue().splitlines()) if line["event"] == event]


@pytest.fixture
def said(config: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StopAt]:
    """The log of a meter whose broker is not there: it is stopped as soon as it has said so."""
    with config.open("a") as file:
        file.write("[broker]\nport = 1\n")
    log = StopAt("broker_disconnected")
    monkeypatch.setattr(meter_command, "open_log", lambda: open_log(log, readable=False))
    yield log
    gc.unfreeze()


def spoil(config: Path, number: int) -> None:
    """Breaks the seal of a record behind the meter's back."""
    database = sqlite3.connect(config.parent / "ledger.sqlite")
    with database:
        database.execute("UPDATE ledger SET seal = x'00' WHERE number = ?", (number,))
    database.close()


def test_a_meter_told_to_stop_ends_with_0_and_keeps_its_link(config: Path, said: StopAt) -> None:
    """It opens its books, waits for its broker, and goes when it is told to; the next start finds the same link."""
    for _ in range(2):
        assert main(["meter", "--config", str(config)]) == 0
    assert [line["record"] for line in said.named("link_opened")] == [1, 1]
    assert len(said.named("meter_started")) == 2


def test_a_damaged_ledger_gives_3_and_nothing_is_said(config: Path, said: StopAt) -> None:
    """The first bad record is named; no broker was asked for."""
    assert main(["meter", "--config", str(config)]) == 0
    spoil(config, 1)
    said.forget()
    assert main(["meter", "--config", str(config)]) == 3
    (refused,) = said.named("meter_refused_to_start")
    assert "record 1" in refused["reason"]
    assert not said.named("meter_started")


def test_systemd_shows_why_a_meter_refused_to_start(
    config: Path, said: StopAt, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whoever asks for its status reads the first bad record there, and need not look for the log."""
    assert main(["meter", "--config", str(config)]) == 0
    spoil(config, 1)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        assert main(["meter", "--config", str(config)]) == 3
        listener.setblocking(False)
        heard = list(said_to(listener))
    assert "a doubted ledger is read back" in heard[0]
    assert heard[-1] == "STATUS=refused to start: the ledger of link main is damaged at record 1: its seal is broken"


def said_to(listener: socket.socket) -> Iterator[str]:
    """Everything that waits there; more time may have been asked for more than once."""
    with suppress(BlockingIOError):
        while True:
            yield listener.recv(4096).decode()


def test_a_full_disk_is_not_talked_open_by_a_restart(config: Path, said: StopAt) -> None:
    """Each start is refused before its first word, until somebody has made room."""
    assert main(["meter", "--config", str(config)]) == 0
    said.forget()
    with small_disk(2**20):
        for _ in range(2):
            assert main(["meter", "--config", str(config)]) == 3
    assert {line["reason"].partition(",")[0] for line in said.named("meter_refused_to_start")} == {
        f"{config.parent} has no room for 96 MB"
    }
    assert not said.named("meter_started")
    assert main(["meter", "--config", str(config)]) == 0


def test_r49_a_doubted_ledger_is_read_back_before_the_first_word(config: Path, said: StopAt) -> None:
    """It passes, the doubt is gone, and only then the meter starts."""
    assert main(["meter", "--config", str(config)]) == 0
    database = sqlite3.connect(config.parent / "ledger.sqlite")
    with database:
        database.execute("UPDATE meter SET doubt = 'record 7 was odd'")
    said.forget()
    assert main(["meter", "--config", str(config)]) == 0
    events = [json.loads(line)["event"] for line in said.getvalue().splitlines()]
    assert events.index("ledger_doubted") < events.index("ledger_audited") < events.index("meter_started")
    assert database.execute("SELECT doubt FROM meter").fetchone() == ("",)
    database.close()


def test_r63_damage_found_behind_the_meter_is_kept_as_a_doubt(
    config: Path, said: StopAt, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ledger that was opened on trust and proves to be damaged ends the meter, and no later start trusts it."""
    monkeypatch.setattr(daemon, "AUDITED_AT_START", 0)
    give_staff(config.parent)
    type_pins(monkeypatch, ANN, SUE)
    assert main(["meter", "--config", str(config)]) == 0
    for old, new in ((7_000, 8_000), (8_000, 8_100)):  # two more records: the last two are never taken on trust
        config.write_text(config.read_text().replace(f"rate_bp = {old}", f"rate_bp = {new}"))
        words = ["--apply-terms", "--by", ANN.number, "--and-by", SUE.number, "--reason", "approved"]
        assert main(["meter", "--config", str(config), *words]) == 0
    spoil(config, 1)
    said.event = "nothing"  # this time the meter ends by itself
    assert main(["meter", "--config", str(config)]) == 1
    database = sqlite3.connect(config.parent / "ledger.sqlite")
    assert "record 1" in database.execute("SELECT doubt FROM meter").fetchone()[0]
    database.close()
    said.forget()
    assert main(["meter", "--config", str(config)]) == 3
    assert said.named("ledger_doubted")


def test_a_store_that_hangs_ends_the_process_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The log and systemd hear why; nothing waits for a loop that may never turn again."""
    codes, log = list[int](), io.StringIO()
    monkeypatch.setattr(os, "_exit", codes.append)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "notify"))
        manager = ServiceManager({"NOTIFY_SOCKET": str(tmp_path / "notify")})
        daemon._end_hanging(open_log(log), manager, "the store has not answered")
        assert listener.recv(4096) == b"STATUS=the store has not answered"
    assert codes == [3]
    assert "store_hung" in log.getvalue()
