"""What auditors take home: every decision with its persons, reason and figures, in cells that no spreadsheet runs."""

import csv
import io
import json
from fractions import Fraction
from itertools import groupby
from pathlib import Path

import pytest
from accounting_bench import books_on_disk, ledger
from hypothesis import given
from hypothesis import strategies as st
from meter_bench import MeterBench, envelope, flush, payout, royal
from msgspec.structs import replace

from meter.decisions import Claim, Correct, DecideHeld, SettleAward, Stop
from meter.link import Release, Wagers
from meter.paper import harmless, one_line
from meter.settings import read_meter_settings
from meter.sqlite_store import SqliteStore

LINK = '=HYPERLINK("http://x","y")'
FORGED = "capture error\nlink main, record 99, 2027: Correct"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A day's play, then a rejected claim, held wagers, a correction, and an award that two persons settled."""
    path = books_on_disk(tmp_path)
    store = SqliteStore(tmp_path / "ledger.sqlite")
    meter = MeterBench(store, *read_meter_settings(path).links)
    meter.say(envelope(4, flush()), envelope(5, Release(4, LINK, "@SUM(1)")))
    meter.say(envelope(6, Wagers(6, 500, (1,))))
    assert meter.decide(DecideHeld(Claim("T1", "journal-T1", 6), counts=False), reason="-wrong stake") == ""
    assert meter.decide(Correct(500_000, 500_089), "Ann", "Ben", reason=FORGED) == ""
    meter.say(envelope(7, flush()))
    assert meter.decide(SettleAward(Claim("T1", "journal-T1", 7), paid=True, amount_cents=40_00)) == ""
    assert meter.decide(Stop(), reason="+1 call") == ""
    store.close()
    return path


def rows_of(capsys: pytest.CaptureFixture[str]) -> list[dict[str, str]]:
    """What was printed as CSV."""
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


def test_r110_the_export_says_of_each_decision_who_why_and_what(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both persons, the reason, and everything that was decided: of a correction the old and the new amount (R83)."""
    assert ledger(config, "--format", "csv", "export") == 0
    rows = {row["cause"]: row for row in rows_of(capsys)}
    corrected = rows["Correct"]
    assert (corrected["persons"], corrected["details"]) == ("Ann; Ben", "old_cents=500000; new_cents=500089")
    assert corrected["reason"] == one_line(FORGED)
    settled = rows["SettleAward"]
    assert "amount_cents=4000" in settled["details"]
    assert '"journal":"journal-T1","seq":7' in settled["details"]
    assert ledger(config, "export") == 0
    text = capsys.readouterr().out
    assert "Correct\n  by Ann; Ben: capture error\\nlink" in text
    assert "  old_cents=500000; new_cents=500089\n" in text
    heads = [line for line in text.splitlines() if line.startswith("link")]
    assert [line.split()[3] for line in heads] == [f"{number}," for number in range(1, len(heads) + 1)]


def test_r110_the_export_says_of_each_entry_where_it_stands_at_its_table(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Table, journal, sequence and the table's own time; who validated and paid, and why something is held."""
    assert ledger(config, "--format", "csv", "export") == 0
    rows = rows_of(capsys)
    paid = next(row for row in rows if row["cause"] == "Payout")
    assert (paid["table"], paid["journal"], paid["seq"], paid["persons"]) == (
        "T1", "journal-T1", "3", "supervisor; dealer",
    )  # fmt: skip  # one line is one look
    assert paid["table_time"] == "2027-01-15T08:00:00.003+00:00"
    held = next(row for row in rows if row["cause"] == "Wagers held")
    assert "joined with $1" in held["reason"]
    assert "stake_cents=500; seats=[1]" in held["details"]
    joined = next(row for row in rows if row["cause"] == "Joined")
    assert (joined["table"], joined["journal"]) == ("T1", "journal-T1")
    assert ledger(config, "export") == 0
    text = capsys.readouterr().out
    assert ": Payout at table T1, entry 3 of journal journal-T1" in text
    assert "by supervisor; dealer" in text


def test_r110_a_record_of_the_meter_itself_says_what_it_says(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The terms that a link was opened on are in the export."""
    assert ledger(config, "--format", "csv", "export") == 0
    (opened,) = [row for row in rows_of(capsys) if row["cause"] == "Opened"]
    assert '"rate_bp":7000' in opened["details"]


def test_no_cell_of_a_csv_is_a_formula(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What people wrote is text in a spreadsheet; figures are figures."""
    for action in ("export", "award", "statement", "liability", "verify"):
        assert ledger(config, "--format", "csv", action) == 0
        for row in rows_of(capsys):
            for cell in row.values():
                assert not cell.startswith(("=", "+", "@"))
                assert not cell.startswith("-") or Fraction(cell) < 0
    assert ledger(config, "--format", "csv", "export") == 0
    rows = rows_of(capsys)
    (rejected,) = {(row["persons"], row["reason"]) for row in rows if row["cause"] == "Release"}
    assert rejected == ("'@SUM(1)", f"'{LINK}")
    assert {row["reason"] for row in rows if row["cause"] == "Stop"} == {"'+1 call"}
    assert ledger(config, "--format", "csv", "statement") == 0
    assert any(Fraction(row["dollars"]) < 0 for row in rows_of(capsys))


@given(st.text(max_size=20))
def test_whatever_people_write_a_cell_is_one_line_and_no_formula(words: str) -> None:
    """Nothing of it is lost but the lines that it would have made."""
    cell = harmless(one_line(words))
    assert len(cell.splitlines()) <= 1
    assert not cell.startswith(("=", "+", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff20", "\uff0d"))
    assert cell.removeprefix("'") == one_line(words) or cell == one_line(words)


@given(st.integers(-(10**15), 10**15))
def test_a_number_stays_one(units: int) -> None:
    """Of either sign, with or without a fraction."""
    for number in (str(units), f"{units}.25"):
        assert harmless(number) == number


def test_r68_the_csv_of_an_award_is_the_whole_report(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Start, every movement, the meter before, contributions by table, shares: the same figures as in JSON."""
    assert ledger(config, "--format", "json", "award") == 0
    reports = json.loads(capsys.readouterr().out)
    assert ledger(config, "--format", "csv", "award") == 0
    by_award = {number: list(rows) for number, rows in groupby(rows_of(capsys), key=lambda row: int(row["award"]))}
    assert len(reports) == len(by_award) == 3
    for report in reports:
        rows = by_award[report["number"]]
        figures = {row["figure"]: Fraction(row["dollars"]) * 10**6 for row in rows if not row["of"]}
        parts = {
            name: {row["of"]: Fraction(row["dollars"]) * 10**6 for row in rows if row["of"] and row["figure"] == name}
            for name in ("contribution_by_table", "share_of_seat")
        }
        assert figures["start"] == report["start_units"]
        assert {name: figures[f"moved_by_{name}"] for name in report["movements"]} == report["movements"]
        assert (
            figures["meter_before"]
            == report["before_units"]
            == figures["start"] + sum(units for name, units in figures.items() if name.startswith("moved_by_"))
        )
        assert parts["contribution_by_table"] == report["contributions"]
        shares = {seat: cents * 10_000 for seat, cents in report["shares"].items()}
        assert parts["share_of_seat"] == shares
        assert figures["amount"] == sum(shares.values()) == figures["from_the_meter"] + figures["from_the_house"]
        assert figures["paid"] == report["outcome"]["paid_cents"] * 10_000
        assert {row["reproduced"] for row in rows} == {"yes"}


def test_r68_those_who_share_an_award_have_a_row_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three royals in one round: odd cents in paying order."""
    config = books_on_disk(tmp_path)
    store = SqliteStore(tmp_path / "ledger.sqlite")
    meter = MeterBench(store, *read_meter_settings(config).links)
    meter.say(envelope(4, replace(royal(), sharers=(3, 1, 2))), envelope(5, payout(4)))
    store.close()
    assert ledger(config, "--format", "csv", "award", "2") == 0
    shares = {row["of"]: row["dollars"] for row in rows_of(capsys) if row["figure"] == "share_of_seat"}
    assert shares == {"3": "1666.67", "1": "1666.67", "2": "1666.66"}
