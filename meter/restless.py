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
    """When each table's Hellos were last written down, by the meter's calendar.

    A calendar that is set back or forward forgets: it keeps nobody out for longer than a minute.
    """

    def __init__(self) -> None:
        self._written_ms: dict[str, deque[int]] = {}

    def note(self, table: str, now_ms: int) -> None:
        """A Hello of this table was written down."""
        self._written_ms.setdefault(table, deque(maxlen=MOST_IN_A_MINUTE)).append(now_ms)

    def refusal(self, table: str, now_ms: int) -> str | None:
        """Why no other Hello of this table is written down now, or None."""
        lately = [at_ms for at_ms in self._written_ms.get(table, ()) if 0 <= now_ms - at_ms < _MINUTE_MS]
        return RESTLESS if len(lately) == MOST_IN_A_MINUTE else None
