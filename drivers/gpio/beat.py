"""Beat: one timer for all watches of a pace, so that looking at a whole table wakes the loop once."""

import asyncio
from typing import Protocol

from common.clock import Clock, Timer, next_beat


class Watch(Protocol):
    """What is looked at regularly."""

    def levels(self) -> list[bool]: ...

    def looked(self, levels: list[bool], at: float) -> None: ...


class Beat:
    """Reads every watch at each multiple of its pace, as long as there is one."""

    def __init__(self, loop: asyncio.AbstractEventLoop, clock: Clock, pace_s: float) -> None:
        self._loop, self._clock, self._pace_s = loop, clock, pace_s
        self._watches: list[Watch] = []
        self._timer: Timer | None = None
        self.rings_at = 0.0

    def join(self, watch: Watch) -> None:
        """Reads this watch, too, from the next beat on."""
        self._watches.append(watch)
        if self._timer is None:
            self._wait(self._clock.now())

    def leave(self, watch: Watch) -> None:
        """Reads it no more; one that has left already is no trouble."""
        if watch in self._watches:
            self._watches.remove(watch)
        if not self._watches and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self, at: float) -> None:
        self.rings_at = next_beat(at, self._pace_s)
        self._timer = self._clock.call_at(self.rings_at, self._ring)

    def _ring(self) -> None:
        # A look enters by the same door as the edges and behind them: what is seen has the order in which it was.
        at = max(self._clock.now(), self.rings_at)
        self._wait(at)
        self._loop.call_soon(self._look, [(watch, watch.levels()) for watch in self._watches], at)

    def _look(self, seen: list[tuple[Watch, list[bool]]], at: float) -> None:
        for watch, levels in seen:
            watch.looked(levels, at)
