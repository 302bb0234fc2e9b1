"""Lights: what is shown is what a person sees."""

import itertools

import pytest

from common.clock import ManualClock
from drivers.gpio.light import GpioLight, LightPlayer
from drivers.light_patterns import Pattern
from drivers.simulated.table import WATCH_MS, LightEye
from tests.support.drivers.bench_rig import BenchRig, rig_under_test


@pytest.fixture
async def rig() -> BenchRig:
    return rig_under_test()


@pytest.mark.parametrize(("before", "after"), list(itertools.product(Pattern, Pattern)))
@pytest.mark.parametrize("active_high", [True, False])
async def test_an_eye_sees_what_is_shown_whatever_was_shown_before(
    rig: BenchRig, before: Pattern, after: Pattern, active_high: bool
) -> None:
    """The four states can be told apart without colour, at any moment once they were watched for a while."""
    light = GpioLight(rig.board, "seat 3 light", 5, active_high=active_high)
    eye = LightEye(rig.pins, 5, active_high=active_high)
    light.show(before)
    await rig.wait(1730)
    light.show(after)
    await rig.wait(WATCH_MS + 1)
    seen = set()
    for _ in range(25):
        seen.add(eye.look())
        await rig.wait(130)
    assert seen == {after}
    light.close()


async def test_an_eye_that_has_not_watched_long_enough_does_not_guess(rig: BenchRig) -> None:
    """A lamp that just went on may mean three things."""
    light, eye = GpioLight(rig.board, "seat 3 light", 5), LightEye(rig.pins, 5)
    light.show(Pattern.PULSE)
    await rig.wait(10)
    assert eye.look() is None
    light.show(Pattern.DARK)
    await rig.wait(10)
    assert eye.look() is None
    light.close()


async def test_a_light_is_dark_before_and_after_its_life(rig: BenchRig) -> None:
    """A closed light leaves no timer that would light it again."""
    light, eye = GpioLight(rig.board, "seat 3 light", 5), LightEye(rig.pins, 5)
    before = eye.is_lit
    light.show(Pattern.DOUBLE_FLASH)
    shown = eye.is_lit
    light.close()
    await rig.wait(3000)
    assert (before, shown, eye.is_lit) == (False, True, False)
    assert eye.look() is Pattern.DARK


def switched(seconds: float, *shown: Pattern) -> list[tuple[int, bool]]:
    clock, seen = ManualClock(), list[tuple[int, bool]]()
    began = clock.now()
    lamplighter = LightPlayer(clock, lambda on: seen.append((round((clock.now() - began) * 1000), on)))
    for pattern in shown:
        lamplighter.show(pattern)
    clock.advance(seconds)
    return seen


def test_a_pattern_is_played_to_the_millisecond() -> None:
    """Two short flashes and a pause, over and over."""
    assert switched(2.0, Pattern.DOUBLE_FLASH) == [
        (0, True),
        (150, False),
        (300, True),
        (450, False),
        (1300, True),
        (1450, False),
        (1600, True),
        (1750, False),
    ]


def test_showing_the_same_again_does_not_disturb_it() -> None:
    """Orders are re-asserted at will; the light does not stutter."""
    clock, seen = ManualClock(), list[bool]()
    lamplighter = LightPlayer(clock, seen.append)
    for _ in range(30):
        lamplighter.show(Pattern.PULSE)
        clock.advance(0.1)
    assert seen == [True, False, True, False]


def test_a_steady_light_needs_no_clock() -> None:
    """It is lit in the moment it is shown."""
    assert switched(100.0, Pattern.STEADY) == [(0, True)]


def test_a_light_held_up_for_long_goes_on_from_now() -> None:
    """It does not race through what it missed."""
    clock = LateClock()
    seen: list[bool] = []
    LightPlayer(clock, seen.append).show(Pattern.PULSE)
    clock.late_by = 60.0
    clock.advance(60.0)
    assert len(seen) <= 4


class LateClock(ManualClock):
    """A clock whose timers ring late once, as after a suspended machine."""

    late_by = 0.0

    def now(self) -> float:
        late, self.late_by = self.late_by, 0.0
        self._now += late
        return super().now()
