"""Rate limits per table: award withdrawals, changed hellos, and log lines."""

from collections import deque
from collections.abc import Callable, Container
from typing import Final

from msgspec import Struct

from link.messages import Envelope, Release, Wagers
from meter.booking.results import Disputed, Taken
from meter.ledger.link_state import NotTaken

FIRST: Final = 10  # lines of a line, before they become fewer
CALM_MS: Final = 60_000  # ends it


class _Throttled(Struct):
    count: int = 0
    last_ms: int = 0


class LogThrottle:
    """Log throttle per table and kind of line: 10 lines, then every power of two, until a minute was quiet.

    Tables that are not of this link count as one. A clock that is set back or forward starts anew.
    """

    def __init__(self, tables: Container[str], wall_ms: Callable[[], int]) -> None:
        self._tables, self._wall_ms = tables, wall_ms
        self._throttled: dict[tuple[str, str], _Throttled] = {}

    def __len__(self) -> int:
        return len(self._throttled)

    def worth_a_line(self, kind: str, table: str) -> int:
        """How often this has happened now, if that is to be said, or 0."""
        line = self._throttled.setdefault((kind, table if table in self._tables else ""), _Throttled())
        now_ms = self._wall_ms()
        is_calm = not 0 <= now_ms - line.last_ms < CALM_MS
        line.count, line.last_ms = 1 if is_calm else line.count + 1, now_ms
        return line.count if line.count <= FIRST or line.count & (line.count - 1) == 0 else 0


MOST_IN_A_MINUTE: Final = 12  # a table that is started anew and again, by hand or by systemd, writes fewer
TOO_MANY_HELLOS: Final = (
    f"rate limit: {MOST_IN_A_MINUTE} changed Hello messages in a minute; refused until the table is quiet for one: "
    "look for two boards with one journal, or a program that keeps changing"
)
MOST_TAKEN_BACK: Final = 60  # in a minute of one round: seven seats that all claim and are all rejected make 13
TOO_MANY_WITHDRAWALS: Final = (
    f"rate limit: {MOST_TAKEN_BACK} awards withdrawn or contradicted in a minute of one round; the next award entry "
    "waits until the table is quiet for a minute: look at the table and its certificate"
)
_MINUTE_MS: Final = 60_000


class RateLimit:
    """Rate limit per table: so many notes within a minute of the meter's clock.

    A clock that is set back or forward forgets the notes: no table is kept out for longer than a minute.
    """

    def __init__(self, most_in_a_minute: int) -> None:
        self._most = most_in_a_minute
        self._written_ms: dict[str, deque[int]] = {}

    def note(self, table: str, now_ms: int) -> None:
        """Notes one more."""
        self._written_ms.setdefault(table, deque(maxlen=self._most)).append(now_ms)

    def forget(self, table: str) -> None:
        """Forgets what was noted of this table."""
        self._written_ms.pop(table, None)

    def is_exceeded(self, table: str, now_ms: int) -> bool:
        """Whether so much of this table was written down that no more should be now."""
        lately = [at_ms for at_ms in self._written_ms.get(table, ()) if 0 <= now_ms - at_ms < _MINUTE_MS]
        return len(lately) == self._most


class AwardRateLimit:
    """Which tables claim and take back without end, or go on contradicting, in the round that they are in.

    A round that is registered begins anew: a table that hands in what it played without the meter says a day's claims
    within a second.
    """

    def __init__(self) -> None:
        self._taken_back = RateLimit(MOST_TAKEN_BACK)

    def note(self, envelope: Envelope, taken: Taken, now_ms: int) -> None:
        """This became of an entry."""
        if isinstance(taken, NotTaken):
            return
        if isinstance(envelope.entry, Wagers):
            self._taken_back.forget(envelope.table)
        elif isinstance(envelope.entry, Release) or isinstance(taken, Disputed):
            self._taken_back.note(envelope.table, now_ms)

    def must_wait(self, envelope: Envelope, now_ms: int) -> bool:
        """Whether this is one word too many of an award, for now."""
        return not isinstance(envelope.entry, Wagers) and self._taken_back.is_exceeded(envelope.table, now_ms)
