"""pitlink ledger at the accountant's desk: in every format, beside a running meter, and never of damaged books."""

import csv
import io
import json
import re
import sqlite3
from collections.abc import Callable
from datetime import timedelta
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from accounting_bench import DAY_MS, books_on_disk, ledger, round_down, spoil
from meter_bench import NOW_MS, MeterBench, envelope, wagers
from msgspec.structs import replace

from controller.command_line import main
from meter.decisions import Correct
from meter.gaming_day import Calendar
from meter.paper import in_dollars
from meter.replay import told
from meter.settings import read_meter_settings
from meter.sqlite_store import SqliteStore
from meter.store import stamped


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


def two_links(folder: Path) -> Path:
    """Main has records on one day and three days later; side was opened on the day after the first, and rests since."""
    config = books_on_disk(folder)
    main_only = config.read_text()
    _, _, link = main_only.partition("[[link]]")
    config.write_text(f"{main_only}[[link]]{link.replace('main', 'side')}")
    store = SqliteStore(folder / "ledger.sqlite")
    meter = MeterBench(store, *read_meter_settings(config).links, now_ms=NOW_MS + DAY_MS)
    meter.now_ms = NOW_MS + 3 * DAY_MS
    meter.say(envelope(4, wagers()))
    store.close()
    return config


def test_a_day_without_records_stands_as_the_one_before_left_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Opening is closing, in every format; the link that rests is told as long as its meter has days."""
    config = two_links(tmp_path)
    first = Calendar("06:00").day_of(NOW_MS)
    quiet, last = first + timedelta(days=2), first + timedelta(days=3)
    assert ledger(config, "--format", "json", "statement", "--day", str(quiet)) == 0
    main_day, side_day = json.loads(capsys.readouterr().out)
    assert (main_day["link"], side_day["link"], main_day["day"]) == ("main", "side", str(quiet))
    assert main_day["opening_units"] == main_day["closing_units"]
    assert main_day["closing_units"]["meter"] == 500_000 * 10_000
    assert (main_day["first_record"], main_day["tables"]) == (0, [])
    assert ledger(config, "statement", "--day", str(quiet)) == 0
    text = capsys.readouterr().out
    assert f"link main, gaming day {quiet}, no records" in text
    assert ledger(config, "--format", "csv", "statement", "--day", str(quiet)) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    figures = {row["figure"]: row["dollars"] for row in rows if (row["link"], row["account"]) == ("main", "together")}
    assert figures["opening"] == figures["closing"] == "5000.00"
    assert ledger(config, "--link", "side", "statement", "--day", str(last)) == 0
    assert f"link side, gaming day {last}, no records" in capsys.readouterr().out


def test_a_day_that_the_books_have_not_got_is_a_bad_request_that_names_those_they_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before the first, after the last, and before one of two links was opened."""
    config = two_links(tmp_path)
    first = Calendar("06:00").day_of(NOW_MS)
    last = first + timedelta(days=3)
    for form in ("text", "json", "csv"):
        for day in (first - timedelta(days=1), last + timedelta(days=1)):
            assert ledger(config, "--format", form, "statement", "--day", str(day)) == 2
            said = capsys.readouterr()
            assert said.out == ""
            assert f"link main has no gaming day {day}; it has {first} to {last}" in said.err
            assert f"link side has no gaming day {day}; it has {first + timedelta(days=1)} to {last}" in said.err
    assert ledger(config, "statement", "--day", str(first)) == 0
    said = capsys.readouterr()
    assert f"link main, gaming day {first}" in said.out
    assert f"link side has no gaming day {first}; it has" in said.err


def test_r108_a_variance_is_exit_1_in_every_format(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A meter that rounds each contribution down agrees with itself, so verify finds nothing; the statement does."""
    round_down(monkeypatch)
    config = books_on_disk(tmp_path, rate_bp=7_033, seats=(1,))
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
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["reproduced"], row["status"], row["persons"]) == ("yes", "paid", "supervisor; dealer")
    assert ledger(config, "--format", "json", "award") == 0
    (report,) = json.loads(capsys.readouterr().out)
    assert report["contributions"] == {"T1": 300 * 7_000}
    assert (report["outcome"]["status"], report["outcome"]["persons"]) == ("paid", ["supervisor", "dealer"])
    assert ledger(config, "award", "2") == 2


def test_pitlink_ledger_export_has_every_record(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """R110: text for people, postings as CSV, sealed records as JSON lines that anybody can check."""
    assert ledger(config, "export") == 0
    text = capsys.readouterr().out
    assert ": Wagers at table T1\n    contribution: wagers to meter" in text
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
    """Sound, then changed behind the meter's back."""
    assert ledger(config, "verify") == 0
    text = capsys.readouterr().out
    assert "6 records are sound" in text
    assert ledger(config, "--format", "json", "verify") == 0
    book, floor = json.loads(capsys.readouterr().out)
    assert (book["link"], book["is_sound"], book["record"], floor["book"]) == ("main", True, 6, "floor")
    assert f"record 6 has the seal {book['seal']}" in text
    assert ledger(config, "--format", "csv", "verify") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["book"], row["is_sound"], row["seal"]) for row in rows] == [
        ("ledger", "yes", book["seal"]), ("floor", "yes", ""),
    ]  # fmt: skip  # one line is one look
    spoil(config.parent / "ledger.sqlite", "UPDATE ledger SET body = replace(body, 'royal', 'loyal') WHERE number = 5")
    for form, words in (("text", "record 5"), ("json", '"is_sound": false'), ("csv", "ledger,main,no,")):
        assert ledger(config, "--format", form, "verify") == 1
        assert words in capsys.readouterr().out
    assert ledger(config, "statement") == 1
    assert "record 5" in capsys.readouterr().err


def forge_figures(config: Path) -> None:
    """Another amount in the figures beside the records, with a stamp that fits."""
    store = SqliteStore(config.parent / "ledger.sqlite")
    saved = store.load("main")
    store.close()
    assert saved is not None
    head = stamped(replace(saved.head, pot=replace(saved.head.pot, hits=saved.head.pot.hits + 1)))
    database = sqlite3.connect(config.parent / "ledger.sqlite")
    with database:
        database.execute("UPDATE head SET body = ?, stamp = ?", (head.body, head.stamp))
    database.close()


DAMAGES: list[tuple[Callable[[Path], None], str]] = [
    (
        lambda config: spoil(config.parent / "ledger.sqlite", "DELETE FROM ledger WHERE number = 6"),
        "it ends at record 5 instead of 6",
    ),
    (
        lambda config: spoil(config.parent / "ledger.sqlite", "DELETE FROM ledger WHERE number > 3"),
        "it ends at record 3 instead of 6",
    ),
    (forge_figures, "the figures kept beside the records are not those that the records make"),
    (
        lambda config: spoil(config.parent / "ledger.sqlite", "UPDATE head SET body = 'x'"),
        "the figures kept beside the records were changed",
    ),
]


@pytest.mark.parametrize("damage", DAMAGES, ids=["last record", "last records", "forged figures", "spoilt figures"])
@pytest.mark.parametrize("action", [("statement",), ("award",), ("award", "1"), ("export",)], ids=" ".join)
def test_r86_no_report_is_made_of_a_ledger_whose_end_is_missing(
    config: Path,
    capsys: pytest.CaptureFixture[str],
    damage: tuple[Callable[[Path], None], str],
    action: tuple[str, ...],
) -> None:
    """What follows from what stands there is not all that was booked; the words are those of verify."""
    spoilt, words = damage
    spoilt(config)
    assert ledger(config, "verify") == 1
    assert words in capsys.readouterr().out
    for form in ("text", "json", "csv"):
        assert ledger(config, "--format", form, *action) == 1
        said = capsys.readouterr()
        assert words in said.err
        assert action == ("export",) or said.out == ""


@pytest.mark.parametrize(
    "order",
    ["UPDATE ledger SET body = 'x' WHERE number = 2", "DELETE FROM ledger WHERE link = 'side'"],
    ids=["spoilt", "gone"],
)
def test_what_is_wrong_with_one_link_is_said_of_that_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], order: str
) -> None:
    """In the words of verify, of its last record, too; the other link has its statement."""
    config = two_links(tmp_path)
    store = SqliteStore(tmp_path / "ledger.sqlite")
    meter = MeterBench(store, *read_meter_settings(config).links)
    assert meter.decide(Correct(1_000_000, 1_000_001), link="side") == ""
    store.close()
    spoil(tmp_path / "ledger.sqlite", f"{order}{' AND' if 'WHERE' in order else ' WHERE'} link = 'side'")
    assert ledger(config, "verify") == 1
    (words,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("link side")]
    assert ledger(config, "--link", "side", "statement") == 1
    assert capsys.readouterr().err.strip() == words.removeprefix("link side: ")
    assert ledger(config, "--link", "main", "statement") == 0


def test_a_report_ends_where_the_running_meter_stood_when_it_was_begun() -> None:
    """What is booked while a ledger is read back is neither told nor a difference."""
    meter = MeterBench()
    meter.join("T1")
    history = told(meter.store, "main")
    first = next(history)
    meter.say(envelope(1, wagers()))
    assert [first.record.number, *(entry.record.number for entry in history)] == [1, 2]


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


def test_a_day_in_parts_is_told_part_by_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each says which one it is; the machine's formats number them."""
    config = books_on_disk(tmp_path)
    store = SqliteStore(tmp_path / "ledger.sqlite")
    meter = MeterBench(store, *read_meter_settings(config).links)
    for seq, jump in enumerate((DAY_MS, -DAY_MS), start=4):
        meter.now_ms += jump
        meter.say(envelope(seq, wagers()))
    store.close()
    assert ledger(config, "--format", "json", "statement") == 0
    found = [(day["day"], day["part"], day["parts"]) for day in json.loads(capsys.readouterr().out)]
    day, other = found[0][0], found[1][0]
    assert found == [(day, 1, 2), (other, 1, 1), (day, 2, 2)]
    assert ledger(config, "statement", "--day", day) == 0
    text = capsys.readouterr().out
    assert f"gaming day {day}, part 1 of 2, records 1 to 6" in text
    assert f"gaming day {day}, part 2 of 2, records 8 to 8" in text
    assert ledger(config, "--format", "csv", "statement", "--day", day) == 0
    assert {row["part"] for row in csv.DictReader(io.StringIO(capsys.readouterr().out))} == {"1", "2"}
