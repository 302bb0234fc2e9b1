"""The list of rounds: newest first, and found by day, seat, hand, amount and person."""

from pathlib import Path

import pytest

from controller.web import round_list
from controller.web.round_list import RoundPage, Wanted, read_rounds
from tests.support.table.paper_floor import Bench
from tests.support.web.table_screens import played_table


def page_of(bench: Bench, wanted: Wanted = Wanted(), before: int = 10**9) -> RoundPage:  # noqa: B008  a frozen value
    """What the list shows."""
    return read_rounds(Path(bench.settings.state_dir) / "journal.db", bench.settings.rules, before, wanted)


async def test_rounds_are_listed_newest_first_with_what_they_paid(tmp_path: Path) -> None:
    """A round that is still played, one without a win, and a straight flush with its amount and people."""
    async with played_table(tmp_path) as bench:
        newest, lost, won = page_of(bench).rounds[:3]
        assert (newest.round, newest.is_over, newest.wagers) == (3, False, 1)
        assert (lost.round, lost.is_over, lost.wagers, lost.hands) == (2, True, 2, ())
        assert (won.wagers, won.hands, won.paid_cents) == (3, ((2, "straight flush"),), 1_000_22)
        assert {"Dan", "Sue"} <= set(won.people)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("seat 2", [1]),
        ("seat 3", []),
        ("straight", [1]),
        ("$1,000.22", [1]),
        ("dan seat 2", [1]),
        ("eve", []),
        ("2", [2]),
    ],
)
async def test_a_round_is_found_by_what_somebody_remembers(tmp_path: Path, words: str, found: list[int]) -> None:
    """Every word must be of the round; "seat 2" is a seat that claimed, "2" alone the round's own number."""
    async with played_table(tmp_path) as bench:
        assert [one.round for one in page_of(bench, Wanted(words)).rounds] == found


async def test_rounds_are_found_by_their_day_and_read_a_part_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of another day; and a page of two rounds says where the older ones begin."""
    async with played_table(tmp_path) as bench:
        began = page_of(bench).rounds[-1].at_ms
        assert page_of(bench, Wanted(until_ms=began)).rounds == ()
        assert page_of(bench, Wanted(from_ms=began + 10**9)).rounds == ()
        monkeypatch.setattr(round_list, "A_PAGE", 2)
        page = page_of(bench)
        assert ([one.round for one in page.rounds], page.before) == ([3, 2], 2)
        older = page_of(bench, before=page.before)
        assert older.rounds[0].round == 1
        assert older.rounds[0].hands == ((2, "straight flush"),)
