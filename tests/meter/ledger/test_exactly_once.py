"""Exactly once: whatever a broker loses, repeats and reorders, each entry moves the meter one time."""

from fractions import Fraction
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from link.messages import MAX_MESSAGE_BYTES, Entry, Envelope, Hello, Wagers, encode
from meter.booking.results import MessageResult
from meter.ledger.accounts import Account
from meter.ledger.records import Entered
from meter.store.base import Store, StoreFault
from meter.store.sqlite import SqliteStore
from tests.support.meter.meter_bench import (
    TABLES,
    TERMS,
    MemoryStore,
    MeterBench,
    envelope,
    flush,
    hello,
    payout,
    shown_after,
    straight_flush,
    wagers,
)

ROUNDS = st.lists(st.sets(st.integers(1, 7), min_size=1), min_size=1, max_size=8)
JOURNALS = st.fixed_dictionaries(dict.fromkeys(TABLES, ROUNDS))
NUMBERS = st.lists(st.integers(0, 10_000), max_size=60)


def journals_of(rounds: dict[str, list[set[int]]]) -> dict[str, list[Envelope]]:
    """Each table's entries, as its journal holds them."""
    return {
        table: [envelope(seq, wagers(*sorted(seats), number=seq), table) for seq, seats in enumerate(played, start=1)]
        for table, played in rounds.items()
    }


def exact_amount(journals: dict[str, list[Envelope]]) -> Fraction:
    """What the meter must hold, from the journals alone."""
    entries = [letter.entry for letters in journals.values() for letter in letters]
    chips = sum(len(entry.seats) for entry in entries if isinstance(entry, Wagers))
    return TERMS.base_cents + Fraction(chips * 100 * TERMS.rate_bp, 10_000)


def deliver_badly(store: Store, journals: dict[str, list[Envelope]], numbers: list[int]) -> MeterBench:
    """Delivers any messages in any order and grouping, with the meter started anew now and then."""
    everything: list[Envelope | Hello] = [hello(table) for table in journals]
    everything += [letter for letters in journals.values() for letter in letters]
    meter, batch = MeterBench(store), []
    for number in numbers:
        batch.append(everything[number % len(everything)])
        if number % 3 == 0:
            meter.say(*batch)
            batch = []
        if number % 11 == 0:
            meter = MeterBench(store)
    return meter


def resend_until_booked(meter: MeterBench, journals: dict[str, list[Envelope]]) -> None:
    """What every table does in the end: says hello and sends what is not acknowledged."""
    for table, letters in journals.items():
        booked = meter.reply(hello(table)).booked_seq
        for letter in letters[booked:]:
            assert meter.reply(letter).booked_seq == letter.seq


def assert_booked_once(meter: MeterBench, journals: dict[str, list[Envelope]]) -> None:
    """The amount is exact, and the ledger has each entry one time, each table's in order."""
    pot = meter.heads["main"].pot
    assert pot.amount_cents + pot.carry == exact_amount(journals)
    assert isinstance(meter.store, MemoryStore)
    booked = [record.cause.envelope for record, _ in meter.store.rows["main"] if isinstance(record.cause, Entered)]
    for table, letters in journals.items():
        assert [letter for letter in booked if letter.table == table] == letters


@given(rounds=JOURNALS, numbers=NUMBERS)
@settings(deadline=None, max_examples=60)
def test_every_wager_moves_the_meter_exactly_once(rounds: dict[str, list[set[int]]], numbers: list[int]) -> None:
    """R43: lost, repeated, reordered, regrouped, the meter restarted in between: the books agree to the fraction."""
    journals = journals_of(rounds)
    meter = deliver_badly(MemoryStore(), journals, numbers)
    resend_until_booked(meter, journals)
    assert_booked_once(meter, journals)
    again = MeterBench(meter.store)
    assert again.heads == meter.heads


@given(rounds=JOURNALS, numbers=NUMBERS)
@settings(deadline=None, max_examples=10)
def test_the_same_on_disk(
    tmp_path_factory: pytest.TempPathFactory, rounds: dict[str, list[set[int]]], numbers: list[int]
) -> None:
    """SQLite keeps the same promises, and a new process finds the same figures."""
    path = tmp_path_factory.mktemp("meter") / "ledger.sqlite"
    journals = journals_of(rounds)
    store = SqliteStore(path)
    meter = deliver_badly(store, journals, numbers)
    resend_until_booked(meter, journals)
    pot = meter.heads["main"].pot
    assert pot.amount_cents + pot.carry == exact_amount(journals)
    store.close()
    store = SqliteStore(path)
    assert MeterBench(store).heads == meter.heads
    store.close()


def test_a_repeated_award_gets_the_amount_of_the_first_time() -> None:
    """The meter has moved since; the answer has not."""
    meter = MeterBench()
    meter.join()
    meter.deal("T1")
    first = meter.reply(envelope(2, straight_flush()))
    meter.say(envelope(1, wagers(), "T2"), envelope(3, payout(2)))
    again = meter.say(envelope(2, straight_flush()))
    assert again.outcomes[0].result is MessageResult.DUPLICATE
    assert again.replies[0][1].awards == first.awards
    assert again.replies[0][1].booked_seq == 3


def test_an_award_asked_twice_in_one_transaction_is_fixed_once() -> None:
    """A repeat that arrives before the first is on disk is a repeat."""
    meter = MeterBench()
    meter.join()
    meter.deal("T1")
    report = meter.say(envelope(2, flush()), envelope(2, flush()))
    assert [outcome.result for outcome in report.outcomes] == [MessageResult.BOOKED, MessageResult.DUPLICATE]
    assert meter.amount_cents == shown_after(1) - 50_00


def test_a_gap_is_answered_with_what_is_booked() -> None:
    """Entry 3 before entry 2 changes nothing; the table learns where to begin again."""
    meter = MeterBench()
    meter.join()
    meter.say(envelope(1, wagers()))
    before = meter.heads["main"]
    report = meter.say(envelope(3, wagers()))
    assert report.outcomes[0].result is MessageResult.GAP
    assert report.replies[0][1].booked_seq == 1
    assert report.head == before


def test_the_same_number_with_other_content_is_refused() -> None:
    """Two boards with one copied journal are found out, and the meter does not move."""
    meter = MeterBench()
    meter.join()
    meter.say(envelope(1, wagers(1)))
    before = meter.heads["main"]
    reply = meter.reply(envelope(1, wagers(2)))
    assert "other content" in reply.refusal
    assert meter.heads["main"] == before
    assert "other content" in meter.say(envelope(2, wagers(1)), envelope(2, wagers(2))).replies[0][1].refusal


def test_an_altered_entry_of_long_ago_is_refused_once_and_keeps_nobody_from_the_next() -> None:
    """A replayed message cannot shut a table: it is refused and counted, and the next reply says nothing of it."""
    meter = MeterBench()
    meter.join()
    meter.say(*(envelope(seq, wagers(1)) for seq in (1, 2, 3)))
    report = meter.say(envelope(2, wagers(7)))
    assert (report.outcomes[0].result, report.replies[0][1].booked_seq) == (MessageResult.REFUSED, 3)
    assert "other content" in report.replies[0][1].refusal
    assert meter.reply(hello("T1")).refusal == ""
    assert meter.reply(envelope(4, wagers(1))).refusal == ""


@given(seqs=st.lists(st.tuples(st.integers(1, 12), st.booleans()), max_size=30))
def test_only_the_next_entry_can_leave_a_refusal_behind(seqs: list[tuple[int, bool]]) -> None:
    """Whatever comes, altered or not: a hello hears of a refusal exactly while the next entry is the refused one."""
    meter, bad = MeterBench(), set[int]()
    meter.join("T1")
    for seq, is_altered in seqs:
        booked = meter.reply(hello("T1")).booked_seq
        meter.say(envelope(seq, wagers(1, coupons=(2,)) if is_altered else wagers(1)))
        if seq == booked + 1:
            bad = {seq} if is_altered else set()
        assert bool(meter.reply(hello("T1")).refusal) == bool(bad)


def test_another_journal_under_a_known_name_is_refused_and_disturbs_nobody() -> None:
    """R13: a second table T1 neither joins nor books, and the first one goes on."""
    meter = MeterBench()
    meter.join()
    meter.say(envelope(1, wagers()))
    stranger = meter.reply(hello("T1", journal="other"))
    assert "another journal" in stranger.refusal
    assert stranger.journal == "other"
    assert stranger.booked_seq == 0
    assert "another journal" in meter.reply(envelope(2, wagers(), journal="other")).refusal
    reply = meter.reply(envelope(2, wagers()))
    assert (reply.booked_seq, reply.refusal) == (2, "")


def test_a_table_that_has_not_joined_is_told_to() -> None:
    """An entry before the hello is not booked and not lost: the table keeps it."""
    meter = MeterBench()
    assert "say hello" in meter.reply(envelope(1, wagers())).refusal
    meter.join("T1")
    assert meter.reply(envelope(1, wagers())).booked_seq == 1


def test_a_refusal_is_repeated_until_the_entry_is_taken() -> None:
    """While entry 1 is refused, the replies to the entries behind it say so, too."""
    meter = MeterBench()
    meter.join("T1")
    bad = envelope(1, wagers(1, coupons=(2,)))
    assert "coupon" in meter.reply(bad).refusal
    assert "coupon" in meter.reply(envelope(2, wagers(2))).refusal
    assert meter.reply(envelope(1, wagers(1))).refusal == ""
    assert meter.reply(envelope(2, wagers(2))).booked_seq == 2


def test_every_reply_carries_the_tables_open_awards() -> None:
    """A lost reply loses no amount: the next one has it, and only for the table that asked."""
    meter = MeterBench()
    meter.join()
    meter.deal("T1", seats=(7, 2))
    meter.say(envelope(2, flush(seat=7)), envelope(3, flush(seat=2)))
    assert [award.seq for award in meter.reply(hello("T1")).awards] == [2, 3]
    assert meter.reply(hello("T2")).awards == ()
    meter.say(envelope(4, payout(2)))
    assert [award.seq for award in meter.reply(hello("T1")).awards] == [3]


def test_many_amounts_come_in_several_replies() -> None:
    """A table that repeats a night's claims gets every amount, in messages that are not too long."""
    meter = MeterBench()
    meter.join("T1")
    rounds: list[tuple[Entry, ...]] = [(wagers(3), flush(number=seq), payout(seq + 1)) for seq in range(1, 361, 3)]
    night = [envelope(seq, entry) for seq, entry in enumerate(chain.from_iterable(rounds), start=1)]
    meter.say(*night)
    replies = [reply for _, reply in meter.say(*night).replies]
    assert [award.seq for reply in replies for award in reply.awards] == list(range(2, 361, 3))
    assert all(len(encode(reply)) <= MAX_MESSAGE_BYTES for reply in replies)
    assert {reply.booked_seq for reply in replies} == {360}


def test_a_batch_is_one_commit() -> None:
    """Three tables and thirty entries cost one transaction."""
    store = MemoryStore()
    meter = MeterBench(store)
    meter.join()
    before = store.commits
    meter.say(*(envelope(seq, wagers(), table) for seq in range(1, 11) for table in TABLES))
    assert store.commits == before + 1


def test_a_hello_heard_before_is_not_written_again(tmp_path: Path) -> None:
    """A table that reconnects all night does not fill the ledger; one that changed its shape is recorded."""
    store = MemoryStore()
    meter = MeterBench(store)
    meter.join("T1")
    before = store.commits
    assert meter.reply(hello("T1", next_seq=17)).refusal == ""
    assert store.commits == before
    assert meter.reply(hello("T1", software="newer")).refusal == ""
    assert store.commits == before + 1


def test_r41_figures_that_disagree_never_reach_the_disk() -> None:
    """A fault of the arithmetic or the memory stops the meter before anything of it is written or said."""
    store = MemoryStore()
    meter = MeterBench(store)
    meter.join("T1")
    state, written = meter.booker._link_bookers["main"]._state, store.commits
    pot = state.head.pot
    state.head = replace(state.head, pot=replace(pot, balances={**pot.balances, Account.METER: 1}))
    with pytest.raises(StoreFault, match="add up to"):
        meter.say(envelope(1, wagers()))
    assert store.commits == written
