"""Backup and restore: a ledger copied record by record into another store, each one audited."""

import errno
import os
import re
import secrets
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Final

from common.backup_retention import NoRoom, RotatedCopies
from common.files import sync
from meter.ledger.link_state import Head, LinkState, Member
from meter.ledger.records import Filed
from meter.settings import is_postgres
from meter.store.audit import difference, follow
from meter.store.audit_log import acknowledged
from meter.store.base import InUse, OpenStore, Page, Saved, Store, StoreFault
from meter.store.open import open_store
from meter.store.restore import Restoration, shut_restored
from meter.store.sqlite import SqliteStore, files_of, kept_from_meters, refuse_folder
from meter.store.standby import Shared

_KNOWS_NO_LINKS: Final = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS})  # FAT and its kind
_PART: Final = r"(\.part(-[0-9a-f]{16})?)(-wal|-shm|-journal|\.lock)?"


@contextmanager
def new_ledger(file: Path) -> Iterator[OpenStore]:
    """A ledger that gets its name only when it is complete and on disk; an existing one is never touched.

    Its part has a name of its own: whoever makes the same ledger at the same time, even on another machine where no
    lock is seen, can neither write into it nor give its name to another one.
    """
    with _backup_faults(file):
        _refuse_existing(file)
        if sweep(file.parent, re.escape(file.name)):
            raise StoreFault(f"{file} is being written by another pitlink; wait for it, or name another file")
        part = file.with_name(f"{file.name}.part-{secrets.token_hex(8)}")
        try:
            with closing(SqliteStore(part)) as store:
                yield store
            _give_name(part, file)
            sync(file.parent)
        finally:
            _remove(part)


def sweep(folder: Path, names: str) -> list[Path]:
    """Removes what dead processes left of ledgers whose names are like this; says which others are in the making."""
    found = [re.fullmatch(f"({names}){_PART}", path.name) for path in folder.glob("*")]
    parts = {folder / f"{match[1]}{match[2]}" for match in found if match}
    return [part for part in sorted(parts) if not _has_removed(part)]


def _has_removed(part: Path) -> bool:
    """Whoever writes it has it locked."""
    try:
        with kept_from_meters(part):
            _remove(part)
    except InUse:
        return False
    return True


@contextmanager
def _backup_faults(file: Path) -> Iterator[None]:
    """Turns what the disk has against the new file into a StoreFault that says what to do."""
    try:
        yield
    except FileExistsError as error:
        raise StoreFault(f"somebody else has made {file} meanwhile; it stays as it is") from error
    except OSError as error:
        raise StoreFault(f"{file}: {error.strerror}; check the folder, its space and its owner") from error


def _refuse_existing(file: Path) -> None:
    refuse_folder(file)
    there = ", ".join(path.name for path in files_of(file))
    if there:  # a log alone would be read into the new ledger
        raise StoreFault(
            f"{file.parent} holds {there}; move all of it away together, and keep it: the auditors will ask for it, "
            "and the newest wagers may stand in a log"
        )


def _give_name(part: Path, file: Path) -> None:
    """Raises FileExistsError if somebody was faster, which a renaming alone would not."""
    try:
        os.link(part, file)
    except OSError as error:
        if error.errno not in _KNOWS_NO_LINKS:
            raise
        _rename(part, file)


def _rename(part: Path, file: Path) -> None:
    """On a stick: takes the name first, so that what is written over is our own and empty, and no ledger to anybody."""
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o640))
    try:
        part.rename(file)
    except BaseException:
        file.unlink()
        raise


def _remove(part: Path) -> None:
    for file in (*files_of(part), part.with_name(part.name + ".lock")):
        file.unlink(missing_ok=True)


RECORDS_AT_ONCE: Final = 2_000
_NAME: Final = "ledger-{:%Y%m%dT%H%M%S%fZ}.sqlite"
_NAMES: Final = "ledger-*.sqlite"
_PATTERN: Final = r"ledger-.*\.sqlite"


def back_up(address: str, file: Path) -> dict[str, Head]:
    """Writes a store as it stands now into a new file, while its meter works on; nothing is left of a failed one."""
    source = open_store(address, reading=True)
    try:
        with new_ledger(file) as target:
            return _heads(_copy_all(source, target))
    finally:
        source.close()


def back_up_into(address: str, folder: Path, now: datetime, *, keep: int) -> tuple[Path, dict[str, Head]]:
    """The same into a folder of copies, the oldest of which make room before the new one is written; says which."""
    file = folder / _NAME.format(now.astimezone(UTC))
    copies = RotatedCopies(folder, _NAMES)
    try:
        sweep(folder, _PATTERN)
        copies.make_room(_size(address) or copies.newest_bytes(), keep=keep)
        heads = back_up(address, file)
        copies.drop_old(file, keep=keep)
    except NoRoom as error:
        raise StoreFault(str(error)) from error
    except OSError as error:
        raise StoreFault(f"{file}: {error.strerror}; free some space or name another folder") from error
    return file, heads


def restore(file: Path, address: str, now: datetime, *, machine: str = "", program: str = "") -> dict[str, Head]:
    """Writes a backup into a store that is empty and that no meter uses, whole or not at all; its links are stopped."""
    restoration = Restoration(file.name, int(now.timestamp() * 1_000), machine, program)
    source = SqliteStore(file, reading=True)
    try:
        source.check_file()
        with _empty_store(address) as target:
            books = _copy_all(source, target)
            shut_restored(target, books, restoration)
            return _heads(books)
    finally:
        source.close()


def _size(address: str) -> int:
    """What a file and its log take; of a database nobody knows."""
    parts = [] if is_postgres(address) else [Path(address), Path(f"{address}-wal")]
    return sum(part.stat().st_size for part in parts if part.is_file())


def _heads(books: Iterable[LinkState]) -> dict[str, Head]:
    return {state.link: state.head for state in books}


def _copy_all(source: OpenStore, target: OpenStore) -> list[LinkState]:
    """Copies every link as it stood at one moment: a ledger only grows, so that needs no standstill."""
    _copy_floor_book(source, target)  # first: it may know less than the ledgers, never of a link that has none
    standing = source.load_all()
    if not standing:
        raise StoreFault("there is no ledger in it")
    return [_copy(source, target, link, snapshot) for link, snapshot in standing.items()]


def _copy(source: Store, target: Store, link: str, snapshot: Saved) -> LinkState:
    state = LinkState(link)
    rows = islice(source.records(link), snapshot.head.number)
    while batch := list(islice(rows, RECORDS_AT_ONCE)):
        target.commit([_page(state, batch)])
    fault = difference(state, snapshot)
    if fault:
        raise StoreFault(f"the ledger of link {link} is damaged: {fault}")
    return state


def _copy_floor_book(source: OpenStore, target: OpenStore) -> None:
    """A book that was cut off stays so in its copy, and an alarm that is acknowledged while we read is closed there."""
    after, end = 0, source.floor_end()
    while lines := source.lines(after, RECORDS_AT_ONCE):
        target.add_lines(lines, acknowledged(lines))
        after = lines[-1].number
    target.add_lines((), (), end)


def _page(state: LinkState, batch: list[Filed]) -> Page:
    before: dict[str, Member] = dict(state.members)
    records = [(follow(state, row), row) for row in batch]
    changed = [member for table, member in state.members.items() if before.get(table) is not member]
    return Page(state.link, records, changed, state.head)


@contextmanager
def _empty_store(address: str) -> Iterator[OpenStore]:
    if not is_postgres(address):
        with kept_from_meters(Path(address)), new_ledger(Path(address)) as file:
            yield file
        return
    store = open_store(address)
    try:
        with _unused(store).as_one():
            yield store
    finally:
        store.close()


def _unused(store: OpenStore) -> Shared:
    if not isinstance(store, Shared) or not store.became_active(0.0):
        raise StoreFault("a meter uses this store; stop all of them first")
    if store.links():
        raise StoreFault("there is a ledger in this store already; name an empty database")
    return store
