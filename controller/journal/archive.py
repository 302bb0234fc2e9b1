"""The archive: old rounds go out of a journal into closed, checked volumes while its table works on."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, TypeAlias

from msgspec.structs import replace

from common.backup_retention import require_room
from common.files import leave_to_owner, make_folder, sync
from controller.journal.backup import backup_faults, unfinished
from controller.journal.chain import LAST
from controller.journal.cut_point import first_waiting, volume_until
from controller.journal.file import MOST_LOG, SCRIPT, JournalFault, hold_archive, journal_faults, log_size, still
from controller.journal.journal import Journal, looked_at
from controller.journal.notes import carry_note, carry_program
from controller.journal.schema import SCHEMA
from controller.journal.volumes import Volume, last_volume, note_volume

Step: TypeAlias = Callable[[str], None]
"""Hears of every step when it is done; benches pull the plug there."""
AT_ONCE: Final = 1_000
"""Events copied and synced in one go: a table that syncs its journal waits for what others have not written yet."""
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
    with backup_faults(target):
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
        state, rest = look.recall()
        if rest:
            raise JournalFault(f"{path}: the volume has no snapshot of its end")
        return volume_until(look.archived(), number, state, chain, str(known_as or path))


def _fill(journal: Path, volume: Volume, draft: Path) -> None:
    with (
        journal_faults(draft),
        closing(sqlite3.connect(draft.absolute().as_uri(), uri=True, isolation_level=None)) as target,
    ):
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


BATCH: Final = 100
"""Events deleted at a time: a table that has a chip to write down waits at most for one of these."""
PAUSE_S: Final = 0.01
PATIENCE_S: Final = 30.0
_BATCHES: Final = 25
_SWEEP: Final = (
    "DELETE FROM outbox WHERE number <= :end",
    "DELETE FROM snapshots WHERE number <= :end AND number < :until",
    "DELETE FROM clock WHERE number <= :end AND number < :until",
    "DELETE FROM events WHERE number <= :end",
)


def archive(
    journal: Path, folder: Path, before_ms: int, at: Step = lambda _step: None, *, now_ms: int = LAST
) -> list[Volume]:
    """Takes whole rounds from before this moment out of a journal; returns the new volumes, none if nothing may go."""
    with looked_at(journal) as look:
        _require_fit(look)
        name = f"volume-{look.id[:8]}-"
    with hold_archive(journal):
        with looked_at(journal) as look:
            look.audit()
        folder = _prepared(folder, name)
        sweep(journal, at)
        made = list(_left_over(journal, folder, name, at))
        with looked_at(journal) as look:
            cut = look.cut(before_ms, now_ms)
            whole, used = look.last_number - look.archived().until, look.used_bytes()
        if cut is not None:
            with backup_faults(folder):
                require_room(folder, used * (cut.until - cut.first + 1) // whole)
            made.append(replace(cut, file=f"{folder}/{name}{cut.first:012}-{cut.until:012}.db"))
            write_volume(journal, made[-1], at)
            _begin_after(journal, made[-1], at)
        return made


def sweep(journal: Path, at: Step) -> None:
    """Deletes what lies before the journal's beginning, a little at a time, and lets the table write in between."""
    while True:
        with still(journal), _opened(journal) as database:
            for _ in range(_BATCHES):
                if log_size(journal) > MOST_LOG or not _delete_some(journal, database):
                    return  # a reader keeps the log from being emptied: the next run goes on
                at("batch deleted")
                time.sleep(PAUSE_S)


def _require_fit(look: Journal) -> None:
    if look.is_volume:
        raise JournalFault(f"{look.path}: a closed volume already; name the table's settings or its journal")
    _require_own(look.path, look.handed_over)


def _require_own(journal: Path, handed_over: str) -> None:
    if handed_over:
        raise JournalFault(f"{journal}: handed over to another board; archive it there")


def _prepared(folder: Path, name: str) -> Path:
    """The folder, made if need be, without what a power cut left of a volume."""
    with backup_faults(folder):
        folder = folder.absolute()
        make_folder(folder)
        sync(folder.parent)  # a run that was cut off may have made it
        for rest in folder.glob(f"{name}*.unfinished*"):
            rest.unlink(missing_ok=True)
    return folder


def _left_over(journal: Path, folder: Path, name: str, at: Step) -> Iterator[Volume]:
    """Volumes that have their name, but of which the journal does not know yet, nor anybody whether they are synced."""
    while True:
        with looked_at(journal) as look:
            first = look.archived().until + 1
        found = sorted(folder.glob(f"{name}{first:012}-*.db"))
        if not found:
            return
        try:
            volume = read_volume(found[-1])
        except JournalFault as fault:
            raise JournalFault(f"{fault} (the journal still has its events: move it away and archive again)") from fault
        with backup_faults(found[-1]):
            sync(found[-1])
            sync(folder)
        _begin_after(journal, volume, at)
        yield volume


def _begin_after(journal: Path, volume: Volume, at: Step) -> None:
    """Moves the journal's beginning behind a volume that is on disk, and deletes what is in it."""
    with still(journal), _opened(journal) as database, _written(database):
        _require_same(journal, volume, database)
        carry_note(database, volume.until, volume.chain)
        carry_program(database, volume.until, volume.chain)
        database.execute("DELETE FROM slips WHERE round <= ?", (volume.round,))
        note_volume(database, volume)
    at("journal begins behind it")
    sweep(journal, at)


def _require_same(journal: Path, volume: Volume, database: sqlite3.Connection) -> None:
    """The volume is this journal's own next part, the meter has all of it, and a snapshot says how it ended.

    Much may have happened since the volume was begun: whose the journal is, is asked again.
    """
    facts = dict(database.execute("SELECT name, value FROM facts"))
    if facts.get("schema") != str(SCHEMA):
        raise JournalFault(f"{journal}: a flash has changed it meanwhile; archive it with the version that runs now")
    _require_own(journal, facts.get("handed_over", ""))
    begins = last_volume(journal, database).until + 1 == volume.first
    ends = "SELECT events.hash FROM events JOIN snapshots USING (number) WHERE number = ?"
    row = database.execute(ends, (volume.until,)).fetchone()
    if not begins or row != (volume.chain,) or first_waiting(database) <= volume.until:
        raise JournalFault(
            f"{volume.file}: is not the next part of {journal} as it stands; keep it elsewhere and archive again"
        )


def _delete_some(journal: Path, database: sqlite3.Connection) -> bool:
    with _written(database):
        until = last_volume(journal, database).until
        (first,) = database.execute("SELECT min(number) FROM events").fetchone()
        if first is None or first > until:
            return False
        for order in _SWEEP:
            database.execute(order, {"end": min(first + BATCH - 1, until), "until": until})
    return True


@contextmanager
def _opened(journal: Path) -> Iterator[sqlite3.Connection]:
    uri = f"{journal.absolute().as_uri()}?mode=rw"
    with (
        journal_faults(journal),
        closing(sqlite3.connect(uri, uri=True, timeout=PATIENCE_S, isolation_level=None)) as database,
    ):
        # Nobody waits for the disk with the journal locked: a power cut may undo the last of these transactions, never
        # one before another, and the volume is on disk already.
        database.execute("PRAGMA synchronous=NORMAL")
        yield database


@contextmanager
def _written(database: sqlite3.Connection) -> Iterator[None]:
    """One transaction; nobody else writes meanwhile, so it must be short."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")
