"""The bench's own entries in docs/measurements.md: runs are added and brought up to date, never lost."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from hil import results
from hil.latency import Answer
from hil.machines import MACHINES
from hil.power_cut_run import Cut

EVENING = datetime(2026, 11, 16, 20, 0, tzinfo=UTC)
NIGHT = datetime(2026, 11, 16, 23, 0, tzinfo=UTC)


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    page = tmp_path / "measurements.md"
    latencies = (f"{results._LATENCY.format(machine=name)}\n{results._END}\n" for name in MACHINES)
    page.write_text(f"before\n{''.join(latencies)}between\n{results._CUTS}\n{results._END}\nafter\n")
    monkeypatch.setattr(results, "_PAGE", page)
    return page


def cut(number: int, broken: str = "") -> Cut:
    return Cut(number, "round", 1.5, "locked", cached=3, lost=2, is_booted=False, broken=broken)


def run(began: datetime, *cuts: Cut) -> results.CutRun:
    return results.CutRun(began, "0.1.0", "aarch64", 7, cuts, took_s=125)


def rows(page: Path) -> list[str]:
    return [line for line in page.read_text().splitlines() if line.startswith("| 2026")]


def test_a_run_is_brought_up_to_date_and_earlier_ones_stay(page: Path) -> None:
    """Written after every cut: one row for each run, with its last figures."""
    results.write(run(EVENING, cut(1)))
    results.write(run(NIGHT, cut(1)))
    results.write(run(NIGHT, cut(1), cut(2)))
    evening, night = rows(page)
    assert evening == "| 2026-11-16 20:00 UTC | 0.1.0 | aarch64 | 7 | 1 | round 1 | locked 1 | 2 of 3 | 0 | 2 min | 0 |"
    assert night == "| 2026-11-16 23:00 UTC | 0.1.0 | aarch64 | 7 | 2 | round 2 | locked 2 | 4 of 6 | 0 | 2 min | 0 |"


def test_a_broken_law_stays_on_the_page(page: Path) -> None:
    """Whatever later runs show."""
    results.write(run(EVENING, cut(1, broken="LawBroken('only {2} are lit')")))
    results.write(run(NIGHT, cut(1)))
    text = page.read_text()
    assert "- 2026-11-16 20:00 UTC, cut 1 (round, 1.5 s): LawBroken('only {2} are lit')" in text
    assert [row.rpartition(" | ")[2] for row in rows(page)] == ["1 |", "0 |"]


def test_latencies_stand_beside_their_ratio_and_touch_nothing_else(page: Path) -> None:
    """The bare callback is one; the other machine's figures stay as they are."""
    results.write(run(EVENING, cut(1)))
    results.write_latency("0.1.0", "x86_64", Answer("bare", (1.0, 1.0, 1.0)))
    results.write_latency(
        "0.1.0", "aarch64", Answer("bare", (2.0, 4.0, 6.0)), Answer("edge → light", (10.0, 20.0, 90.0))
    )
    text = page.read_text()
    assert "| bare | 3 | 1.0 | " in text
    assert "| bare | 3 | 4.0 | " in text
    assert "| edge → light | 3 | 20.0 | " in text
    assert " | 5.0 |" in text
    assert len(rows(page)) == 1
    assert text.startswith("before\n")
    assert text.endswith("after\n")
