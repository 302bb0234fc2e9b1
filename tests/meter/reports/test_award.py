"""Every award is reproduced from the ledger, whatever was played."""

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from link.messages import Award, Entry, Validation, Wagers
from meter.ledger.awards import contest
from meter.ledger.balances import LinkTerms
from meter.ledger.decisions import EntryRef, OrderClaims, SettleAward
from meter.reports.award import AwardOutcome, AwardReport, award_rows, award_text
from tests.support.meter.accounting_bench import DAY_MS, SIX, days, house, reports
from tests.support.meter.meter_bench import (
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
    shown_after,
    straight_flush,
    wagers,
    with_cards,
)


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
    meter.say(envelope(2, wagers(1, 3), "T2"), envelope(3, straight_flush(number=2), "T2"))
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
    meter.deal("T1", "T2")
    meter.say(envelope(2, royal()), envelope(2, straight_flush(), "T2"), envelope(1, wagers(), "T3"))
    order = tuple(EntryRef(table, f"journal-{table}", 2) for table in ("T2", "T1"))
    assert meter.decide(OrderClaims(order)) == ""
    meter.say(envelope(3, payout(2), "T2"))
    found = reports(meter)
    assert [report.award.table for report in found] == ["T1", "T2", "T1"]
    assert all(report.is_reproduced and adds_up(report) for report in found)
    assert found[1].movements["release"] == shown_after(2) * 10_000
    assert found[1].movements["kept_for_the_next"] == -300 * 7_037  # R69: it came after the first claim
    assert found[2].award.before_cents == shown_after(5) - shown_after(2) // 10


def test_r71_a_report_says_what_became_of_the_award() -> None:
    """Pending, paid by whom, rejected by whom and why, settled by two persons; each with its record and time."""
    meter = house()
    meter.deal("T1", seats=(1, 2, 3, 4, 5))
    for seat, seq in enumerate((2, 4, 6, 7, 8), start=1):
        meter.say(envelope(seq, flush(seat)))
        meter.now_ms += 1_000
        if seq == 2:
            meter.say(envelope(3, payout(2)))
        if seq == 4:
            meter.say(envelope(5, rejection(4)))
    burnt = SettleAward(EntryRef("T1", "journal-T1", 6), paid=True, amount_cents=60_00)
    meter.decide(burnt, reason="the board burnt")
    meter.decide(SettleAward(EntryRef("T1", "journal-T1", 7), paid=False), reason="no such hand")
    paid, rejected, settled, refused, pending = (report.outcome for report in reports(meter))
    assert paid == AwardOutcome("paid", 7, SIX + 1_000, ("supervisor", "dealer"), paid_cents=50_00)
    assert rejected == AwardOutcome("rejected", 9, SIX + 2_000, ("supervisor",), "misread hand")
    assert settled == AwardOutcome("paid", 13, SIX + 5_000, ("Ann", "Ben"), "the board burnt", 60_00)
    assert refused == AwardOutcome("rejected", 14, SIX + 5_000, ("Ann", "Ben"), "no such hand")
    assert pending == AwardOutcome("pending")
    texts = [award_text(report) for report in reports(meter)]
    assert "  paid by supervisor and dealer, in record 7 at 1970-01-01T06:00:01.000+00:00\n" in texts[0]
    assert "  rejected and returned by supervisor, in record 9 at" in texts[1]
    assert ": misread hand\n" in texts[1]
    assert "  paid with $60 by Ann and Ben, in record 13 at" in texts[2]
    assert "  pending: neither paid nor rejected yet\n" in texts[4]
    row = next(award_rows(reports(meter)[1]))
    assert (row["status"], row["status_record"], row["persons"], row["reason"]) == (
        "rejected", 9, "supervisor", "misread hand",
    )  # fmt: skip  # one line is one look


def test_r71_a_contested_award_says_so_until_it_is_put_back_or_has_its_turn() -> None:
    """Management's order takes what was fixed too early; the second fixing has a fate of its own."""
    meter = house()
    meter.deal("T1", "T2")
    meter.say(envelope(2, royal()), envelope(2, straight_flush(), "T2"))
    (first,) = reports(meter)
    assert first.outcome.status == "contested"
    order = tuple(EntryRef(table, f"journal-{table}", 2) for table in ("T2", "T1"))
    assert meter.decide(OrderClaims(order), reason="the cameras") == ""
    meter.say(envelope(3, payout(2), "T2"))
    outcomes = [report.outcome for report in reports(meter)]
    assert [outcome.status for outcome in outcomes] == ["put_back", "paid", "pending"]
    assert (outcomes[0].persons, outcomes[0].reason) == (("Ann", "Ben"), "the cameras")


def test_an_award_of_a_rehearsal_is_play_money() -> None:
    """In words and in its row."""
    meter = MeterBench(MemoryStore(), link(replace(TERMS, rehearsal=True)))
    meter.say(hello("T1", rehearsal=True), envelope(1, wagers(3)), envelope(2, flush()))
    (report,) = reports(meter)
    assert "PLAY MONEY" in award_text(report)
    assert {row["money"] for row in award_rows(report)} == {"play"}


class Play:
    """Tables that say one thing after the other, and claim for seat 3 in the round that they are in."""

    def __init__(self, meter: MeterBench, *tables: str) -> None:
        self.meter = meter
        self.seqs, self.rounds = dict.fromkeys(tables, 1), dict.fromkeys(tables, 1)
        meter.deal(*tables)

    def enter(self, table: str, entry: Entry) -> None:
        """The table's next entry, which the meter may refuse."""
        said = replace(entry, round=self.rounds[table]) if isinstance(entry, Award) else entry
        if isinstance(entry, Wagers):
            self.rounds[table] = self.seqs[table] + 1
        self.seqs[table] = self.meter.reply(envelope(self.seqs[table] + 1, said, table)).booked_seq

    def open_seqs(self, table: str) -> list[int]:
        """What this table has claimed and neither paid nor rejected."""
        pot = self.meter.heads["main"].pot
        return [award.seq for award in (*pot.awards, *pot.claims) if award.table == table]


ENTRIES = st.sampled_from(
    [wagers(1, 2, 3), wagers(3, coupons=(3,)), flush(), royal(), straight_flush(), "validate", "pay", "reject"]
)


def validation(award_seq: int) -> Validation:
    """A supervisor's word for seat 3; what it proves is not looked at here."""
    return Validation(award_seq, 3, 0, "2001:" + 64 * "0")


SETTLED: dict[str, Callable[[int], Entry]] = {"validate": validation, "pay": payout, "reject": rejection}


@given(played=st.lists(st.tuples(st.sampled_from(["T1", "T2"]), ENTRIES), max_size=30))
@settings(deadline=None, max_examples=60)
def test_whatever_is_played_every_award_is_reproduced_and_every_day_reconciles(
    played: list[tuple[str, Entry | str]],
) -> None:
    """R68, R71, R108: for any play; what is paid and what is open by the reports is what the pot has."""
    meter = house()
    play = Play(meter, "T1", "T2")
    for table, move in played:
        mine = play.open_seqs(table)
        if isinstance(move, str) and not mine:
            continue
        play.enter(table, move if not isinstance(move, str) else SETTLED[move](mine[0]))
        meter.now_ms += DAY_MS // 7
    found, pot = reports(meter), meter.heads["main"].pot
    assert all(report.is_reproduced and adds_up(report) for report in found)
    open_now = [report.award for report in found if report.outcome.status in {"pending", "contested"}]
    assert sorted(award.key for award in open_now) == sorted(award.key for award in pot.awards)
    assert sum(report.outcome.status == "paid" for report in found) == pot.hits
    paid = sum(report.award.amount_cents for report in found if report.outcome.status == "paid")
    assert paid == pot.paid_cents
    assert all(day.is_reconciled for day in days(meter))


SAID: dict[str, Entry] = {"wager": wagers(3), "royal": royal(), "straight flush": straight_flush(), "flush": flush()}
MOVES = st.sampled_from([*SAID, *SETTLED, "order"])


@given(
    rate_bp=st.sampled_from([7_037, 37]),
    played=st.lists(st.tuples(st.sampled_from(TABLES), MOVES), max_size=30),
    base_cents=st.sampled_from([0, 0, 60_00]),
    reset_cents=st.sampled_from([0, 0, 30_00]),
)
@settings(deadline=None, max_examples=150)
def test_r68_awards_of_nothing_and_awards_put_in_order_are_reproduced(
    rate_bp: int, played: list[tuple[str, str]], base_cents: int, reset_cents: int
) -> None:
    """A meter that is often empty: what a record fixes and what it puts back are told apart."""
    meter = house(link(LinkTerms(rate_bp, base_cents, reset_cents, reset_rate_bp=500)))
    play = Play(meter, *TABLES)
    for table, move in played:
        if move == "order":
            by_table = sorted(contest(meter.heads["main"].pot), key=lambda claim: -TABLES.index(claim.table))
            meter.decide(OrderClaims(tuple(EntryRef(*claim.key) for claim in by_table)))
        elif move in SAID:
            play.enter(table, SAID[move])
        elif mine := play.open_seqs(table):
            play.enter(table, SETTLED[move](mine[0]))
    assert all(report.is_reproduced and adds_up(report) for report in reports(meter))


def test_r68_an_award_of_nothing_is_told_apart_from_the_one_put_back_before_it() -> None:
    """The refill of the rejected award goes back first; the wagers after the claims are the next jackpot's."""
    meter = house(link(LinkTerms(37, 0, 30_00)))
    meter.deal("T1", "T2")
    meter.say(envelope(2, royal()), envelope(2, royal(), "T2"), envelope(1, wagers(1), "T3"), envelope(3, rejection(2)))
    rejected, second = reports(meter)
    assert (rejected.award.amount_cents, second.award.amount_cents) == (0, 0)
    assert second.start_units == 30_00 * 10_000 + 200 * 37
    assert second.movements == {"contribution": 3_700, "refill": -30_00 * 10_000, "kept_for_the_next": -3_700}
    assert second.is_reproduced


def test_shares_stand_in_the_report() -> None:
    """S-20: who shared, and how much each got."""
    meter = MeterBench()
    meter.join("T1")
    meter.deal("T1", seats=(6, 2))
    meter.say(envelope(2, with_cards(Award(1, 6, "royal_flush", percent_bp=10_000, sharers=(6, 2)))))
    (report,) = reports(meter)
    assert report.shares == {6: 500_070, 2: 500_070}
