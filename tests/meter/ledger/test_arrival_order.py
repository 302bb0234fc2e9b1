"""28.11(i), R69: who gets how much hangs on the order that management enters, never on the order of arrival."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from meter.ledger.accounts import Account
from meter.ledger.awards import claim_part, fix_amount, open_part, pay, put_in_order, release, withdraw
from meter.ledger.balances import LinkBalances, LinkTerms, contribute, imbalance, open_pot
from meter.ledger.decisions import EntryRef, OrderClaims
from meter.ledger.open_items import OpenAward
from tests.support.meter.link_terms import PLAIN_TERMS, all_terms
from tests.support.meter.meter_bench import MemoryStore, MeterBench, envelope, link, payout, rejection, royal, wagers

TABLES = ("T1", "T2", "T3")
PARTS = st.fixed_dictionaries(dict.fromkeys(TABLES, st.sampled_from([10_000, 10_000, 1_000, 500])))
ARRIVAL = st.permutations(TABLES)
MEANWHILE = st.lists(st.integers(0, 3_000), min_size=8, max_size=8)
"""Cents wagered before each thing that happens."""
ROOMY = st.builds(
    LinkTerms, rate_bp=st.integers(1, 10_000), base_cents=st.integers(10**6, 10**7), reset_cents=st.just(10**6)
)


class Floor:
    """One pot with three tables at it; before each thing that happens somebody wagers."""

    def __init__(self, terms: LinkTerms, meanwhile: Sequence[int], *, prize_cents: int = 0) -> None:
        self.terms, self.meanwhile, self.prize_cents = terms, list(meanwhile), prize_cents
        self.pot = open_pot(terms).pot
        self.paid: dict[str, int] = {}

    def claim(self, table: str, part: int) -> None:
        """A percentage; the entry has the same number whenever it comes."""
        self._others_play()
        self.pot = claim_part(self.pot, self.terms, OpenAward(table, "j", TABLES.index(table), 3, "hand", part)).pot

    def enter(self, order: Sequence[str]) -> None:
        """Management says who comes first, second, third."""
        self._others_play()
        self.pot = put_in_order(self.pot, self.terms, [(table, "j", TABLES.index(table)) for table in order]).pot

    def pay_next(self) -> None:
        """Whoever has the turn is paid."""
        self._others_play()
        award = self._turn()
        self.paid[award.table] = award.amount_cents
        self.pot = pay(self.pot, self.terms, award).pot

    def reject_next(self) -> None:
        """Whoever has the turn is rejected."""
        self._others_play()
        self.pot = release(self.pot, self.terms, self._turn()).pot

    def reject(self, table: str) -> None:
        """This table's claim is rejected, with its turn or before."""
        self._others_play()
        claim = self.pot.claim(table, "j", TABLES.index(table))
        settled = withdraw(self.pot, self.terms, claim) if claim else release(self.pot, self.terms, self._turn())
        self.pot = settled.pot

    def _turn(self) -> OpenAward:
        award = open_part(self.pot)
        assert award is not None
        return award

    def _others_play(self) -> None:
        self.pot = contribute(self.pot, self.terms, stake_cents=1, chips=self.meanwhile.pop(0), coupons=0).pot
        if self.prize_cents:
            prize = OpenAward("T9", "j", 100 + len(self.meanwhile), 1, "flush", 0)
            self.pot = fix_amount(self.pot, prize, self.prize_cents).pot
        assert imbalance(self.pot) is None


def kept(pot: LinkBalances) -> dict[Account, int]:
    """What stands where, to the fraction."""
    return {account: units for account, units in pot.balances.items() if units}


def settled(floor: Floor, parts: dict[str, int], arrival: Sequence[str], order: Sequence[str]) -> Floor:
    """Three claims come, are put in order and paid."""
    for table in arrival:
        floor.claim(table, parts[table])
    floor.enter(order)
    for _ in order:
        floor.pay_next()
    return floor


@given(terms=all_terms(), parts=PARTS, arrival=ARRIVAL, order=ARRIVAL, meanwhile=MEANWHILE)
@settings(deadline=None, max_examples=150)
def test_28_11_i_amounts_hang_on_the_entered_order_alone(
    terms: LinkTerms, parts: dict[str, int], arrival: list[str], order: list[str], meanwhile: list[int]
) -> None:
    """R69: whoever's message came first, whatever was wagered when, under any terms: each player gets the same."""
    one = settled(Floor(terms, meanwhile), parts, arrival, order)
    other = settled(Floor(terms, meanwhile), parts, order, order)
    assert one.paid == other.paid
    assert kept(one.pot) == kept(other.pot)


@given(terms=ROOMY, parts=PARTS, arrival=ARRIVAL, order=ARRIVAL, meanwhile=MEANWHILE)
@settings(deadline=None, max_examples=150)
def test_28_11_i_the_same_while_prizes_are_paid_from_the_meter(
    terms: LinkTerms, parts: dict[str, int], arrival: list[str], order: list[str], meanwhile: list[int]
) -> None:
    """Fifty dollars go out before each step: they are nobody's but the meter's at that time."""
    one = settled(Floor(terms, meanwhile, prize_cents=50_00), parts, arrival, order)
    other = settled(Floor(terms, meanwhile, prize_cents=50_00), parts, order, order)
    assert one.paid == other.paid
    assert kept(one.pot) == kept(other.pot)


@given(terms=all_terms(), parts=PARTS, arrival=ARRIVAL, order=ARRIVAL, meanwhile=MEANWHILE)
@settings(deadline=None, max_examples=150)
def test_r69_a_rejected_claim_leaves_the_next_what_it_would_have_got_without_it(
    terms: LinkTerms, parts: dict[str, int], arrival: list[str], order: list[str], meanwhile: list[int]
) -> None:
    """Nobody wagers between the claims: then it is as if the first in the order had never claimed."""
    quiet = [meanwhile[0], 0, 0, *meanwhile[3:]]
    with_it, without_it = Floor(terms, quiet), Floor(terms, [meanwhile[0], 0, *meanwhile[3:]])
    for table in arrival:
        with_it.claim(table, parts[table])
    with_it.enter(order)
    with_it.reject_next()
    with_it.pay_next()
    for table in (table for table in arrival if table != order[0]):
        without_it.claim(table, parts[table])
    without_it.enter(order[1:])
    without_it._others_play()
    without_it.pay_next()
    assert with_it.paid == without_it.paid
    assert kept(with_it.pot) == kept(without_it.pot)


@given(terms=all_terms(), parts=PARTS, arrival=ARRIVAL, gone=ARRIVAL, meanwhile=MEANWHILE, is_ordered=st.booleans())
@settings(deadline=None, max_examples=150)
def test_whoever_is_rejected_when_the_meter_keeps_no_trace_of_claims(
    terms: LinkTerms, parts: dict[str, int], arrival: list[str], gone: list[str], meanwhile: list[int], is_ordered: bool
) -> None:
    """Limit, reset meter and seeds included: all accounts stand as if nobody had claimed, to the fraction (R7, R8)."""
    floor = Floor(terms, meanwhile)
    for table in arrival:
        floor.claim(table, parts[table])
    if is_ordered:
        floor.enter(gone)
    for table in gone:
        floor.reject(table)
    played = sum(meanwhile[: 8 - len(floor.meanwhile)])
    quiet = contribute(open_pot(terms).pot, terms, stake_cents=1, chips=played, coupons=0).pot
    assert kept(floor.pot) == kept(quiet)
    assert (floor.pot.awards, floor.pot.claims, floor.pot.stood) == ((), (), ())


@pytest.mark.parametrize("arrival", [("T1", "T2"), ("T2", "T1")])
def test_r69_wagers_after_the_first_claim_stay_on_the_meter_whoever_comes_first(arrival: tuple[str, str]) -> None:
    """$10,000, then $490 while two tables claim all of it: the first gets $10,000, the second $5,490."""
    terms = LinkTerms(7_000, 1_000_000 - 140, 500_000)
    meter = MeterBench(MemoryStore(), link(terms))
    meter.join()
    meter.deal("T1", "T2")
    for table in arrival:
        meter.say(envelope(2, royal(), table))
    meter.say(*(envelope(seq, wagers(1, 2, 3, 4, 5, 6, 7), "T3") for seq in range(1, 101)))
    assert meter.amount_cents == 500_000 + 49_000
    assert meter.decide(OrderClaims((EntryRef("T2", "journal-T2", 2), EntryRef("T1", "journal-T1", 2)))) == ""
    (award,) = meter.heads["main"].pot.awards
    assert (award.table, award.before_cents, award.amount_cents) == ("T2", 1_000_000, 1_000_000)
    assert meter.amount_cents == 500_000 + 49_000  # the display does not fall
    meter.say(envelope(3, payout(2), "T2"))
    (award,) = meter.heads["main"].pot.awards
    assert (award.table, award.amount_cents, meter.amount_cents) == ("T1", 549_000, 500_000)
    assert MeterBench(meter.store, link(terms)).heads == meter.heads


def test_r69_a_claim_whose_rival_is_rejected_takes_the_meter_of_its_own_claim() -> None:
    """$70 before it, $140 after it: as if the rival had never been, the second table gets what stood at its claim."""
    meter = MeterBench(MemoryStore(), link(LinkTerms(7_000, 1_000_000 - 140, 500_000)))
    meter.join()
    meter.deal("T1", "T2")
    meter.say(envelope(2, royal()), *(envelope(seq, wagers(1), "T3") for seq in range(1, 101)))
    meter.say(envelope(2, royal(), "T2"), *(envelope(seq, wagers(1, 2), "T3") for seq in range(101, 201)))
    meter.say(envelope(3, rejection(2)))
    (award,) = meter.heads["main"].pot.awards
    assert (award.table, award.amount_cents) == ("T2", 1_007_000)
    assert meter.amount_cents == 514_000


def test_what_prizes_took_from_the_meter_meanwhile_is_made_good_by_the_house() -> None:
    """The first in the order gets all of what stood at the first claim, though fifty dollars of it are gone."""
    terms = LinkTerms(7_000, 1_000_000, 0)
    pot = claim_part(open_pot(terms).pot, terms, OpenAward("T1", "j", 1, 3, "straight_flush", 1_000)).pot
    pot = claim_part(pot, terms, OpenAward("T2", "j", 1, 3, "royal_flush", 10_000)).pot
    pot = fix_amount(pot, OpenAward("T3", "j", 1, 3, "flush", 0), 50_00).pot
    pot = put_in_order(pot, terms, [("T2", "j", 1), ("T1", "j", 1)]).pot
    award = open_part(pot)
    assert award is not None
    assert (award.amount_cents, award.taken_cents, award.house_cents) == (1_000_000, 995_000, 5_000)
    assert (pot.amount_cents, imbalance(pot)) == (0, None)
    back = release(pot, terms, award).pot
    assert [award.amount_cents for award in back.awards] == [50_00, 100_000]
    assert back.amount_cents == 995_000 - 100_000


@given(terms=PLAIN_TERMS, part=st.sampled_from([10_000, 1_000]))
def test_an_award_of_an_empty_meter_is_nothing(terms: LinkTerms, part: int) -> None:
    """No part of nothing, whatever comes in later."""
    empty = replace(terms, base_cents=0)
    pot = claim_part(open_pot(empty).pot, empty, OpenAward("T1", "j", 1, 3, "hand", part)).pot
    assert pot.awards[0].amount_cents == 0
