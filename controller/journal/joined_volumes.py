"""Archive volumes and their journal read as one: no event is missing, none comes twice."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from msgspec import Struct

from controller.journal.file import JournalFault
from controller.journal.journal import looked_at
from controller.journal.volumes import Volume


class JournalPart(Struct, frozen=True):
    """One file of a journal, after checking all of it."""

    path: Path
    journal: str
    begin: Volume
    """The last volume before it."""
    last: int
    head: str
    is_volume: bool

    @property
    def first(self) -> int:
        """Its first event."""
        return self.begin.until + 1


def read_part(path: Path) -> JournalPart:
    """Checks one file; damage raises JournalFault."""
    with looked_at(path) as look:
        last, head = look.audit()
        return JournalPart(path, look.id, look.archived(), last, head, look.is_volume)


def join(parts: Sequence[JournalPart]) -> tuple[JournalPart, ...]:
    """The parts in their order; a gap, an overlap or a stranger among them raises JournalFault naming it."""
    ordered = tuple(sorted(parts, key=lambda part: (part.first, part.last)))
    for before, after in pairwise(ordered):
        if before.journal != after.journal:
            raise JournalFault(f"{after.path}: of journal {after.journal}, but {before.path} is of {before.journal}")
        if not before.is_volume or after.first <= before.last:
            raise JournalFault(f"{before.path} and {after.path} have the same events; name each part once")
        if after.first > before.last + 1:
            missing = (
                f"events {before.last + 1} to {after.first - 1} are missing between {before.path} and {after.path}"
            )
            raise JournalFault(f"{missing}; the last of them should be in {after.begin.file}")
        if after.begin.chain != before.head:
            raise JournalFault(f"{after.path}: does not follow the last event of {before.path}; one of them is forged")
    return ordered
