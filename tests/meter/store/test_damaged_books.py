"""No report is made of damaged books, and what is wrong is said in the words of verify."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from meter.ledger.decisions import Correct
from meter.settings import read_meter_settings
from meter.store.base import stamped
from meter.store.replay import replayed
from meter.store.sqlite import SqliteStore
from tests.support.meter.accounting_bench import books_on_disk, ledger, spoil, two_links
from tests.support.meter.meter_bench import MeterBench, envelope, wagers


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A ledger with a day's play, on disk, and the settings that name it."""
    return books_on_disk(tmp_path)


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
    history = replayed(meter.store, "main")
    first = next(history)
    meter.say(envelope(1, wagers()))
    assert [first.record.number, *(entry.record.number for entry in history)] == [1, 2]
