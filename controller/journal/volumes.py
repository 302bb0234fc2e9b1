"""Archive volumes of a journal: one sealed note each; the journal begins where the last ends."""

import sqlite3
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import astuple

from controller.journal.file import JournalFault
from controller.journal.records import KEEP, NO_HASH, seal

_COLUMNS: Final = "first, until, round, slips, seq, chain, file"


class Volume(Struct, frozen=True):
    """Whole rounds in a file of their own: their events, and the last round, slip and entry for the meter in it."""

    first: int
    until: int
    round: int
    slips: int
    seq: int
    chain: str
    """The hash of the last event: the next one follows it."""
    file: str

    def __str__(self) -> str:
        return f"events {self.first} to {self.until} are in {self.file}"


NOTHING: Final = Volume(first=1, until=0, round=-1, slips=0, seq=0, chain=NO_HASH, file="")
"""What a journal begins with that was never archived."""


def volumes(path: Path, database: sqlite3.Connection) -> list[Volume]:
    """The notes in their order; one that was altered or is missing raises JournalFault. Older journals have none."""
    found, until = _noted(path, database, "ORDER BY until") if has_notes(database) else [], 0
    for volume in found:
        if volume.first != until + 1:
            raise JournalFault(
                f"{path}: no note says which volume has events {until + 1} to {volume.first - 1}; {KEEP}"
            )
        until = volume.until
    return found


def last_volume(path: Path, database: sqlite3.Connection) -> Volume:
    """Where a journal that has notes begins: after this volume, or after NOTHING."""
    return next(iter(_noted(path, database, "ORDER BY until DESC LIMIT 1")), NOTHING)


def note_volume(database: sqlite3.Connection, volume: Volume) -> None:
    """From now on the journal begins after this volume."""
    row = (*astuple(volume), _seal(volume))
    database.execute(f"INSERT INTO volumes({_COLUMNS}, hash) VALUES(?,?,?,?,?,?,?,?)", row)


def having(known: list[Volume], *, round_number: int = 0, slip: int = 0) -> Volume | None:
    """The volume that has this round, or this slip; None if none has."""
    if slip:
        return next((volume for volume in known if slip <= volume.slips), None)
    return next((volume for volume in known if round_number <= volume.round), None)


def last_entry(database: sqlite3.Connection) -> int:
    """The last number that an entry for the meter has, here or in a volume."""
    last = database.execute("SELECT max(seq) FROM outbox").fetchone()[0]
    if last is None and has_notes(database):
        last = database.execute("SELECT max(seq) FROM volumes").fetchone()[0]
    return int(last or 0)


def _noted(path: Path, database: sqlite3.Connection, which: str) -> list[Volume]:
    found = []
    for *columns, digest in database.execute(f"SELECT {_COLUMNS}, hash FROM volumes {which}"):  # noqa: S608  our words
        volume = Volume(*columns)
        if digest != _seal(volume):
            raise JournalFault(f"{path}: the note that {volume} was altered; {KEEP}")
        found.append(volume)
    return found


def has_notes(database: sqlite3.Connection) -> bool:
    """Whether archives are known here; older journals have nowhere to write them down."""
    return database.execute("SELECT 1 FROM sqlite_master WHERE name = 'volumes'").fetchone() is not None


def _seal(volume: Volume) -> str:
    return seal(volume.chain, astuple(volume))
