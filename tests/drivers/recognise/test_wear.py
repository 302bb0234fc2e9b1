"""Wear: a worn acceptor shows before it fails."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.ports import ChipEntered, FaultReported
from drivers.recognise.chip_passage import ChipPassage
from drivers.recognise.chip_presence import ChipPresence
from drivers.recognise.debounce import SLOT_TIMINGS
from drivers.recognise.wear import RECENT, SeatHealth, Wear


def slot(*widths_ms: float) -> tuple[ChipPassage, list[object]]:
    """A one-beam slot through which pulses of these widths went, a second apart."""
    passage = ChipPassage(3, "seat 3 acceptor", beams=1, timings=SLOT_TIMINGS)
    said: list[object] = [*passage.start([False], 0.0)]
    passage.gate_opened(0.0)
    for number, width in enumerate(widths_ms, start=1):
        said += passage.edge(0, True, float(number))
        said += passage.edge(0, False, number + width / 1000)
        said += passage.look([False], number + width / 1000 + 0.01)
    return passage, said


def test_chips_and_their_widths_are_kept() -> None:
    """Shortest, typical and longest pulse of a healthy slot."""
    passage, said = slot(30, 34, 32)
    assert [type(one) for one in said] == [ChipEntered] * 3
    assert passage.wear.look() == SeatHealth(3, 0, 0, 30.0, 32.0, 34.0, is_worn=False, pulses=3, latest_ms=(34.0, 32.0))


@pytest.mark.parametrize("width", [8.5, 460])
def test_a_slot_close_to_its_limits_is_worn_while_it_still_takes_every_chip(width: float) -> None:
    """Nobody has lost a chip yet, and the technician sees it."""
    passage, said = slot(*[30] * 6, *[width] * 3)
    assert len(said) == 9
    health = passage.wear.look()
    assert (health.chips, health.near_misses, health.faults, health.is_worn) == (9, 3, 0, True)


def test_flickers_too_short_for_a_chip_are_near_misses() -> None:
    """They are forgiven, but not forgotten."""
    passage, said = slot(6, 30, 6)
    assert len(said) == 1
    assert passage.wear.look().near_misses == 2


def test_a_jam_is_counted_once() -> None:
    """However often it is looked at."""
    passage, said = slot(3000)
    assert [type(one) for one in said] == [FaultReported]
    passage.look([False], 9.0)
    assert passage.wear.look().faults == 1


def test_a_sensor_counts_its_chips_and_faults() -> None:
    """It has no pulses: a chip rests for as long as it rests."""
    presence = ChipPresence(3, "seat 3 acceptor", timings=SLOT_TIMINGS)
    presence.start([False], 0.0)
    presence.edge(0, True, 1.0)
    presence.look([True], 1.1)
    assert presence.wear.look() == SeatHealth(chips=1)


@given(before=st.lists(st.floats(0, 1000), max_size=80))
def test_a_mended_acceptor_is_well_again_after_some_chips(before: list[float]) -> None:
    """Whatever happened before, the verdict is of the last pulses only; the counts stay."""
    wear = Wear(8, 500)
    for width in before:
        wear.pulse(width)
    misses = wear.look().near_misses
    for _ in range(RECENT):
        wear.pulse(30)
    health = wear.look()
    assert not health.is_worn
    assert health.near_misses == misses
    assert (health.shortest_ms, health.longest_ms) == (30.0, 30.0)


@given(st.lists(st.booleans(), max_size=120))
def test_a_device_that_measures_for_itself_is_judged_by_what_it_gives_back(taken: list[bool]) -> None:
    """A tenth of the last chips given back is too many, once there were a few."""
    wear = Wear()
    for was_taken in taken:
        if was_taken:
            wear.accepted()
        else:
            wear.rejected()
    recent = taken[-RECENT:]
    misses = recent.count(False)
    assert wear.look().is_worn is (misses >= 3 and misses * 10 >= len(recent))
    assert wear.look().chips == taken.count(True)
