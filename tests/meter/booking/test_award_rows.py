"""Rows R9, R71 and R92, asked of the meter itself: when money leaves an award, and how a table moves."""

from datetime import UTC
from fractions import Fraction

from msgspec.structs import replace

from link.messages import Payout, Validation
from meter.booking.booker import Booker, ParameterChange
from meter.ledger.accounts import Account
from meter.ledger.decisions import EntryRef, Reopen, SettleAward
from meter.ledger.records import Entered
from meter.reports.gaming_day import Calendar
from meter.reports.statement import TableDay, statements
from meter.settings import Link
from meter.store.replay import replayed
from tests.support.meter.meter_bench import (
    NOW_MS,
    TABLES,
    TERMS,
    MemoryStore,
    MeterBench,
    envelope,
    flush,
    hello,
    link,
    payout,
    rejection,
    wagers,
)
from tests.support.meter.proved import Unchecked

AMOUNT = 50_00


def standing(meter: MeterBench) -> tuple[int, int, int]:
    """What stands fixed, what was paid, and how often."""
    pot = meter.heads["main"].pot
    return pot.cents(Account.AWARDS), pot.paid_cents, pot.hits


def test_r71_nothing_is_paid_before_it_is_validated_and_recorded() -> None:
    """Win, validated, recorded, deducted: a fixed award stands on its own account until the payout."""
    meter = MeterBench()
    meter.join("T1")
    meter.deal("T1")
    meter.say(envelope(2, flush()))
    assert standing(meter) == (AMOUNT, 0, 0)
    reply = meter.reply(envelope(3, Validation(2, 3, AMOUNT)))
    assert (reply.awards[0].validated, standing(meter)) == ((3,), (AMOUNT, 0, 0))
    reply = meter.reply(envelope(4, payout(2)))
    assert (reply.refusal, standing(meter)) == ("", (0, AMOUNT, 1))


def test_r71_a_payout_of_what_was_not_claimed_or_is_paid_already_pays_nothing() -> None:
    """Only an award that stands can be paid, and only once; two persons who settle it are recorded, too."""
    meter = MeterBench()
    meter.join("T1")
    assert "no award" in meter.reply(envelope(1, payout(7))).refusal
    meter.deal("T1")
    meter.say(envelope(2, flush()))
    assert meter.decide(SettleAward(EntryRef("T1", "journal-T1", 2), paid=True)) == ""
    assert standing(meter) == (0, AMOUNT, 1)
    reply = meter.reply(envelope(3, payout(2)))
    assert (reply.booked_seq, reply.refusal, standing(meter)) == (3, "", (0, AMOUNT, 1))
    assert "no award" in meter.reply(envelope(4, payout(2))).refusal
    assert standing(meter) == (0, AMOUNT, 1)


def test_r9_every_award_is_paid_by_a_person_and_the_total_never_falls() -> None:
    """Each payout names who paid, rejections count for nothing: attendant-paid and cumulative are the same sum."""
    store, paid = MemoryStore(), [0]
    meter = MeterBench(store)
    meter.join("T1")
    for seq in range(1, 31, 3):
        settled = rejection(seq + 1) if seq % 4 == 0 else payout(seq + 1)
        meter.say(envelope(seq, wagers(3)), envelope(seq + 1, flush(number=seq)), envelope(seq + 2, settled))
        paid.append(meter.heads["main"].pot.paid_cents)
    assert paid == sorted(paid)
    records = [row.cause for row, _ in store.rows["main"] if isinstance(row.cause, Entered)]
    by_persons = [entry.persons for entry in records if isinstance(entry.envelope.entry, Payout)]
    assert all(persons and persons.paid_by and persons.validated_by for persons in by_persons)
    assert paid[-1] == 7 * AMOUNT == len(by_persons) * AMOUNT == meter.heads["main"].pot.hits * AMOUNT


def moved(store: MemoryStore, links: tuple[Link, ...]) -> MeterBench:
    """The meter started again on settings that two persons apply."""
    meter = MeterBench.__new__(MeterBench)
    meter.store = store
    meter.booker = Booker(store, links, lambda: NOW_MS, Unchecked())
    meter.heads = meter.booker.open(ParameterChange("Ann", "Ben", "table T2 moves on 12 May"))
    return meter


def final_report(store: MemoryStore, name: str, table: str) -> TableDay:
    """This table's part of the day's statement."""
    (day,) = statements(replayed(store, name), Calendar("06:00", UTC))
    return next(part for part in day.tables if part.table == table)


def test_r92_a_moved_table_leaves_with_its_final_report_and_joins_by_a_test_of_the_line() -> None:
    """From one link to another: its meters stay readable, its hello counts nothing, its wagers go to the new one."""
    store = MemoryStore()
    main, side = link(), replace(link(name="side"), tables=("T8",))
    meter = MeterBench(store, main, side)
    meter.say(hello("T1"), hello("T2"))
    meter.say(envelope(1, wagers(2, 3), "T2"), envelope(2, flush(), "T2"), envelope(3, payout(2), "T2"))
    final, stood = final_report(store, "main", "T2"), meter.heads["main"].pot
    assert (final.chips, final.chip_cents, final.hits, final.paid_cents) == (2, 200, 1, AMOUNT)
    meter.drain()
    after = moved(store, (replace(main, tables=("T1", "T3")), replace(side, tables=("T8", "T2"))))
    assert after.decide(Reopen()) == ""
    assert "not one of link main's tables" in after.reply(hello("T2")).refusal
    new = hello("T2", journal="at-the-new-place")
    report = after.say(new, link="side")
    (reply,) = (reply for table, reply in report.replies if table == "T2")
    assert (reply.refusal, reply.booked_seq) == ("", 0)
    assert after.heads["side"].pot.in_cents == 0
    after.say(envelope(1, wagers(1, 2, 3), "T2", "at-the-new-place"), link="side")
    side_pot = after.heads["side"].pot
    assert side_pot.amount_cents + side_pot.carry == TERMS.base_cents + Fraction(300 * TERMS.rate_bp, 10_000)
    assert after.heads["main"].pot == stood
    assert final_report(store, "main", "T2") == final


def test_r92_a_table_that_only_stood_elsewhere_goes_on_where_it_was() -> None:
    """Same link, another place on the floor: the line is tried, nothing is counted, and the next number is the next."""
    meter = MeterBench()
    meter.join(*TABLES)
    meter.say(envelope(1, wagers(1), "T2"))
    before = meter.heads["main"]
    reply = meter.reply(hello("T2", next_seq=2))
    assert (reply.refusal, reply.booked_seq, meter.heads["main"]) == ("", 1, before)
    assert meter.reply(envelope(2, wagers(1), "T2")).booked_seq == 2
