"""The evidence of a claim beyond its own words: when it came to the meter, and the wagers of its round."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from link.messages import Award, Envelope, Wagers
from meter.ledger.open_items import OpenAward
from meter.ledger.records import Entered, Record
from meter.store.base import Store, StoreFault

BACK: Final = 50  # entries: a round's wagers stand just before its claims


class Evidence(Struct, frozen=True):
    """What the ledger says of a claim; no record of wagers means that none of this round were booked."""

    table: str
    journal: str
    seq: int
    record: int
    booked_ms: int
    round: int
    wagered_seats: tuple[int, ...] = ()
    coupon_seats: tuple[int, ...] = ()
    wagers_record: int = 0


def evidence(store: Store, link: str, claims: Iterable[OpenAward]) -> list[Evidence]:
    """What the ledger says of each of these claims."""
    return [_of(store, link, claim) for claim in claims]


def _of(store: Store, link: str, claim: OpenAward) -> Evidence:
    record, envelope = _found(store, link, claim.key)
    assert isinstance(envelope.entry, Award), "what is claimed was an award when it was booked"
    about = Evidence(*claim.key, record.number, record.booked_ms, envelope.entry.round)
    for seq in range(claim.seq - 1, max(0, claim.seq - 1 - BACK), -1):
        record, envelope = _found(store, link, (claim.table, claim.journal, seq))
        if isinstance(envelope.entry, Wagers) and envelope.entry.round == about.round:
            wagers = envelope.entry
            seats, coupons = wagers.seats, wagers.coupons
            return replace(about, wagered_seats=seats, coupon_seats=coupons, wagers_record=record.number)
    return about


def _found(store: Store, link: str, key: tuple[str, str, int]) -> tuple[Record, Envelope]:
    """The record of an entry; a table's entries are booked without gaps, so that none before a claim is missing."""
    record = store.find(link, *key)
    if record is None or not isinstance(record.cause, Entered):
        raise StoreFault(f"entry {key[2]} of table {key[0]} is not in the ledger of link {link}")
    return record, record.cause.envelope
