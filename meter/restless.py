"""Tables that change their mind without end: every changed Hello is a record, and one table must not fill the disk."""

from collections import deque
from typing import Final

MOST_IN_A_MINUTE: Final = 12  # a table that is started anew and again, by hand or by systemd, writes fewer
RESTLESS: Final = (
    f"this table has said {MOST_IN_A_MINUTE} other hellos within a minute, and is heard again when it has been calm "
    "for one: look for two boards with one journal, or a program that keeps changing"
)
_MINUTE_MS: Final = 60_000


class Restless:
    """When something of each table was last written down, by the meter's calendar.

    A calendar that is set back or forward forgets: it keeps nobody out for longer than a minute.
    """

    def __init__(self, most_in_a_minute: int) -> None:
        self._most = most_in_a_minute
        self._written_ms: dict[str, deque[int]] = {}

    def note(self, table: str, now_ms: int) -> None:
        """It was written down once more."""
        self._written_ms.setdefault(table, deque(maxlen=self._most)).append(now_ms)

    def is_restless(self, table: str, now_ms: int) -> bool:
        """Whether so much of this table was written down that no more should be now."""
        lately = [at_ms for at_ms in self._written_ms.get(table, ()) if 0 <= now_ms - at_ms < _MINUTE_MS]
        return len(lately) == self._most
