"""Rate limits per table: award withdrawals, changed hellos, and log lines."""

from collections import deque
from collections.abc import Callable, Container
from typing import Final

from msgspec import Struct

from link.messages import Envelope, Release, Wagers
from meter.booking.results import Disputed, Taken
from meter.ledger.link_state import NotTaken

FIRST: Final = 10  # lines of a flood, before they become fewer
CALM_MS: Final = 60_000  # ends it


class _Throttled(Struct):
    count: int = 0
    last_ms: int = 0


class LogThrottle:
    """How often what has happened at each table of a link, until it was calm for a minute; all strangers are one.

    A calendar that is set back or forward ends a flood, too: it costs a few lines.
    """

    def __init__(self, tables: Container[str], wall_ms: Callable[[], int]) -> None:
        self._tables, self._wall_ms = tables, wall_ms
        self._log_throttle: dict[tuple[str, str], _Throttled] = {}

    def __len__(self) -> int:
        return len(self._log_throttle)

    def worth_a_line(self, kind: str, table: str) -> int:
        """How often this has happened now, if that is to be said, or 0."""
        flood = self._log_throttle.setdefault((kind, table if table in self._tables else ""), _Throttled())
        now_ms = self._wall_ms()
        is_calm = not 0 <= now_ms - flood.last_ms < CALM_MS
        flood.count, flood.last_ms = 1 if is_calm else flood.count + 1, now_ms
        return flood.count if flood.count <= FIRST or flood.count & (flood.count - 1) == 0 else 0


MOST_IN_A_MINUTE: Final = 12  # a table that is started anew and again, by hand or by systemd, writes fewer
RESTLESS: Final = (
    f"this table has said {MOST_IN_A_MINUTE} other hellos within a minute, and is heard again when it has been calm "
    "for one: look for two boards with one journal, or a program that keeps changing"
)
MOST_TAKEN_BACK: Final = 60  # in a minute of one round: seven seats that all claim and are all rejected make 13
FICKLE: Final = (
    f"awards were taken back, or spoken of against what is settled, {MOST_TAKEN_BACK} times in this round within a "
    "minute: the next word of one waits until this table is calm; look at it and its certificate"
)
_MINUTE_MS: Final = 60_000


class AwardRateLimit:
    """When something of each table was last written down, by the meter's calendar.

    A calendar that is set back or forward forgets: it keeps nobody out for longer than a minute.
    """

    def __init__(self, most_in_a_minute: int) -> None:
        self._most = most_in_a_minute
        self._written_ms: dict[str, deque[int]] = {}

    def note(self, table: str, now_ms: int) -> None:
        """It was written down once more."""
        self._written_ms.setdefault(table, deque(maxlen=self._most)).append(now_ms)

    def forget(self, table: str) -> None:
        """What was written down so far is no sign of anything."""
        self._written_ms.pop(table, None)

    def is_restless(self, table: str, now_ms: int) -> bool:
        """Whether so much of this table was written down that no more should be now."""
        lately = [at_ms for at_ms in self._written_ms.get(table, ()) if 0 <= now_ms - at_ms < _MINUTE_MS]
        return len(lately) == self._most


class HelloRateLimit:
    """Which tables claim and take back without end, or go on contradicting, in the round that they are in.

    A round that is registered begins anew: a table that hands in what it played without the meter says a day's claims
    within a second.
    """

    def __init__(self) -> None:
        self._taken_back = AwardRateLimit(MOST_TAKEN_BACK)

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
        return not isinstance(envelope.entry, Wagers) and self._taken_back.is_restless(envelope.table, now_ms)
