"""The file of a volume: a closed journal of its own, checked event by event and synced before it gets its name."""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final, TypeAlias

from common.owners import leave_to_owner
from controller.journal.backup import sync, told, unfinished
from controller.journal.cut_point import volume_until
from controller.journal.file import SCRIPT, JournalFault, faults
from controller.journal.journal import looked_at
from controller.journal.volumes import Volume

Step: TypeAlias = Callable[[str], None]
"""Hears of every step when it is done; benches pull the plug there."""
AT_ONCE: Final = 1_000
"""Events copied and synced in one go: a table that syncs its journal waits for what others have not written yet."""
PAUSE_S: Final = 0.01
_EVENTS: Final = (
    "INSERT INTO events SELECT * FROM live.events WHERE number > ? AND number <= ?",
    "INSERT INTO outbox SELECT * FROM live.outbox WHERE number > ? AND number <= ?",
)
_MARKS: Final = (
    "INSERT INTO snapshots SELECT * FROM live.snapshots WHERE number >= :after AND number <= :until",
    "INSERT INTO clock SELECT * FROM live.clock WHERE number >= :after AND number <= :until",
    "INSERT INTO programs SELECT * FROM live.programs WHERE after >= :after AND after <= :until",
    "INSERT INTO slips SELECT * FROM live.slips WHERE round <= :round",
    "INSERT INTO volumes SELECT * FROM live.volumes WHERE until <= :after",
    "INSERT INTO facts SELECT * FROM live.facts WHERE name NOT IN ('running', 'handed_over')",
    "INSERT INTO facts VALUES('closed', '1')",
)


def write_volume(journal: Path, volume: Volume, at: Step) -> None:
    """Makes the volume's file out of the journal; returns when it is whole and on disk under its name."""
    target = Path(volume.file)
    with told(target):
        with unfinished(target) as draft:
            at("volume begun")
            _fill(journal, volume, draft)
            at("volume written")
            if read_volume(draft, known_as=target) != volume:
                raise JournalFault(f"{target}: is not what the journal holds; check the disk and archive again")
            _close(draft)
            at("volume checked")
        at("volume named")


def read_volume(path: Path, known_as: Path | None = None) -> Volume:
    """What a volume's file holds, after checking all of it; another file than that raises JournalFault."""
    with looked_at(path) as look:
        if not look.is_volume:
            raise JournalFault(f"{path}: a journal, but no volume of an archive")
        number, chain = look.audit()
        book, rest = look.recall()
        if rest:
            raise JournalFault(f"{path}: the volume has no snapshot of its end")
        return volume_until(look.archived(), number, book, chain, str(known_as or path))


def _fill(journal: Path, volume: Volume, draft: Path) -> None:
    with faults(draft), closing(sqlite3.connect(draft.absolute().as_uri(), uri=True, isolation_level=None)) as target:
        target.execute("PRAGMA journal_mode=MEMORY")  # a draft that was cut off is thrown away
        target.executescript(SCRIPT)
        target.execute("ATTACH ? AS live", (f"{journal.absolute().as_uri()}?mode=ro",))
        for after in range(volume.first - 1, volume.until, AT_ONCE):
            with target:
                target.execute("BEGIN")
                for order in _EVENTS:
                    target.execute(order, (after, min(after + AT_ONCE, volume.until)))
            time.sleep(PAUSE_S)
        places = {"after": volume.first - 1, "until": volume.until, "round": volume.round}
        for order in _MARKS:
            target.execute(order, places)


def _close(draft: Path) -> None:
    """Nobody writes to it any more, and whoever owns the folder may read it."""
    handle = os.open(draft, os.O_RDONLY)
    try:
        leave_to_owner(handle, draft)
        os.fchmod(handle, os.fstat(handle).st_mode & 0o444)
    finally:
        os.close(handle)
    sync(draft)
