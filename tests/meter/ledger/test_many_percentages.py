"""28.11(i): however many percentages tables claim, management can put all of them in order with one decision."""

import json
from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from common.web.server import MAX_BODY_BYTES
from link.messages import MAX_MESSAGE_BYTES, Envelope, encode
from meter.booking.results import MessageResult
from meter.ledger.awards import contest
from meter.ledger.contributions import MOST_OPEN, MOST_PERCENTAGES
from meter.ledger.decisions import DecideHeld, EntryRef, OrderClaims, SettleAward
from meter.service.state import state_of
from meter.web.api import Signed
from tests.support.meter.meter_bench import NOW_MS, MeterBench, envelope, link, rejection, royal, straight_flush, wagers

TABLES = tuple(f"T{number}" for number in range(1, MOST_PERCENTAGES // MOST_OPEN + 2))
FULL, LAST = TABLES[:-1], TABLES[-1]
SEATS = range(1, 8)
ROUNDS = 4
OF_ONE_TABLE = ROUNDS + MOST_OPEN
"""Entries: four rounds' wagers, and the claims: of every seat but three in the last round."""


def played(table: str) -> Iterator[Envelope]:
    """Rounds of seven seats, of which so many hands claim a part of the meter as a table may have open."""
    for number in range(1, ROUNDS + 1):
        first, hand = 1 + (number - 1) * (1 + len(SEATS)), straight_flush if number == 1 else royal
        yield envelope(first, wagers(*SEATS, number=number), table)
        claiming = SEATS[: MOST_OPEN - (number - 1) * len(SEATS)]
        yield from (envelope(first + seat, hand(seat, number), table) for seat in claiming)


def bench(*tables: str) -> MeterBench:
    """A link that these tables fill with as many claims as each may have open; the last table has only wagered."""
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
    """T1 is refused at one percentage too many, with what to do; the last table's is booked, and comes first."""
    meter = bench("T1")
    refused = meter.outcome(envelope(OF_ONE_TABLE + 1, royal(7, ROUNDS)))
    assert refused.result is MessageResult.REFUSED
    assert f"{MOST_OPEN} rounds and awards of table T1" in refused.words
    assert meter.outcome(envelope(2, royal(2, 1), LAST)).result is MessageResult.BOOKED
    found = sorted(keys(meter), key=lambda key: (key[0] != LAST, key))
    assert len(found) == MOST_OPEN + 1
    assert meter.decide(OrderClaims(tuple(EntryRef(*key) for key in found))) == ""
    assert [award.table for award in meter.heads["main"].pot.awards] == [LAST]
    assert meter.outcome(envelope(OF_ONE_TABLE + 1, rejection(2))).result is MessageResult.BOOKED
    assert meter.outcome(envelope(OF_ONE_TABLE + 2, royal(7, ROUNDS))).result is MessageResult.BOOKED


def test_28_11_i_as_many_as_a_link_takes_are_put_in_order() -> None:
    """With every place taken the next claim waits at its table, and one decision orders all that are open."""
    meter = bench(*FULL)
    late = envelope(2, royal(2, 1), LAST)
    assert f"{MOST_PERCENTAGES} percentages of this meter" in meter.outcome(late).words
    found = keys(meter)
    assert len(found) == MOST_PERCENTAGES
    assert len(encode(state_of("main", meter.heads["main"], NOW_MS))) < MAX_MESSAGE_BYTES
    decision = OrderClaims(tuple(EntryRef(*key) for key in sorted(found, key=lambda key: (key[2], key[0]))))
    assert msgspec.convert(msgspec.to_builtins(decision), OrderClaims) == decision
    assert meter.decide(decision) == ""
    assert meter.decide(SettleAward(EntryRef("T1", "journal-T1", 2), paid=True)) == ""
    assert meter.outcome(late).result is MessageResult.BOOKED
    assert MeterBench(meter.store, replace(link(), tables=TABLES)).heads == meter.heads


def test_28_11_i_the_longest_order_fits_into_a_request() -> None:
    """The longest names that tables and journals can have, and all that people write in letters of four bytes."""
    claims = tuple(EntryRef("T" * 32, "j" * 64, 2**53 - 1 - number) for number in range(MOST_PERCENTAGES))
    signed = Signed(OrderClaims(claims), *("\U0001f600" * 200,) * 3, pins=("1" * 32, "2" * 32))
    body = json.dumps(msgspec.to_builtins(signed))  # spaced, and each of those letters in twelve
    assert len(body) < MAX_BODY_BYTES
    assert msgspec.json.decode(body, type=Signed) == signed


def test_28_11_i_a_claim_in_doubt_has_its_place() -> None:
    """It may count any moment: nobody gets so one percentage more, and two persons' word needs no room."""
    meter = bench()
    doubted = [envelope(1 + number, royal(3, 1), LAST) for number in range(1, MOST_OPEN + 1)]
    assert {outcome.result for outcome in meter.say(*doubted).outcomes} == {MessageResult.KEPT_ASIDE}
    assert meter.outcome(envelope(MOST_OPEN + 2, royal(2, 1), LAST)).result is MessageResult.REFUSED
    for entry in doubted:
        assert meter.decide(DecideHeld(EntryRef(LAST, f"journal-{LAST}", entry.seq), counts=True)) == ""
    pot = meter.heads["main"].pot
    assert len(pot.awards) + len(pot.claims) == MOST_OPEN
