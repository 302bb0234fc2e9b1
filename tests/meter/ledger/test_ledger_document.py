"""docs/ledger.md is true: its decisions decode, its commands run, and it forgets no account, kind or decision."""

import hashlib
import json
import re
import shlex
import shutil
from datetime import datetime
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from cli.main import main
from games.catalogue import GAMES
from meter.daemon import AUDITED_AT_START
from meter.ledger.accounts import Account, Kind
from meter.ledger.decisions import AnyDecision, ChangeTerms, Receive
from meter.settings import read_meter_settings
from meter.store.sqlite import CHECKED_AT_START_BYTES, SqliteStore
from meter.web.api import Signed
from tests.support.meter.meter_bench import MeterBench, envelope, flush, wagers
from tests.support.meter.meter_settings import GOOD
from tests.support.meter.staff_pins import ANN, SUE, give_staff, type_pins

DOCS = Path(__file__).parents[3] / "docs"
TEXT = (DOCS / "ledger.md").read_text(encoding="utf-8")
DECISIONS = re.findall(r"^```json Decision\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
COMMANDS = [
    line for block in re.findall(r"^```sh\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE) for line in block.splitlines()
]


@pytest.mark.parametrize("text", DECISIONS)
def test_every_decision_is_one(text: str) -> None:
    """It decodes as what it is called, and comes out of our own encoder the same."""
    decision = msgspec.json.decode(text, type=AnyDecision)
    assert json.loads(msgspec.json.encode(decision)) == json.loads(text)


def test_every_decision_that_people_take_has_an_example() -> None:
    """Parameters have a command of their own, and the other side of a transfer is written by the meter."""
    shown = {json.loads(text)["type"] for text in DECISIONS}
    assert shown == {kind.__name__ for kind in get_args(AnyDecision)} - {ChangeTerms.__name__, Receive.__name__}


def test_a_signed_decision_is_shown() -> None:
    """As it is posted."""
    (text,) = re.findall(r"^```json Signed\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
    assert msgspec.json.decode(text, type=Signed).pins == ("864208", "135713")


def test_the_shortest_rounds_are_those_of_the_games() -> None:
    """A house that raises them knows what it raises."""
    for game in GAMES.values():
        assert f"| {game.name} | {game.fewest_cards} | {game.shortest_round_ms:,} |" in TEXT


def test_every_account_and_every_kind_is_explained() -> None:
    """Nobody has to guess why money moved."""
    for name in (*Account, *Kind):
        assert f"`{name.value}`" in TEXT, name


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    """On a small ledger, without a meter."""
    monkeypatch.chdir(tmp_path)
    give_staff(tmp_path)
    type_pins(monkeypatch, SUE, ANN)
    Path("meter.toml").write_text(GOOD, encoding="utf-8")
    store = SqliteStore(Path("ledger.sqlite"))
    noon_ms = int(datetime(2026, 11, 16, 12).timestamp() * 1_000)  # noqa: DTZ001  the document's day, by this machine
    meter = MeterBench(store, *read_meter_settings(Path("meter.toml")).links, now_ms=noon_ms)
    meter.join("T1")
    meter.say(envelope(1, wagers()), envelope(2, flush()))
    store.close()
    shutil.copy("ledger.sqlite", "backup.ledger")
    command = command.replace("$NOTED", meter.heads["main"].seal.hex())
    assert main(shlex.split(command)[1:]) == 0
    said = capsys.readouterr().err
    assert "not shown" in said if "--from" in command else said == ""


@pytest.mark.parametrize("page", ["ledger.md", "link.md"])
def test_what_is_read_back_before_the_first_word_is_what_the_code_reads(page: str) -> None:
    """R49: nobody is promised an audit that a long ledger gets later."""
    text = (DOCS / page).read_text(encoding="utf-8")
    assert f"{AUDITED_AT_START:,} records" in text
    assert f"{CHECKED_AT_START_BYTES // 1_000_000} MB" in text


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_no_paragraph_ends_in_the_middle_of_a_sentence(page: Path) -> None:
    """A line that is lost in a merge leaves a stump."""
    parts = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE).split("\n\n")
    prose = [part.strip() for part in parts if re.match(r"[A-Z`*]", part.strip())]
    assert [part[-60:] for part in prose if not re.search(r"[.:;!?)*|`>]$", part)] == []


def test_the_export_can_be_checked_by_anybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The seals of the export follow the rule that the document states, by hashlib alone."""
    monkeypatch.chdir(tmp_path)
    Path("meter.toml").write_text(GOOD, encoding="utf-8")
    store = SqliteStore(Path("ledger.sqlite"))
    MeterBench(store, *read_meter_settings(Path("meter.toml")).links).join("T1")
    store.close()
    assert main(["ledger", "--config", "meter.toml", "--format", "json", "export"]) == 0
    seal = hashlib.sha256(b"pitlink ledger main").digest()
    for line in capsys.readouterr().out.splitlines():
        body = line.partition(',"record":')[2][:-1].encode()
        seal = hashlib.sha256(seal + body).digest()
        assert json.loads(line)["seal"] == seal.hex()
