"""The audit log of a floor: alarms, who did what, starts, stops, awards; sealed line after line."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final, Protocol, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from meter.ledger.balances import LinkBalances
from meter.ledger.open_items import OpenAward
from meter.ledger.records import SealedRecord, first_seal, seal_of

OPEN_ALARM: Final = "alarm"
CLOSED_ALARM: Final = "closed alarm"
NOTE: Final = "note"
GROWTH: Final = "growth"
RUN: Final = "run"
STAFF: Final = "staff"
AWARD: Final = "award"
LINES_AT_ONCE: Final = 2_000


class Alarm(Struct, frozen=True, tag=True):
    """Something that a person must look at; it stays until somebody acknowledges it."""

    kind: str
    link: str
    table: str
    words: str
    advice: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What it is about: a second alarm about the same says nothing new."""
        return self.kind, self.link, self.table


class Acknowledged(Struct, frozen=True, tag=True):
    """Somebody has seen this alarm."""

    alarm: int
    by: str


class Used(Struct, frozen=True, tag=True):
    """Somebody did something at the floor's pages."""

    by: str
    what: str
    about: str = ""


class Measured(Struct, frozen=True, tag=True):
    """Where a meter stood after this record, in ten-thousandths of a cent."""

    link: str
    record: int
    units: int


class MeterRun(Struct, frozen=True, tag=True):
    """The meter has started or stopped, or its books were restored, on this machine, by this program (R106)."""

    what: str
    machine: str
    program: str
    words: str = ""


class Awarded(Struct, frozen=True, tag=True):
    """An award was fixed, paid or given back (R106); seq is the entry of the table's journal that claimed it."""

    what: str
    link: str
    table: str
    seat: int
    hand: str
    amount_cents: int
    journal: str
    seq: int
    words: str = ""


class StaffChanged(Struct, frozen=True, tag=True):
    """Two persons changed the staff directory, or the meter itself did (and_by is empty), or somebody his own PIN.

    directory is the number that it has since; digest is the SHA-256 of the meter's staff file.
    """

    by: str
    and_by: str
    what: str
    directory: int
    digest: str


Said: TypeAlias = Alarm | Acknowledged | Used | Measured | MeterRun | Awarded | StaffChanged


class Note(Struct, frozen=True):
    """One line as it is read; number counts 1, 2, 3 … over the whole floor."""

    number: int
    at_ms: int
    said: Said


class AuditLine(Struct, frozen=True):
    """One line as it is stored: kind and link are for finding it, and only the kind of an alarm ever changes."""

    number: int
    kind: str
    link: str
    sealed: SealedRecord


class End(Struct, frozen=True):
    """The book's last line, kept apart from the lines: where they are cut off, it still says what is missing."""

    number: int
    seal: bytes


class FloorStore(Protocol):
    """Where the floor's book is kept, beside the ledger."""

    def add_lines(self, lines: Sequence[AuditLine], closed: Sequence[int], end: End | None = None) -> None:
        """Puts new lines on disk and marks these alarms as closed, or raises StoreFault and does neither.

        The book ends with the last of them, or at this end if that is further.
        """
        ...

    def floor_end(self) -> End | None:
        """Where the book ends, or None where nothing was written since stores keep that."""
        ...

    def lines(self, after: int, most: int) -> list[AuditLine]:
        """The lines after this number, first to last."""
        ...

    def last_lines(self, kind: str, link: str, most: int) -> list[AuditLine]:
        """The newest lines of a kind, newest first; of every kind or every link where none is named."""
        ...


def line(note: Note, after: bytes) -> AuditLine:
    """This note as it is stored, sealed after this seal."""
    body = msgspec.json.encode(note)
    kind, link = _found_by(note.said)
    return AuditLine(note.number, kind, link, SealedRecord(body, seal_of(body, after)))


def read_note(stored: AuditLine) -> Note:
    """The note of a line; raises msgspec.DecodeError for anything else."""
    return msgspec.json.decode(stored.sealed.body, type=Note)


def first_floor_seal() -> bytes:
    """What the book's first line is sealed after."""
    return first_seal("of the floor")


def append(store: FloorStore, said: Said, at_ms: int) -> None:
    """Adds one line while no meter runs."""
    end = next_after(store)
    store.add_lines([line(Note(end.number + 1, at_ms, said), end.seal)], ())


def last_staff_change(store: FloorStore) -> StaffChanged | None:
    """The newest change of the staff directory, or None where none was ever made."""
    last = store.last_lines(STAFF, "", 1)
    said = read_note(last[0]).said if last else None
    return said if isinstance(said, StaffChanged) else None


def all_lines(store: FloorStore) -> Iterator[AuditLine]:
    """The whole book, first to last, never all of it at once."""
    after = 0
    while lines := store.lines(after, LINES_AT_ONCE):
        yield from lines
        after = lines[-1].number


def first_bad_line(lines: Iterable[AuditLine], end: End | None = None) -> int:
    """The first line that does not follow from the one before it, is filed as another, or is cut off; or 0.

    An alarm is marked as closed exactly if a later line says who acknowledged it.
    """
    number, seal, marks, seen = 0, first_floor_seal(), dict[int, str](), set[int]()
    for number, stored in enumerate(lines, start=1):
        note = _note_of(stored, number, seal)
        seal = stored.sealed.seal
        if note is None or (end and number == end.number and seal != end.seal):
            return number
        match note.said:
            case Alarm():
                marks[number] = stored.kind
            case Acknowledged(alarm=alarm):
                seen.add(alarm)
    if end and number < end.number:
        return number + 1
    return next((alarm for alarm, kind in marks.items() if (kind == CLOSED_ALARM) != (alarm in seen)), 0)


def next_after(store: FloorStore) -> End:
    """After which line the next one stands: after one that was cut off as well, so that the gap shows for ever."""
    kept, last = store.floor_end(), store.last_lines("", "", 1)
    found = End(last[0].number, last[0].sealed.seal) if last else End(0, first_floor_seal())
    return kept if kept and kept.number >= found.number else found


def acknowledged(lines: Iterable[AuditLine]) -> list[int]:
    """The alarms that somebody acknowledged in these lines, as far as they can be read."""
    found: list[int] = []
    for stored in lines:
        with suppress(msgspec.DecodeError):
            note = read_note(stored)
            if isinstance(note.said, Acknowledged):
                found.append(note.said.alarm)
    return found


def _note_of(stored: AuditLine, number: int, after: bytes) -> Note | None:
    """The note of the line with this number, sealed after this seal and filed as what it is; None for anything else."""
    if stored.number != number or seal_of(stored.sealed.body, after) != stored.sealed.seal:
        return None
    try:
        note = read_note(stored)
    except msgspec.DecodeError:
        return None
    kind, link = _found_by(note.said)
    kinds = (kind, CLOSED_ALARM) if kind == OPEN_ALARM else (kind,)
    return note if note.number == number and stored.kind in kinds and stored.link == link else None


def _found_by(said: Said) -> tuple[str, str]:
    match said:
        case Alarm(link=link):
            return OPEN_ALARM, link
        case Measured(link=link):
            return GROWTH, link
        case Awarded(link=link):
            return AWARD, link
        case MeterRun():
            return RUN, ""
        case StaffChanged():
            return STAFF, ""
        case Acknowledged() | Used():
            return NOTE, ""


STARTED: Final = "started"
STOPPED: Final = "stopped"
RESTORED: Final = "restored"
FIRST: Final = "for the first time"
CLEAN: Final = "after a stop"
PUT_BACK: Final = "on books that were restored from a backup"
LATE: Final = "found in the ledger at the start"
UNCLEAN: Final = "the run before ended without a word: power cut, kill or fault"
LOOKED_BACK: Final = 2_000
"""Lines of awards: far more than belong to those that a head still knows."""


def start(store: FloorStore, machine: str, program: str) -> MeterRun:
    """The line of a start: it says how the run before ended."""
    last = store.last_lines(RUN, "", 1)
    said = read_note(last[0]).said if last else None
    how = {STOPPED: CLEAN, RESTORED: PUT_BACK}.get(said.what, UNCLEAN) if isinstance(said, MeterRun) else UNCLEAN
    return MeterRun(STARTED, machine, program, how if last else FIRST)


def unwritten(store: FloorStore, link: str, pot: LinkBalances) -> list[Awarded]:
    """The missing lines of this pot's awards: its ledger was on disk when the power failed, the book was not yet."""
    said = (read_note(line).said for line in store.last_lines(AWARD, link, LOOKED_BACK))
    written = {replace(one, words="") for one in said if isinstance(one, Awarded)}
    paid = [_line("paid", link, award) for award in pot.last_paid]
    fixed = [_line("fixed", link, award) for award in pot.awards]
    return [replace(line, words=LATE) for line in (*paid, *fixed) if line not in written]


def award_news(link: str, before: LinkBalances, after: LinkBalances) -> list[Awarded]:
    """What became of awards between these two: given back, paid, fixed."""
    if before.awards == after.awards and before.hits == after.hits:
        return []
    known = {award.key for award in before.last_paid}
    paid = [award for award in after.last_paid if award.key not in known]
    stand = {award.key for award in (*after.awards, *paid)}
    amounts = {award.key: award.amount_cents for award in before.awards}
    return [
        *(_line("given back", link, award) for award in before.awards if award.key not in stand),
        *(_line("paid", link, award) for award in paid),
        *(_line("fixed", link, award) for award in after.awards if amounts.get(award.key) != award.amount_cents),
    ]


def _line(what: str, link: str, award: OpenAward) -> Awarded:
    return Awarded(
        what, link, award.table, award.seat, award.hand, award.amount_cents, journal=award.journal, seq=award.seq
    )
