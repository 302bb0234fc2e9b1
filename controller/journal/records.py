"""Journal records: events as they are to be written and as they were read, hash-chained."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from controller.journal.file import JournalFault
from games.refusal import Refusal
from games.round.events import Event
from link.messages import Entry

NO_HASH: Final = "0" * 64
"""Before the first event there are only noughts."""
KEEP: Final = "keep the file and restore a backup"
Row: TypeAlias = tuple[int, int, int, int, int, str, str, str, str]
"""number, round, boot, mono_ms, at_ms, event, refusal, entries for the meter, hash."""


class Moment(Struct, frozen=True):
    """When something happened: calendar for people, boot and monotonic time for the order."""

    at_ms: int
    mono_ms: int
    synced: bool | None = None  # whether the calendar was synchronised; None: nobody wrote it down


class EventRecord(Struct, frozen=True):
    """One event as it is to be written, with what it led to."""

    event: Event
    refusal: Refusal | None
    round: int
    moment: Moment
    entries: tuple[tuple[int, Entry], ...] = ()


class WrittenEvent(Struct, frozen=True):
    """One event as it was written."""

    number: int
    round: int
    boot: int
    moment: Moment
    event: Event
    refusal: Refusal | None
    entries: str
    hash: str


class Waiting(Struct, frozen=True):
    """An entry the meter has not acknowledged yet."""

    seq: int
    at_ms: int
    entry: Entry


def seal(chain: str, parts: Sequence[object]) -> str:
    """The hash of something that follows what chain is the hash of."""
    return hashlib.sha256(msgspec.json.encode((chain, *parts))).hexdigest()


def entry_words(entries: Sequence[tuple[int, Entry]]) -> str:
    """An event's entries for the meter as they are sealed: number and body, one a line."""
    return "\n".join(f"{seq} {msgspec.json.encode(entry).decode()}" for seq, entry in entries)


def checked(path: Path, expected: int, chain: str, row: Row, *, after: str = "") -> str:
    """The row's own hash, if it is the row that was written there; after names the volume that it follows."""
    if row[0] != expected:
        raise JournalFault(f"{path}: event {expected} is missing; {KEEP}")
    if row[-1] != seal(chain, row[:-1]):
        numbers = ", ".join(words.partition(" ")[0] for words in row[7].splitlines())
        culprit = f"event {expected}, or its entry {numbers} for the meter," if numbers else f"event {expected}"
        strange = f"does not follow the last one of {after}, or" if after else ""
        raise JournalFault(f"{path}: {' '.join(filter(None, (culprit, strange)))} was altered; {KEEP}")
    return row[-1]


def line(row: Row, synced: bool | None) -> WrittenEvent:
    """A row as people and replays read it."""
    number, round_number, boot, mono_ms, at_ms, body, refusal, entries, digest = row
    return WrittenEvent(
        number,
        round_number,
        boot,
        Moment(at_ms, mono_ms, synced),
        msgspec.json.decode(body, type=Event),
        msgspec.json.decode(refusal, type=Refusal) if refusal else None,
        entries,
        digest,
    )
