"""Time as an argument: the real clock of a daemon and a clock that tests and the demo move."""

import asyncio
import heapq
import itertools
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

_SYNCHRONISED: Final = Path("/run/systemd/timesync/synchronized")  # touched at every answer of a time server
_LONGEST_SILENCE_S: Final = 2 * 2048  # two of the longest pauses between two questions
_LOOK_EVERY_S: Final = 10.0
_LOOP_TURNS: Final = 3  # an edge, the look behind it, and what its report set going


def synchronised_at(mark: Path, wall_s: float) -> bool:
    """Whether a time server was heard lately; the sandbox forbids asking the kernel (adjtimex), the mark is for all."""
    try:
        heard_s = mark.stat().st_mtime
    except OSError:
        return False
    return -_LONGEST_SILENCE_S <= wall_s - heard_s <= _LONGEST_SILENCE_S


def next_beat(at: float, pace_s: float) -> float:
    """The next multiple of a pace after this moment: looks that keep one beat wake the loop once for all of them."""
    beats = math.floor(at / pace_s) + 1
    return beats * pace_s if beats * pace_s > at else (beats + 1) * pace_s


class Timer(Protocol):
    """Something that will happen unless it is cancelled."""

    def cancel(self) -> None: ...


class Clock(Protocol):
    """What a part may know of time."""

    def now(self) -> float:
        """Seconds that never go back; only differences mean anything."""
        ...

    def wall_ms(self) -> int:
        """The calendar, in milliseconds since 1970; it may step."""
        ...

    def is_synchronised(self) -> bool:
        """Whether a time server keeps the calendar right."""
        ...

    def call_at(self, when: float, act: Callable[[], None]) -> Timer:
        """Calls act in the loop's thread once now() has reached when."""
        ...


class RealClock:
    """The clock of the running asyncio loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._is_synchronised, self._look_again_at = False, -math.inf

    def now(self) -> float:
        return self._loop.time()

    def wall_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def is_synchronised(self) -> bool:
        if self.now() >= self._look_again_at:  # every event asks, and a light waits for the answer
            self._is_synchronised = synchronised_at(_SYNCHRONISED, time.time())
            self._look_again_at = self.now() + _LOOK_EVERY_S
        return self._is_synchronised

    def call_at(self, when: float, act: Callable[[], None]) -> Timer:
        return self._loop.call_at(when, act)


class _ManualTimer:
    def __init__(self, act: Callable[[], None]) -> None:
        self.act: Callable[[], None] | None = act

    def cancel(self) -> None:
        self.act = None


class ManualClock:
    """A clock that stands still until somebody advances it; timers run inside advance()."""

    def __init__(self, wall_ms: int = 1_800_000_000_000, now_s: float = 1_000.0) -> None:
        self._now = now_s
        self.synchronised = True
        self._wall_offset_ms = wall_ms - round(now_s * 1000)
        self._timers: list[tuple[float, int, _ManualTimer]] = []
        self._order = itertools.count()

    def now(self) -> float:
        return self._now

    def wall_ms(self) -> int:
        return self._wall_offset_ms + round(self._now * 1000)

    def is_synchronised(self) -> bool:
        return self.synchronised

    def call_at(self, when: float, act: Callable[[], None]) -> Timer:
        timer = _ManualTimer(act)
        heapq.heappush(self._timers, (when, next(self._order), timer))
        return timer

    @property
    def due(self) -> float:
        """When the next timer rings."""
        return self._timers[0][0] if self._timers else math.inf

    def advance(self, seconds: float) -> None:
        """Moves time forward and runs every timer that falls due, in order."""
        self._advance_to(self._now + seconds)

    async def elapse(self, seconds: float) -> None:
        """Like advance(), but lets the running loop work between any two timers, as real time does."""
        until = self._now + seconds
        while True:
            await self.settle()
            if self._now >= until < self.due:
                return
            self._advance_to(min(until, self.due))

    async def settle(self) -> None:
        """Lets the running loop work off what has happened; no time passes."""
        for _ in range(_LOOP_TURNS):
            await asyncio.sleep(0)

    def step_wall(self, milliseconds: int) -> None:
        """Steps the calendar, as a time server or a flat battery does; now() is not touched."""
        self._wall_offset_ms += milliseconds

    def _advance_to(self, until: float) -> None:
        while self._timers and self._timers[0][0] <= until:
            when, _, timer = heapq.heappop(self._timers)
            self._now = max(self._now, when)
            if timer.act is not None:
                timer.act()
        self._now = max(self._now, until)


class PacedClock:
    """The real clock of simulated metal: what is due happens at its own time, however late a busy machine gets to it.

    A chip that falls while the loop stands still breaks its beam for as long as a chip does, and not for as long as
    the loop stood still. Used in the loop's thread.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop, self._real = loop, RealClock(loop)
        self._course = ManualClock(now_s=loop.time())
        self._alarm: asyncio.TimerHandle | None = None
        self._is_ringing = False

    def now(self) -> float:
        """What is due comes first: while it has not happened, it is no later than that."""
        if self._is_ringing:
            return self._course.now()
        real, due = self._loop.time(), self._course.due
        if due <= real:
            return max(self._course.now(), due)
        self._course.advance(real - self._course.now())
        return self._course.now()

    def wall_ms(self) -> int:
        return self._real.wall_ms()

    def is_synchronised(self) -> bool:
        return self._real.is_synchronised()

    def call_at(self, when: float, act: Callable[[], None]) -> Timer:
        timer = self._course.call_at(when, act)
        self._arm()
        return timer

    def _arm(self) -> None:
        if self._alarm is not None:
            if self._alarm.when() <= self._course.due:
                return
            self._alarm.cancel()
        self._alarm = None if self._course.due == math.inf else self._loop.call_at(self._course.due, self._ring)

    def _ring(self) -> None:
        self._alarm, self._is_ringing = None, True
        try:
            self._course.advance(max(0.0, self._loop.time() - self._course.now()))
        finally:
            self._is_ringing = False
            self._arm()
