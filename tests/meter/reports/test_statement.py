"""The gaming day reconciles to nothing, whatever was played."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from link.messages import Coupon, Entry, Wagers
from meter.ledger.accounts import Account
from meter.ledger.balances import LinkTerms
from meter.ledger.decisions import Close, Correct, DecideHeld, EntryRef, Transfer
from meter.reports.formatting import in_dollars
from meter.reports.statement import AccountTotals, StillHeld, kept
from meter.reports.statement_text import statement_rows, statement_text
from meter.store.audit import audited
from tests.support.meter.accounting_bench import DAY_MS, adds_up_by_account, days, house, moved, round_down
from tests.support.meter.meter_bench import (
    TERMS,
    MemoryStore,
    MeterBench,
    envelope,
    flush,
    link,
    payout,
    rejection,
    royal,
    wagers,
)


def test_r107_r108_the_days_reconcile_with_variance_zero() -> None:
    """Opening + contributions - payouts +- corrections = closing, and the next day opens where this one closed."""
    meter = house()
    meter.say(envelope(1, Coupon(1, 3, "C-1")), envelope(2, wagers(1, 2, 3, coupons=(3,), number=1)))
    meter.say(envelope(3, royal()), envelope(1, wagers(), "T2"))
    meter.now_ms += DAY_MS
    meter.say(envelope(4, payout(3)), envelope(2, Wagers(2, 500, (1,)), "T2"))
    meter.decide(Correct(meter.amount_cents, meter.amount_cents - 5))
    meter.now_ms += DAY_MS
    meter.decide(DecideHeld(EntryRef("T2", "journal-T2", 2), counts=True))
    one, two, three = days(meter)
    assert all(day.is_reconciled and adds_up_by_account(day) for day in (one, two, three))
    assert (one.closing_units, two.closing_units) == (two.opening_units, three.opening_units)
    assert moved(one)["contribution"].together == 600 * 7_037
    assert moved(one)["reset_contribution"].together == 600 * 500
    nothing = dict.fromkeys(("contribution", "reset_contribution", "overflow"), AccountTotals())
    payouts = kept({Account.AWARDS: -(1_000_211 * 10_000)})
    assert moved(two) == nothing | {"payout": payouts, "correction": kept({Account.METER: -5 * 10_000})}
    assert moved(three)["contribution"] == kept({Account.METER: 500 * 7_037})
    assert (one.pending_cents, two.pending_cents) == (1_000_211, 0)


def test_r87_reset_meter_overflow_and_awards_are_accounts_of_their_own_in_every_statement() -> None:
    """The three kinds of contributions apart, and what a refill takes from the funds that nobody sees."""
    terms = replace(TERMS, reset_rate_bp=500, limit_cents=1_000_300, overflow_seeds_next=True)
    meter = house(link(terms))
    meter.say(envelope(1, wagers()), envelope(2, wagers()), envelope(3, royal(number=2)))
    meter.now_ms += DAY_MS
    meter.say(envelope(4, wagers(1)))
    first, second = days(meter)
    figures = moved(first)
    over = 600 * 7_037 - 300 * 10_000
    assert figures["contribution"] == kept({Account.METER: 300 * 10_000})
    assert figures["overflow"] == kept({Account.OVERFLOW: over})
    assert figures["reset_contribution"] == kept({Account.RESET_METER: 600 * 500})
    whole = 1_000_300 * 10_000
    assert figures["award_fixed"] == kept({Account.METER: -whole, Account.AWARDS: whole})
    collected, seeded = 600 * 500 // 10_000 * 10_000, over // 10_000 * 10_000
    refill = {Account.RESET_METER: -collected, Account.OVERFLOW: -seeded}
    assert figures["refill"] == kept(refill | {Account.METER: 500_000 * 10_000 + collected + seeded})
    assert first.closing_units.awards == whole
    assert first.closing_units == second.opening_units
    assert all(day.is_reconciled and adds_up_by_account(day) for day in (first, second))


def test_r88_a_transfer_stands_in_the_statements_of_both_links_gross_and_by_name() -> None:
    """What went out and what came in on one day are two figures, by link and by account."""
    meter = house(link(replace(TERMS, reset_rate_bp=500)), link(name="side"), link(name="third"))
    meter.say(*(envelope(seq, wagers()) for seq in range(1, 101)))
    assert meter.decide(Transfer("side", 300_000, 1_000)) == ""
    assert meter.decide(Transfer("third", 50_000)) == ""
    assert meter.decide(Transfer("main", 100_000), link="side") == ""
    (main,), (side,), (third,) = (days(meter, name) for name in ("main", "side", "third"))
    units = {Account.METER: 300_000 * 10_000, Account.RESET_METER: 1_000 * 10_000}
    assert moved(main)["transfer_out side"] == kept({account: -moved for account, moved in units.items()})
    assert moved(main)["transfer_out third"] == kept({Account.METER: -50_000 * 10_000})
    assert moved(main)["transfer_in side"] == kept({Account.METER: 100_000 * 10_000})
    assert moved(side)["transfer_in main"] == kept(units)
    assert moved(side)["transfer_out main"] == kept({Account.METER: -100_000 * 10_000})
    assert moved(third)["transfer_in main"] == kept({Account.METER: 50_000 * 10_000})
    assert all(day.is_reconciled and adds_up_by_account(day) for day in (main, side, third))
    text = statement_text(main)
    assert "transfer out to side" in text
    assert "transfer in from side" in text


def test_r2_held_wagers_are_mentioned_and_count_in_no_figure() -> None:
    """How many, how much, and that they do not count yet; once they do, they are a contribution of that day."""
    meter = house()
    meter.say(envelope(1, Wagers(2, 500, (1, 2)), "T2"), envelope(1, Wagers(2, 700, (1,)), "T3"))
    (day,) = days(meter)
    assert day.held == StillHeld(entries=2, wagers=3, cents=1_700)
    assert moved(day)["contribution"] == AccountTotals()
    assert day.tables == ()
    assert "held: entries 2, wagers 3, $17; they do not count yet" in statement_text(day)
    held = {row["figure"]: (row["dollars"], row["count"]) for row in statement_rows(day) if row["count"] != ""}
    assert held == {"held_and_not_counted": ("17.00", 3), "held_entries": ("17.00", 2)}
    meter.decide(DecideHeld(EntryRef("T2", "journal-T2", 1), counts=True))
    (day,) = days(meter)
    assert day.held == StillHeld(entries=1, wagers=1, cents=700)
    assert moved(day)["contribution"].meter == 1_000 * 7_037


def test_a_rehearsal_links_statement_says_that_it_is_play_money() -> None:
    """Nobody takes it for the books."""
    meter = MeterBench(MemoryStore(), link(replace(TERMS, rehearsal=True)), link(name="live"))
    (play,), (live,) = days(meter), days(meter, "live")
    assert (play.rehearsal, live.rehearsal) == (True, False)
    assert "PLAY MONEY" in statement_text(play)
    assert "PLAY MONEY" not in statement_text(live)
    assert {row["money"] for row in statement_rows(play)} == {"play"}
    assert {row["money"] for row in statement_rows(live)} == {"real"}


def test_r14_each_table_has_its_part() -> None:
    """In by chips and coupons, contributions, and what was paid there."""
    meter = house()
    meter.say(envelope(1, Coupon(1, 3, "C-1")), envelope(2, wagers(1, 2, 3, coupons=(3,), number=1)))
    meter.say(envelope(1, wagers(3), "T2"))
    meter.say(envelope(2, flush(), "T2"), envelope(3, payout(2), "T2"))
    (day,) = days(meter)
    one, two = day.tables
    assert (one.table, one.chips, one.chip_cents, one.coupons, one.coupon_cents) == ("T1", 2, 200, 1, 100)
    assert (one.contribution_units, one.reset_contribution_units, one.overflow_units) == (300 * 7_037, 300 * 500, 0)
    assert (two.table, two.hits, two.paid_cents) == ("T2", 1, 50_00)


def test_r87_what_a_released_award_leaves_above_the_limit_goes_from_the_meter_to_the_overflow() -> None:
    """70.5 cents wagered while the whole of a full meter was claimed: no account has a variance."""
    meter = house(link(LinkTerms(7_050, 1_000_00, 500_00, limit_cents=1_000_00)))
    meter.deal("T1")
    meter.now_ms += DAY_MS
    meter.say(envelope(2, royal()), envelope(1, wagers(1), "T2"), envelope(3, rejection(2)))
    _, day = days(meter)
    assert moved(day)["overflow"] == AccountTotals(meter=-705_000, overflow=705_000)
    assert moved(day)["contribution"] == AccountTotals(meter=705_000, together=705_000)
    assert day.is_reconciled
    assert adds_up_by_account(day)


PLAYED = st.sampled_from(["wagers", "coupons", "held", "count", "flush", "royal", "pay", "reject", "raise", "give"])


@given(
    played=st.lists(st.tuples(st.sampled_from(["T1", "T2"]), PLAYED), max_size=30),
    rate_bp=st.integers(1, 9_000),
    reset_rate_bp=st.integers(0, 1_000),
    limit_cents=st.sampled_from([0, 1_000_200, 1_000_900]),
)
@settings(deadline=None, max_examples=60)
def test_r108_whatever_happens_every_account_reconciles_on_every_day(
    played: list[tuple[str, str]], rate_bp: int, reset_rate_bp: int, limit_cents: int
) -> None:
    """Each day opens where the one before closed, no account has a variance, and the tables' parts are the link's."""
    terms = LinkTerms(rate_bp, 1_000_000, 500_000, reset_rate_bp=reset_rate_bp, limit_cents=limit_cents)
    meter = house(link(terms), link(name="side"))
    meter.deal("T1", "T2")
    for table, what in played:
        happen(meter, table, what)
        meter.now_ms += DAY_MS // 5
    for name in ("main", "side"):
        found = days(meter, name)
        assert all(day.is_reconciled and adds_up_by_account(day) for day in found)
        assert all(one.closing_units == other.opening_units for one, other in pairwise(found))
        assert found[-1].closing_units == kept(meter.heads[name].pot.balances)
        for day in found:
            for figure, part in (
                ("contribution", "contribution_units"),
                ("reset_contribution", "reset_contribution_units"),
                ("overflow", "overflow_units"),
            ):
                assert moved(day)[figure].together == sum(getattr(table, part) for table in day.tables)


def happen(meter: MeterBench, table: str, what: str) -> None:
    """One thing that may happen at a table or be decided; what cannot happen now does not."""
    pot = meter.heads["main"].pot
    mine = [award.seq for award in (*pot.awards, *pot.claims) if award.table == table]
    member = next(member for member in meter.booker.members("main") if member.hello.table == table)
    number = member.round or 0
    entries: dict[str, Entry] = {
        "wagers": wagers(1, 2, 3),
        "coupons": wagers(2, 3, coupons=(2,), number=number + 1),
        "held": Wagers(number + 1, 700, (2, 3)),
        "flush": flush(number=number),
        "royal": royal(number=number),
        **({"pay": payout(mine[0]), "reject": rejection(mine[0])} if mine else {}),
    }
    if what == "coupons":
        serial = f"{table}-{member.booked_seq}"
        meter.say(envelope(member.booked_seq + 1, Coupon(number + 1, 2, serial), table))
        meter.say(envelope(member.booked_seq + 2, entries[what], table))
    elif what in entries:
        meter.say(envelope(member.booked_seq + 1, entries[what], table))
    elif what == "count" and pot.held:
        meter.decide(DecideHeld(EntryRef(*pot.held[0].key), counts=True))
    elif what == "raise":
        meter.decide(Correct(pot.amount_cents, pot.amount_cents + 7))
    elif what == "give":
        meter.decide(Transfer("side", 1_000, pot.cents(Account.RESET_METER)))


def test_r90_on_its_last_day_a_link_closes_to_the_house_and_the_statement_adds_up() -> None:
    """What went to the house is a movement; the closing balance is nothing, and is not mistaken for it."""
    meter = house()
    meter.say(envelope(1, wagers()))
    meter.drain()
    assert meter.decide(Close()) == ""
    (day,) = days(meter)
    left = {Account.METER: 1_000_000 * 10_000 + 300 * 7_037, Account.RESET_METER: 300 * 500}
    assert moved(day)["closed_to_the_house"] == kept({account: -units for account, units in left.items()})
    assert (day.closing_units, day.is_reconciled, adds_up_by_account(day)) == (AccountTotals(), True, True)
    rows = [row for row in statement_rows(day) if row["account"] == "together"]
    figures = {str(row["figure"]): Fraction(str(row["dollars"])) for row in rows}
    assert len(rows) == len(figures)
    assert [figures.pop(name) for name in ("closing", "variance", "opening")] == [Fraction(0)] * 3
    assert sum(figures.values()) == 0
    names = [line.strip().partition("  ")[0] for line in statement_text(day).splitlines()]
    assert (names.count("closing"), names.count("closed to the house")) == (1, 1)


def test_r108_a_meter_that_rounds_passes_its_own_audit_and_not_the_statement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A program that drops what is below a cent books and audits the same: wagers and rates know better."""
    round_down(monkeypatch)
    meter = house()
    meter.say(envelope(1, wagers(1)))
    audited(meter.store, "main")
    (day,) = days(meter)
    assert not day.is_reconciled
    assert day.variance_units == kept({Account.METER: -37 * 100})


@pytest.mark.parametrize(
    ("units", "words"),
    [(0, "0.00"), (10_000, "0.01"), (-12_345_678_900, "-12,345.6789"), (1, "0.000001"), (1_000_000, "1.00")],
)
def test_units_are_said_as_exact_dollars(units: int, words: str) -> None:
    """Nothing below a cent is dropped in print either."""
    assert in_dollars(units) == words
