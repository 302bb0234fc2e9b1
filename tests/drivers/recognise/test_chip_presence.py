"""Presence: a chip that rests on a sensor."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.ports import ChipEntered, ChipTaken, FaultCleared, FaultKind, FaultReported
from drivers.recognise.chip_presence import ChipPresence
from drivers.recognise.debounce import SENSOR_TIMINGS
from tests.support.drivers.wireplay import play, pulses

DEVICE = "seat 3 acceptor"


def sensor(*, has_chip: bool = False) -> ChipPresence:
    return ChipPresence(3, DEVICE, timings=SENSOR_TIMINGS, has_chip=has_chip)


def test_a_chip_counts_once_it_rests_and_again_when_it_is_lifted() -> None:
    """Both from their own edge, settle_ms after it (S-27)."""
    said = play(sensor(), pulses(0, [(1000.0, 9000.0)]))
    assert said == [(1050.0, ChipEntered(3, 1.0)), (9050.0, ChipTaken(3, 9.0))]


def test_a_chip_may_rest_for_as_long_as_a_round_takes() -> None:
    """A resting chip is never a stuck sensor."""
    said = play(sensor(), [(1000.0, 0, True)], until_ms=600_000.0)
    assert said == [(1050.0, ChipEntered(3, 1.0))]


def test_a_chip_that_slides_over_the_sensor_is_no_chip() -> None:
    """Only what rests counts."""
    assert play(sensor(), pulses(0, [(1000.0, 1040.0)])) == []


def test_a_sensor_covered_at_the_start_by_a_chip_nobody_knows_is_stuck() -> None:
    """It could be a shorted cable; it takes nothing until it was clear and retested."""
    said = play(sensor(), [(-5.0, 0, True), (2000.0, 0, False), (6000.0, 0, True)], retest_at_ms=5000.0)
    assert [(at, type(signal)) for at, signal in said] == [
        (0.0, FaultReported),
        (5250.0, FaultCleared),
        (6050.0, ChipEntered),
    ]
    assert said[0][1].kind is FaultKind.STUCK


def test_a_chip_the_journal_knows_still_rests_there_after_a_restart() -> None:
    """Neither a fault nor a second wager; its lifting counts as ever."""
    said = play(sensor(has_chip=True), [(-5.0, 0, True), (2000.0, 0, False)])
    assert said == [(2050.0, ChipTaken(3, 2.0))]


def test_a_chip_the_journal_knows_was_lifted_while_nobody_watched() -> None:
    """A restart does not hide it."""
    assert play(sensor(has_chip=True), []) == [(0.0, ChipTaken(3, 0.0))]


def test_a_chattering_sensor_is_a_fault_and_tells_no_chips() -> None:
    """1,000 edges a second are a bad cable."""
    said = play(sensor(), [*pulses(0, [(1000.0 + n, 1000.5 + n) for n in range(500)]), (3000.0, 0, True)])
    assert [type(signal) for _, signal in said] == [FaultReported]
    assert said[0][1].kind is FaultKind.CHATTER


def test_a_chip_lifted_during_a_fault_is_told_when_the_sensor_is_well_again() -> None:
    """The table must not believe in a chip that is gone."""
    chatter = pulses(0, [(2000.0 + n, 2000.5 + n) for n in range(100)])
    said = play(sensor(), [(1000.0, 0, True), *chatter], retest_at_ms=5000.0)
    assert [type(signal) for _, signal in said] == [ChipEntered, FaultReported, ChipTaken, FaultCleared]


@pytest.mark.parametrize(
    ("during_trial", "kind"),
    [([(4000.0, 0, True)], FaultKind.STUCK), (pulses(0, [(5100.0, 5110.0)]), FaultKind.SPURIOUS)],
)
def test_a_retest_wants_a_clear_sensor_left_alone(during_trial: list[tuple[float, int, bool]], kind: FaultKind) -> None:
    """A covered or moving sensor proves nothing."""
    said = play(sensor(), [(-5.0, 0, True), (2000.0, 0, False), *during_trial], retest_at_ms=5000.0)
    assert [signal.kind for _, signal in said] == [FaultKind.STUCK, kind]


def test_busy_is_while_a_chip_settles() -> None:
    """A chip just being laid down may still become a wager."""
    presence = sensor()
    presence.start([False], 0.0)
    before = presence.is_busy
    presence.edge(0, True, 1.0)
    settling = presence.is_busy
    presence.look([True], 1.05)
    assert (before, settling, presence.is_busy) == (False, True, False)


def test_a_sensor_with_a_fault_is_never_busy() -> None:
    """Lock-out does not wait for a loose wire."""
    presence = sensor()
    presence.start([True], 0.0)
    presence.edge(0, False, 1.0)
    assert not presence.is_busy


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 300), st.integers(1, 300)), max_size=14))
def test_chips_and_liftings_are_exactly_the_rests_that_last(spans: list[tuple[int, int]]) -> None:
    """A chip rests or is gone once it has been so for settle_ms; what is shorter belongs to what it interrupts."""
    at, edges, expected, is_there = 500.0, [], [], False
    for rest, gap in [*spans, (1, 1000)]:
        edges += pulses(0, [(at, at + rest)])
        for covered, length in ((True, rest), (False, gap)):
            if length >= SENSOR_TIMINGS.settle_ms and covered != is_there:
                is_there = covered
                expected.append(ChipEntered if covered else ChipTaken)
        at += rest + gap
    assert [type(signal) for _, signal in play(sensor(), edges)] == expected


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.floats(51.0, 300.0), st.floats(51.0, 300.0)), max_size=8), st.randoms(use_true_random=False)
)
def test_chips_heard_late_are_laid_down_and_lifted_once(rests: list[tuple[float, float]], dice: random.Random) -> None:
    """However late edges are heard (less than LATE_MS)."""
    at, spans = 1000.0, []
    for rest_ms, gap_ms in rests:
        spans.append((at, at + rest_ms))
        at += rest_ms + gap_ms
    said = play(sensor(), pulses(0, spans), delay=dice, most_delay_ms=99.0)
    assert [type(signal) for _, signal in said] == [ChipEntered, ChipTaken] * len(rests)
