"""Every award is reproduced from the ledger, whatever was played."""

from accounting_bench import DAY_MS, days, house, reports
from hypothesis import given, settings
from hypothesis import strategies as st
from meter_bench import TERMS, MeterBench, envelope, flush, payout, rejection, royal, straight_flush, wagers

from meter.award_report import AwardReport
from meter.decisions import Claim, OrderClaims
from meter.link import Award, Entry


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
    assert all(report.is_reproduced for report in found)
    assert found[1].movements["release"] == TERMS.base_cents * 10_000


ENTRIES = st.sampled_from(
    [wagers(1, 2, 3), wagers(1, coupons=(1,)), flush(), royal(), straight_flush(), "pay", "reject"]
)


@given(played=st.lists(st.tuples(st.sampled_from(["T1", "T2"]), ENTRIES), max_size=30))
@settings(deadline=None, max_examples=60)
def test_whatever_is_played_every_award_is_reproduced_and_every_day_reconciles(
    played: list[tuple[str, Entry | str]],
) -> None:
    """R68, R108: for any play, with contested claims put in any order that management likes."""
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
    assert all(report.is_reproduced and adds_up(report) for report in reports(meter))
    assert all(day.is_reconciled for day in days(meter))


def test_shares_stand_in_the_report() -> None:
    """S-20: who shared, and how much each got."""
    meter = MeterBench()
    meter.join("T1")
    meter.say(envelope(1, Award(1, 6, "royal_flush", percent_bp=10_000, sharers=(6, 2))))
    (report,) = reports(meter)
    assert report.shares == {6: 500_000, 2: 500_000}
