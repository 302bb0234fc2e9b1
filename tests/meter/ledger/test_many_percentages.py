"""28.11(i): however many percentages tables claim, management can put all of them in order with one decision."""

import json
from collections.abc import Iterator

import msgspec
import pytest
from msgspec.structs import replace

from common.web.server import MAX_BODY_BYTES
from link.messages import MAX_MESSAGE_BYTES, Envelope, encode
from meter.booking import link_booker
from meter.booking.results import MessageResult
from meter.ledger.awards import contest
from meter.ledger.contributions import MOST_PARTS, MOST_PARTS_OF_A_LINK
from meter.ledger.decisions import DecideHeld, EntryRef, OrderClaims, SettleAward
from meter.service.state import state_of
from meter.web.api import Signed
from tests.support.meter_bench import NOW_MS, MeterBench, envelope, link, rejection, royal, straight_flush, wagers

TABLES = tuple(f"T{number}" for number in range(1, MOST_PARTS_OF_A_LINK // MOST_PARTS + 2))
FULL, LAST = TABLES[:-1], TABLES[-1]
OF_ONE_TABLE = 12
"""Entries: two rounds' wagers, and the ten claims."""


def played(table: str) -> Iterator[Envelope]:
    """Two rounds of seven seats, of which ten hands claim a part of the meter."""
    yield envelope(1, wagers(*range(1, 8), number=1), table)
    yield from (envelope(1 + seat, straight_flush(seat, 1), table) for seat in range(1, 8))
    yield envelope(9, wagers(*range(1, 8), number=2), table)
    yield from (envelope(9 + seat, royal(seat, 2), table) for seat in range(1, 4))


def bench(*tables: str) -> MeterBench:
    """A link of six tables, of which these have claimed as much as a table may, and the last has wagered."""
    meter = MeterBench(None, replace(link(), tables=TABLES))
    meter.join(*TABLES)
    entries = [entry for table in tables for entry in played(table)]
    report = meter.say(*entries, envelope(1, wagers(2, number=1), LAST))
    assert {outcome.result for outcome in report.outcomes} == {MessageResult.BOOKED}
    return meter


def keys(meter: MeterBench) -> list[tuple[str, str, int]]:
    """The percentages that wait for management's word."""
    return [award.key for award in contest(meter.heads["main"].pot)]


def test_28_11_i_a_table_that_only_claims_leaves_room_for_another() -> None:
    """T1 is refused at its eleventh percentage, with what to do; the last table's is booked, and comes first."""
    meter = bench("T1")
    refused = meter.outcome(envelope(OF_ONE_TABLE + 1, royal(4, 2)))
    assert (refused.result, f"{MOST_PARTS} percentages of table T1" in refused.words) == (MessageResult.REFUSED, True)
    assert meter.outcome(envelope(2, royal(2, 1), LAST)).result is MessageResult.BOOKED
    found = sorted(keys(meter), key=lambda key: (key[0] != LAST, key))
    assert len(found) == MOST_PARTS + 1
    assert meter.decide(OrderClaims(tuple(EntryRef(*key) for key in found))) == ""
    assert [award.table for award in meter.heads["main"].pot.awards] == [LAST]
    assert meter.outcome(envelope(OF_ONE_TABLE + 1, rejection(2))).result is MessageResult.BOOKED
    assert meter.outcome(envelope(OF_ONE_TABLE + 2, royal(4, 2))).result is MessageResult.BOOKED


def test_28_11_i_as_many_as_a_link_takes_are_put_in_order() -> None:
    """With every place taken the next claim waits at its table, and one decision orders all that are open."""
    meter = bench(*FULL)
    late = envelope(2, royal(2, 1), LAST)
    assert f"{MOST_PARTS_OF_A_LINK} percentages of this meter" in meter.outcome(late).words
    found = keys(meter)
    assert len(found) == MOST_PARTS_OF_A_LINK
    assert len(encode(state_of("main", meter.heads["main"], NOW_MS))) < MAX_MESSAGE_BYTES
    decision = OrderClaims(tuple(EntryRef(*key) for key in sorted(found, key=lambda key: (key[2], key[0]))))
    assert msgspec.convert(msgspec.to_builtins(decision), OrderClaims) == decision
    assert meter.decide(decision) == ""
    assert meter.decide(SettleAward(EntryRef("T1", "journal-T1", 2), paid=True)) == ""
    assert meter.outcome(late).result is MessageResult.BOOKED
    assert MeterBench(meter.store, replace(link(), tables=TABLES)).heads == meter.heads


def test_28_11_i_the_longest_order_fits_into_a_request() -> None:
    """The longest names that tables and journals can have, and all that people write in letters of four bytes."""
    claims = tuple(EntryRef("T" * 32, "j" * 64, 2**53 - 1 - number) for number in range(MOST_PARTS_OF_A_LINK))
    signed = Signed(OrderClaims(claims), *("\U0001f600" * 200,) * 3, pins=("1" * 32, "2" * 32))
    body = json.dumps(msgspec.to_builtins(signed))  # spaced, and each of those letters in twelve
    assert len(body) < MAX_BODY_BYTES
    assert msgspec.json.decode(body, type=Signed) == signed


def test_28_11_i_a_claim_in_doubt_has_its_place() -> None:
    """It may count any moment: nobody gets so an eleventh percentage, and two persons' word needs no room."""
    meter = bench()
    doubted = [envelope(1 + number, royal(3, 1), LAST) for number in range(1, MOST_PARTS + 1)]
    assert {outcome.result for outcome in meter.say(*doubted).outcomes} == {MessageResult.KEPT_ASIDE}
    assert meter.outcome(envelope(MOST_PARTS + 2, royal(2, 1), LAST)).result is MessageResult.REFUSED
    for entry in doubted:
        assert meter.decide(DecideHeld(EntryRef(LAST, f"journal-{LAST}", entry.seq), counts=True)) == ""
    pot = meter.heads["main"].pot
    assert len(pot.awards) + len(pot.claims) == MOST_PARTS


def test_what_was_claimed_before_stays_in_the_ledger(monkeypatch: pytest.MonkeyPatch) -> None:
    """More percentages than today, taken by an older program, are no damage to the books, and can be settled."""
    with monkeypatch.context() as older:
        older.setattr(link_booker, "parts_refusal", lambda *_: None)
        meter = bench("T1")
        assert meter.outcome(envelope(OF_ONE_TABLE + 1, royal(4, 2))).result is MessageResult.BOOKED
    again = MeterBench(meter.store, replace(link(), tables=TABLES))
    assert again.heads == meter.heads
    assert again.decide(SettleAward(EntryRef("T1", "journal-T1", OF_ONE_TABLE + 1), paid=False)) == ""
