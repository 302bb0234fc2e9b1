"""How long after the round before a round's wagers were registered, where the calendar does not tell."""

from typing import Final, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from controller.journal.records import Moment
from link.messages import Entry, Wagers

STEPPED_MS: Final = 1_000
"""Two clocks that disagree by more did not drift apart within a round: somebody set the calendar."""

Ordered: TypeAlias = tuple[tuple[int, Entry], ...]
"""Entries for the meter, numbered."""


class Pace:
    """Remembers when this run last registered wagers; an earlier run had a clock of its own."""

    def __init__(self) -> None:
        self._last: Moment | None = None

    def timed(self, ordered: Ordered, moment: Moment) -> Ordered:
        """The same entries, with the time since the round before where the meter could not work it out itself."""
        if not any(isinstance(entry, Wagers) for _, entry in ordered):
            return ordered
        since_ms, self._last = _since_ms(self._last, moment), moment
        return with_since(ordered, since_ms)


def with_since(ordered: Ordered, since_ms: int | UnsetType) -> Ordered:
    """The same entries, with this said of wagers among them."""
    if since_ms is UNSET:
        return ordered
    return tuple(
        (seq, replace(entry, since_ms=since_ms) if isinstance(entry, Wagers) else entry) for seq, entry in ordered
    )


def written_since(words: str) -> int | UnsetType:
    """What the entries of a written event say of it: measured once, and not again when the journal is told anew."""
    said = (msgspec.json.decode(line.partition(" ")[2], type=_Timed).since_ms for line in words.splitlines())
    return next((since_ms for since_ms in said if since_ms is not UNSET), UNSET)


class _Timed(Struct, frozen=True):
    since_ms: int | UnsetType = UNSET


def _since_ms(last: Moment | None, now: Moment) -> int | UnsetType:
    if last is None:
        return UNSET
    since_ms = now.mono_ms - last.mono_ms
    return since_ms if abs(now.at_ms - last.at_ms - since_ms) > STEPPED_MS else UNSET
