"""Store interface: what booking asks of a store, and what every store checks."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final, Protocol

import msgspec
from msgspec import Struct

from meter.ledger.coupons import moved_serial
from meter.ledger.link_state import Head, Member
from meter.ledger.records import Entered, Filed, Record, SealedRecord, first_seal, seal_of
from meter.store.audit_log import FloorStore


class StoreFault(Exception):  # noqa: N818  it is a fault in the pit's words
    """The store cannot be used; the message says what is wrong and what to do."""


class OutOfReach(StoreFault):
    """Nobody can write there now: a lost session, another meter that has taken over, a full disk.

    It says nothing about what is written; every other fault of a store does, and is doubted.
    """


class InUse(OutOfReach):
    """A meter that runs has these books."""


class Page(Struct, frozen=True):
    """What one transaction adds to one link: new records, the members they changed, the head after them."""

    link: str
    records: Sequence[tuple[Record, SealedRecord]]
    members: Sequence[Member]
    head: Head


class Saved(Struct, frozen=True):
    """Where a link stood when it was last written."""

    head: Head
    members: tuple[Member, ...]


class CouponIndex(Protocol):
    """Where coupons are found by their serial numbers."""

    def newest_of_coupon(self, link: str, serial: str) -> Record | None:
        """The newest record that redeemed or freed this coupon, or None."""
        ...


class Store(CouponIndex, Protocol):
    """Where the books are kept; used by one thread."""

    def load(self, link: str) -> Saved | None:
        """The figures after the link's last record, sealed to it, or None for a new link."""
        ...

    def records(self, link: str) -> Iterator[Filed]:
        """Every record of the link, first to last."""
        ...

    def find(self, link: str, table: str, journal: str, seq: int) -> Record | None:
        """The record of this entry, or None."""
        ...

    def commit(self, pages: Sequence[Page]) -> None:
        """Puts all of it on disk, or raises StoreFault and nothing of it; no pages prove that it still could."""
        ...


class Doubtful(Protocol):
    """Where it is written down that the figures cannot be trusted."""

    def doubt(self) -> str:
        """Why the next start must read everything back before it trusts the figures, or nothing."""
        ...

    def write_doubt(self, words: str) -> None:
        """Keeps this doubt, whatever is done to the process; no words end it."""
        ...


class Momentary(Protocol):
    """Where all links can be seen as they stood at one moment."""

    def load_all(self) -> dict[str, Saved]:
        """The figures of every link, read in one transaction: what moves between links is on both of them or none."""
        ...


class OpenStore(Store, FloorStore, Doubtful, Momentary, Protocol):
    """A store as the process that opened it sees it."""

    def links(self) -> tuple[str, ...]:
        """Every link that has figures, tables or records here."""
        ...

    def latest(self, link: str, most: int) -> list[SealedRecord]:
        """The newest records of a link's ledger, newest first."""
        ...

    def require_room(self) -> None:
        """Raises OutOfReach where there is too little room to go on; the little that a start writes always fits."""
        ...

    def close(self) -> None:
        """Leaves the store to the next one."""
        ...


EVERY_LINK: Final = """
WITH RECURSIVE booked (link) AS (
    SELECT min(link) FROM ledger
    UNION ALL SELECT (SELECT min(link) FROM ledger WHERE link > booked.link) FROM booked WHERE booked.link IS NOT NULL
)
SELECT link FROM booked WHERE link IS NOT NULL UNION SELECT link FROM head UNION SELECT link FROM member ORDER BY link
"""
"""Every link of which anything is left, in the words of both databases; one look into the index for each of them."""


class Stamped(Struct, frozen=True):
    """Figures as they are kept beside the records: their bytes, and a stamp that a damaged byte breaks."""

    body: bytes
    stamp: bytes


def stamped(figures: Head | Member) -> Stamped:
    """These figures as they are kept."""
    body = msgspec.json.encode(figures)
    return Stamped(body, hashlib.sha256(body).digest())


class StoredLink(Struct, frozen=True):
    """What a store holds of a link at its end: the figures, the members, and the last two records, newest first."""

    head: Stamped | None
    members: Sequence[Stamped]
    last: Sequence[tuple[int, SealedRecord]]


def saved(link: str, kept: StoredLink) -> Saved | None:
    """Where the link stands, if all of it fits together; raises StoreFault otherwise."""
    fault = _misfit(kept)
    if fault:
        raise StoreFault(f"the ledger of link {link} is damaged: {fault}; restore it from a backup")
    if kept.head is None:
        return None
    head = msgspec.json.decode(kept.head.body, type=Head)
    fault = _loose_end(link, head, kept.last)
    if fault:
        raise StoreFault(f"the ledger of link {link} is damaged: {fault}")
    return Saved(head, tuple(msgspec.json.decode(member.body, type=Member) for member in kept.members))


def filed_by(record: Record) -> tuple[int, str | None, str | None, int | None, str | None]:
    """What a store finds a record by, in the order of Filed."""
    return record.number, *entry_key(record), moved_serial(record)


def entry_key(record: Record) -> tuple[str | None, str | None, int | None]:
    """The table, journal and number of the entry that a record books, if it books one."""
    match record.cause:
        case Entered(envelope=envelope):
            return envelope.table, envelope.journal, envelope.seq
        case _:
            return None, None, None


def _misfit(kept: StoredLink) -> str | None:
    if kept.head is None and kept.members:
        return "it has tables but no figures"
    if kept.head is None:
        return "records without figures" if kept.last else None
    for part in (kept.head, *kept.members):
        if hashlib.sha256(part.body).digest() != part.stamp:
            return "the figures kept beside the records were changed"
    return None


def _loose_end(link: str, head: Head, last: Sequence[tuple[int, SealedRecord]]) -> str | None:
    number, row = last[0] if last else (0, SealedRecord(b"", first_seal(link)))
    if number != head.number:
        return f"it ends at record {number} instead of {head.number}"
    before = last[1][1].seal if len(last) > 1 else first_seal(link)
    if head.seal != row.seal or seal_of(row.body, before) != row.seal:
        return f"its figures are not sealed to record {number}"
    return None
