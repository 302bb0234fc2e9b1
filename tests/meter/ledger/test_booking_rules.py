"""The rules of booking: what was booked by old ones is told by them, to the same figures; what follows by the new."""

import pytest
from msgspec.structs import replace

from meter.booking.results import MessageResult
from meter.ledger.awards import contest
from meter.ledger.balances import FIRST_RULES, RULES
from meter.ledger.decisions import EntryRef, OrderClaims, SettleAward
from meter.ledger.records import (
    Opened,
    Revised,
    first_seal,
    sealed,
)
from meter.store.audit import audited, trusted
from meter.store.base import StoreFault
from tests.support.first_books import LINKS, first_books
from tests.support.meter_bench import (
    MemoryStore,
    MeterBench,
    envelope,
    hello,
    wagers,
)

NEWER = RULES + 1


@pytest.mark.parametrize("link", ["main", "side", "end"])
def test_books_of_the_first_rules_are_told_to_the_same_figures(link: str) -> None:
    """R86: every seal, posting, balance, open award and hit is what the program of then wrote."""
    store = first_books()
    state = audited(store, link)
    assert state.head == store.saved[link].head
    assert state.head.pot.rules == FIRST_RULES


def test_an_old_link_goes_by_todays_rules_from_a_record_on() -> None:
    """What stands does not move; whatever comes after the record is booked by the new rules, also when it is told."""
    store = first_books()
    before = store.saved["side"].head
    meter = MeterBench(store, *LINKS)
    head = meter.heads["side"]
    assert replace(head.pot, rules=FIRST_RULES) == before.pot
    assert (head.number, head.pot.rules) == (before.number + 1, RULES)
    assert store.rows["side"][-1][0].cause == Revised(RULES)
    report = meter.say(hello("T1"), envelope(6, wagers(1)), link="side")
    assert report.outcomes[-1].result is MessageResult.BOOKED
    assert MeterBench(store, *LINKS).heads == meter.heads


def test_percentages_that_are_open_are_settled_by_the_rules_they_were_claimed_by() -> None:
    """The new rules wait for the last of them, and no longer; a closed link needs none."""
    meter = MeterBench(first_books(), *LINKS)
    assert meter.heads["main"].number == 174
    assert meter.heads["end"].number == 8
    while contest(pot := meter.heads["main"].pot):
        assert pot.rules == FIRST_RULES
        if not pot.in_order:
            assert meter.decide(OrderClaims(tuple(EntryRef(*claim.key) for claim in contest(pot)))) == ""
        award = next(award for award in meter.heads["main"].pot.awards if award.percent_bp)
        assert meter.decide(SettleAward(EntryRef(*award.key), paid=True)) == ""
    for award in [award for award in meter.heads["main"].pot.awards if award.percent_bp]:
        assert meter.heads["main"].pot.rules == FIRST_RULES
        assert meter.decide(SettleAward(EntryRef(*award.key), paid=True)) == ""
    assert meter.heads["main"].pot.rules == RULES
    assert MeterBench(meter.store, *LINKS).heads == meter.heads


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
    for opened in (lambda: audited(meter.store, "main"), lambda: trusted("main", figures)):
        with pytest.raises(StoreFault, match=f"booking rules {NEWER}, this version knows those up to {RULES}"):
            opened()
