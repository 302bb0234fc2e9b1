"""Booking rules: a ledger says by which it is booked, and a program that does not know them does not start on it."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from meter.ledger.balances import RULES
from meter.ledger.records import Opened, first_seal, sealed
from meter.store.audit import audited, trusted
from meter.store.base import StoreFault
from tests.support.meter.meter_bench import MemoryStore, MeterBench

NEWER = RULES + 1


def test_a_new_link_says_its_rules_in_its_first_record() -> None:
    """Nobody has to guess them, and no other record is needed."""
    meter = MeterBench()
    assert isinstance(meter.store, MemoryStore)
    ((record, _),) = meter.store.rows["main"]
    assert isinstance(record.cause, Opened)
    assert (record.cause.rules, meter.heads["main"].pot.rules) == (RULES, RULES)


def test_books_of_newer_rules_are_not_gone_on_with() -> None:
    """A program put back to an older version does not book by rules that are not the ledger's, read back or trusted."""
    meter = MeterBench()
    assert isinstance(meter.store, MemoryStore)
    ((record, _),) = meter.store.rows["main"]
    assert isinstance(record.cause, Opened)
    newer = replace(record, cause=replace(record.cause, rules=NEWER))
    meter.store.rows["main"] = [(newer, sealed(newer, first_seal("main")))]
    head = meter.heads["main"]
    figures = replace(meter.store.saved["main"], head=replace(head, pot=replace(head.pot, rules=NEWER)))
    ways: tuple[Callable[[], object], ...] = (
        lambda: audited(meter.store, "main"),
        lambda: trusted("main", figures),
    )
    for opened in ways:
        with pytest.raises(StoreFault, match=f"booking rules {NEWER}, this version books by rules {RULES}"):
            opened()
