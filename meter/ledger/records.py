"""Ledger records: what happened, what it moved, and the seal that chains each to the one before."""

import hashlib
from typing import TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from link.messages import CouponAnswer, Envelope, FixedAward, Hello
from meter.ledger.accounts import Posting
from meter.ledger.balances import RULES, LinkTerms
from meter.ledger.decisions import Decided
from meter.ledger.parameters import JoinTerms


class Opened(Struct, frozen=True, tag=True):
    """The link was opened on these terms, for these tables and games, and is booked by these rules."""

    terms: LinkTerms
    offer: JoinTerms = JoinTerms()
    rules: int = RULES


class Joined(Struct, frozen=True, tag=True):
    """A table joined, or joined again in another shape."""

    hello: Hello


class HelloRefused(Struct, frozen=True, tag=True):
    """A hello of a table that had joined was not taken, and why: until one is, none of its entries is booked.

    Nothing of the kind is said where only the link is stopped. next_seq and idle are how far the table has come then:
    what its next entry will be, and whether nothing is in hand there.
    """

    table: str
    journal: str
    refusal: str = ""
    next_seq: int = 0
    idle: bool = False


class ProvedNames(Struct, frozen=True, omit_defaults=True):
    """Who proved a validation or a payout to the meter, by the names of its staff directory."""

    validated_by: str = ""
    paid_by: str = ""


class Entered(Struct, frozen=True, tag=True):
    """A table's entry was booked; held says why it does not count before two persons decide (R2).

    persons are those whose proofs the meter found to hold when it booked the entry: replay believes the record.
    """

    envelope: Envelope
    held: str = ""
    persons: ProvedNames | UnsetType = UNSET


class Stopped(Struct, frozen=True, tag=True):
    """The meter stopped the link itself; only a decision opens it again (R63)."""

    reason: str


Cause: TypeAlias = Opened | Joined | HelloRefused | Entered | Decided | Stopped


class Record(Struct, frozen=True):
    """One record; number counts 1, 2, 3 … within a link, booked_ms is the meter's calendar and orders nothing.

    answer is what the entry's table is told of an award, coupon what it is told of a coupon.
    """

    link: str
    number: int
    booked_ms: int
    cause: Cause
    postings: tuple[Posting, ...] = ()
    answer: FixedAward | None = None
    coupon: CouponAnswer | UnsetType = UNSET


class SealedRecord(Struct, frozen=True):
    """A record as it is stored: its bytes and the seal over them and everything before."""

    body: bytes
    seal: bytes


class Filed(SealedRecord, frozen=True):
    """The same with what a store finds it by: its number, the entry that it books, the coupon that it moves, if any."""

    number: int
    table: str | None
    journal: str | None
    seq: int | None
    serial: str | None


def sealed(record: Record, after: bytes) -> SealedRecord:
    """The record's bytes, sealed after this seal."""
    body = msgspec.json.encode(record)
    return SealedRecord(body, seal_of(body, after))


def seal_of(body: bytes, after: bytes) -> bytes:
    """SHA-256 over the seal before and these bytes."""
    return hashlib.sha256(after + body).digest()


def first_seal(link: str) -> bytes:
    """What a link's first record is sealed after."""
    return hashlib.sha256(f"pitlink ledger {link}".encode()).digest()


def read_record(body: bytes) -> Record:
    """The record these bytes are; raises msgspec.DecodeError for anything else."""
    return msgspec.json.decode(body, type=Record)
