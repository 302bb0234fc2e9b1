"""Loss watchdog: reports a lost meter in time, even while the loop waits for the disk."""

import asyncio
import math
from collections.abc import Callable, Coroutine
from typing import Any, Final

from common.clock import Clock, next_beat

CHECK_S: Final = 0.2  # a beat that pins are read in, too: see next_beat
HEAR_S: Final = 0.1  # enough to hear what has come while we were held up


class LoopStall:
    """Detects a stall of our own event loop: queued messages are processed once before the link is declared lost."""

    def __init__(self) -> None:
        self._looked_at = math.inf  # nobody is late at first
        self._was_late = False

    def is_over(self, now: float) -> bool:
        """Whether one has just ended."""
        is_late = now - self._looked_at > 2 * CHECK_S
        self._looked_at, self._was_late = now, is_late and not self._was_late
        return self._was_late


class LossWatchdog:
    """Waits for nothing but the clock and what is heard."""

    def __init__(self, next_deadline: Callable[[float], float], clock: Clock, judge: Callable[[], None]) -> None:
        self._next_deadline, self._clock, self._judge = next_deadline, clock, judge
        self._news = asyncio.Event()
        self._hold_up = LoopStall()

    def wake(self) -> None:
        """Something was heard of the meter or of the line to it."""
        self._news.set()

    async def beside(self, work: Coroutine[Any, Any, None]) -> None:
        """Looks out while somebody does this work; what ends one of the two ends both."""
        both = [asyncio.create_task(work), asyncio.create_task(self._look_out())]
        try:
            await asyncio.gather(*both)
        finally:
            for task in both:
                task.cancel()
            await asyncio.wait(both)

    async def _look_out(self) -> None:
        """Has the link judged whenever it may have been lost, for ever."""
        while True:
            now = self._clock.now()
            if self._hold_up.is_over(now):
                self._news.clear()  # the pause must let the loop hear
                await rest(self._news, self._clock, HEAR_S)
            else:
                self._judge()
                await rest(self._news, self._clock, min(next_beat(now, CHECK_S), self._next_deadline(now)) - now)


async def rest(news: asyncio.Event, clock: Clock, longest_s: float) -> None:
    """Until there is news, but not longer than this."""
    alarm = clock.call_at(clock.now() + longest_s, news.set)
    try:
        await news.wait()
    finally:
        alarm.cancel()
    news.clear()
