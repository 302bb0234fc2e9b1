"""Replay of a ledger, record by record, with the figures before and after each."""

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from meter.ledger.balances import imbalance
from meter.ledger.link_state import Head, LinkState
from meter.ledger.records import Record, SealedRecord
from meter.store.audit import difference, follow
from meter.store.base import Saved, Store, StoreFault


class ReplayedRecord(Struct, frozen=True):
    """One record as it is read and as it is stored, and where the link stood before and after it."""

    record: Record
    sealed: SealedRecord
    before: Head
    after: Head


def replayed(store: Store, link: str, snapshot: Saved | None = None) -> Iterator[ReplayedRecord]:
    """Every record in order, as far as the snapshot goes, or as the store stands now.

    Raises StoreFault at one that cannot follow, and at an end that is not the store's own.
    """
    snapshot = snapshot or stands_at(store, link)
    state = LinkState(link)
    rows = store.records(link)
    for row in islice(rows, snapshot.head.number) if snapshot else rows:
        before = state.head
        yield ReplayedRecord(follow(state, row), row, before, state.head)
    fault = difference(state, snapshot or store.load(link)) or imbalance(state.head.pot)
    if fault:
        raise StoreFault(f"the ledger of link {link} is damaged: {fault}")


def stands_at(store: Store, link: str) -> Saved | None:
    """Where a running meter stands now, so that what it books meanwhile is no difference."""
    try:
        return store.load(link)
    except StoreFault:
        return None  # whoever reads the records will name the first bad one
