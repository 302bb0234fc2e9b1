"""Debounce: what counts as a level, and what never does."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.recognise.debounce import (
    BUTTON_TIMINGS,
    SENSOR_TIMINGS,
    SLOT_TIMINGS,
    Burst,
    Debounce,
    LevelChange,
    Timings,
)

SETTLE_5 = Timings(settle_ms=5)


def test_a_level_counts_once_it_has_stood_and_from_its_first_edge() -> None:
    """The stable change carries the time of the edge, not of the verdict."""
    debounce = Debounce(SETTLE_5)
    assert debounce.edge(True, 10.0) == []
    assert debounce.look(True, 10.0049) == []
    assert debounce.look(True, 10.005) == [LevelChange(True, 10.0)]
    assert debounce.level


def test_settle_ms_zero_believes_an_edge_at_once() -> None:
    """No wait is added when none was asked for."""
    debounce = Debounce(Timings(settle_ms=0))
    assert debounce.edge(True, 10.0) == [LevelChange(True, 10.0)]
    assert debounce.edge(False, 10.0) == [LevelChange(False, 10.0)]
    assert debounce.due is None


def test_a_late_next_edge_proves_that_the_level_stood() -> None:
    """A blocked loop that hears both edges of a chip at once still sees the chip."""
    debounce = Debounce(SETTLE_5)
    debounce.edge(True, 10.0)
    assert debounce.edge(False, 10.03) == [LevelChange(True, 10.0)]


def test_one_look_against_the_edges_changes_nothing() -> None:
    """A look can run ahead of an edge that is still on its way."""
    debounce = Debounce(SETTLE_5)
    assert debounce.look(True, 10.0) == []
    assert debounce.edge(True, 10.001) == []
    assert debounce.look(True, 10.006) == [LevelChange(True, 10.001)]


def test_looks_against_the_edges_for_long_enough_prove_a_lost_edge() -> None:
    """A level nobody reported is believed from the first look that saw it; sooner, its edge may only be late."""
    debounce = Debounce(SETTLE_5)
    debounce.look(True, 10.0)
    assert debounce.look(True, 10.099) == []
    assert debounce.look(True, 10.1) == [LevelChange(True, 10.0)]


def test_a_spike_whose_second_edge_was_lost_never_counts() -> None:
    """Before a level counts the pin is read; twice away, it was a spike."""
    debounce = Debounce(SETTLE_5)
    debounce.edge(True, 10.0)
    assert debounce.look(False, 10.005) == []
    assert debounce.due == pytest.approx(10.105)
    assert debounce.look(False, 10.105) == []
    assert debounce.is_quiet


def test_a_second_rising_edge_after_a_doubt_does_not_vouch_for_the_first() -> None:
    """Two spikes whose falling edges were lost are not one long level."""
    debounce = Debounce(SETTLE_5)
    debounce.edge(True, 10.0)
    debounce.look(False, 10.005)
    assert debounce.edge(True, 10.008) == []
    assert debounce.due == pytest.approx(10.013)


def test_a_falling_edge_after_a_doubt_does_vouch() -> None:
    """The look was merely ahead of the edge that ended a real level."""
    debounce = Debounce(SETTLE_5)
    debounce.edge(True, 10.0)
    debounce.look(False, 10.04)
    assert debounce.edge(False, 10.041) == [LevelChange(True, 10.0)]


def test_a_level_that_looks_took_back_is_given_back_by_its_late_edge() -> None:
    """A short chip heard later than edges should be: both its edges have come, and they have their times."""
    debounce = Debounce(SETTLE_5)
    debounce.edge(True, 10.0)
    assert debounce.look(False, 10.15) == []
    assert debounce.look(False, 10.25) == []
    assert debounce.edge(False, 10.04) == [LevelChange(True, 10.0)]
    assert debounce.look(False, 10.3) == [LevelChange(False, 10.04)]


def test_an_edge_older_than_what_was_told_changes_nothing() -> None:
    """A wide chip whose end the looks had to find is not counted again by its edges."""
    debounce = Debounce(SETTLE_5)
    debounce.edge(True, 10.0)
    assert debounce.look(True, 10.01) == [LevelChange(True, 10.0)]
    debounce.look(False, 10.2)
    assert debounce.look(False, 10.3) == [LevelChange(False, 10.2)]
    assert debounce.edge(False, 10.15) == []
    assert debounce.due is None


def test_a_look_older_than_the_last_edge_says_nothing() -> None:
    """An edge can slip in between the reading and the telling."""
    debounce = Debounce(SETTLE_5)
    debounce.edge(True, 10.0005)
    debounce.look(False, 10.0)
    assert debounce.due == pytest.approx(10.0055)


def test_a_doubt_that_a_later_edge_proves_ends_the_level() -> None:
    """The edge between two chips was lost, and a look saw the light between them: they are two."""
    debounce = Debounce(SETTLE_5)
    debounce.edge(True, 10.0)
    debounce.look(True, 10.01)
    debounce.look(False, 10.04)
    assert debounce.edge(True, 10.06) == [LevelChange(False, 10.04)]
    assert debounce.look(True, 10.065) == [LevelChange(True, 10.06)]


def test_more_edges_than_the_limit_within_the_window_are_chatter() -> None:
    """The limit itself is still allowed; an older edge does not count."""
    burst = Burst(3, 100)
    for at in (1.0, 1.01, 1.02):
        burst.add(at)
    assert not burst.is_over
    burst.add(1.11)
    assert not burst.is_over
    burst.add(1.112)
    assert not burst.is_over
    burst.add(1.113)
    assert burst.is_over


def test_the_usual_timings_have_no_problems() -> None:
    """What we ship would neither lose chips nor see ghosts."""
    assert [timings.problems() for timings in (SLOT_TIMINGS, SENSOR_TIMINGS, BUTTON_TIMINGS)] == [[], [], []]


def test_timings_that_contradict_each_other_are_all_named() -> None:
    """Every contradiction at once, for the person who edits the settings."""
    wrong = Timings(settle_ms=600, min_chip_ms=500, max_chip_ms=400, stuck_ms=300, reread_ms=100)
    assert len(wrong.problems()) == 3


noise = st.lists(st.tuples(st.floats(0.1, 4.9), st.floats(0.1, 400.0)), max_size=30)


@settings(deadline=None)
@given(noise)
def test_noise_shorter_than_settle_never_becomes_a_level(spikes: list[tuple[float, float]]) -> None:
    """Whatever the gaps between spikes, none of them stands long enough."""
    debounce, at = Debounce(SETTLE_5), 10_000.0
    changes: list[LevelChange] = []
    for length, gap in spikes:
        changes += debounce.edge(True, at / 1000)
        changes += debounce.edge(False, (at + length) / 1000)
        at += length + gap
    changes += debounce.look(False, at / 1000 + 1)
    assert changes == []


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(5.1, 400.0), st.floats(5.1, 400.0)), max_size=30), st.randoms())
def test_every_level_that_stands_is_told_once_in_order(spans: list[tuple[float, float]], dice: random.Random) -> None:
    """Changes alternate and carry the edges' own times, whatever looks come in between."""
    debounce, at = Debounce(SETTLE_5), 10_000.0
    changes: list[LevelChange] = []
    edges = []
    for on_ms, off_ms in spans:
        for level, length in ((True, on_ms), (False, off_ms)):
            edges.append(LevelChange(level, at / 1000))
            changes += debounce.edge(level, at / 1000)
            for look in sorted(dice.uniform(0.0, length) for _ in range(dice.randrange(3))):
                changes += debounce.look(level, (at + look) / 1000)
            at += length
    changes += debounce.look(False, at / 1000)
    assert changes == edges
