"""What auditors take home: every decision with its persons, reason and figures, in cells that no spreadsheet runs."""

import csv
import hashlib
import io
import json
from datetime import datetime
from fractions import Fraction
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from link.messages import Release, Wagers
from meter.booking.results import MessageResult
from meter.ledger.decisions import Correct, DecideHeld, EntryRef, SettleAward, Stop
from meter.reports.formatting import harmless, one_line, utc
from meter.settings import read_meter_settings
from meter.store.sqlite import SqliteStore
from tests.support.meter.accounting_bench import books_on_disk, ledger, spoil, two_links
from tests.support.meter.meter_bench import MeterBench, envelope, flush, payout, royal, wagers, with_cards

LINK = '=HYPERLINK("http://x","y")'
FORGED = "capture error\nlink main, record 99, 2027: Correct"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A day's play, then a rejected claim, held wagers, a correction, and an award that two persons settled."""
    path = books_on_disk(tmp_path)
    store = SqliteStore(tmp_path / "ledger.sqlite")
    meter = MeterBench(store, *read_meter_settings(path).links)
    meter.say(envelope(4, flush()), envelope(5, Release(4, LINK, "@SUM(1)")))
    meter.say(envelope(1, Wagers(1, 500, (1,)), "T2"))
    assert meter.decide(DecideHeld(EntryRef("T2", "journal-T2", 1), counts=False), reason="-wrong stake") == ""
    assert meter.decide(Correct(500_000, 500_089), "Ann", "Ben", reason=FORGED) == ""
    meter.say(envelope(6, flush()))
    assert meter.decide(SettleAward(EntryRef("T1", "journal-T1", 6), paid=True, amount_cents=40_00)) == ""
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
    assert '"journal":"journal-T1","seq":6' in settled["details"]
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


@pytest.mark.parametrize(
    ("at_ms", "said"),
    [
        (253_402_300_799_999, "9999-12-31T23:59:59.999+00:00"),
        (253_402_300_800_000, "253402300800000 ms"),
        (2**53 - 1, "9007199254740991 ms"),
    ],
)
def test_r110_a_table_whose_clock_is_far_ahead_is_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], at_ms: int, said: str
) -> None:
    """Whatever the link takes can be taken home: every action in every format, the table's time as far as it is one."""
    config = books_on_disk(tmp_path)
    store = SqliteStore(tmp_path / "ledger.sqlite")
    meter = MeterBench(store, *read_meter_settings(config).links)
    played = (envelope(4, wagers(3)), envelope(5, royal(3, 4)), envelope(6, payout(5)))
    assert {meter.outcome(replace(entry, at_ms=at_ms)).result for entry in played} == {MessageResult.BOOKED}
    store.close()
    for action in ("export", "award", "statement", "liability", "verify"):
        for form in ("text", "json", "csv"):
            assert ledger(config, "--format", form, action) == 0
    capsys.readouterr()
    assert ledger(config, "--format", "csv", "export") == 0
    assert {row["table_time"] for row in rows_of(capsys) if row["seq"] in ("4", "5", "6")} == {said}


@given(st.integers(0, 2**53 - 1))
def test_every_time_that_the_link_takes_can_be_written(at_ms: int) -> None:
    """As a date or as the number that it is; none is another's."""
    said = utc(at_ms)
    if said.endswith(" ms"):
        assert said == f"{at_ms} ms"
    else:
        assert round(datetime.fromisoformat(said).timestamp() * 1_000) == at_ms


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
    """Three royals in one round share $5,002.10: odd cents in paying order."""
    config = books_on_disk(tmp_path)
    store = SqliteStore(tmp_path / "ledger.sqlite")
    meter = MeterBench(store, *read_meter_settings(config).links)
    meter.say(envelope(4, replace(wagers(1, 2, 3, number=2), since_ms=60_000)))
    meter.say(envelope(5, with_cards(replace(royal(number=2), sharers=(3, 1, 2)))), envelope(6, payout(5)))
    store.close()
    assert ledger(config, "--format", "csv", "award", "2") == 0
    shares = {row["of"]: row["dollars"] for row in rows_of(capsys) if row["figure"] == "share_of_seat"}
    assert shares == {"3": "1667.37", "1": "1667.37", "2": "1667.36"}


def test_r110_a_night_of_a_long_ledger_is_exported_by_its_records(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the statement names them; what stands before is proved and not shown, and whoever reads on is told so."""
    for form in ("text", "csv", "json"):
        assert ledger(config, "--format", form, "export") == 0
        whole = capsys.readouterr().out.splitlines()
        assert ledger(config, "--format", form, "export", "--from", "4", "--to", "5") == 0
        said = capsys.readouterr()
        part = said.out.splitlines()
        assert 0 < len(part) < len(whole)
        assert "\n".join(part).removeprefix(whole[0]) in "\n".join(whole)
        assert "link main: records 4 to 5 of 14; those before and after are proved and not shown" in said.err
    seals = {json.loads(line)["record"]["number"]: json.loads(line)["seal"] for line in whole}
    assert [json.loads(line)["record"]["number"] for line in part] == [4, 5]
    assert f"record 4 is sealed after {seals[3]}" in said.err
    body = part[0].partition(',"record":')[2][:-1].encode()
    assert hashlib.sha256(bytes.fromhex(seals[3]) + body).hexdigest() == seals[4]


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [(("--from", "12"), 12, 14), (("--to", "2"), 1, 2), (("--from", "14", "--to", "99"), 14, 14), ((), 1, 14)],
)
def test_the_range_of_an_export_may_be_open(
    config: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], first: int, last: int
) -> None:
    """At either end; all of it needs no word about what is missing."""
    assert ledger(config, "--format", "json", "export", *words) == 0
    said = capsys.readouterr()
    assert [json.loads(line)["record"]["number"] for line in said.out.splitlines()] == [*range(first, last + 1)]
    assert ("not shown" in said.err) == bool(words)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--from", "5", "--to", "4"), "--from 5 is after --to 4"),
        (("--from", "15"), "link main has no record 15; it has 14"),
    ],
)
def test_a_range_without_records_cannot_be_asked_for(
    config: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], why: str
) -> None:
    """Nothing is printed that could be taken for an empty night."""
    assert ledger(config, "--format", "csv", "export", *words) == 2
    said = capsys.readouterr()
    assert (said.out, why in said.err) == ("", True)
    with pytest.raises(SystemExit):
        ledger(config, "export", "--from", "0")


@pytest.mark.parametrize("bad", [2, 12])
def test_r86_damage_outside_the_range_ends_the_export_with_1(
    config: Path, capsys: pytest.CaptureFixture[str], bad: int
) -> None:
    """What is not shown is proved all the same."""
    spoil(config.parent / "ledger.sqlite", f"UPDATE ledger SET seal = zeroblob(32) WHERE number = {bad}")
    assert ledger(config, "export", "--from", "4", "--to", "5") == 1
    assert f"record {bad}" in capsys.readouterr().err


def test_each_link_has_its_own_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A link that is shorter than the range is named; the others are exported."""
    config = two_links(tmp_path)
    assert ledger(config, "--format", "json", "export", "--from", "3") == 0
    said = capsys.readouterr()
    assert {json.loads(line)["record"]["link"] for line in said.out.splitlines()} == {"main"}
    assert "link side has no record 3; it has 1" in said.err
