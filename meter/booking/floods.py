"""Floods: of what one table does without end the log gets ever less, and loses no line of what another does for it."""

from collections.abc import Callable, Container
from typing import Final

from msgspec import Struct

FIRST: Final = 10  # lines of a flood, before they become fewer
CALM_MS: Final = 60_000  # ends it


class _Flood(Struct):
    count: int = 0
    last_ms: int = 0


class Floods:
    """How often what has happened at each table of a link, until it was calm for a minute; all strangers are one.

    A calendar that is set back or forward ends a flood, too: it costs a few lines.
    """

    def __init__(self, tables: Container[str], wall_ms: Callable[[], int]) -> None:
        self._tables, self._wall_ms = tables, wall_ms
        self._floods: dict[tuple[str, str], _Flood] = {}

    def __len__(self) -> int:
        return len(self._floods)

    def worth_a_line(self, kind: str, table: str) -> int:
        """How often this has happened now, if that is to be said, or 0."""
        flood = self._floods.setdefault((kind, table if table in self._tables else ""), _Flood())
        now_ms = self._wall_ms()
        is_calm = not 0 <= now_ms - flood.last_ms < CALM_MS
        flood.count, flood.last_ms = 1 if is_calm else flood.count + 1, now_ms
        return flood.count if flood.count <= FIRST or flood.count & (flood.count - 1) == 0 else 0
