"""The floor's book: alarms, who acknowledged them, who did what, and how each meter grew; sealed line after line."""

from collections.abc import Iterator, Sequence
from typing import Final, Protocol, TypeAlias

import msgspec
from msgspec import Struct

from meter.records import Sealed, first_seal, seal_of

OPEN_ALARM: Final = "alarm"
CLOSED_ALARM: Final = "closed alarm"
NOTE: Final = "note"
GROWTH: Final = "growth"
LINES_AT_ONCE: Final = 2_000


class Alarm(Struct, frozen=True, tag=True):
    """Something that a person must look at; it stays until somebody acknowledges it."""

    kind: str
    link: str
    table: str
    words: str
    advice: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What it is about: a second alarm about the same says nothing new."""
        return self.kind, self.link, self.table


class Acknowledged(Struct, frozen=True, tag=True):
    """Somebody has seen this alarm."""

    alarm: int
    by: str


class Used(Struct, frozen=True, tag=True):
    """Somebody did something at the floor's pages."""

    by: str
    what: str
    about: str = ""


class Measured(Struct, frozen=True, tag=True):
    """Where a meter stood after this record, in ten-thousandths of a cent."""

    link: str
    record: int
    units: int


Said: TypeAlias = Alarm | Acknowledged | Used | Measured


class Note(Struct, frozen=True):
    """One line as it is read; number counts 1, 2, 3 … over the whole floor."""

    number: int
    at_ms: int
    said: Said


class Line(Struct, frozen=True):
    """One line as it is stored: kind and link are for finding it, and only the kind of an alarm ever changes."""

    number: int
    kind: str
    link: str
    sealed: Sealed


class FloorStore(Protocol):
    """Where the floor's book is kept, beside the ledger."""

    def add_lines(self, lines: Sequence[Line], closed: Sequence[int]) -> None:
        """Puts new lines on disk and marks these alarms as closed, or raises StoreFault and does neither."""
        ...

    def lines(self, after: int, most: int) -> list[Line]:
        """The lines after this number, first to last."""
        ...

    def last_lines(self, kind: str, link: str, most: int) -> list[Line]:
        """The newest lines of a kind, newest first; of every kind or every link where none is named."""
        ...


def line(note: Note, after: bytes) -> Line:
    """This note as it is stored, sealed after this seal."""
    body = msgspec.json.encode(note)
    kind, link = _found_by(note.said)
    return Line(note.number, kind, link, Sealed(body, seal_of(body, after)))


def read_note(stored: Line) -> Note:
    """The note of a line; raises msgspec.DecodeError for anything else."""
    return msgspec.json.decode(stored.sealed.body, type=Note)


def first_floor_seal() -> bytes:
    """What the book's first line is sealed after."""
    return first_seal("of the floor")


def all_lines(store: FloorStore) -> Iterator[Line]:
    """The whole book, first to last, never all of it at once."""
    after = 0
    while lines := store.lines(after, LINES_AT_ONCE):
        yield from lines
        after = lines[-1].number


def first_bad_line(lines: Iterator[Line]) -> int:
    """The number of the first line that does not follow from the one before it, or 0."""
    seal = first_floor_seal()
    for number, stored in enumerate(lines, start=1):
        if stored.number != number or seal_of(stored.sealed.body, seal) != stored.sealed.seal:
            return number
        seal = stored.sealed.seal
    return 0


def _found_by(said: Said) -> tuple[str, str]:
    match said:
        case Alarm(link=link):
            return OPEN_ALARM, link
        case Measured(link=link):
            return GROWTH, link
        case Acknowledged() | Used():
            return NOTE, ""
