"""Recent wins on the link, for the signs of every table: each from when this table heard of it, and not for long."""

from typing import Final

from msgspec import Struct

from link.messages import State, Win

SHOWN_S: Final = 120.0
MOST_SHOWN: Final = 3


class _Heard(Struct, frozen=True):
    win: Win
    at_s: float


class RecentWins:
    """Follows the meter's count of wins; one that was won before this table listened has no time, and is not shown."""

    def __init__(self) -> None:
        self._hits: int | None = None
        self._heard: tuple[_Heard, ...] = ()

    def hear(self, state: State | None, now_s: float) -> None:
        """What the meter says now; the same once more changes nothing."""
        if state is None or not state.alive:
            return
        if self._hits is not None and state.hits > self._hits and state.last_win is not None:
            self._heard = (*self._heard, _Heard(state.last_win, now_s))[-MOST_SHOWN:]
        self._hits = state.hits

    def shown(self, now_s: float) -> tuple[Win, ...]:
        """The wins of the last two minutes, the newest first."""
        return tuple(heard.win for heard in reversed(self._heard) if now_s - heard.at_s < SHOWN_S)
