"""The announced end of a link (R89): told to everybody, long enough before, and kept."""

from datetime import date, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from common.settings import SettingsError
from meter.booking.booker import Booker, ParameterChange
from meter.ledger.balances import LinkTerms
from meter.ledger.decisions import Close
from meter.ledger.parameters import announcement_fault, day_of
from meter.service.state import state_of
from meter.settings import read_meter_settings
from meter.store.base import StoreFault
from tests.support.meter.meter_bench import NOW_MS, TERMS, MemoryStore, MeterBench, link
from tests.support.meter.proved import Unchecked

TODAY = day_of(NOW_MS)
DAY_MS = 86_400_000


def ending_in(days: int) -> LinkTerms:
    """Terms whose end is so many days away."""
    return replace(TERMS, ends_on=(TODAY + timedelta(days=days)).isoformat())


@pytest.mark.parametrize(
    ("days", "words", "health"),
    [(45, "in 45 day(s)", "good"), (0, "today", "good"), (-1, "was to end on", "attention")],
)
def test_r89_everybody_is_told_how_many_days_are_left(days: int, words: str, health: str) -> None:
    """The state counts down to the announced day; a link that stands after it needs somebody."""
    meter = MeterBench(MemoryStore(), link(ending_in(days)))
    state = state_of("main", meter.heads["main"], NOW_MS)
    assert words in state.notices[0]
    assert state.health == health


def test_r89_a_link_without_an_end_says_nothing_of_one() -> None:
    """No date, no notice."""
    assert state_of("main", MeterBench().heads["main"], NOW_MS).notices == ()


@pytest.mark.parametrize(
    ("before", "after", "is_taken"),
    [(None, 30, True), (None, 29, False), (40, 31, True), (40, 29, False), (10, 12, True), (10, None, True)],
)
def test_r89_an_end_is_announced_thirty_days_before(before: int | None, after: int | None, is_taken: bool) -> None:
    """Never at shorter notice; it may be put off or taken back at any time."""
    old = ending_in(before) if before is not None else TERMS
    new = ending_in(after) if after is not None else TERMS
    store = MemoryStore()
    MeterBench(store, link(old))
    booker = Booker(store, (link(new),), lambda: NOW_MS, Unchecked())
    change = ParameterChange("Ann", "Ben", "announced")
    if is_taken:
        assert booker.open(change)["main"].terms == new
    else:
        with pytest.raises(StoreFault, match="less than 30 days away"):
            booker.open(change)
    assert (announcement_fault(old, new, TODAY) is None) == is_taken


def test_r89_a_link_is_not_closed_before_its_announced_end() -> None:
    """Two persons cannot close it a day too early; on the day they can."""
    store, now = MemoryStore(), [NOW_MS]
    MeterBench(store, link(ending_in(1)))
    meter = MeterBench(store, link(ending_in(1)))
    meter.booker = Booker(store, (link(ending_in(1)),), lambda: now[0], Unchecked())
    meter.booker.open()
    assert "not before" in meter.decide(Close())
    now[0] += DAY_MS
    assert meter.decide(Close()) == ""


def test_r89_a_link_without_an_announced_end_closes_when_two_persons_say_so() -> None:
    """The notice is theirs to give; who closed it and why stands in the ledger."""
    assert MeterBench().decide(Close()) == ""


@pytest.mark.parametrize(("written", "is_good"), [("2026-12-31", True), ("31.12.2026", False), ("2026-02-30", False)])
def test_the_settings_take_a_day_of_the_calendar(tmp_path: Path, written: str, is_good: bool) -> None:
    """A day that is none is a fault with an example beside it."""
    example = (Path(__file__).parents[3] / "config" / "meter.toml").read_text()
    path = tmp_path / "meter.toml"
    path.write_text(example.replace("\nrate_bp =", f'\nends_on = "{written}"\nrate_bp =', 1))
    if is_good:
        assert date.fromisoformat(read_meter_settings(path).links[0].terms.ends_on) == date(2026, 12, 31)
    else:
        with pytest.raises(SettingsError, match="a day such as"):
            read_meter_settings(path)
