"""Passage: what a chip looks like to one or two beams, and what becomes a fault instead."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.ports import ChipEntered, FaultCleared, FaultKind, FaultReported
from drivers.recognise.chip_passage import ChipPassage
from drivers.recognise.debounce import SLOT_TIMINGS, Timings
from tests.support.drivers.wireplay import Edge, play, pulses

DEVICE = "seat 3 acceptor"
OUTER, INNER = 0, 1


def slot(beams: int = 1, *, is_open: bool = True, timings: Timings = SLOT_TIMINGS) -> ChipPassage:
    passage = ChipPassage(3, DEVICE, beams=beams, timings=timings)
    if is_open:
        passage.gate_opened(0.0)
    return passage


def chip(at: float, *, beams: int, past: float = 30.0, between: float = 15.0) -> list[Edge]:
    return [edge for beam in range(beams) for edge in pulses(beam, [(at + beam * between, at + beam * between + past)])]


def faults(said: Sequence[tuple[float, object]]) -> list[FaultKind]:
    return [signal.kind for _, signal in said if isinstance(signal, FaultReported)]


def chips(said: Sequence[tuple[float, object]]) -> list[float]:
    return [round(signal.at * 1000, 3) for _, signal in said if isinstance(signal, ChipEntered)]


@pytest.mark.parametrize("beams", [1, 2])
def test_a_chip_has_entered_when_the_last_beam_is_clear_again(beams: int) -> None:
    """It counts from that edge, settle_ms after it, and once."""
    said = play(slot(beams), chip(1000.0, beams=beams), lines=beams)
    cleared = 1030.0 + 15.0 * (beams - 1)
    assert said == [(cleared + 5.0, ChipEntered(3, cleared / 1000))]


@pytest.mark.parametrize("beams", [1, 2])
def test_settle_ms_zero_adds_no_wait(beams: int) -> None:
    """The clearing edge itself is the chip."""
    timings = Timings(settle_ms=0)
    said = play(slot(beams, timings=timings), chip(1000.0, beams=beams), lines=beams)
    assert [at for at, _ in said] == [1030.0 + 15.0 * (beams - 1)]


def test_beams_farther_apart_than_a_chip_is_wide_see_it_too() -> None:
    """Overlapping or one after the other, a chip's order is a chip's order."""
    said = play(slot(2), chip(1000.0, beams=2, between=60.0), lines=2)
    assert chips(said) == [1090.0]


def test_two_chips_nose_to_tail_are_two() -> None:
    """The second may reach the outer beam before the first has cleared the inner one."""
    said = play(slot(2), chip(1000.0, beams=2) + chip(1038.0, beams=2), lines=2)
    assert chips(said) == [1045.0, 1083.0]


@pytest.mark.parametrize(("width", "expected"), [(7.999, 0), (8.0, 1), (500.0, 1)])
def test_limits_of_a_chip_are_met_exactly(width: float, expected: int) -> None:
    """min_chip_ms and max_chip_ms themselves are chips."""
    said = play(slot(), pulses(OUTER, [(1000.0, 1000.0 + width)]))
    assert len(chips(said)) == expected
    assert faults(said) == []


def test_a_chip_that_clears_just_in_time_is_not_stuck() -> None:
    """Its clearing edge counts from when it came, although it has yet to settle when stuck_ms is over."""
    timings = Timings(max_chip_ms=500, stuck_ms=500)
    said = play(slot(timings=timings), pulses(OUTER, [(1000.0, 1499.0)]))
    assert chips(said) == [1499.0]


def test_a_beam_broken_for_longer_than_a_chip_takes_is_a_held_chip() -> None:
    """Nobody can say whether a chip went in: a person must look."""
    said = play(slot(), pulses(OUTER, [(1000.0, 1501.0)]))
    assert faults(said) == [FaultKind.HELD_CHIP]
    assert chips(said) == []


def test_a_beam_that_stays_broken_is_stuck_before_it_clears() -> None:
    """The fault comes at stuck_ms, not when somebody frees the beam."""
    said = play(slot(), [(1000.0, OUTER, True)])
    assert [(at, signal.kind) for at, signal in said] == [(3000.0, FaultKind.STUCK)]


@pytest.mark.parametrize("beam", [OUTER, INNER])
def test_a_beam_broken_at_the_start_is_stuck_at_once(beam: int) -> None:
    """A dead emitter, a cut cable or a chip in the throat close the seat before the first round."""
    said = play(slot(2), [(-5.0, beam, True)], lines=2)
    assert [(at, signal.kind) for at, signal in said] == [(0.0, FaultKind.STUCK)]


def test_1000_chips_a_second_are_chatter_and_no_chip() -> None:
    """Neither lost nor doubled: one named fault, within the window."""
    said = play(slot(), pulses(OUTER, [(1000.0 + n, 1000.5 + n) for n in range(1000)]))
    assert faults(said) == [FaultKind.CHATTER]
    assert chips(said) == []
    assert said[0][0] < 1000.0 + SLOT_TIMINGS.chatter_window_ms


def test_a_broken_beam_behind_a_shut_gate_is_spurious() -> None:
    """No chip can have come: a hand, a fish line or a gate that does not shut."""
    said = play(slot(is_open=False), pulses(OUTER, [(1000.0, 1030.0)]))
    assert faults(said) == [FaultKind.SPURIOUS]


@pytest.mark.parametrize(("reached_ms", "kinds"), [(150.0, []), (250.0, [FaultKind.SPURIOUS])])
def test_a_chip_in_flight_when_the_gate_shut_is_still_a_chip(reached_ms: float, kinds: list[FaultKind]) -> None:
    """It has in_flight_ms to reach the first beam."""
    passage = slot()
    passage.gate_shut(1.0)
    said = play(passage, pulses(OUTER, [(1000.0 + reached_ms, 1030.0 + reached_ms)]))
    assert faults(said) == kinds
    assert len(chips(said)) == (0 if kinds else 1)


def test_a_gate_shut_and_opened_again_at_once_disowns_no_chip() -> None:
    """A false touch of the lock-out button must not turn a chip in flight into a fault."""
    passage = slot()
    passage.gate_shut(1.0)
    passage.gate_opened(1.02)
    said = play(passage, pulses(OUTER, [(1010.0, 1040.0)]))
    assert len(chips(said)) == 1


def test_something_in_the_beam_before_the_gate_opens_is_spurious() -> None:
    """Opening the gate does not make a chip of what was there before."""
    passage = slot(is_open=False)
    passage.gate_opened(1.02)
    said = play(passage, pulses(OUTER, [(1010.0, 1040.0)]))
    assert faults(said) == [FaultKind.SPURIOUS]


def test_one_short_flicker_is_forgiven_and_many_are_spurious() -> None:
    """Dust passes; a beam out of line does not mend itself."""
    flicker = [(1000.0 + 300 * n, 1006.0 + 300 * n) for n in range(4)]
    assert faults(play(slot(), pulses(OUTER, flicker[:3]))) == []
    assert faults(play(slot(), pulses(OUTER, flicker))) == [FaultKind.SPURIOUS]


@pytest.mark.parametrize(
    "edges",
    [
        pytest.param(pulses(INNER, [(1000.0, 1060.0)]) + pulses(OUTER, [(1010.0, 1040.0)]), id="inner beam first"),
        pytest.param(pulses(OUTER, [(1000.0, 1030.0)]), id="outer beam alone"),
        pytest.param(pulses(OUTER, [(1000.0, 1030.0)]) + pulses(INNER, [(1540.0, 1570.0)]), id="too long between"),
    ],
)
def test_beams_broken_in_no_chips_order_are_out_of_order(edges: list[Edge]) -> None:
    """One fault, no chip, whatever came back or hangs in there."""
    said = play(slot(2), edges, lines=2)
    assert faults(said) == [FaultKind.OUT_OF_ORDER]
    assert chips(said) == []


@pytest.mark.parametrize(
    "edges",
    [
        pytest.param(pulses(INNER, [(1000.0, 1030.0)]), id="inner beam alone"),
        pytest.param(pulses(INNER, [(1000.0, 1030.0)]) + pulses(OUTER, [(1015.0, 1045.0)]), id="inside out"),
        pytest.param(pulses(OUTER, [(1000.0, 1060.0)]) + pulses(INNER, [(1015.0, 1045.0)]), id="in and back out"),
    ],
)
def test_a_chip_from_the_inside_was_drawn_back(edges: list[Edge]) -> None:
    """It hangs on a string: one fault, no chip."""
    said = play(slot(2), edges, lines=2)
    assert faults(said) == [FaultKind.DRAWN_BACK]
    assert chips(said) == []


def test_too_long_between_the_beams_is_out_of_order_even_if_nobody_looked_meanwhile() -> None:
    """A loop that was held up judges by the edges' own times."""
    passage = slot(2)
    said = []
    for at, beam, broken in chip(1000.0, beams=2, between=600.0):
        said += [(at, signal) for signal in passage.edge(beam, broken, at / 1000)]
    said += [(1700.0, signal) for signal in passage.look([False, False], 1.7)]
    assert faults(said) == [FaultKind.OUT_OF_ORDER]
    assert chips(said) == []


def test_nothing_is_a_chip_while_there_is_a_fault() -> None:
    """The seat is closed until somebody has looked; the fault is told once."""
    stuck, later = pulses(OUTER, [(1000.0, 4000.0)]), pulses(OUTER, [(5000.0, 5030.0), (6000.0, 9000.0)])
    said = play(slot(), stuck + later)
    assert faults(said) == [FaultKind.STUCK]
    assert chips(said) == []


def test_a_retest_of_clear_beams_mends() -> None:
    """After listening for a chatter window, the slot takes chips again."""
    passage = slot()
    edges = pulses(OUTER, [(1000.0, 4000.0), (6000.0, 6030.0)])
    said = play(passage, edges, retest_at_ms=5000.0)
    assert [(at, type(signal)) for at, signal in said] == [
        (3000.0, FaultReported),
        (5250.0, FaultCleared),
        (6035.0, ChipEntered),
    ]


@pytest.mark.parametrize(
    ("edges", "kind"),
    [
        (pulses(OUTER, [(1000.0, 8000.0)]), FaultKind.STUCK),
        (pulses(OUTER, [(1000.0, 4000.0), (5100.0, 5130.0)]), FaultKind.SPURIOUS),
        (pulses(OUTER, [(1000.0, 4000.0)] + [(5000.0 + n, 5000.5 + n) for n in range(100)]), FaultKind.CHATTER),
    ],
)
def test_a_retest_that_fails_says_why(edges: list[Edge], kind: FaultKind) -> None:
    """Silence would leave the supervisor waiting."""
    said = play(slot(), edges, retest_at_ms=5000.0)
    assert faults(said) == [FaultKind.STUCK, kind]


def test_a_mended_slot_has_forgotten_what_was_wrong() -> None:
    """Neither the half passage nor the flickers of before count against the next chip."""
    half = play_mended(slot(2), pulses(OUTER, [(1000.0, 1030.0)]) + chip(6000.0, beams=2), lines=2)
    assert half == [FaultReported, FaultCleared, ChipEntered]
    flickers = [(1000.0 + 300 * n, 1006.0 + 300 * n) for n in range(4)]
    again = play_mended(slot(), pulses(OUTER, [*flickers, (6000.0, 6006.0), (6500.0, 6530.0)]), lines=1)
    assert again == [FaultReported, FaultCleared, ChipEntered]


def play_mended(passage: ChipPassage, edges: list[Edge], *, lines: int) -> list[type]:
    return [type(signal) for _, signal in play(passage, edges, lines=lines, retest_at_ms=5000.0)]


def test_a_well_slot_can_be_retested() -> None:
    """A fault the journal remembers is tested although this program never saw it."""
    said = play(slot(), [], until_ms=2000.0, retest_at_ms=1000.0)
    assert [signal for _, signal in said] == [FaultCleared(DEVICE)]


def test_busy_is_from_the_gate_or_the_first_edge_to_the_chip() -> None:
    """Lock-out can wait for a chip that is in the throat already."""
    passage = slot()
    assert not passage.is_busy(1.0)
    passage.gate_shut(1.0)
    assert passage.is_busy(1.29)
    assert not passage.is_busy(1.31)
    passage.edge(OUTER, True, 1.4)
    assert passage.is_busy(1.4)
    passage.edge(OUTER, False, 1.43)
    assert passage.is_busy(1.43)
    passage.look([False], 1.435)
    assert not passage.is_busy(1.435)


def test_busy_is_until_a_chip_in_flight_is_heard() -> None:
    """It may reach the beam at the last moment and be heard late: lock-out must not be told before it."""
    passage = slot()
    passage.gate_shut(1.0)
    passage.look([True], 1.2)
    assert passage.is_busy(1.295)  # seen with our own eyes, although no edge has come
    passage.look([False], 1.23)
    assert passage.is_busy(1.295)
    passage.edge(OUTER, True, 1.199)
    passage.edge(OUTER, False, 1.225)
    assert passage.look([False], 1.295) == [ChipEntered(3, 1.225)]
    assert not passage.is_busy(1.301)


def test_edges_from_before_a_retest_do_not_fail_it() -> None:
    """They are on their way when it begins."""
    passage = slot()
    passage.retest([False], 5.0)
    passage.edge(OUTER, True, 4.95)
    passage.edge(OUTER, False, 4.97)
    assert passage.look([False], 5.25) == [FaultCleared(DEVICE)]


trains = st.lists(st.tuples(st.floats(8.0, 499.0), st.floats(5.1, 400.0)), max_size=12)


def spans_of(train: list[tuple[float, float]], start: float = 1000.0) -> list[tuple[float, float]]:
    spans = []
    for width, gap in train:
        spans.append((start, start + width))
        start += width + gap
    return spans


@settings(deadline=None)
@given(trains, st.randoms(use_true_random=False))
def test_a_train_of_chips_is_exactly_that_many(train: list[tuple[float, float]], dice: random.Random) -> None:
    """However late edges are heard (less than LATE_MS), and however often levels are read in between."""
    said = play(slot(), pulses(OUTER, spans_of(train)), delay=dice, most_delay_ms=99.0)
    assert len(chips(said)) == len(train)
    assert faults(said) == []


@settings(deadline=None)
@given(trains, st.floats(1.0, 490.0), st.randoms(use_true_random=False))
def test_a_train_of_chips_past_two_beams_is_exactly_that_many(
    train: list[tuple[float, float]], between: float, dice: random.Random
) -> None:
    """At any distance of the beams, overlapping or not, and however late their edges are heard."""
    spans = spans_of(train)
    inner = [(start + between, end + between) for start, end in spans]
    said = play(slot(2), pulses(OUTER, spans) + pulses(INNER, inner), lines=2, delay=dice, most_delay_ms=99.0)
    assert len(chips(said)) == len(train)
    assert faults(said) == []


@settings(deadline=None)
@given(trains, st.sets(st.integers(0, 23)), st.floats(0.0, 500.0), st.randoms(use_true_random=False))
def test_rereading_never_makes_two_chips_of_one(
    train: list[tuple[float, float]], lost: set[int], late_ms: float, dice: random.Random
) -> None:
    """Edges may be lost, and later than any should be: there are never more chips than went in."""
    edges = pulses(OUTER, spans_of(train))
    said = play(slot(), edges, delay=dice, most_delay_ms=late_ms, lost=frozenset(lost))
    assert len(chips(said)) <= len(train)


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0.1, 7.9), st.floats(0.1, 400.0)), max_size=40))
def test_noise_shorter_than_a_chip_never_is_one(spikes: list[tuple[float, float]]) -> None:
    """It may become a fault, never money."""
    timings = Timings(settle_ms=0)
    assert chips(play(slot(timings=timings), pulses(OUTER, spans_of(spikes)))) == []


@settings(deadline=None)
@given(trains, trains)
def test_the_order_of_two_seats_never_crosses(
    left: list[tuple[float, float]], right: list[tuple[float, float]]
) -> None:
    """Chips are told in the order in which they went in, seat by seat and across seats."""
    said = []
    for channel, train, start in ((1, left, 1000.0), (2, right, 1000.25)):
        passage = ChipPassage(channel, DEVICE, beams=1, timings=SLOT_TIMINGS)
        passage.gate_opened(0.0)
        said += play(passage, pulses(OUTER, spans_of(train, start)))
    by_report = [signal for _, signal in sorted(said, key=lambda one: (one[0], one[1].at))]
    assert [signal.at for signal in by_report] == sorted(signal.at for signal in by_report)


garbage = st.lists(st.tuples(st.floats(0.0, 300.0), st.integers(0, 1), st.booleans()), max_size=80)


@settings(deadline=None)
@given(garbage)
def test_no_wires_make_a_slot_spin_repeat_a_fault_or_take_a_chip_in_fault(
    steps: list[tuple[float, int, bool]],
) -> None:
    """Whatever two beams do: at most one fault without a retest, and no chip after it."""
    at, edges = 0.0, []
    for gap, beam, level in steps:
        at += gap
        edges.append((at, beam, level))
    said = [signal for _, signal in play(slot(2), edges, lines=2)]
    kinds = [type(signal) for signal in said]
    assert kinds.count(FaultReported) <= 1
    assert FaultReported not in kinds[:-1]
