"""Press and Turn: fingers and keys."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.ports import ButtonPressed, FaultCleared, FaultKind, FaultReported, KeyTurned
from drivers.recognise.button_press import ButtonPress, Touched, TouchWasNoise
from drivers.recognise.debounce import BUTTON_TIMINGS, Timings
from drivers.recognise.key_position import KeyPosition
from tests.support.drivers.wireplay import play, pulses

LOCK_OUT = "lock-out button"
KEY = "supervisor key"


def button(timings: Timings = BUTTON_TIMINGS) -> ButtonPress:
    return ButtonPress(LOCK_OUT, timings=timings)


def key() -> KeyPosition:
    return KeyPosition(KEY, timings=BUTTON_TIMINGS)


def test_a_press_is_touched_at_once_and_pressed_once_it_stands() -> None:
    """The press carries the time of the first touch; the release says nothing."""
    said = play(button(), pulses(0, [(1000.0, 1200.0)]))
    assert said == [(1000.0, Touched(1.0)), (1020.0, ButtonPressed(LOCK_OUT, 1.0))]


def test_a_press_on_worn_contacts_is_one_touch_and_one_press() -> None:
    """Bounce before and after belongs to the same finger."""
    bounces = [(1000.0 + 2 * n, 1001.0 + 2 * n) for n in range(10)]
    released = [(1300.0 + 2 * n, 1301.0 + 2 * n) for n in range(10)]
    said = play(button(), pulses(0, [*bounces, (1020.0, 1299.0), *released]))
    assert said == [(1000.0, Touched(1.0)), (1040.0, ButtonPressed(LOCK_OUT, 1.0))]


def test_a_touch_that_does_not_stand_was_noise() -> None:
    """Whoever closed the gates at the touch hears that he may open them again."""
    said = play(button(), pulses(0, [(1000.0, 1003.0)]))
    assert [(at, type(finger)) for at, finger in said] == [(1000.0, Touched), (1023.0, TouchWasNoise)]


def test_a_press_whose_first_edge_was_lost_is_found_by_looking() -> None:
    """Late, and still a touch before the press."""
    said = play(button(), pulses(0, [(1010.0, 1500.0)]), lost=frozenset({0}))
    assert [type(finger) for _, finger in said] == [Touched, ButtonPressed]
    assert said[0][0] == 1200.0


def test_a_button_held_for_too_long_is_stuck() -> None:
    """It was pressed once, and it presses nothing more until it was released and retested."""
    said = play(button(), pulses(0, [(1000.0, 15_000.0), (16_000.0, 16_100.0)]))
    assert [type(finger) for _, finger in said] == [Touched, ButtonPressed, FaultReported]
    assert said[-1] == (11_000.0, said[-1][1])
    assert said[-1][1].kind is FaultKind.STUCK


def test_a_button_seen_up_in_time_is_not_stuck_although_its_release_is_heard_late() -> None:
    """A look is enough not to say what is not so."""
    press = button()
    said = list(press.edge(0, True, 1.0)) + press.look([True], 1.02) + press.look([False], 11.0)
    said += [*press.edge(0, False, 10.95), *press.look([False], 11.03)]
    assert [type(finger) for finger in said] == [Touched, ButtonPressed]


fingers = st.lists(st.tuples(st.floats(60.0, 300.0), st.floats(60.0, 300.0)), max_size=8)


@settings(deadline=None)
@given(fingers, st.floats(0.5, 8.0), st.floats(20.0, 60.0), st.randoms(use_true_random=False))
def test_presses_heard_late_are_exactly_that_many(
    presses: list[tuple[float, float]], spike_ms: float, gap_ms: float, dice: random.Random
) -> None:
    """However late edges are heard (less than LATE_MS), and although a spike goes before the first."""
    at, spans = 1000.0, [(1000.0, 1000.0 + spike_ms)]
    at += spike_ms + gap_ms
    for down_ms, up_ms in presses:
        spans.append((at, at + down_ms))
        at += down_ms + up_ms
    said = play(button(), pulses(0, spans), delay=dice, most_delay_ms=99.0)
    assert sum(isinstance(finger, ButtonPressed) for _, finger in said) == len(presses)
    assert not any(isinstance(finger, FaultReported) for _, finger in said)


def test_a_button_down_at_the_start_is_stuck_until_released_and_retested() -> None:
    """A shorted cable must not lock out every round."""
    said = play(button(), [(-5.0, 0, True), (2000.0, 0, False), (6000.0, 0, True)], retest_at_ms=5000.0)
    assert [type(finger) for _, finger in said[:3]] == [FaultReported, FaultCleared, Touched]
    assert said[1][0] == 5250.0


def test_a_chattering_button_is_a_fault() -> None:
    """1,000 presses a second are no finger; the fault answers the touch."""
    said = play(button(), pulses(0, [(1000.0 + n, 1000.5 + n) for n in range(1000)]))
    assert [type(finger) for _, finger in said] == [Touched, FaultReported]
    assert said[-1][1].kind is FaultKind.CHATTER


@pytest.mark.parametrize(
    ("edges", "kind"),
    [([(-5.0, 0, True)], FaultKind.STUCK), ([(-5.0, 0, True), *pulses(0, [(5100.0, 5130.0)])], FaultKind.SPURIOUS)],
)
def test_a_retest_wants_a_button_that_is_up_and_left_alone(
    edges: list[tuple[float, int, bool]], kind: FaultKind
) -> None:
    """A press during the test proves nothing and does nothing."""
    if kind is FaultKind.SPURIOUS:
        edges = [edges[0], (2000.0, 0, False), *edges[1:]]
    said = play(button(), edges, retest_at_ms=5000.0)
    assert [finger.kind for _, finger in said] == [FaultKind.STUCK, kind]


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0.2, 300.0), st.booleans()), max_size=120))
def test_every_touch_gets_exactly_one_answer(steps: list[tuple[float, bool]]) -> None:
    """A press, a word that it was noise, or a fault: gates closed at a touch never wait for ever."""
    at, edges = 500.0, []
    for gap, down in steps:
        at += gap
        edges.append((at, 0, down))
    said = [type(finger) for _, finger in play(button(), [*edges, (at + 1.0, 0, False)])]
    touches = [number for number, kind in enumerate(said) if kind is Touched]
    answers = [number for number, kind in enumerate(said) if kind is not Touched]
    faults_while_held = len(answers) - len(touches)
    assert faults_while_held in {0, 1}
    assert answers[: len(touches)] == [number + 1 for number in touches]


def test_a_key_tells_each_new_position_once() -> None:
    """On and off are both news."""
    said = play(key(), pulses(0, [(1000.0, 3000.0)]))
    assert said == [(1020.0, KeyTurned(KEY, True, 1.0)), (3020.0, KeyTurned(KEY, False, 3.0))]


def test_a_key_that_is_on_at_the_start_is_told() -> None:
    """Off is what everybody assumes; on is not a fault, somebody left it in."""
    assert play(key(), [(-5.0, 0, True)]) == [(0.0, KeyTurned(KEY, True, 0.0))]


def test_a_chattering_key_counts_as_out_until_it_was_retested() -> None:
    """Nobody supervises by a loose wire; after the test the true position is told again."""
    chatter = pulses(0, [(2000.0 + n, 2000.5 + n) for n in range(100)])
    said = [finger for _, finger in play(key(), [(1000.0, 0, True), *chatter, (2100.0, 0, True)], retest_at_ms=5000.0)]
    assert [type(finger) for finger in said] == [KeyTurned, KeyTurned, FaultReported, FaultCleared, KeyTurned]
    assert [finger.on for finger in said if isinstance(finger, KeyTurned)] == [True, False, True]


def test_a_key_moved_during_its_retest_fails_it() -> None:
    """The position must be beyond doubt."""
    said = play(key(), pulses(0, [(5100.0, 5150.0)]), retest_at_ms=5000.0)
    assert [finger.kind for _, finger in said] == [FaultKind.SPURIOUS]
