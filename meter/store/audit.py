"""Audit: a ledger replayed from its first record, every seal and every figure worked out again."""

from itertools import islice

import msgspec

from meter.ledger.balances import imbalance, rules_fault
from meter.ledger.link_state import LinkState, NotTaken
from meter.ledger.records import Filed, Record, SealedRecord, read_record, seal_of
from meter.store.base import Saved, Store, StoreFault, filed_by


def audited(store: Store, link: str, snapshot: Saved | None = None) -> LinkState:
    """The link's book as its records make it, as far as the snapshot goes; StoreFault names the first bad record."""
    state = LinkState(link)
    rows = store.records(link)
    for row in islice(rows, snapshot.head.number) if snapshot else rows:
        follow(state, row)
    fault = difference(state, snapshot or store.load(link)) or imbalance(state.head.pot)
    if fault:
        raise StoreFault(f"the ledger of link {link} is damaged: {fault}")
    return state


def trusted(link: str, snapshot: Saved) -> LinkState:
    """The link's book as its last figures have it; they are sealed to the last record, those before are not read."""
    fault = rules_fault(snapshot.head.pot.rules) or imbalance(snapshot.head.pot)
    if fault:
        raise StoreFault(f"the ledger of link {link} is damaged: {fault}")
    state = LinkState(link)
    state.head = snapshot.head
    state.members = {member.hello.table: member for member in snapshot.members}
    return state


def follow(state: LinkState, row: Filed) -> Record:
    """Books a stored record again; raises StoreFault with what does not agree."""
    fault = _broken_seal(state, row)
    if fault is None:
        try:
            record = read_record(row.body)
            fault = _take_again(state, record, row)
        except msgspec.DecodeError as error:
            fault = f"it cannot be read: {error}"
    if fault:
        raise StoreFault(f"the ledger of link {state.link} is damaged at record {state.head.number + 1}: {fault}")
    return record


def difference(state: LinkState, saved: Saved | None) -> str | None:
    """Why the figures kept beside the records are not those that the records make, or None."""
    if saved is None:
        return "records without figures" if state.head.number else None
    if saved.head.number != state.head.number:
        return f"it ends at record {state.head.number} instead of {saved.head.number}"
    members = {member.hello.table: member for member in saved.members}
    if saved.head != state.head or members != state.members:
        return "the figures kept beside the records are not those that the records make"
    return None


def _broken_seal(state: LinkState, row: SealedRecord) -> str | None:
    return None if seal_of(row.body, state.head.seal) == row.seal else "its seal is broken"


def _take_again(state: LinkState, record: Record, row: Filed) -> str | None:
    booking = state.booking(record.cause)
    if isinstance(booking, NotTaken):
        return f"it should not have been booked: {booking.words}"
    if record != state.record(record.cause, booking, booked_ms=record.booked_ms):
        return "its figures do not follow from its cause"
    if (row.number, row.table, row.journal, row.seq, row.serial) != filed_by(record):
        # A table's repeat and a coupon are looked up by these columns alone: what is not found was never booked.
        entry = f"entry {row.seq} of journal {row.journal} of table {row.table}"
        return f"it is filed as record {row.number}, {entry}{f', coupon {row.serial}' if row.serial else ''}"
    state.take(record, booking.pot, row.seal)
    return None
