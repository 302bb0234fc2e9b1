"""pitlink ledger at the accountant's desk: in every format, and beside a running meter."""

import csv
import io
import json
import re
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from cli.main import main
from meter.reports.formatting import in_dollars
from meter.store.sqlite import SqliteStore
from tests.support.meter.accounting_bench import books_on_disk, ledger, round_down, spoil


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A ledger with a day's play, on disk, and the settings that name it."""
    return books_on_disk(tmp_path)


def figures_of(day: dict[str, Any]) -> dict[str, dict[str, int]]:
    """Opening, movements, closing and variance of a statement in JSON, by figure and account."""
    ends = {name: day[f"{name}_units"] for name in ("opening", "closing", "variance")}
    return ends | {line["figure"]: line["units"] for line in day["movements"]}


def same_figures(day: dict[str, Any], rows: list[dict[str, str]]) -> bool:
    """Whether rows have exactly the figures of the JSON."""
    by_account = {(row["figure"], row["account"]): Fraction(row["dollars"]) for row in rows if row["account"]}
    return by_account == {
        (figure, account): Fraction(units, 1_000_000)
        for figure, accounts in figures_of(day).items()
        for account, units in accounts.items()
    }


def test_pitlink_ledger_statement_in_every_format(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Text for the desk, JSON and CSV for machines: the same figures."""
    assert ledger(config, "statement") == 0
    text = capsys.readouterr().out
    assert "variance" in text
    assert "table T1: 3 chips $3" in text
    assert ledger(config, "--format", "json", "statement") == 0
    (day,) = json.loads(capsys.readouterr().out)
    assert set(day["variance_units"].values()) == {0}
    assert ledger(config, "--format", "csv", "statement", "--day", day["day"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["dollars"] for row in rows if row["figure"] == "variance"} == {"0.00"}
    assert {(row["first_record"], row["last_record"]) for row in rows} == {("1", "6")}
    assert same_figures(day, rows)
    assert "records 1 to 6" in text
    for line in (line for line in text.splitlines() if line.startswith("  contribution")):
        assert line.split()[1:] == [in_dollars(units) for units in figures_of(day)["contribution"].values()]


def test_r108_a_variance_is_exit_1_in_every_format(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A meter that rounds each contribution down agrees with itself, so verify finds nothing; the statement does."""
    round_down(monkeypatch)
    config = books_on_disk(tmp_path, rate_bp=7_033, seats=(3,))
    assert ledger(config, "verify") == 0
    capsys.readouterr()
    for form, words in (("text", "-0.0033"), ("json", '"meter": -3300'), ("csv", "variance,,meter,-0.0033")):
        assert ledger(config, "--format", form, "statement") == 1
        assert words in capsys.readouterr().out


def test_pitlink_ledger_award_reproduces_it(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """R68 at the accountant's desk."""
    assert ledger(config, "award", "1") == 0
    text = capsys.readouterr().out
    assert "$10,002.10 for royal flush at table T1 seat 3, 100 % of the meter" in text
    assert "reproduced to the cent" in text
    assert "paid by supervisor and dealer, in record 6 at 2027-01-15T08:00:00.000+00:00" in text
    lines = [line.strip().rsplit(maxsplit=1) for line in text.splitlines()]
    printed = {name: Fraction(amount.replace(",", "")) for name, amount in lines if re.fullmatch(r"-?[\d,.]+", amount)}
    start, before = printed.pop("before the link was opened"), printed.pop("meter before this award")
    assert printed.pop("of it by table T1") == printed["contribution"]
    assert start + sum(printed.values()) == before == Fraction("10002.10")
    assert ledger(config, "--format", "csv", "award") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {(row["reproduced"], row["status"], row["persons"]) for row in rows} == {
        ("yes", "paid", "supervisor; dealer")
    }
    assert {row["figure"]: row["dollars"] for row in rows}["amount"] == "10002.10"
    assert ledger(config, "--format", "json", "award") == 0
    (report,) = json.loads(capsys.readouterr().out)
    assert report["contributions"] == {"T1": 300 * 7_000}
    assert (report["outcome"]["status"], report["outcome"]["persons"]) == ("paid", ["supervisor", "dealer"])
    assert ledger(config, "award", "2") == 2


def test_pitlink_ledger_export_has_every_record(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """R110: text for people, postings as CSV, sealed records as JSON lines that anybody can check."""
    assert ledger(config, "export") == 0
    text = capsys.readouterr().out
    assert re.search(r": Wagers at table T1, entry 1 .*\n  round=1; .*\n    contribution: wagers to meter", text)
    assert [line.split()[3] for line in text.splitlines() if line.startswith("link")] == [f"{n}," for n in range(1, 7)]
    assert ledger(config, "--format", "csv", "export") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["kind"] for row in rows] == [
        "base", "", "", "contribution", "award_fixed", "refill", "payout",
    ]  # fmt: skip  # one line is one look
    assert ledger(config, "--format", "json", "export") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["record"]["number"] for line in lines] == list(range(1, 7))


def test_pitlink_ledger_verify_names_the_first_bad_record(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Sound, then changed behind the meter's back (R86)."""
    assert ledger(config, "verify") == 0
    text = capsys.readouterr().out
    assert "6 records are sound" in text
    assert ledger(config, "--format", "json", "verify") == 0
    state, floor = json.loads(capsys.readouterr().out)
    assert (state["link"], state["is_sound"], state["record"], floor["book"]) == ("main", True, 6, "floor")
    assert f"record 6 has the seal {state['seal']}" in text
    assert ledger(config, "--format", "csv", "verify") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["book"], row["is_sound"], row["seal"]) for row in rows] == [
        ("ledger", "yes", state["seal"]), ("floor", "yes", ""),
    ]  # fmt: skip  # one line is one look
    spoil(config.parent / "ledger.sqlite", "UPDATE ledger SET body = replace(body, 'royal', 'loyal') WHERE number = 5")
    for form, words in (("text", "record 5"), ("json", '"is_sound": false'), ("csv", "ledger,main,no,")):
        assert ledger(config, "--format", form, "verify") == 1
        assert words in capsys.readouterr().out
    assert ledger(config, "statement") == 1
    assert "record 5" in capsys.readouterr().err


@pytest.mark.parametrize("action", [("statement",), ("verify",), ("award", "1"), ("export",)], ids=" ".join)
def test_options_mean_the_same_before_and_behind_the_action(
    config: Path, capsys: pytest.CaptureFixture[str], action: tuple[str, ...]
) -> None:
    """Each of them at either place; said twice, the last one counts, as everywhere."""
    options = (("--config", str(config)), ("--link", "main"), ("--format", "json"))
    said = []
    for places in product((True, False), repeat=len(options)):
        before = [word for option, first in zip(options, places, strict=True) if first for word in option]
        behind = [word for option, first in zip(options, places, strict=True) if not first for word in option]
        assert main(["ledger", *before, *action, *behind]) == 0
        said.append(capsys.readouterr().out)
    assert len(set(said)) == 1
    assert main(["ledger", "--format", "csv", *action, *(word for option in options for word in option)]) == 0
    assert capsys.readouterr().out == said[0]


def test_pitlink_ledger_works_beside_a_running_meter(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Reading disturbs nobody."""
    store = SqliteStore(config.parent / "ledger.sqlite")
    assert ledger(config, "verify") == 0
    store.close()
    assert "sound" in capsys.readouterr().out


def test_pitlink_ledger_names_what_is_missing(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A link that is not there, settings that are not there, a store that is not there."""
    assert ledger(config, "--link", "side", "verify") == 2
    assert "there are main" in capsys.readouterr().err
    assert main(["ledger", "--config", "nowhere.toml", "verify"]) == 2
    assert main(["ledger", "verify"]) == 2
    assert "--config" in capsys.readouterr().err
    (config.parent / "ledger.sqlite").rename(config.parent / "moved")
    assert ledger(config, "verify") == 3


def test_a_statement_can_be_filed_as_a_paper(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Headed with the house's name; a file that cannot be written is named."""
    config.write_text(config.read_text() + '\n[papers]\nproperty = "Marlowe Casino"\n')
    paper = config.parent / "day.pdf"
    assert ledger(config, "statement", "--pdf", str(paper)) == 0
    text = PdfReader(paper).pages[0].extract_text()
    assert "Marlowe Casino" in text
    assert "Total, " in text
    assert ledger(config, "statement", "--pdf", str(config.parent / "nowhere" / "day.pdf")) == 2
    assert "nowhere/day.pdf cannot be written" in capsys.readouterr().err
