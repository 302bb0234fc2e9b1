"""The journal: every event on disk before anything acts on it, hash-chained, with the outbox beside it."""

import sqlite3
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Self

import msgspec

from controller.journal.chain import LAST, EventChain
from controller.journal.cut_point import is_in_use, newest_cut, overdue
from controller.journal.file import JournalFault, connect, hold, journal_faults, lengthen_log
from controller.journal.notes import ProgramRun, note, note_program, programs
from controller.journal.outbox import Outbox
from controller.journal.records import KEEP, EventRecord, Row, Waiting, WrittenEvent, entry_words, seal
from controller.journal.schema import MODE, begin_run, fact, require_schema, set_fact
from controller.journal.snapshots import keep_snapshot, newest_slips, note_slips
from controller.journal.volumes import Volume, volumes
from games.round.state import RoundState


class Journal:
    """One table's journal file; after open() use it from one thread at a time."""

    _lock: TextIOWrapper | None = None
    _last_slip = 0
    _synced: bool | None = None

    def __init__(self, path: Path, database: sqlite3.Connection) -> None:
        self.path = path
        self._database = database
        require_schema(path, database)
        self._chain = EventChain(path, database)
        self._outbox = Outbox(path, database, self._chain)
        self.id = fact(path, database, "id", uuid.uuid4().hex)
        self.boot = int(fact(path, database, "boot", "0"))
        self.unclean_stops = int(fact(path, database, "unclean_stops", "0"))
        self.rules = fact(path, database, "rules")
        self.mode = fact(path, database, MODE)
        self.is_volume = fact(path, database, "closed") == "1"
        self.handed_over = fact(path, database, "handed_over")
        self.last_number, self._last_hash = self._chain.end()

    @classmethod
    def open(cls, path: Path, *, rehearsal: bool = False) -> Self:
        """Opens or makes the journal for writing, checks it, and notes that a new run has begun in its own mode."""
        with ExitStack() as undo:
            holder = undo.enter_context(hold(path))
            database = undo.enter_context(closing(connect(path)))
            found = cls(path, database)
            found.check()
            last_slip = found._newest_slip()
            begin_run(path, database, rehearsal=rehearsal)
            journal = cls(path, database)
            journal._lock, journal._last_slip = holder, last_slip
            undo.pop_all()
        return journal

    @classmethod
    def look(cls, path: Path) -> Self:
        """Opens an existing journal for reading only, as it stands now, whatever is written or archived meanwhile."""
        if not path.is_file():
            raise JournalFault(f"{path}: there is no journal; name the table's state directory or journal file")
        with ExitStack() as undo:
            database = undo.enter_context(closing(connect(path, read_only=True)))
            with journal_faults(path):
                database.execute("BEGIN")
            journal = cls(path, database)
            undo.pop_all()
        return journal

    def check(self) -> None:
        """Refuses a damaged tail, however long the journal: the hash chain since the last snapshot."""
        for _ in self.lines(after=self._chain.snapshot()[0]):
            pass

    def check_pages(self) -> None:
        """SQLite's own check of the whole file; it takes the longer the older the journal."""
        with journal_faults(self.path):
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
        self._chain.snapshot(before=begin.until + 1)
        for written in self.lines():
            number, digest = written.number, written.hash
            breathe()
        self._outbox.check()
        return number, digest

    def recall(self) -> tuple[RoundState, list[WrittenEvent]]:
        """The newest snapshot and the events after it."""
        number, state = self._chain.snapshot()
        return state, list(self.lines(after=number))

    def write(self, records: Sequence[EventRecord], state: RoundState, *, snapshot: bool = False) -> None:
        """Puts events and their outbox entries on disk, all or nothing; returns when they are synced."""
        number, chain, synced = self.last_number, self._last_hash, self._synced
        with journal_faults(self.path), self._database:
            for record in records:
                number += 1
                chain = self._insert(number, chain, record)
                if record.moment.synced is not None and record.moment.synced is not synced:
                    synced = record.moment.synced
                    note(self._database, number, synced, chain)
            note_slips(self._database, self._last_slip, state)
            if snapshot:
                keep_snapshot(self._database, number, chain, state)
        self.last_number, self._last_hash, self._last_slip, self._synced = number, chain, state.slips, synced

    def lengthen_log(self) -> None:
        """Makes every later write quicker, for some milliseconds now."""
        lengthen_log(self.path, self._database)

    def begin_with(self, state: RoundState) -> None:
        """The first snapshot of a new journal whose numbers go on where another's ended."""
        self._last_slip = state.slips
        self.write([], state, snapshot=True)

    def hand_over(self, words: str) -> None:
        """From now on no table starts with this journal: another board has it, as these words say."""
        set_fact(self.path, self._database, "handed_over", words)
        self.handed_over = words

    def keep_rules(self, digest: str) -> None:
        """Remembers under which rules the next events are written."""
        if digest != self.rules:
            set_fact(self.path, self._database, "rules", digest)
            self.rules = digest

    def keep_program(self, program: str) -> None:
        """Remembers which program writes the next events."""
        with journal_faults(self.path), self._database:
            note_program(self._database, ProgramRun(self.boot, self.last_number, program), self._last_hash)

    def programs(self) -> list[ProgramRun]:
        """Every program that wrote here, from which run and event on; an altered note raises JournalFault."""
        with journal_faults(self.path):
            noted, altered = programs(self._database, self.hash_at)
        if altered:
            raise JournalFault(f"{self.path}: the program's note of run {altered[0].run} was altered; {KEEP}")
        return noted

    def mark_booked(self, seq: int) -> None:
        """The meter has every entry up to seq on disk."""
        self._outbox.mark_booked(seq)

    def booked_seq(self) -> int:
        """The last entry that the meter has acknowledged, 0 for none."""
        return self._outbox.booked_seq()

    def waiting(self, most: int = LAST) -> list[Waiting]:
        """What the meter has not acknowledged, oldest first, each as its sealed event has it."""
        return self._outbox.waiting(most)

    def waiting_in_all(self) -> int:
        """How many entries the meter has not acknowledged."""
        return self._outbox.waiting_in_all()

    def rounds(self) -> range:
        """The rounds that have events here."""
        ends = "SELECT round FROM events WHERE number > ? ORDER BY number {} LIMIT 1"
        with journal_faults(self.path):
            begin = (self.archived().until,)
            first, last = (self._database.execute(ends.format(way), begin).fetchone() for way in ("ASC", "DESC"))
        return range(0) if first is None else range(first[0], last[0] + 1)

    def stretch(self, number: int) -> tuple[RoundState, list[WrittenEvent]]:
        """A book from before this round, and every event from there to the round's last."""
        with journal_faults(self.path):
            span = "SELECT min(number), max(number) FROM events WHERE round = ? AND number > ?"
            first, last = self._database.execute(span, (number, self.archived().until)).fetchone()
        if first is None:
            return RoundState(), []
        begin, state = self._chain.snapshot(before=first)
        return state, list(self.lines(after=begin, until=last))

    def slips(self, before: int = LAST, most: int = 1) -> list[tuple[int, int]]:
        """The newest payout slips before this number, each with its round."""
        with journal_faults(self.path):
            return newest_slips(self._database, before, most, after_round=self.archived().round)

    def volumes(self) -> list[Volume]:
        """What an archive has taken out of this journal, oldest first; an altered note raises JournalFault."""
        with journal_faults(self.path):
            return volumes(self.path, self._database)

    def archived(self) -> Volume:
        """The last volume before this file's own events; journal_volumes.NOTHING if there is none."""
        return self._chain.begin()

    def used_bytes(self) -> int:
        """How much of the file is in use."""
        counts = ("page_count", "freelist_count", "page_size")
        with journal_faults(self.path):
            pages, free, size = (int(self._database.execute(f"PRAGMA {count}").fetchone()[0]) for count in counts)
        return (pages - free) * size

    def cut(self, before_ms: int, now_ms: int = LAST) -> Volume | None:
        """What an archive may take away now of what happened before this moment; None for nothing."""
        with journal_faults(self.path):
            return newest_cut(self.path, self._database, before_ms, now_ms=now_ms, hash_at=self.hash_at)

    def is_in_use(self, since_ms: int, now_ms: int) -> bool:
        """Whether anything happened between these moments."""
        with journal_faults(self.path):
            return is_in_use(self._database, since_ms, now_ms)

    def overdue(self, before_ms: int, now_ms: int) -> str:
        """Why this journal cannot be cut although it should have been long ago; "" if it should not."""
        with journal_faults(self.path):
            return overdue(self.path, self._database, before_ms, now_ms)

    def lines(self, after: int = 0, until: int = LAST) -> Iterator[WrittenEvent]:
        """The written events in order, each checked against the chain; damage raises JournalFault naming the event."""
        return self._chain.lines(after, until)

    def rows(self, after: int = 0, until: int = LAST) -> Iterator[Row]:
        """The same events as they lie in the file: what the hash of each was made of, and that hash."""
        return self._chain.rows(after, until)

    def hash_at(self, number: int) -> str:
        """The hash of this event; before the first there are only noughts."""
        return self._chain.hash_at(number)

    def close(self) -> None:
        """Leaves the journal clean: the next start will not count an unclean stop."""
        set_fact(self.path, self._database, "running", "0")
        with journal_faults(self.path):
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

    def _newest_slip(self) -> int:
        return max(self._chain.snapshot()[1].slips, *(number for number, _ in self.slips()), 0)

    def _insert(self, number: int, chain: str, record: EventRecord) -> str:
        body = msgspec.json.encode(record.event).decode()
        refusal = msgspec.json.encode(record.refusal).decode() if record.refusal else ""
        moment = record.moment
        head = (number, record.round, self.boot, moment.mono_ms, moment.at_ms, body, refusal)
        chain = seal(chain, (*head, entry_words(record.entries)))
        self._database.execute("INSERT INTO events VALUES(?,?,?,?,?,?,?,?)", (*head, chain))
        self._outbox.put(number, record)
        return chain


@contextmanager
def looked_at(path: Path) -> Iterator[Journal]:
    """An existing journal for reading only, closed again."""
    journal = Journal.look(path)
    try:
        yield journal
    finally:
        journal.abandon()
