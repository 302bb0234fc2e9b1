"""Every award is reproduced from the ledger, whatever was played."""

import pytest
from accounting_bench import DAY_MS, SIX, days, house, reports
from first_books import first_books
from hypothesis import given, settings
from hypothesis import strategies as st
from meter_bench import (
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
    royal,
    straight_flush,
    wagers,
)
from msgspec.structs import replace

from meter import clerk
from meter.award_outcome import Outcome
from meter.award_page import award_rows, award_text
from meter.award_report import AwardReport, award_reports
from meter.awards import contest
from meter.decisions import Claim, OrderClaims, SettleAward
from meter.ledger import FIRST_RULES, RULES, Terms
from meter.link import Award, Entry
from meter.replay import told


def adds_up(report: AwardReport) -> bool:
    """Whether the printed lines make the meter before the award, and the tables' part is that of the wagers."""
    by_wagers = report.movements.get("contribution", 0)
    is_meter = report.start_units + sum(report.movements.values()) == report.before_units
    return is_meter and sum(report.contributions.values()) == by_wagers


def test_r68_an_award_is_reproduced_from_all_contributions_since_the_last_one() -> None:
    """Start, contributions by table, and the meter they make: to the cent."""
    meter = MeterBench()
    meter.join()
    meter.say(envelope(1, wagers(1, 2, 3)), envelope(1, wagers(1), "T2"), envelope(2, royal()), envelope(3, payout(2)))
    meter.say(envelope(2, wagers(1, 2), "T2"), envelope(3, straight_flush(), "T2"))
    first, second = reports(meter)
    assert (first.start_units, first.movements["base"]) == (0, TERMS.base_cents * 10_000)
    assert first.contributions == {"T1": 300 * 7_037, "T2": 100 * 7_037}
    assert first.award.amount_cents == TERMS.base_cents + 281
    assert second.start_units == TERMS.reset_cents * 10_000 + 400 * 7_037 % 10_000
    assert second.contributions == {"T2": 200 * 7_037}
    assert second.before_units // 10_000 == second.award.before_cents
    assert adds_up(first)
    assert adds_up(second)
    assert first.is_reproduced
    assert second.is_reproduced


def test_r68_contested_awards_are_reproduced_too() -> None:
    """Put back, put in order and fixed again: each fixing is explained."""
    meter = MeterBench()
    meter.join()
    meter.say(envelope(1, royal()), envelope(1, straight_flush(), "T2"), envelope(1, wagers(), "T3"))
    order = tuple(Claim(table, f"journal-{table}", 1) for table in ("T2", "T1"))
    assert meter.decide(OrderClaims(order)) == ""
    meter.say(envelope(2, payout(1), "T2"))
    found = reports(meter)
    assert [report.award.table for report in found] == ["T1", "T2", "T1"]
    assert all(report.is_reproduced and adds_up(report) for report in found)
    assert found[1].movements["release"] == TERMS.base_cents * 10_000
    assert found[1].movements["kept_for_the_next"] == -300 * 7_037  # R69: it came after the first claim
    assert found[2].award.before_cents == TERMS.base_cents - TERMS.base_cents // 10 + 300 * 7_037 // 10_000


def test_r71_a_report_says_what_became_of_the_award() -> None:
    """Pending, paid by whom, rejected by whom and why, settled by two persons; each with its record and time."""
    meter = house()
    for seq in (1, 3, 5, 6, 7):
        meter.say(envelope(seq, flush(number=seq)))
        meter.now_ms += 1_000
        if seq == 1:
            meter.say(envelope(2, payout(1)))
        if seq == 3:
            meter.say(envelope(4, rejection(3)))
    burnt = SettleAward(Claim("T1", "journal-T1", 5), paid=True, amount_cents=60_00)
    meter.decide(burnt, reason="the board burnt")
    meter.decide(SettleAward(Claim("T1", "journal-T1", 6), paid=False), reason="no such hand")
    paid, rejected, settled, refused, pending = (report.outcome for report in reports(meter))
    assert paid == Outcome("paid", 6, SIX + 1_000, ("supervisor", "dealer"), paid_cents=50_00)
    assert rejected == Outcome("rejected", 8, SIX + 2_000, ("supervisor",), "misread hand")
    assert settled == Outcome("paid", 12, SIX + 5_000, ("Ann", "Ben"), "the board burnt", 60_00)
    assert refused == Outcome("rejected", 13, SIX + 5_000, ("Ann", "Ben"), "no such hand")
    assert pending == Outcome("pending")
    texts = [award_text(report) for report in reports(meter)]
    assert "  paid by supervisor and dealer, in record 6 at 1970-01-01T06:00:01.000+00:00\n" in texts[0]
    assert "  rejected and returned by supervisor, in record 8 at" in texts[1]
    assert ": misread hand\n" in texts[1]
    assert "  paid with $60 by Ann and Ben, in record 12 at" in texts[2]
    assert "  pending: neither paid nor rejected yet\n" in texts[4]
    row = next(award_rows(reports(meter)[1]))
    assert (row["status"], row["status_record"], row["persons"], row["reason"]) == (
        "rejected", 8, "supervisor", "misread hand",
    )  # fmt: skip  # one line is one look


def test_r71_a_contested_award_says_so_until_it_is_put_back_or_has_its_turn() -> None:
    """Management's order takes what was fixed too early; the second fixing has a fate of its own."""
    meter = house()
    meter.say(envelope(1, royal()), envelope(1, straight_flush(), "T2"))
    (first,) = reports(meter)
    assert first.outcome.status == "contested"
    order = tuple(Claim(table, f"journal-{table}", 1) for table in ("T2", "T1"))
    assert meter.decide(OrderClaims(order), reason="the cameras") == ""
    meter.say(envelope(2, payout(1), "T2"))
    outcomes = [report.outcome for report in reports(meter)]
    assert [outcome.status for outcome in outcomes] == ["put_back", "paid", "pending"]
    assert (outcomes[0].persons, outcomes[0].reason) == (("Ann", "Ben"), "the cameras")


def test_an_award_of_a_rehearsal_is_play_money() -> None:
    """In words and in its row."""
    meter = MeterBench(MemoryStore(), link(replace(TERMS, rehearsal=True)))
    meter.say(hello("T1", rehearsal=True), envelope(1, flush()))
    (report,) = reports(meter)
    assert "PLAY MONEY" in award_text(report)
    assert {row["money"] for row in award_rows(report)} == {"play"}


ENTRIES = st.sampled_from(
    [wagers(1, 2, 3), wagers(1, coupons=(1,)), flush(), royal(), straight_flush(), "pay", "reject"]
)


@given(played=st.lists(st.tuples(st.sampled_from(["T1", "T2"]), ENTRIES), max_size=30))
@settings(deadline=None, max_examples=60)
def test_whatever_is_played_every_award_is_reproduced_and_every_day_reconciles(
    played: list[tuple[str, Entry | str]],
) -> None:
    """R68, R71, R108: for any play; what is paid and what is open by the reports is what the pot has."""
    meter, seqs = house(), {"T1": 0, "T2": 0}
    for table, move in played:
        pot = meter.heads["main"].pot
        mine = [award.seq for award in (*pot.awards, *pot.claims) if award.table == table]
        if isinstance(move, str) and not mine:
            continue
        entry = move if not isinstance(move, str) else payout(mine[0]) if move == "pay" else rejection(mine[0])
        if meter.reply(envelope(seqs[table] + 1, entry, table)).booked_seq > seqs[table]:
            seqs[table] += 1
        meter.now_ms += DAY_MS // 7
    found, pot = reports(meter), meter.heads["main"].pot
    assert all(report.is_reproduced and adds_up(report) for report in found)
    open_now = [report.award for report in found if report.outcome.status in {"pending", "contested"}]
    assert sorted(award.key for award in open_now) == sorted(award.key for award in pot.awards)
    assert sum(report.outcome.status == "paid" for report in found) == pot.hits
    paid = sum(report.award.amount_cents for report in found if report.outcome.status == "paid")
    assert paid == pot.paid_cents
    assert all(day.is_reconciled for day in days(meter))


MOVES = st.sampled_from(["wager", "royal", "straight flush", "flush", "pay", "reject", "order"])


@given(
    rules=st.sampled_from([FIRST_RULES, RULES]),
    played=st.lists(st.tuples(st.sampled_from(TABLES), MOVES), max_size=30),
    base_cents=st.sampled_from([0, 0, 60_00]),
    reset_cents=st.sampled_from([0, 0, 30_00]),
)
@settings(deadline=None, max_examples=150)
def test_r68_awards_of_nothing_and_awards_put_in_order_are_reproduced(
    rules: int, played: list[tuple[str, str]], base_cents: int, reset_cents: int
) -> None:
    """A meter that is often empty, by old rules and new: what a record fixes and what it puts back are told apart."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clerk, "RULES", rules)
        meter, seqs = house(link(Terms(7_037, base_cents, reset_cents, reset_rate_bp=500))), dict.fromkeys(TABLES, 0)
        for table, move in played:
            if move == "order":
                by_table = sorted(contest(meter.heads["main"].pot), key=lambda claim: -TABLES.index(claim.table))
                meter.decide(OrderClaims(tuple(Claim(*claim.key) for claim in by_table)))
            elif entry := entry_of(meter, table, move):
                seqs[table] = meter.reply(envelope(seqs[table] + 1, entry, table)).booked_seq
        assert all(report.is_reproduced and adds_up(report) for report in reports(meter))


def entry_of(meter: MeterBench, table: str, move: str) -> Entry | None:
    """What the table says then; there must be something to pay or reject."""
    pot = meter.heads["main"].pot
    mine = [award.seq for award in (*pot.awards, *pot.claims) if award.table == table]
    if move in ("pay", "reject"):
        return (payout(mine[0]) if move == "pay" else rejection(mine[0])) if mine else None
    return {"wager": wagers(1), "royal": royal(), "straight flush": straight_flush(), "flush": flush()}[move]


def test_r68_an_award_of_nothing_is_told_apart_from_the_one_put_back_before_it() -> None:
    """The refill of the rejected award goes back first; the wagers after the claims are the next jackpot's."""
    meter = house(link(Terms(7_037, 0, 30_00)))
    meter.say(envelope(1, royal()), envelope(1, royal(), "T2"), envelope(1, wagers(1), "T3"), envelope(2, rejection(1)))
    rejected, second = reports(meter)
    assert (rejected.award.amount_cents, second.award.amount_cents) == (0, 0)
    assert second.start_units == 30_00 * 10_000
    assert second.movements == {"contribution": 703_700, "refill": -30_00 * 10_000, "kept_for_the_next": -703_700}
    assert second.is_reproduced


def test_r68_the_first_rules_awards_are_reproduced_too() -> None:
    """Also those that were put back, put in order and taken from nothing by them."""
    store = first_books()
    found = [report for name in ("main", "side") for report in award_reports(told(store, name))]
    assert len(found) > 100
    assert all(report.is_reproduced and adds_up(report) for report in found)


def test_shares_stand_in_the_report() -> None:
    """S-20: who shared, and how much each got."""
    meter = MeterBench()
    meter.join("T1")
    meter.say(envelope(1, Award(1, 6, "royal_flush", percent_bp=10_000, sharers=(6, 2))))
    (report,) = reports(meter)
    assert report.shares == {6: 500_000, 2: 500_000}
