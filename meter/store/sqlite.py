"""The store in one SQLite file that survives a power cut; for one meter at a time."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

import msgspec

from common.files import lock_file
from meter.ledger.records import Filed, Record, SealedRecord, read_record
from meter.store.audit_log import CLOSED_ALARM, AuditLine, End
from meter.store.base import (
    EVERY_LINK,
    InUse,
    OutOfReach,
    Page,
    Saved,
    Stamped,
    StoredLink,
    StoreFault,
    filed_by,
    saved,
    stamped,
)

CHECKPOINT_PAGES: Final = 8_000  # of the write-ahead log: after SQLite's usual 1,000 one wager in 200 would wait for it
ROOM_BYTES: Final = 96 * 2**20  # a whole write-ahead log, all of it again in the file (66 MB), and 70,000 rounds


def files_of(path: Path) -> list[Path]:
    """What is there of a ledger: its file, and the logs without which it is not whole."""
    files = (path.with_name(path.name + end) for end in ("", "-wal", "-shm", "-journal"))
    return [file for file in files if file.exists()]


def refuse_folder(path: Path) -> None:
    """A ledger is a file: raises StoreFault otherwise."""
    if path.is_dir():
        raise StoreFault(f"{path} is a folder; name a file")


def refuse_remains(path: Path) -> None:
    """SQLite would read a log that was left behind into the new ledger, or throw it away with the newest wagers."""
    rest = files_of(path)
    if rest and path not in rest:
        names = ", ".join(file.name for file in rest)
        raise StoreFault(f"{path} is gone, and {names} is left of it: put it back, or move that away and keep it")


def connected(path: Path, *, reading: bool) -> sqlite3.Connection:
    """The file, open to be read, or made and written so that what is committed outlives a power cut."""
    if reading and not path.exists():
        raise OutOfReach(f"{path} is not there: no meter has been started on it, or somebody has moved it away")
    # One thread at a time uses it, but it is opened by another than the one that will book.
    address = f"{path.absolute().as_uri()}?mode={'rw' if reading else 'rwc'}"
    database = sqlite3.connect(address, isolation_level=None, check_same_thread=False, timeout=1.0, uri=True)
    try:
        if reading:
            database.execute("PRAGMA query_only = ON")
        else:
            _begin_log(database, path)
            database.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        database.execute("PRAGMA synchronous = FULL")  # NORMAL would lose committed wagers in a power cut
    except BaseException:
        database.close()
        raise
    return database


def require_room(path: Path) -> None:
    """Takes what a meter needs to go on from the disk for a moment, whoever limits it; raises OutOfReach."""
    folder = path.absolute().parent
    try:
        with TemporaryFile(dir=folder) as room:  # which has no name: nothing of it outlives us
            os.posix_fallocate(room.fileno(), 0, ROOM_BYTES)
    except OSError as error:
        raise OutOfReach(
            f"{folder} has no room for {ROOM_BYTES // 2**20} MB, and a meter would soon stop there "
            f"({error.strerror}): free some space, such as old copies and logs, or move the ledger to a larger disk"
        ) from error


@contextmanager
def kept_from_meters(path: Path) -> Iterator[None]:
    """Keeps every meter away from this ledger, whether there is one yet or not; raises StoreFault if one uses it."""
    try:
        lock = locked(path)
    except OSError as error:
        raise StoreFault(f"{path}: {error.strerror}; check the folder and its owner") from error
    try:
        yield
    finally:
        os.close(lock)


def locked(path: Path) -> int:
    """Keeps a second meter away from this store for as long as we live."""
    try:
        return lock_file(Path(f"{path}.lock"))
    except BlockingIOError as error:
        raise InUse(f"{path} is in use by another meter; stop that one first") from error


def _begin_log(database: sqlite3.Connection, path: Path) -> None:
    (mode,) = database.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":  # SQLite goes on without a word, and then every reader would stop the meter
        raise StoreFault(f"{path} cannot have a write-ahead log there ({mode}); put it on a local disk")


SCHEMA_VERSION: Final = 1
ROWS_AT_ONCE: Final = 2_000  # a reader that held one question open for minutes would let the write-ahead log grow
CHECKED_AT_START_BYTES: Final = 32_000_000  # a larger file is checked by the audit in the background

_SCHEMA: Final = """
CREATE TABLE ledger (
    link TEXT NOT NULL, number INTEGER NOT NULL,
    table_id TEXT, journal TEXT, seq INTEGER, serial TEXT,
    body BLOB NOT NULL, seal BLOB NOT NULL,
    PRIMARY KEY (link, number)
) WITHOUT ROWID;
CREATE UNIQUE INDEX ledger_once ON ledger (link, table_id, journal, seq) WHERE table_id IS NOT NULL;
CREATE INDEX ledger_coupon ON ledger (link, serial, number) WHERE serial IS NOT NULL;
CREATE TABLE head (link TEXT PRIMARY KEY, body BLOB NOT NULL, stamp BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE member (
    link TEXT NOT NULL, table_id TEXT NOT NULL, body BLOB NOT NULL, stamp BLOB NOT NULL,
    PRIMARY KEY (link, table_id)
) WITHOUT ROWID;
CREATE TABLE meter (
    one INTEGER PRIMARY KEY CHECK (one = 1), beat INTEGER NOT NULL, doubt TEXT NOT NULL,
    floor_number INTEGER NOT NULL, floor_seal BLOB NOT NULL
);
INSERT INTO meter VALUES (1, 0, '', 0, x'');
CREATE TABLE floor_book (
    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, link TEXT NOT NULL, body BLOB NOT NULL, seal BLOB NOT NULL
);
CREATE INDEX floor_book_kind ON floor_book (kind, link, number)
"""
# A hand that edited the file may have left text where bytes were; seals and stamps are over the bytes.
_RECORD: Final = "CAST(body AS BLOB), CAST(seal AS BLOB)"
_FILED: Final = "number, table_id, journal, seq, serial"
_FIGURES: Final = "CAST(body AS BLOB), CAST(stamp AS BLOB)"
_LEDGER: Final = f"INSERT INTO ledger (link, {_FILED}, body, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608  columns
# By itself SQLite would read the ledger backwards, record by record (seen): its order is that of the question.
_NEWEST_OF_COUPON: Final = """
SELECT body FROM ledger INDEXED BY ledger_coupon WHERE link = ? AND serial = ? ORDER BY number DESC LIMIT 1
"""
_OUT_OF_REACH: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
    }
)


class SqliteStore:
    """The store in one file; opened, checked and locked against a second meter before anybody may use it."""

    def __init__(self, path: Path, *, reading: bool = False) -> None:
        self._path = path
        self._lock = -1
        with self._faults():
            refuse_folder(path)
            if not reading:
                self._lock = locked(path)
            try:
                refuse_remains(path)
                self._database = connected(path, reading=reading)
            except BaseException:
                self._unlock()
                raise
            try:
                self._check_schema() if reading else self._make_ready()
            except BaseException:
                self.close()
                raise

    def load(self, link: str) -> Saved | None:
        with self._faults(), self._transaction("BEGIN"):
            return self._saved(link)

    def load_all(self) -> dict[str, Saved]:
        """The figures of every link at one moment."""
        with self._faults(), self._transaction("BEGIN"):
            return {link: found for link in self.links() if (found := self._saved(link))}

    def records(self, link: str) -> Iterator[Filed]:
        columns = f"{_RECORD}, {_FILED}"
        question = f"SELECT {columns} FROM ledger WHERE link = ? AND number > ? ORDER BY number LIMIT ?"  # noqa: S608  columns
        after = -(2**63)  # a forged number below zero is read, too, and found
        while True:
            with self._faults():
                rows = self._database.execute(question, (link, after, ROWS_AT_ONCE)).fetchall()
            yield from (Filed(*row) for row in rows)
            if len(rows) < ROWS_AT_ONCE:
                return
            after = rows[-1][2]

    def find(self, link: str, table: str, journal: str, seq: int) -> Record | None:
        question = "SELECT body FROM ledger WHERE link = ? AND table_id = ? AND journal = ? AND seq = ?"
        with self._faults():
            row = self._database.execute(question, (link, table, journal, seq)).fetchone()
            return read_record(row[0]) if row else None

    def newest_of_coupon(self, link: str, serial: str) -> Record | None:
        with self._faults():
            row = self._database.execute(_NEWEST_OF_COUPON, (link, serial)).fetchone()
            return read_record(row[0]) if row else None

    def commit(self, pages: Sequence[Page]) -> None:
        execute = self._database.execute
        try:  # spelled out, since every wager waits for it: the two context managers cost a tenth of a booking
            execute("BEGIN IMMEDIATE")
            try:
                for page in pages:
                    self._write(page)
                if not pages:
                    execute("UPDATE meter SET beat = beat + 1")
                execute("COMMIT")
            except BaseException:
                self._roll_back()
                raise
        except (sqlite3.Error, OSError, msgspec.DecodeError) as error:
            raise self._fault(error) from error

    def links(self) -> tuple[str, ...]:
        """Every link of which anything is here."""
        with self._faults():
            return tuple(row[0] for row in self._database.execute(EVERY_LINK))

    def doubt(self) -> str:
        """Why the next start must read everything back, or nothing."""
        with self._faults():
            return str(self._database.execute("SELECT doubt FROM meter").fetchone()[0])

    def write_doubt(self, words: str) -> None:
        """Keeps this doubt."""
        with self._faults(), self._transaction():
            self._database.execute("UPDATE meter SET doubt = ?", (words,))

    def add_lines(self, lines: Sequence[AuditLine], closed: Sequence[int], end: End | None = None) -> None:
        """Puts new lines of the floor's book on disk and marks these alarms as closed."""
        rows = [(line.number, line.kind, line.link, line.sealed.body, line.sealed.seal) for line in lines]
        ends = [(line.number, line.sealed.seal, line.number) for line in lines[-1:]]
        ends += [(end.number, end.seal, end.number)] if end else []
        with self._faults(), self._transaction():
            self._database.executemany("INSERT INTO floor_book VALUES (?, ?, ?, ?, ?)", rows)
            marks = [(CLOSED_ALARM, number) for number in closed]
            self._database.executemany("UPDATE floor_book SET kind = ? WHERE number = ?", marks)
            further = "UPDATE meter SET floor_number = ?, floor_seal = ? WHERE floor_number < ?"
            self._database.executemany(further, ends)

    def floor_end(self) -> End | None:
        """Where the floor's book ends, or None."""
        with self._faults():
            question = "SELECT floor_number, CAST(floor_seal AS BLOB) FROM meter WHERE floor_number <> 0"
            row = self._database.execute(question).fetchone()
            return End(*row) if row else None

    def lines(self, after: int, most: int) -> list[AuditLine]:
        """The lines of the floor's book after this number."""
        return self._lines("number > ? ORDER BY number LIMIT ?", after, most)

    def last_lines(self, kind: str, link: str, most: int) -> list[AuditLine]:
        """The newest lines of the floor's book, newest first."""
        wanted = {column: value for column, value in (("kind", kind), ("link", link)) if value}
        where = " AND ".join([*(f"{column} = ?" for column in wanted), "TRUE"])
        return self._lines(f"{where} ORDER BY number DESC LIMIT ?", *wanted.values(), most)

    def latest(self, link: str, most: int) -> list[SealedRecord]:
        """The newest records of a link, newest first."""
        question = f"SELECT {_RECORD} FROM ledger WHERE link = ? ORDER BY number DESC LIMIT ?"  # noqa: S608  columns
        with self._faults():
            return [SealedRecord(*row) for row in self._database.execute(question, (link, most))]

    def require_room(self) -> None:
        """Raises OutOfReach where there is too little room to go on."""
        require_room(self._path)

    def check_file(self) -> None:
        """Has SQLite look at every page of the file; raises StoreFault if one is wrong."""
        with self._faults():
            found = [row[0] for row in self._database.execute("PRAGMA integrity_check(3)")]
        if found != ["ok"]:
            names = ", ".join(file.name for file in files_of(self._path))
            raise StoreFault(
                f"{self._path} is damaged ({'; '.join(found)}); move {names} away together and keep them, "
                "restore a backup, then verify"
            )

    def close(self) -> None:
        """Leaves the file tidy and unlocked."""
        self._database.close()
        self._unlock()

    def _saved(self, link: str) -> Saved | None:
        ask = self._database.execute
        head = ask(f"SELECT {_FIGURES} FROM head WHERE link = ?", (link,)).fetchone()  # noqa: S608  columns
        members = ask(f"SELECT {_FIGURES} FROM member WHERE link = ? ORDER BY table_id", (link,))  # noqa: S608  columns
        last = f"SELECT number, {_RECORD} FROM ledger WHERE link = ? ORDER BY number DESC LIMIT 2"  # noqa: S608  columns
        kept = StoredLink(
            Stamped(*head) if head else None,
            [Stamped(*row) for row in members],
            [(number, SealedRecord(*row)) for number, *row in ask(last, (link,))],
        )
        return saved(link, kept)

    def _write(self, page: Page) -> None:
        rows = [(page.link, *filed_by(record), row.body, row.seal) for record, row in page.records]
        figures = [(member.hello.table, stamped(member)) for member in page.members]
        members = [(page.link, table, kept.body, kept.stamp) for table, kept in figures]
        head = stamped(page.head)
        self._database.executemany(_LEDGER, rows)
        self._database.executemany("INSERT OR REPLACE INTO member VALUES (?, ?, ?, ?)", members)
        self._database.execute("INSERT OR REPLACE INTO head VALUES (?, ?, ?)", (page.link, head.body, head.stamp))

    def _lines(self, where: str, *values: str | int) -> list[AuditLine]:
        question = f"SELECT number, kind, link, {_RECORD} FROM floor_book WHERE {where}"  # noqa: S608  our own words
        with self._faults():
            rows = self._database.execute(question, values).fetchall()
        return [AuditLine(number, kind, link, SealedRecord(*rest)) for number, kind, link, *rest in rows]

    def _make_ready(self) -> None:
        if self._path.stat().st_size <= CHECKED_AT_START_BYTES:
            self.check_file()
        version = self._database.execute("PRAGMA user_version").fetchone()[0]
        if version:
            self._check_schema()  # before anything of another version is touched
        with self._transaction():  # written at every start: a store that cannot be written is found now, not in play
            if version == 0:
                for statement in _SCHEMA.split(";"):
                    self._database.execute(statement)
            self._database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def _check_schema(self) -> None:
        version = self._database.execute("PRAGMA user_version").fetchone()[0]
        if version != SCHEMA_VERSION:
            raise StoreFault(f"{self._path} was written by another version ({version}, this one is {SCHEMA_VERSION})")

    def _unlock(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    @contextmanager
    def _transaction(self, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
        self._database.execute(begin)
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        with suppress(sqlite3.Error):  # a full disk may have rolled back by itself
            self._database.execute("ROLLBACK")

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError, msgspec.DecodeError) as error:
            raise self._fault(error) from error

    def _fault(self, error: Exception) -> StoreFault:
        kind = OutOfReach if _is_out_of_reach(error) else StoreFault
        return kind(f"{self._path}: {error}; check the disk, its space and the file's owner")


def _is_out_of_reach(error: Exception) -> bool:
    """Whether SQLite says that the file cannot be written now, and not that something in it is wrong."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _OUT_OF_REACH  # the rest is details
