"""Beat: all watches of a pace are read at one moment, by one timer."""

import asyncio

from common.clock import ManualClock
from drivers.gpio.beat import Beat

PACE_S = 0.1


class Line:
    """A line whose level is told with the moment."""

    def __init__(self) -> None:
        self.seen: list[tuple[bool, float]] = []

    def levels(self) -> list[bool]:
        return [True]

    def looked(self, levels: list[bool], at: float) -> None:
        self.seen.append((levels[0], round(at, 3)))


async def test_all_are_read_at_the_same_moments_by_one_timer_and_none_is_left() -> None:
    """Whoever joins later keeps the same beat; with the last one the timer goes."""
    clock, first, second = ManualClock(now_s=1000.03), Line(), Line()
    beat = Beat(asyncio.get_running_loop(), clock, PACE_S)
    beat.join(first)
    await clock.elapse(0.15)
    beat.join(second)
    await clock.elapse(0.2)
    assert first.seen == [(True, 1000.1), (True, 1000.2), (True, 1000.3)]
    assert second.seen == first.seen[1:]
    beat.leave(first)
    await clock.elapse(0.1)
    assert (len(first.seen), len(second.seen)) == (3, 3)
    beat.leave(second)
    await clock.elapse(1)
    assert len(second.seen) == 3
