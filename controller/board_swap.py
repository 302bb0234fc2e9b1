"""Board swap: all of a table in one swap file, the old board locked, nothing counted twice."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

from msgspec import Struct

from controller.journal.backup import copy_to
from controller.journal.file import JournalFault, connect, hold, journal_faults, log_ahead, still
from controller.journal.journal import Journal, looked_at
from controller.journal.records import Waiting
from controller.journal.schema import require_mode
from controller.settings.table import TableSettings, load
from flashing.errors import FlashError, flash_errors
from flashing.files import SyncedFiles
from flashing.swap_file import SwapFile, give_to_neighbours, pack, require_fits, unpack
from games.round.state import Phase, RoundState

JOURNAL: Final = "journal.db"
BEFORE: Final = "journal-before-swap.db"
FRESH: Final = "journal-fresh.db"
LEAVING: Final = "journal-leaving.db"
AHEAD: Final = 10_000
"""Rounds and slips that may have been numbered since the last backup: none of these numbers comes twice."""


class Replaced(Struct, frozen=True):
    """A new journal in place of a lost one, and what the meter must be told."""

    old_journal: str
    new_journal: str
    round: int
    in_hand: bool
    waiting: tuple[Waiting, ...]
    """What the meter had not acknowledged when the backup was made: the new journal does not send it."""


@contextmanager
def at_rest(config: Path) -> Iterator[Path]:
    """The journal of a stopped table that nobody starts from copy to lock: no event is only on the locked board."""
    journal = Path(load(config).state_dir) / JOURNAL
    with hold(journal):
        yield journal


def make_parcel(config: Path, trust: Path) -> SwapFile:
    """Everything of a closed table at rest, its journal as it stands."""
    settings = load(config)
    journal = Path(settings.state_dir) / JOURNAL
    with looked_at(journal) as look:
        _require_rest(look)
        look.audit()
        identity = look.id
    require_fits(journal.stat().st_size)
    files = [path for path in _belongings(config, settings, trust) if path.is_file()]
    swap_file = tuple(pack(path) for path in files)
    return SwapFile(settings.table, identity, version("pitlink"), swap_file, pack(journal, _content(journal)))


def lock_board(journal: Path, now: datetime, to: Path) -> bool:
    """No table starts any more with a journal at rest; False if that was so before."""
    with journal_faults(journal), closing(connect(journal)) as database:
        before = database.execute("SELECT value FROM facts WHERE name = 'handed_over'").fetchone()
        Journal(journal, database).hand_over(f"{now.astimezone(UTC):%Y-%m-%d %H:%M} UTC, {to.name}")
    return before is None


def unlock_board(journal: Path) -> None:
    """Nobody got the swap file of this journal at rest: the board stays what it was."""
    with journal_faults(journal), closing(sqlite3.connect(journal)) as database, database:
        database.execute("DELETE FROM facts WHERE name = 'handed_over'")


def take_parcel(swap_file: SwapFile, disk: SyncedFiles) -> None:
    """Makes this board the one of the swap file; the settings come last, and before them no table starts."""
    place = Path(swap_file.journal.path)
    fresh = place.with_name(FRESH)
    unpack(swap_file.journal, fresh, disk)
    try:
        with looked_at(fresh) as look:
            look.audit()
            _require_room(place, look)
    except (JournalFault, FlashError):
        disk.remove(fresh)
        raise
    unlock_board(fresh)
    log_ahead(fresh)
    _put_in_place(fresh, place, disk)
    for file in swap_file.files:
        unpack(file, Path(file.path), disk)


def replace_lost(config: Path, backup: Path) -> Replaced:
    """A new journal for a table whose board is dead; its numbers go on well behind those of the backup."""
    settings = load(config)
    place = Path(settings.state_dir) / JOURNAL
    if place.exists():
        raise FlashError(f"{place}: there is a journal already; move it away if it is not this table's")
    with looked_at(backup) as look:
        if look.is_volume:
            raise FlashError(f"{backup}: a closed volume of an archive; name the newest copy of the journal itself")
        require_mode(backup, look.mode, rehearsal=settings.rehearsal)
        look.audit()
        state, lines = look.recall()
        old, number = look.id, max([state.round, *(line.round for line in lines)])
        in_hand = bool(lines) or state.phase is not Phase.CLOSED
        slips = max([state.slips, *(slip for slip, _ in look.slips())])
        waiting = tuple(look.waiting())
    place.parent.mkdir(parents=True, exist_ok=True)
    copy_to(backup, place.with_name(BEFORE))
    fresh, disk = place.with_name(FRESH), SyncedFiles()
    begin = RoundState(round=_ahead(number), slips=_ahead(slips))
    identity = _begin(fresh, begin, disk, rehearsal=settings.rehearsal)
    give_to_neighbours([fresh, place.with_name(BEFORE), place.parent])
    _put_in_place(fresh, place, disk)
    return Replaced(old, identity, _ahead(number), in_hand, waiting)


def _begin(fresh: Path, state: RoundState, disk: SyncedFiles, *, rehearsal: bool) -> str:
    """A journal that begins with this book, without what an earlier attempt has left; returns its identity."""
    for suffix in ("", "-wal", "-shm"):
        disk.remove(fresh.with_name(fresh.name + suffix))
    journal = Journal.open(fresh, rehearsal=rehearsal)
    journal.begin_with(state)
    journal.close()
    disk.remove(fresh.with_suffix(".lock"))
    return journal.id


def _put_in_place(fresh: Path, place: Path, disk: SyncedFiles) -> None:
    """Only a whole journal gets the name that a table starts with, and no log of another."""
    with still(place):
        for suffix in ("-wal", "-shm"):
            disk.remove(place.with_name(place.name + suffix))
        disk.rename(fresh, place)


def _belongings(config: Path, settings: TableSettings, trust: Path) -> Iterator[Path]:
    """Keys, staff, what else lies beside the journal, and last the settings; copies and remains stay behind."""
    yield from sorted(trust.glob("*.pub"))
    broker, panel = settings.broker.known_as(settings.table), settings.panel
    if broker.tls is not None:
        yield from map(Path, (broker.tls.ca, broker.tls.certificate, broker.tls.key))
    if broker.password_file:
        yield Path(broker.password_file)
    if panel.tls is not None:
        yield from map(Path, (panel.tls.certificate, panel.tls.key))
    yield from sorted(Path(settings.state_dir).glob("*.json"))
    yield config


def _content(journal: Path) -> bytes:
    """A checked copy, made beside the journal: a board's /tmp is memory."""
    copy = journal.with_name(LEAVING)
    try:
        copy_to(journal, copy)
        with flash_errors(copy):
            return copy.read_bytes()
    finally:
        with flash_errors(copy):
            copy.unlink(missing_ok=True)


def _require_rest(journal: Journal) -> None:
    state, lines = journal.recall()
    if lines or state.phase is not Phase.CLOSED:
        raise FlashError(f"{journal.path}: the table was not closed and stopped cleanly; start it, close it, stop it")


def _require_room(place: Path, swap_file: Journal) -> None:
    """A board with a journal of its own gets another only if that is the same one, gone on elsewhere."""
    if not place.exists():
        return
    with hold(place), looked_at(place) as own:
        if own.last_number == 0:
            return
        goes_on = own.id == swap_file.id and own.last_number <= swap_file.last_number
        if goes_on and own.last_number < swap_file.archived().until:
            raise FlashError(
                f"{place}: its last event is older than the swap file's first, and nobody can see here whether both "
                f"are one journal; move {place.name} away, keep it, and import again"
            )
        if not goes_on or swap_file.hash_at(own.last_number) != own.hash_at(own.last_number):
            raise FlashError(f"{place}: this board has events that the swap file does not know; take a fresh board")


def _ahead(number: int) -> int:
    return (number // AHEAD + 1) * AHEAD
