"""The outlet of a return device: every chip that breaks the beam is one chip, and empty is said in time."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.ports import FaultKind, FaultReported
from drivers.recognise.chip_outlet import ChipLeft, ChipOutlet, Leaving, OutletTimings, RanEmpty

TIMINGS = OutletTimings(settle_ms=3, jam_ms=400, empty_ms=500)
widths_ms = st.integers(4, 300)
gaps_ms = st.integers(4, 400)


def play(outlet: ChipOutlet, pulses: list[tuple[int, int]], looks: list[int]) -> list[Leaving]:
    """Edges at their times, looks wherever the test wants them, each told when it is."""
    at, told = 10.0, []
    steps: list[tuple[float, bool]] = []
    for gap, width in pulses:
        steps += [(at + gap / 1000, True), (at + (gap + width) / 1000, False)]
        at += (gap + width) / 1000
    level = False
    events = sorted([(when, 0, broken) for when, broken in steps] + [(10 + look / 1000, 1, False) for look in looks])
    for when, kind, broken in events:
        level = broken if kind == 0 else level
        told += outlet.edge(0, level, when) if kind == 0 else outlet.look([level], when)
    return told + outlet.look([level], at + 0.01)


@settings(max_examples=150)
@given(st.lists(st.tuples(gaps_ms, widths_ms), max_size=8), st.lists(st.integers(0, 4000), max_size=20))
def test_every_chip_that_breaks_the_beam_is_counted_once(pulses: list[tuple[int, int]], looks: list[int]) -> None:
    """Whatever their pace, and whenever somebody looks at the level in between."""
    outlet = ChipOutlet("return device", TIMINGS)
    outlet.start([False], 10.0)
    outlet.retest([False], 10.0)
    told = play(outlet, pulses, looks)
    assert sum(isinstance(one, ChipLeft) for one in told) == len(pulses)
    assert not any(isinstance(one, FaultReported) for one in told)


@given(st.lists(st.tuples(st.integers(10, 300), st.integers(1, 2)), max_size=10))
def test_flashes_shorter_than_a_chip_are_not_counted(glitches: list[tuple[int, int]]) -> None:
    """Dust and noise are no chips."""
    outlet = ChipOutlet("return device", TIMINGS)
    outlet.start([False], 10.0)
    assert play(outlet, glitches, []) == []


def test_empty_is_said_when_the_patience_ends_and_not_before() -> None:
    """Counted from the last chip, to the millisecond, with the time in which one may go unheard."""
    outlet = ChipOutlet("return device", TIMINGS)
    outlet.start([False], 10.0)
    outlet.retest([False], 10.0)
    assert outlet.due == 10.6
    assert outlet.edge(0, True, 10.2) == []
    assert outlet.edge(0, False, 10.25) == []
    assert outlet.look([False], 10.253) == [ChipLeft(10.25)]
    assert outlet.due == 10.85
    assert outlet.look([False], 10.849) == []
    assert outlet.look([False], 10.85) == [RanEmpty()]
    assert outlet.look([False], 12.0) == []


def test_a_last_chip_heard_late_comes_before_empty() -> None:
    """It left in time; whoever counts must not be told that there was none."""
    outlet = ChipOutlet("return device", TIMINGS)
    outlet.start([False], 10.0)
    outlet.retest([False], 10.0)
    assert outlet.look([False], 10.5) == []
    outlet.edge(0, True, 10.46)
    outlet.edge(0, False, 10.49)
    assert outlet.look([False], 10.59) == [ChipLeft(10.49)]
    assert outlet.look([False], 11.08) == []
    assert outlet.look([False], 11.1) == [RanEmpty()]


def test_a_jam_is_not_called_while_the_pin_says_otherwise() -> None:
    """The edge of a chip that left was lost: the look that finds it is not the one that judges."""
    outlet = ChipOutlet("return device", TIMINGS)
    outlet.start([False], 10.0)
    outlet.retest([False], 10.0)
    outlet.edge(0, True, 10.1)
    outlet.look([True], 10.2)
    assert outlet.look([False], 10.6) == []
    assert outlet.due == pytest.approx(10.7)
    assert outlet.look([False], 10.7) == [ChipLeft(10.6)]


def test_a_wild_beam_is_reported_once() -> None:
    """However long it flickers."""
    outlet = ChipOutlet("return device", TIMINGS)
    outlet.start([False], 10.0)
    told = [one for edge in range(200) for one in outlet.edge(0, edge % 2 == 0, 10 + edge / 1000)]
    assert [one.kind for one in told if isinstance(one, FaultReported)] == [FaultKind.CHATTER]
