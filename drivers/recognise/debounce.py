"""Debounce: the true level of one input out of noisy edges and looks; pure, time is an argument."""

import math
from collections import deque
from typing import Final

from msgspec import Struct


class Timings(Struct, frozen=True):
    """How long things take at an input; a slot's beams by default."""

    settle_ms: float = 5  # a level must stand this long to count; 0 believes every edge at once
    flat_chip_ms: float = 8  # a chip that falls flat breaks a beam for so long; 0 where no chip falls
    min_chip_ms: float = 8  # no chip breaks a beam for less
    max_chip_ms: float = 500  # no chip takes longer past a beam, or from one beam to the next
    two_chips_ms: float = 500  # two chips edge to edge take longer than one, and at most so long
    stuck_ms: float = 2000  # a beam broken, a button held for longer is stuck
    in_flight_ms: float = 200  # from the gate to the first beam, at most
    reread_ms: float = 100  # how often levels are looked at although no edge came
    chatter_edges: int = 30  # more edges than this …
    chatter_window_ms: float = 250  # … within this are no chip and no finger; also how long a retest listens
    short_pulses: int = 3  # more pulses too short for a chip than this …
    short_window_ms: float = 10_000  # … within this are no accident

    @property
    def chatter_words(self) -> str:
        """What a chattering input did."""
        return f"changed more than {self.chatter_edges} times in {self.chatter_window_ms:g} ms"

    def problems(self) -> list[str]:
        """Everything in these values that would lose chips or see ghosts."""
        flat_ms, two_ms = self.flat_chip_ms or math.inf, self.two_chips_ms
        rules = (
            (self.settle_ms <= flat_ms, f"settle_ms must not exceed {flat_ms:g}, or a flat chip is not seen"),
            (two_ms <= self.stuck_ms, f"stuck_ms must be at least {two_ms:g}: two chips may take so long"),
            (self.reread_ms > self.settle_ms, "reread_ms must exceed settle_ms"),
        )
        return [problem for holds, problem in rules if not holds]


LATE_MS: Final = 100  # how late an edge is heard at most; later ones are made the best of
SLOT_TIMINGS: Final = Timings()
SENSOR_TIMINGS: Final = Timings(settle_ms=50, flat_chip_ms=0, min_chip_ms=50)
BUTTON_TIMINGS: Final = Timings(settle_ms=20, flat_chip_ms=0, min_chip_ms=20, stuck_ms=10_000, chatter_edges=60)


class LevelChange(Struct, frozen=True):
    """A level that stands, and since when."""

    level: bool
    at: float


class Burst:
    """Whether more than limit things happened within a window."""

    def __init__(self, limit: int, window_ms: float) -> None:
        self._times: deque[float] = deque(maxlen=limit + 1)
        self._window_ms = window_ms

    def add(self, at: float) -> None:
        """Counts one more."""
        self._times.append(at)

    @property
    def is_empty(self) -> bool:
        """Whether nothing happened since the start or the last clear()."""
        return not self._times

    @property
    def is_over(self) -> bool:
        """Whether the last limit + 1 fell within one window."""
        times = self._times
        return len(times) == times.maxlen and elapsed_ms(times[0], times[-1]) <= self._window_ms

    def clear(self) -> None:
        """Forgets them all."""
        self._times.clear()


class Debounce:
    """One input: edges (what the pin reported) and looks (what it was read as) in, levels that stand out."""

    # A look can run ahead of an edge still on its way from the pin's thread; believed at once, it would count a chip
    # twice. So a look against the edges only raises a doubt; when LATE_MS later a look agrees with it, an edge was
    # lost. Edges carry the time at which they were, so an edge may be older than a look that came before it.

    def __init__(self, timings: Timings) -> None:
        self._settle_ms = timings.settle_ms
        self._edges = Burst(timings.chatter_edges, timings.chatter_window_ms)
        self.level, self.since = False, 0.0
        self._raw, self._raw_since = False, 0.0
        self._is_settled = True
        self._doubted_at: float | None = None
        self._overruled: LevelChange | None = None  # a level that looks took back before it had settled

    def start(self, level: bool, at: float) -> None:
        """Takes the first level as the truth."""
        self.level = self._raw = level
        self.since = self._raw_since = at
        self._is_settled, self._doubted_at, self._overruled = True, None, None
        self._edges.clear()

    def edge(self, level: bool, at: float) -> list[LevelChange]:
        """The pin changed to level; one older than what was told already comes too late to change it."""
        if at < self.since:
            return []
        if self._overruled is not None:
            self._give_back(level, at)
        if self._doubted_at is None or level != self._raw:
            return self._settle(at) + self._turn(level, since=at, at=at)
        # Nothing changed, although a look saw it otherwise: the edge between was lost.
        since, self._doubted_at = self._doubted_at, None
        changes = self._turn(not level, since=since, at=at) if since < at else []
        return changes + self._turn(level, since=at, at=at)

    def look(self, level: bool, at: float) -> list[LevelChange]:
        """The pin was read as level."""
        if at < self._raw_since:
            return []  # an edge came in between
        if level == self._raw:
            self._doubted_at = None
            return self._settle(at)
        if self._doubted_at is None:
            self._doubted_at = at
        if elapsed_ms(self._doubted_at, at) < LATE_MS:
            return []
        overruled = None if self._is_settled else LevelChange(self._raw, self._raw_since)
        changes = self._turn(level, since=self._doubted_at, at=at)
        self._overruled = overruled
        return changes

    @property
    def due(self) -> float | None:
        """When the next look decides something, or None."""
        if self._doubted_at is not None:
            return self._doubted_at + LATE_MS / 1000
        return None if self._is_settled else self._raw_since + self._settle_ms / 1000

    @property
    def is_settled(self) -> bool:
        """Whether no edge waits for its verdict, and no look has seen what no edge has told."""
        return self._is_settled and self._doubted_at is None

    @property
    def unsettled_since(self) -> float:
        """When the edge came that waits for its verdict; never, if none does."""
        return math.inf if self._is_settled else self._raw_since

    @property
    def is_quiet(self) -> bool:
        """Whether the input is inactive, and nothing says otherwise."""
        return self.is_settled and not self.level and not self._raw

    @property
    def has_moved(self) -> bool:
        """Whether any edge came since start()."""
        return not self._edges.is_empty

    @property
    def is_held(self) -> bool:
        """Whether the input stands active and nothing says otherwise."""
        return self.level and self._raw and self._doubted_at is None

    @property
    def is_chattering(self) -> bool:
        """Whether edges came faster than anything real makes them."""
        return self._edges.is_over

    def _turn(self, level: bool, *, since: float, at: float) -> list[LevelChange]:
        self._edges.add(at)
        self._raw, self._raw_since = level, since
        self._is_settled, self._doubted_at, self._overruled = False, None, None
        return self._settle(at)

    def _give_back(self, level: bool, at: float) -> None:
        """The edge that ended an overruled level has come after all: the level was there until then."""
        overruled, self._overruled = self._overruled, None
        if overruled is not None and level == self._raw and overruled.at <= at <= self._raw_since:
            self._raw, self._raw_since, self._is_settled = overruled.level, overruled.at, False

    def _settle(self, at: float) -> list[LevelChange]:
        if self._is_settled or elapsed_ms(self._raw_since, at) < self._settle_ms:
            return []
        self._is_settled = True
        if self._raw == self.level:
            return []
        self.level, self.since = self._raw, self._raw_since
        return [LevelChange(self.level, self.since)]


def elapsed_ms(since: float, at: float) -> float:
    """Milliseconds between two times, to the microsecond, so that limits are met exactly."""
    return round((at - since) * 1000, 3)
