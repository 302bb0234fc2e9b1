"""The store in a PostgreSQL database: one meter books, another stands by and takes over."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import msgspec
import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from meter.ledger.records import Filed, Record, SealedRecord, read_record
from meter.store.audit_log import CLOSED_ALARM, AuditLine, End
from meter.store.base import (
    EVERY_LINK,
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

SCHEMA_VERSION: Final = 1
# By bytes: an index that sorts as a language does is broken by the server's next C library.
SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS ledger (
    link text COLLATE "C" NOT NULL, number bigint NOT NULL,
    table_id text COLLATE "C", journal text COLLATE "C", seq bigint, serial text COLLATE "C",
    body bytea NOT NULL, seal bytea NOT NULL,
    PRIMARY KEY (link, number)
);
CREATE UNIQUE INDEX IF NOT EXISTS ledger_once ON ledger (link, table_id, journal, seq) WHERE table_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS ledger_coupon ON ledger (link, serial, number) WHERE serial IS NOT NULL;
CREATE TABLE IF NOT EXISTS head (link text COLLATE "C" PRIMARY KEY, body bytea NOT NULL, stamp bytea NOT NULL);
CREATE TABLE IF NOT EXISTS member (
    link text COLLATE "C" NOT NULL, table_id text COLLATE "C" NOT NULL, body bytea NOT NULL, stamp bytea NOT NULL,
    PRIMARY KEY (link, table_id)
);
CREATE TABLE IF NOT EXISTS meter (
    one boolean PRIMARY KEY CHECK (one), version integer NOT NULL,
    epoch bigint NOT NULL, beat bigint NOT NULL, doubt text COLLATE "C" NOT NULL,
    floor_number bigint NOT NULL, floor_seal bytea NOT NULL
);
CREATE TABLE IF NOT EXISTS floor_book (
    number bigint PRIMARY KEY, kind text COLLATE "C" NOT NULL, link text COLLATE "C" NOT NULL,
    body bytea NOT NULL, seal bytea NOT NULL
);
CREATE INDEX IF NOT EXISTS floor_book_kind ON floor_book (kind, link, number);
"""
ROWS_AT_ONCE: Final = 2_000
ROOM_BYTES: Final = 16 * 2**20  # 20,000 rounds; written in a tenth of a second
SILENCE_S: Final = (
    3.0  # an active meter beats with all it writes, and every second at rest; one that does not is fenced off
)
PROVEN_BY_A_LOOK_S: Final = 1.0  # so much silence is proven by one look at most: who looks seldom was held up himself

_LOCK: Final = int.from_bytes(b"pitlink", "big")
# For the life of the session, whatever is written into the server's settings meanwhile.
_AS_IT_IS_NOW: Final = "SELECT set_config('synchronous_commit', current_setting('synchronous_commit'), false)"
_SESSION: Final[dict[str, str | int]] = {
    "application_name": "pitlink meter",
    "connect_timeout": 5,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "tcp_user_timeout": 5_000,
}
_MEMBER: Final = """
INSERT INTO member VALUES (%s, %s, %s, %s)
ON CONFLICT (link, table_id) DO UPDATE SET body = excluded.body, stamp = excluded.stamp
"""
_HEAD: Final = """
INSERT INTO head VALUES (%s, %s, %s) ON CONFLICT (link) DO UPDATE SET body = excluded.body, stamp = excluded.stamp
"""
_FILED: Final = "number, table_id, journal, seq, serial"
_LEDGER: Final = f"INSERT INTO ledger (link, {_FILED}, body, seal) VALUES (%s, %s, %s, %s, %s, %s, %s, %s)"  # noqa: S608  columns
# Not ORDER BY number: for that the ledger could be read backwards, record by record.
NEWEST_OF_COUPON: Final = "SELECT body FROM ledger WHERE link = %s AND serial = %s ORDER BY number + 0 DESC LIMIT 1"
_LAST: Final = "SELECT number, body, seal FROM ledger WHERE link = %s ORDER BY number DESC LIMIT 2"
_ROOM: Final = """
CREATE TEMPORARY TABLE room ON COMMIT DROP AS SELECT repeat('x', 1000) FROM generate_series(1, %s)
"""
_HOLDERS: Final = """
SELECT pg_terminate_backend(pid) FROM pg_locks
WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid()
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND (classid::bigint << 32) + objid::bigint = %s
"""
_DISK: Final = "58"  # the class of what the server's own disk has done to it, such as a block that cannot be read

Row = tuple[Any, ...]  # cells of whatever type the columns have


class PostgresStore:
    """The store in one database; commits only while its own session holds the lock and nobody has taken over."""

    def __init__(self, address: str, *, reading: bool = False) -> None:
        self._name = _named(address)
        self._epoch = 0
        self._heard: tuple[int, int] | None = None
        self._heard_s = self._looked_s = 0.0
        with self._faults():
            self._database = psycopg.connect(make_conninfo(address, **_SESSION), autocommit=True)
            try:
                if not reading:
                    self._make_ready()
                self._check_schema()
            except BaseException:
                self._database.close()
                raise

    def became_active(self, now_s: float) -> bool:
        """Takes the books over if nobody holds them, or if whoever does has been silent for too long."""
        with self._faults():
            if not self._ask("SELECT pg_try_advisory_lock(%s)", _LOCK)[0]:
                self._listen(now_s)
                return False
            # Waits for a transaction of the one before that is still on its way; any later one finds itself fenced.
            self._epoch = self._ask("UPDATE meter SET epoch = epoch + 1 RETURNING epoch")[0]
            return True

    def load(self, link: str) -> Saved | None:
        with self._one_moment():
            return self._saved(link)

    def load_all(self) -> dict[str, Saved]:
        """The figures of every link at one moment."""
        with self._one_moment():
            return {link: found for link in self.links() if (found := self._saved(link))}

    def records(self, link: str) -> Iterator[Filed]:
        columns = f"body, seal, {_FILED}"
        question = f"SELECT {columns} FROM ledger WHERE link = %s AND number > %s ORDER BY number LIMIT %s"  # noqa: S608  columns
        after = -(2**63)  # a forged number below zero is read, too, and found
        while True:
            with self._faults():
                rows = self._rows(question, link, after, ROWS_AT_ONCE)
            yield from (Filed(*row) for row in rows)
            if len(rows) < ROWS_AT_ONCE:
                return
            after = rows[-1][2]

    def find(self, link: str, table: str, journal: str, seq: int) -> Record | None:
        question = "SELECT body FROM ledger WHERE link = %s AND table_id = %s AND journal = %s AND seq = %s"
        with self._faults():
            rows = self._rows(question, link, table, journal, seq)
            return read_record(rows[0][0]) if rows else None

    def newest_of_coupon(self, link: str, serial: str) -> Record | None:
        with self._faults():
            rows = self._rows(NEWEST_OF_COUPON, link, serial)
            return read_record(rows[0][0]) if rows else None

    def commit(self, pages: Sequence[Page]) -> None:
        with self._faults(), self._database.transaction():
            self._beat()
            for page in pages:
                self._write(page)

    @contextmanager
    def as_one(self) -> Iterator[None]:
        """Makes one transaction of everything that is committed inside."""
        with self._faults(), self._database.transaction():
            yield

    def links(self) -> tuple[str, ...]:
        """Every link of which anything is here."""
        with self._faults():
            return tuple(row[0] for row in self._rows(EVERY_LINK))

    def doubt(self) -> str:
        """Why the next start must read everything back, or nothing."""
        with self._faults():
            return str(self._ask("SELECT doubt FROM meter")[0])

    def write_doubt(self, words: str) -> None:
        """Keeps this doubt."""
        with self._faults(), self._database.transaction():
            self._beat()
            self._database.execute("UPDATE meter SET doubt = %s", (words,))

    def add_lines(self, lines: Sequence[AuditLine], closed: Sequence[int], end: End | None = None) -> None:
        """Puts new lines of the floor's book on disk and marks these alarms as closed."""
        rows = [(line.number, line.kind, line.link, line.sealed.body, line.sealed.seal) for line in lines]
        ends = [(line.number, line.sealed.seal, line.number) for line in lines[-1:]]
        ends += [(end.number, end.seal, end.number)] if end else []
        with self._faults(), self._database.transaction(), self._database.cursor() as cursor:
            self._beat()
            cursor.executemany("INSERT INTO floor_book VALUES (%s, %s, %s, %s, %s)", rows)
            cursor.execute("UPDATE floor_book SET kind = %s WHERE number = ANY(%s)", (CLOSED_ALARM, list(closed)))
            further = "UPDATE meter SET floor_number = %s, floor_seal = %s WHERE floor_number < %s"
            cursor.executemany(further, ends)

    def floor_end(self) -> End | None:
        """Where the floor's book ends, or None."""
        with self._faults():
            rows = self._rows("SELECT floor_number, floor_seal FROM meter WHERE floor_number <> 0")
            return End(*rows[0]) if rows else None

    def lines(self, after: int, most: int) -> list[AuditLine]:
        """The lines of the floor's book after this number."""
        return self._lines("number > %s ORDER BY number LIMIT %s", after, most)

    def last_lines(self, kind: str, link: str, most: int) -> list[AuditLine]:
        """The newest lines of the floor's book, newest first."""
        wanted = {column: value for column, value in (("kind", kind), ("link", link)) if value}
        where = " AND ".join([*(f"{column} = %s" for column in wanted), "TRUE"])
        return self._lines(f"{where} ORDER BY number DESC LIMIT %s", *wanted.values(), most)

    def latest(self, link: str, most: int) -> list[SealedRecord]:
        """The newest records of a link, newest first."""
        question = "SELECT body, seal FROM ledger WHERE link = %s ORDER BY number DESC LIMIT %s"
        with self._faults():
            return [SealedRecord(*row) for row in self._rows(question, link, most)]

    def require_room(self) -> None:
        """Has the server write as much as a meter needs to go on, and forget it; raises OutOfReach."""
        try:
            with self._database.transaction():
                self._database.execute(_ROOM.replace("%s", str(ROOM_BYTES // 1_000)).encode())
        except psycopg.Error as error:
            raise OutOfReach(
                f"{self._name} has no room for {ROOM_BYTES // 2**20} MB, and a meter would soon stop there "
                f"({_words(error)}): free some space on the database server"
            ) from error

    def close(self) -> None:
        """Ends the session, and with it the lock."""
        self._database.close()

    def _listen(self, now_s: float) -> None:
        """Ends the session of an active meter that no longer beats: frozen, cut off, or on a machine without power."""
        heard = self._ask("SELECT epoch, beat FROM meter")
        self._heard_s += max(0.0, now_s - self._looked_s - PROVEN_BY_A_LOOK_S)
        self._looked_s = now_s
        if heard != self._heard:
            self._heard, self._heard_s = (heard[0], heard[1]), now_s
        elif now_s - self._heard_s >= SILENCE_S:
            self._database.execute(_HOLDERS, (_LOCK,))

    @contextmanager
    def _one_moment(self) -> Iterator[None]:
        with self._faults(), self._database.transaction():
            self._database.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            yield

    def _saved(self, link: str) -> Saved | None:
        head = self._rows("SELECT body, stamp FROM head WHERE link = %s", link)
        members = self._rows("SELECT body, stamp FROM member WHERE link = %s ORDER BY table_id", link)
        last = [(number, SealedRecord(*row)) for number, *row in self._rows(_LAST, link)]
        return saved(link, StoredLink(Stamped(*head[0]) if head else None, [Stamped(*row) for row in members], last))

    def _write(self, page: Page) -> None:
        rows = [(page.link, *filed_by(record), row.body, row.seal) for record, row in page.records]
        figures = [(member.hello.table, stamped(member)) for member in page.members]
        members = [(page.link, table, kept.body, kept.stamp) for table, kept in figures]
        head = stamped(page.head)
        with self._database.pipeline(), self._database.cursor() as cursor:
            cursor.executemany(_LEDGER, rows)
            if members:
                cursor.executemany(_MEMBER, members)
            cursor.execute(_HEAD, (page.link, head.body, head.stamp))

    def _beat(self) -> None:
        beat = self._database.execute("UPDATE meter SET beat = beat + 1 WHERE epoch = %s", (self._epoch,))
        if beat.rowcount != 1:
            raise OutOfReach(f"another meter has taken over the books in {self._name}; this one stops")

    def _lines(self, where: str, *values: object) -> list[AuditLine]:
        with self._faults():
            rows = self._rows(f"SELECT number, kind, link, body, seal FROM floor_book WHERE {where}", *values)  # noqa: S608  our own words
        return [AuditLine(number, kind, link, SealedRecord(*rest)) for number, kind, link, *rest in rows]

    def _make_ready(self) -> None:
        """Refuses a server that does not keep what it has acknowledged; makes the tables where there are none."""
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            if self._ask("SELECT current_setting(%s)", setting)[0] == "off":
                raise StoreFault(f"{self._name} runs with {setting} off and would lose money; switch it on")
        if self._ask("SELECT pg_is_in_recovery()")[0]:
            raise StoreFault(f"{self._name} is a copy that cannot be written; name the primary server")
        self._ask(_AS_IT_IS_NOW)
        with self._database.transaction():
            self._ask("SELECT 1 FROM pg_advisory_xact_lock(%s)", _LOCK + 1)  # two meters may start at once
            self._database.execute(SCHEMA)
            row = (True, SCHEMA_VERSION, 0, 0, "", 0, b"")
            self._database.execute("INSERT INTO meter VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING", row)

    def _check_schema(self) -> None:
        if self._ask("SELECT to_regclass('meter')")[0] is None:
            raise StoreFault(f"{self._name} holds no books: no meter has been started on it")
        version = self._ask("SELECT version FROM meter")[0]
        if version != SCHEMA_VERSION:
            raise StoreFault(f"{self._name} was written by another version ({version}, this one is {SCHEMA_VERSION})")

    def _rows(self, question: str, *values: object) -> list[Row]:
        return self._database.execute(question.encode(), values).fetchall()

    def _ask(self, question: str, *values: object) -> Row:
        return self._rows(question, *values)[0]

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except (psycopg.Error, UnicodeError) as error:  # of a host whose name cannot be one
            kind = OutOfReach if _is_out_of_reach(error) else StoreFault
            raise kind(f"{self._name}: {_words(error)}; check the server and the meter's access to it") from error
        except msgspec.DecodeError as error:
            raise StoreFault(f"{self._name}: {error}; restore it from a backup, then verify") from error


def _words(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def _is_out_of_reach(error: Exception) -> bool:
    """Whether the session or the server's room is at an end, and not that something in the database is wrong."""
    if not isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return False
    return not (error.sqlstate or "").startswith(_DISK)


def _named(address: str) -> str:
    """What logs call the database; a password has no place in an address that is shown and logged."""
    try:
        parts = conninfo_to_dict(address)
    except psycopg.Error as error:
        raise StoreFault(f"{address} is no address of a PostgreSQL database: {str(error).strip()}") from error
    if "password" in parts:
        raise StoreFault("the store's address holds a password; write it into a password file and name it by passfile=")
    return f"PostgreSQL database {parts.get('dbname', '')} on {parts.get('host', 'this machine')}"
