"""The journal: every event on disk before anything acts on it, hash-chained, with the outbox beside it."""

import sqlite3
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Final, Self

import msgspec

from controller.journal_clock import ClockNotes, note
from controller.journal_cut import is_in_use, newest_cut, overdue
from controller.journal_file import JournalFault, connect, faults, hold
from controller.journal_marks import keep_snapshot, newest_slips, newest_snapshot, note_slips
from controller.journal_mode import LIVE, MODE, mode_word, require_mode
from controller.journal_program import Ran, note_program, programs
from controller.journal_rows import KEEP, NO_HASH, Line, Record, Row, Waiting, checked, entry_words, line, seal
from controller.journal_volumes import NOTHING, Volume, has_notes, last_volume, volumes
from games.book import Book
from meter.link import Entry

SCHEMA: Final = 3
LAST: Final = 2**62
"""A number after every event."""
_ROWS: Final = """
SELECT number, round, boot, mono_ms, at_ms, body, refusal,
    coalesce((SELECT group_concat(words, char(10)) FROM (
        SELECT seq || ' ' || entry AS words FROM outbox WHERE outbox.number = events.number ORDER BY seq)), ''),
    hash
FROM events WHERE number > ? AND number <= ? ORDER BY number
"""
_STRAY: Final = """
SELECT seq FROM outbox WHERE (number > ? AND number NOT IN (SELECT number FROM events))
    OR (number <= ? AND (booked = 0 OR seq > ?)) LIMIT 1
"""


class Journal:
    """One table's journal file; after open() use it from one thread at a time."""

    _lock: TextIOWrapper | None = None
    _last_slip = 0
    _synced: bool | None = None

    def __init__(self, path: Path, database: sqlite3.Connection) -> None:
        self.path = path
        self._database = database
        with faults(path):
            self._has_notes = has_notes(database)  # made when it was opened for writing, or never
        self._require_schema()
        self.id = self._fact("id", uuid.uuid4().hex)
        self.boot = int(self._fact("boot", "0"))
        self.unclean_stops = int(self._fact("unclean_stops", "0"))
        self.rules = self._fact("rules", "")
        self.mode = self._fact(MODE, LIVE)
        self.is_volume = self._fact("closed", "") == "1"
        self.handed_over = self._fact("handed_over", "")
        self.last_number, self._last_hash = self._tail()

    @classmethod
    def open(cls, path: Path, *, rehearsal: bool = False) -> Self:
        """Opens or makes the journal for writing, checks it, and notes that a new run has begun in its own mode."""
        with ExitStack() as undo:
            holder = undo.enter_context(hold(path))
            database = undo.enter_context(closing(connect(path)))
            journal = cls(path, database)
            journal._lock = holder
            journal.check()
            journal._begin_run(rehearsal=rehearsal)
            undo.pop_all()
        return journal

    @classmethod
    def look(cls, path: Path) -> Self:
        """Opens an existing journal for reading only, as it stands now, whatever is written or archived meanwhile."""
        if not path.is_file():
            raise JournalFault(f"{path}: there is no journal; name the table's state directory or journal file")
        with ExitStack() as undo:
            database = undo.enter_context(closing(connect(path, read_only=True)))
            with faults(path):
                database.execute("BEGIN")
            journal = cls(path, database)
            undo.pop_all()
        return journal

    def check(self) -> None:
        """Refuses a damaged tail, however long the journal: the hash chain since the last snapshot."""
        for _ in self.lines(after=self._snapshot()[0]):
            pass

    def check_pages(self) -> None:
        """SQLite's own check of the whole file; it takes the longer the older the journal."""
        with faults(self.path):
            found = self._database.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise JournalFault(f"{self.path}: damaged ({found}); keep the file, restore a backup or swap the board")

    def audit(self, breathe: Callable[[], None] = lambda: None) -> tuple[int, str]:
        """Refuses any damage at all: pages, chain, and entries that no event ordered; the last number and its hash.

        Breathes after each event: whoever shares a processor with a table lets it go first there.
        """
        self.check_pages()
        self.volumes()
        begin = self.archived()
        number, digest = begin.until, begin.chain if begin.until else ""
        self._snapshot(before=begin.until + 1)
        for written in self.lines():
            number, digest = written.number, written.hash
            breathe()
        with faults(self.path):
            found = self._database.execute(_STRAY, (begin.until, begin.until, begin.seq)).fetchone()
        if found:
            raise JournalFault(f"{self.path}: entry {found[0]} for the meter belongs to no event; {KEEP}")
        return number, digest

    def recall(self) -> tuple[Book, list[Line]]:
        """The newest snapshot and the events after it."""
        number, book = self._snapshot()
        return book, list(self.lines(after=number))

    def write(self, records: Sequence[Record], book: Book, *, snapshot: bool = False) -> None:
        """Puts events and their outbox entries on disk, all or nothing; returns when they are synced."""
        number, chain, synced = self.last_number, self._last_hash, self._synced
        with faults(self.path), self._database:
            for record in records:
                number += 1
                chain = self._insert(number, chain, record)
                if record.moment.synced is not None and record.moment.synced is not synced:
                    synced = record.moment.synced
                    note(self._database, number, synced, chain)
            note_slips(self._database, self._last_slip, book)
            if snapshot:
                keep_snapshot(self._database, number, chain, book)
        self.last_number, self._last_hash, self._last_slip, self._synced = number, chain, book.slips, synced

    def begin_with(self, book: Book) -> None:
        """The first snapshot of a new journal whose numbers go on where another's ended."""
        self._last_slip = book.slips
        self.write([], book, snapshot=True)

    def hand_over(self, words: str) -> None:
        """From now on no table starts with this journal: another board has it, as these words say."""
        with faults(self.path), self._database:
            self._set_fact("handed_over", words)
        self.handed_over = words

    def keep_rules(self, digest: str) -> None:
        """Remembers under which rules the next events are written."""
        if digest != self.rules:
            with faults(self.path), self._database:
                self._set_fact("rules", digest)
            self.rules = digest

    def keep_program(self, program: str) -> None:
        """Remembers which program writes the next events."""
        with faults(self.path), self._database:
            note_program(self._database, Ran(self.boot, self.last_number, program), self._last_hash)

    def programs(self) -> list[Ran]:
        """Every program that wrote here, from which run and event on; an altered note raises JournalFault."""
        with faults(self.path):
            noted, altered = programs(self._database, self.hash_at)
        if altered:
            raise JournalFault(f"{self.path}: the program's note of run {altered[0].run} was altered; {KEEP}")
        return noted

    def mark_booked(self, seq: int) -> None:
        """The meter has every entry up to seq on disk."""
        with faults(self.path), self._database:
            self._database.execute("UPDATE outbox SET booked = 1 WHERE booked = 0 AND seq <= ?", (seq,))

    def booked_seq(self) -> int:
        """The last entry that the meter has acknowledged, 0 for none."""
        with faults(self.path):
            row = self._database.execute("SELECT max(seq) FROM outbox WHERE booked = 1").fetchone()
        return max(int(row[0] or 0), self.archived().seq)

    def waiting(self, most: int = LAST) -> list[Waiting]:
        """What the meter has not acknowledged, oldest first, each as its sealed event has it."""
        with faults(self.path):
            oldest = "SELECT seq, number, entry FROM outbox WHERE booked = 0 ORDER BY seq LIMIT ?"
            found = self._database.execute(oldest, (most,)).fetchall()
        return [
            Waiting(seq, self._ordered_at(number), msgspec.json.decode(body, type=Entry)) for seq, number, body in found
        ]

    def waiting_in_all(self) -> int:
        """How many entries the meter has not acknowledged."""
        with faults(self.path):
            return int(self._database.execute("SELECT count(*) FROM outbox WHERE booked = 0").fetchone()[0])

    def rounds(self) -> range:
        """The rounds that have events here."""
        ends = "SELECT round FROM events WHERE number > ? ORDER BY number {} LIMIT 1"
        with faults(self.path):
            begin = (self.archived().until,)
            first, last = (self._database.execute(ends.format(way), begin).fetchone() for way in ("ASC", "DESC"))
        return range(0) if first is None else range(first[0], last[0] + 1)

    def stretch(self, number: int) -> tuple[Book, list[Line]]:
        """A book from before this round, and every event from there to the round's last."""
        with faults(self.path):
            span = "SELECT min(number), max(number) FROM events WHERE round = ? AND number > ?"
            first, last = self._database.execute(span, (number, self.archived().until)).fetchone()
        if first is None:
            return Book(), []
        begin, book = self._snapshot(before=first)
        return book, list(self.lines(after=begin, until=last))

    def slips(self, before: int = LAST, most: int = 1) -> list[tuple[int, int]]:
        """The newest payout slips before this number, each with its round."""
        with faults(self.path):
            return newest_slips(self._database, before, most, after_round=self.archived().round)

    def volumes(self) -> list[Volume]:
        """What an archive has taken out of this journal, oldest first; an altered note raises JournalFault."""
        with faults(self.path):
            return volumes(self.path, self._database)

    def archived(self) -> Volume:
        """The last volume before this file's own events; journal_volumes.NOTHING if there is none."""
        if not self._has_notes:
            return NOTHING
        with faults(self.path):
            return last_volume(self.path, self._database)

    def used_bytes(self) -> int:
        """How much of the file is in use."""
        counts = ("page_count", "freelist_count", "page_size")
        with faults(self.path):
            pages, free, size = (int(self._database.execute(f"PRAGMA {count}").fetchone()[0]) for count in counts)
        return (pages - free) * size

    def cut(self, before_ms: int, now_ms: int = LAST) -> Volume | None:
        """What an archive may take away now of what happened before this moment; None for nothing."""
        with faults(self.path):
            return newest_cut(self.path, self._database, before_ms, now_ms=now_ms, hash_at=self.hash_at)

    def is_in_use(self, since_ms: int, now_ms: int) -> bool:
        """Whether anything happened between these moments."""
        with faults(self.path):
            return is_in_use(self._database, since_ms, now_ms)

    def overdue(self, before_ms: int, now_ms: int) -> str:
        """Why this journal cannot be cut although it should have been long ago; "" if it should not."""
        with faults(self.path):
            return overdue(self.path, self._database, before_ms, now_ms)

    def lines(self, after: int = 0, until: int = LAST) -> Iterator[Line]:
        """The written events in order, each checked against the chain; damage raises JournalFault naming the event."""
        with faults(self.path):
            notes = ClockNotes(self._database)
        begin = self.archived()
        if notes.is_altered(begin.until, begin.chain):
            raise JournalFault(f"{self.path}: the clock's note on event {begin.until} was altered; {KEEP}")
        for row in self.rows(after, until):
            if notes.is_altered(row[0], row[-1]):
                raise JournalFault(f"{self.path}: the clock's note on event {row[0]} was altered; {KEEP}")
            yield line(row, notes.at(row[0]))

    def rows(self, after: int = 0, until: int = LAST) -> Iterator[Row]:
        """The same events as they lie in the file: what the hash of each was made of, and that hash."""
        begin = self.archived()
        after = max(after, begin.until)
        chain, follows = self.hash_at(after), begin.file if after == begin.until else ""
        with faults(self.path):
            rows = self._database.execute(_ROWS, (after, until))
            for expected, row in enumerate(rows, start=after + 1):
                chain = checked(self.path, expected, chain, row, after=follows)
                follows = ""
                yield row

    def hash_at(self, number: int) -> str:
        """The hash of this event; before the first there are only noughts."""
        if number == 0:
            return NO_HASH
        with faults(self.path):
            row = self._database.execute("SELECT hash FROM events WHERE number = ?", (number,)).fetchone()
        begin = self.archived()  # looked up last: an event that has gone meanwhile is behind it
        if number == begin.until:
            return begin.chain
        if number < begin.until:
            raise JournalFault(f"{self.path}: event {number} is not here any more; the last volume is {begin.file}")
        if row is None:
            raise JournalFault(f"{self.path}: event {number} is missing; {KEEP}")
        return str(row[0])

    def close(self) -> None:
        """Leaves the journal clean: the next start will not count an unclean stop."""
        with faults(self.path):
            with self._database:
                self._set_fact("running", "0")
            self.abandon()

    def interrupt(self) -> None:
        """Ends what another thread is reading; it hears of it as a fault."""
        with suppress(sqlite3.ProgrammingError):  # it has closed the file by itself
            self._database.interrupt()

    def abandon(self) -> None:
        """Closes the file as a crash would leave it."""
        self._database.close()
        if self._lock is not None:
            self._lock.close()

    def _require_schema(self) -> None:
        if int(self._fact("schema", str(SCHEMA))) > SCHEMA:
            raise JournalFault(f"{self.path}: written by a newer Pitlink; install that version")

    def _begin_run(self, *, rehearsal: bool) -> None:
        if self.is_volume:
            raise JournalFault(f"{self.path}: a closed volume of an archive; it can be read, but no table runs with it")
        if self.handed_over:
            raise JournalFault(
                f"{self.path}: handed over to another board ({self.handed_over}); use that one, or import its swap file"
            )
        if self._is_new:
            self.mode = mode_word(rehearsal=rehearsal)
        require_mode(self.path, self.mode, rehearsal=rehearsal)
        self.unclean_stops += self._fact("running", "0") == "1"
        self.boot += 1
        self._last_slip = max(self._snapshot()[1].slips, *(number for number, _ in self.slips()), 0)
        with faults(self.path), self._database:
            self._set_fact("schema", str(SCHEMA))
            self._set_fact(MODE, self.mode)
            self._set_fact("id", self.id)
            self._set_fact("boot", str(self.boot))
            self._set_fact("unclean_stops", str(self.unclean_stops))
            self._set_fact("running", "1")

    def _insert(self, number: int, chain: str, record: Record) -> str:
        body = msgspec.json.encode(record.event).decode()
        refusal = msgspec.json.encode(record.refusal).decode() if record.refusal else ""
        moment = record.moment
        head = (number, record.round, self.boot, moment.mono_ms, moment.at_ms, body, refusal)
        chain = seal(chain, (*head, entry_words(record.entries)))
        self._database.execute("INSERT INTO events VALUES(?,?,?,?,?,?,?,?)", (*head, chain))
        for seq, entry in record.entries:
            row = (seq, number, msgspec.json.encode(entry).decode())
            self._database.execute("INSERT INTO outbox(seq, number, entry) VALUES(?,?,?)", row)
        return chain

    def _ordered_at(self, number: int) -> int:
        """When the event that ordered an entry happened; its seal covers the entry."""
        for row in self.rows(after=number - 1, until=number):
            return row[4]
        raise JournalFault(f"{self.path}: event {number} ordered an entry for the meter and is missing; {KEEP}")

    def _snapshot(self, before: int = LAST) -> tuple[int, Book]:
        number, book = newest_snapshot(self.path, self._database, before=before, hash_at=self.hash_at)
        begin = self.archived().until
        if number < begin:
            raise JournalFault(f"{self.path}: snapshot {begin}, with which this journal begins, is missing; {KEEP}")
        return number, book

    def _tail(self) -> tuple[int, str]:
        with faults(self.path):
            row = self._database.execute("SELECT number, hash FROM events ORDER BY number DESC LIMIT 1").fetchone()
        begin = self.archived()
        return (row[0], row[1]) if row and row[0] > begin.until else (begin.until, begin.chain)

    @property
    def _is_new(self) -> bool:
        """Whether no table has ever been started with it."""
        return not self._fact("id", "")

    def _fact(self, name: str, default: str) -> str:
        with faults(self.path):
            row = self._database.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else default

    def _set_fact(self, name: str, value: str) -> None:
        self._database.execute("INSERT OR REPLACE INTO facts VALUES(?,?)", (name, value))


@contextmanager
def looked_at(path: Path) -> Iterator[Journal]:
    """An existing journal for reading only, closed again."""
    journal = Journal.look(path)
    try:
        yield journal
    finally:
        journal.abandon()
