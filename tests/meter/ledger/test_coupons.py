"""The coupon register of a link: a serial number is redeemed once, and free again after its return (S-122, 1.18)."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from link.messages import Coupon, CouponAnswer, CouponReturn, Entry, Envelope, Redemption, Reply, decode, encode
from meter.booking.rate_limits import MOST_IN_A_MINUTE
from meter.ledger.coupons import CouponRegister
from meter.ledger.decisions import DecideHeld, EntryRef, SwapBoard
from meter.ledger.decisions import Reopen as ReopenLink
from meter.ledger.records import Entered, Record
from meter.reports.export import export_rows, export_text
from meter.reports.verification import verified_ledgers
from meter.store.audit import audited
from meter.store.backup import back_up, restore
from meter.store.base import Store, StoreFault
from meter.store.open import open_store
from meter.store.postgres import NEWEST_OF_COUPON, PostgresStore
from meter.store.replay import replayed
from meter.store.sqlite import SqliteStore
from tests.support.meter.meter_bench import (
    NOW_MS,
    TERMS,
    MemoryStore,
    MeterBench,
    envelope,
    hello,
    store_address,
    wagers,
)
from tests.support.meter.postgres_bench import reopening

Open = Callable[[], Store]


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new store of each kind."""
    return store_address(request, tmp_path)


@pytest.fixture
def again(address: str) -> Iterator[Open]:
    """Opens that store, as the next process would."""
    with reopening(address) as open_again:
        yield open_again


def answers(reply: Reply) -> tuple[CouponAnswer, ...]:
    """What a reply says of coupons."""
    return () if reply.coupons is UNSET else reply.coupons


def test_1_18_a_coupon_is_redeemed_once_on_the_whole_link() -> None:
    """Another seat, table or round is told where and when it was redeemed; the sequence goes on (S-122)."""
    meter = MeterBench()
    meter.join("T1", "T2")
    assert answers(meter.reply(envelope(1, Coupon(7, 3, "C-1")))) == (CouponAnswer(1),)
    first = Redemption("T1", 7, 3, NOW_MS)
    meter.now_ms += 60_000
    refused = meter.reply(envelope(1, Coupon(2, 5, "C-1"), "T2"))
    assert answers(refused) == (CouponAnswer(1, accepted=False, first=first),)
    assert (refused.booked_seq, refused.refusal, refused.held) == (1, "", "")
    assert CouponAnswer(2, accepted=False, first=first) in answers(meter.reply(envelope(2, Coupon(7, 4, "C-1"))))
    meter.say(envelope(3, wagers(3, coupons=(3,), number=7)))
    assert answers(meter.reply(envelope(4, Coupon(8, 3, "C-1")))) == (CouponAnswer(4, accepted=False, first=first),)


@pytest.mark.parametrize(
    "before",
    [
        (),
        (Coupon(7, 4, "C-1"),),
        (Coupon(6, 3, "C-1"),),
        (Coupon(7, 3, "C-1"), CouponReturn(1, "C-1")),
        (Coupon(7, 4, "C-1"), Coupon(7, 3, "C-1")),
    ],
)
def test_1_18_a_coupons_wager_that_the_register_does_not_know_is_held(before: tuple[Entry, ...]) -> None:
    """None at this seat, in another round, given back, or refused: two persons decide, the meter stands (S-122)."""
    meter = MeterBench()
    meter.join("T1")
    for seq, entry in enumerate(before, start=1):
        meter.say(envelope(seq, entry))
    meter.say(envelope(len(before) + 1, wagers(1, 3, coupons=(3,), number=7)))
    (held,) = meter.heads["main"].pot.held
    assert held.reason == "a coupon at seat 3 in round 7, for which the register redeemed none"
    assert (meter.amount_cents, meter.heads["main"].pot.in_cents) == (TERMS.base_cents, 0)
    assert meter.decide(DecideHeld(EntryRef(*held.key), counts=True)) == ""
    assert meter.heads["main"].pot.coupons == 1


def test_1_18_a_coupon_that_was_redeemed_in_this_round_counts_at_once() -> None:
    """Also where it was given back and redeemed anew (S-122)."""
    meter = MeterBench()
    meter.join("T1")
    moves: tuple[Entry, ...] = (Coupon(7, 3, "C-1"), CouponReturn(1, "C-1"), Coupon(7, 3, "C-1"))
    meter.say(*(envelope(seq, entry) for seq, entry in enumerate(moves, start=1)))
    meter.say(envelope(4, wagers(1, 3, coupons=(3,), number=7)))
    assert (meter.heads["main"].pot.held, meter.heads["main"].pot.coupons) == ((), 1)


def test_both_of_one_transaction_cannot_have_it() -> None:
    """Two tables redeem one coupon in the same batch: the first that is booked has it."""
    meter = MeterBench()
    meter.join("T1", "T2")
    report = meter.say(envelope(1, Coupon(1, 3, "C-1")), envelope(1, Coupon(1, 3, "C-1"), "T2"))
    told = {table: answers(reply) for table, reply in report.replies}
    assert [answer.accepted for answer in (*told["T1"], *told["T2"])] == [True, False]


def test_a_returned_coupon_is_free_again() -> None:
    """Whoever redeems it next has it, at any table, and is the one that later ones are told of."""
    meter = MeterBench()
    meter.join("T1", "T2")
    meter.say(envelope(1, Coupon(1, 3, "C-1")), envelope(2, CouponReturn(1, "C-1")))
    assert answers(meter.reply(envelope(1, Coupon(4, 6, "C-1"), "T2"))) == (CouponAnswer(1),)
    (told,) = answers(meter.reply(envelope(3, Coupon(1, 3, "C-1"))))
    assert told.first == Redemption("T2", 4, 6, NOW_MS)


def test_a_return_frees_only_what_its_own_entry_redeemed() -> None:
    """A coupon that was refused goes back to its player and stays redeemed where it was; it is booked (S-122)."""
    meter = MeterBench()
    meter.join("T1", "T2")
    meter.say(envelope(1, Coupon(1, 3, "C-1")), envelope(2, wagers(3, coupons=(3,), number=1)))
    meter.say(envelope(3, Coupon(2, 3, "C-1")), envelope(1, Coupon(1, 3, "C-1"), "T2"))
    backs = (envelope(4, CouponReturn(3, "C-1")), envelope(2, CouponReturn(1, "C-1"), "T2"))
    assert [outcome.result.value for outcome in meter.say(*backs).outcomes] == ["booked", "booked"]
    again = meter.reply(envelope(3, Coupon(2, 4, "C-1"), "T2"))
    assert answers(again)[-1].first == Redemption("T1", 1, 3, NOW_MS)
    meter.say(envelope(5, CouponReturn(1, "C-1")))
    assert answers(meter.reply(envelope(4, Coupon(2, 4, "C-1"), "T2"))) == (
        CouponAnswer(1, accepted=False, first=Redemption("T1", 1, 3, NOW_MS)),
        CouponAnswer(4),
    )


def test_the_answer_rides_along_until_wagers_are_registered() -> None:
    """A table that missed the first reply hears it with every other, and with its next hello."""
    meter = MeterBench()
    meter.join("T1")
    meter.say(envelope(1, Coupon(1, 3, "C-1")), envelope(2, Coupon(1, 5, "C-2")))
    both = (CouponAnswer(1), CouponAnswer(2))
    assert answers(meter.reply(hello("T1", next_seq=3))) == both
    assert answers(meter.reply(envelope(2, Coupon(1, 5, "C-2")))) == both  # repeated
    assert answers(MeterBench(meter.store).reply(hello("T1", next_seq=3))) == both
    assert meter.reply(envelope(3, wagers(3, 5, coupons=(3, 5), number=1))).coupons is UNSET


def test_a_seat_that_tries_coupon_after_coupon_has_one_answer() -> None:
    """What a reply carries stays small, however many coupons are tried."""
    meter = MeterBench()
    meter.join("T1", "T2")
    meter.say(envelope(1, Coupon(1, 3, "C-1"), "T2"))
    for seq in range(1, 30):
        reply = meter.reply(envelope(seq, Coupon(1, 1 + seq % 7, "C-1")))
    assert len(answers(reply)) == 7
    assert decode(encode(reply), Reply) == reply


def test_a_table_that_says_nothing_of_coupons_hears_nothing_of_them() -> None:
    """An older table refuses fields that it does not know."""
    meter = MeterBench()
    meter.join("T1")
    assert b"coupons" not in encode(meter.reply(envelope(1, wagers(3))))


def test_a_coupon_that_no_table_sends_is_refused() -> None:
    """It is not booked, and the register does not move."""
    meter = MeterBench()
    meter.join("T1", "T2")
    reply = meter.reply(envelope(1, Coupon(1, 8, "C-1")))
    assert (reply.refusal, reply.booked_seq) == ("a coupon at seat 8 of a table with 7 seats", 0)
    assert answers(meter.reply(envelope(1, Coupon(1, 3, "C-1"), "T2"))) == (CouponAnswer(1),)


@pytest.mark.parametrize("serial", ["", "c-1", "C 1", "C" * 41, "Ç-1", "C-1\n"])
def test_a_serial_number_is_what_a_bar_code_holds(serial: str) -> None:
    """One coupon has one spelling: capital letters, no spaces."""
    words = msgspec.json.encode(Coupon(1, 3, serial))
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(words, type=Coupon)


def test_coupons_without_end_are_held_up() -> None:
    """A table that redeems and returns in a loop fills no ledger: its hello counts, too."""
    meter = MeterBench()
    meter.join("T1")
    for seq in range(1, MOST_IN_A_MINUTE):
        meter.say(envelope(seq, CouponReturn(seq - 1, "C-1") if seq % 2 == 0 else Coupon(1, 3, "C-1")))
    assert "rate limit" in meter.reply(envelope(MOST_IN_A_MINUTE, CouponReturn(59, "C-1"))).held
    meter.now_ms += 60_000
    assert meter.reply(envelope(MOST_IN_A_MINUTE, CouponReturn(59, "C-1"))).booked_seq == MOST_IN_A_MINUTE


def test_a_new_board_begins_anew_and_what_the_old_one_redeemed_stays() -> None:
    """A coupon of a lost journal is not free because its table has a new board."""
    meter = MeterBench()
    meter.join("T1")
    meter.say(envelope(1, Coupon(1, 3, "C-1")))
    assert meter.decide(SwapBoard("T1", "journal-T1", "new")) == ""
    meter.say(hello("T1", journal="new"))
    mine = msgspec.structs.replace(envelope(1, Coupon(1, 3, "C-1")), journal="new")
    assert answers(meter.reply(mine))[0].first == Redemption("T1", 1, 3, NOW_MS)
    back = msgspec.structs.replace(envelope(2, CouponReturn(1, "C-1")), journal="new")
    meter.say(back)
    other = msgspec.structs.replace(envelope(3, Coupon(1, 4, "C-1")), journal="new")
    assert not answers(meter.reply(other))[-1].accepted


@pytest.mark.parametrize("read_at_most", [None, 0])
def test_the_register_is_exact_after_a_restart(again: Open, read_at_most: int | None) -> None:
    """Whether the next meter reads all records, or trusts the figures after the last one."""
    meter = MeterBench(again())
    meter.join("T1", "T2")
    meter.say(envelope(1, Coupon(1, 3, "C-1")), envelope(2, Coupon(1, 4, "C-2")), envelope(3, CouponReturn(2, "C-2")))
    meter = MeterBench(again(), now_ms=NOW_MS + 1, audited_at_most=read_at_most)
    assert bool(meter.booker.unaudited) == (read_at_most == 0)
    told = answers(meter.reply(envelope(1, Coupon(9, 1, "C-1"), "T2")))
    assert told == (CouponAnswer(1, accepted=False, first=Redemption("T1", 1, 3, NOW_MS)),)
    assert answers(meter.reply(envelope(2, Coupon(9, 1, "C-2"), "T2"))) == (CouponAnswer(2),)
    audited(again(), "main")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            "serial = NULL WHERE number = 4",
            "record 4: it is filed as record 4, entry 1 of journal journal-T1 of table T1",
        ),
        ("serial = 'C-9' WHERE number = 4", "of table T1, coupon C-9"),
        ("serial = 'C-1' WHERE number = 1", "record 1: it is filed as record 1"),
    ],
)
def test_an_edited_register_is_found(again: Open, change: str, words: str) -> None:
    """Coupons are looked up by their column: what is filed otherwise than its record says is damage."""
    meter = MeterBench(again())
    meter.join("T1", "T2")
    meter.say(envelope(1, Coupon(1, 3, "C-1")))
    store = again()
    assert isinstance(store, SqliteStore | PostgresStore)
    store._database.execute(f"UPDATE ledger SET {change}")
    with pytest.raises(StoreFault) as fault:
        audited(store, "main")
    assert words in str(fault.value)


def test_a_forged_answer_does_not_follow() -> None:
    """A record that took a coupon twice is damage, though its seal fits."""
    store = MemoryStore()
    meter = MeterBench(store)
    meter.join("T1", "T2")
    meter.say(envelope(1, Coupon(1, 3, "C-1")))
    forged = CouponRegister()  # which knows nothing of the first
    meter.booker._link_bookers["main"]._state.coupons = forged
    meter.say(envelope(1, Coupon(1, 3, "C-1"), "T2"))
    with pytest.raises(StoreFault, match="its figures do not follow from its cause"):
        audited(store, "main")


def test_a_backup_has_the_register(address: str, again: Open, tmp_path: Path) -> None:
    """Copied, restored and verified, it refuses the same coupons."""
    meter = MeterBench(again())
    meter.join("T1", "T2")
    meter.say(envelope(1, Coupon(1, 3, "C-1")), envelope(2, Coupon(1, 4, "C-2")), envelope(3, CouponReturn(2, "C-2")))
    copy, restored = tmp_path / "copy.sqlite", tmp_path / "restored.sqlite"
    back_up(address, copy)
    restore(copy, str(restored), datetime.fromtimestamp(NOW_MS / 1_000, UTC))
    store = open_store(str(restored))
    try:
        assert all(book.is_sound for book in verified_ledgers(store, ["main"]))
        meter = MeterBench(store)
        assert meter.decide(ReopenLink()) == ""
        meter.join("T2")
        assert not answers(meter.reply(envelope(1, Coupon(2, 1, "C-1"), "T2")))[0].accepted
        assert answers(meter.reply(envelope(2, Coupon(2, 2, "C-2"), "T2")))[1].accepted
    finally:
        store.close()


def test_the_export_says_which_coupons_were_refused_and_why() -> None:
    """With the place and the time of the redemption, for whoever looks into a dispute."""
    meter = MeterBench()
    meter.join("T1", "T2")
    meter.say(envelope(1, Coupon(7, 3, "C-1")), envelope(1, Coupon(2, 5, "C-1"), "T2"))
    taken, refused = list(replayed(meter.store, "main"))[-2:]
    assert "Coupon at table T1, entry 1" in export_text(taken)
    (row,) = export_rows(refused)
    assert (row["cause"], row["details"]) == ("Coupon refused", "round=2; seat=5; serial=C-1")
    assert row["reason"] == "redeemed at table T1, seat 3, round 7, 2027-01-15T08:00:00.000+00:00"


_tables = st.sampled_from(["T1", "T2"])
_moves = st.lists(
    st.tuples(_tables, st.integers(1, 3), st.sampled_from(["C-1", "C-2"]), st.integers(0, 3)), max_size=20
)


@given(_moves)
def test_a_coupon_is_never_at_two_places(moves: list[tuple[str, int, str, int]]) -> None:
    """Whatever tables redeem and return, in one batch or many, live and replayed: one holder at most."""
    meter, holders, seqs = MeterBench(), dict[str, tuple[str, int]](), {"T1": count(1), "T2": count(1)}
    meter.join("T1", "T2")
    for table, seat, serial, back in moves:
        seq = next(seqs[table])
        entry: Entry = CouponReturn(back, serial) if back else Coupon(1, seat, serial)
        reply = meter.reply(envelope(seq, entry, table))
        if back and holders.get(serial) == (table, back):
            del holders[serial]
        elif not back:
            (answer,) = (answer for answer in answers(reply) if answer.seq == seq)
            assert answer.accepted == (serial not in holders)
            holders.setdefault(serial, (table, seq))
    audited(meter.store, "main")


def test_a_lookup_asks_the_store_once_and_keeps_nothing() -> None:
    """With a hundred thousand serials redeemed, booking one more copies none of them."""
    asked: list[str] = []

    def newest(serial: str) -> Record | None:
        asked.append(serial)
        return None

    register = CouponRegister(newest)
    cause = Entered(Envelope(1, "T1", "j", 1, 0, Coupon(1, 3, "C-1")))
    answer = register.answer(cause)
    assert (answer, asked) == (CouponAnswer(1), ["C-1"])
    register.take(Record("main", 1, 0, cause, coupon=CouponAnswer(1)))
    refused = register.answer(cause)
    assert refused is not UNSET
    assert not refused.accepted
    assert asked == ["C-1"]
    register.were_written()
    assert register.answer(cause) == CouponAnswer(1)
    assert asked == ["C-1", "C-1"]


def test_a_coupon_is_looked_up_by_its_index_and_never_by_reading_the_ledger(again: Open) -> None:
    """However many records there are: SQLite is told so, PostgreSQL's plan says so."""
    meter = MeterBench(again())
    meter.join("T1")
    meter.say(*(envelope(seq, Coupon(1, 3, f"C-{seq}")) for seq in range(1, 50)))
    store = again()
    if isinstance(store, PostgresStore):
        with store._database.transaction():
            store._database.execute("SET LOCAL enable_seqscan = off")  # which so few records would allow
            plan = store._rows(f"EXPLAIN {NEWEST_OF_COUPON}", "main", "C-7")
        assert any("ledger_coupon" in row[0] for row in plan)
    else:
        assert isinstance(store, SqliteStore)
        store._database.execute("DROP INDEX ledger_coupon")
        with pytest.raises(StoreFault, match="ledger_coupon"):
            store.newest_of_coupon("main", "C-7")
