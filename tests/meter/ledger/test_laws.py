"""The laws of the ledger, against a second reckoning in fractions that knows nothing of postings."""

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.money import part_up
from meter.ledger.accounts import UNITS_PER_CENT, Account, Kind, Posting
from meter.ledger.adjustments import add_held, close, correction_fault, drop_held, hold, receive
from meter.ledger.awards import (
    claim_part,
    contest,
    fix_amount,
    fix_part,
    order_fault,
    pay,
    put_in_order,
    release,
    withdraw,
)
from meter.ledger.balances import (
    Booking,
    LinkBalances,
    LinkTerms,
    NotTaken,
    contribute,
    imbalance,
    open_pot,
    room_cents,
)
from meter.ledger.decision_effects import ruling
from meter.ledger.decisions import Correct, Receive, TakeOverflow, Transfer
from meter.ledger.open_items import HeldWagers, OpenAward
from tests.support.meter.link_terms import CENTS, PLAIN_TERMS, all_terms

PARTS = st.one_of(st.just(10_000), st.integers(1, 10_000))
TABLES = st.sampled_from(["T1", "T2", "T3"])


class LedgerLaws(RuleBasedStateMachine):
    """Any order of wagers, awards, payouts, rejections and decisions."""

    @initialize(terms=all_terms())
    def open(self, terms: LinkTerms) -> None:
        self.terms = terms
        self.wagered, self.paid, self.corrected, self.moved, self.seq = 0, 0, 0, 0, 0
        self.history: list[Posting] = []
        self._take(open_pot(terms))

    @rule(stake=st.integers(1, 500), chips=st.integers(0, 7), coupons=st.integers(0, 7))
    def wager(self, stake: int, chips: int, coupons: int) -> None:
        before = self._units(Account.METER)
        self._take(contribute(self.pot, self.terms, stake_cents=stake, chips=chips, coupons=coupons))
        wagered = stake * (chips + coupons)
        self.wagered += wagered
        room = self.terms.limit_cents * UNITS_PER_CENT - before
        grown = wagered * self.terms.rate_bp
        assert self._units(Account.METER) - before == (min(grown, room) if self.terms.limit_cents else grown)

    @rule(stake=st.integers(1, 500), chips=st.integers(1, 7), counts=st.booleans())
    def hold_and_decide(self, stake: int, chips: int, counts: bool) -> None:
        self.seq += 1
        held = HeldWagers("T1", "j", self.seq, stake, chips, 0, "too fast")
        before = self.pot
        self._take(hold(self.pot, held))
        assert (self.pot.balances, self.pot.in_cents) == (before.balances, before.in_cents)
        if counts:
            self._take(add_held(self.pot, self.terms, held))
            self.wagered += stake * chips
        else:
            self._take(drop_held(self.pot, held))
            assert self.pot == before

    @rule(table=TABLES, part=PARTS)
    def claim_a_part(self, table: str, part: int) -> None:
        before = self.pot
        is_next = bool(before.claims) or any(award.percent_bp for award in before.awards)
        self._take(claim_part(self.pot, self.terms, self._claim(part, table)))
        if is_next:
            assert self.pot.balances == before.balances
            assert self.pot.claims[-1].seq == self.seq
            return
        award = self.pot.awards[-1]
        assert award.taken_cents == part_up(before.amount_cents, part)
        assert award.taken_cents * 10_000 >= before.amount_cents * part  # no less than the percentage
        assert (award.taken_cents - 1) * 10_000 < before.amount_cents * part  # and less than a cent above it
        if part == 10_000:
            self._check_reset(before, award)

    @rule(cents=CENTS, table=TABLES)
    def fix_an_amount(self, cents: int, table: str) -> None:
        before = self.pot.amount_cents
        self._take(fix_amount(self.pot, self._claim(0, table), cents))
        award = self.pot.awards[-1]
        assert award.amount_cents == cents
        assert award.house_cents == 0 or self.pot.amount_cents == 0
        assert (award.before_cents, award.after_cents) == (before, self.pot.amount_cents)

    @precondition(lambda self: self.pot.awards)
    @rule(which=st.integers(0, 100))
    def pay_one(self, which: int) -> None:
        award = self.pot.awards[which % len(self.pot.awards)]
        hits = self.pot.hits
        self._take(pay(self.pot, self.terms, award))
        self.paid += award.amount_cents
        assert (self.pot.paid_cents, self.pot.hits) == (self.paid, hits + 1)
        assert self.pot.last_paid[-1] == award
        assert len(self.pot.last_paid) == min(self.pot.hits, 25)

    @precondition(lambda self: self.pot.awards)
    @rule(which=st.integers(0, 100))
    def reject_one(self, which: int) -> None:
        award = self.pot.awards[which % len(self.pot.awards)]
        self._take(release(self.pot, self.terms, award))
        assert award not in self.pot.awards

    @precondition(lambda self: self.pot.claims)
    @rule(which=st.integers(0, 100))
    def withdraw_one(self, which: int) -> None:
        claim = self.pot.claims[which % len(self.pot.claims)]
        self._take(withdraw(self.pot, self.terms, claim))
        assert claim not in self.pot.claims

    @precondition(lambda self: bool(contest(self.pot)))
    @rule(order=st.randoms(use_true_random=False))
    def enter_the_order(self, order: random.Random) -> None:
        tables = list(dict.fromkeys(claim.table for claim in contest(self.pot)))
        order.shuffle(tables)
        keys = [claim.key for table in tables for claim in contest(self.pot) if claim.table == table]
        assert order_fault(self.pot, keys) is None
        waiting, money = len(contest(self.pot)), self._kept()
        self._take(put_in_order(self.pot, self.terms, keys))
        first = next(award for award in self.pot.awards if award.percent_bp)
        assert first.table == tables[0]
        assert len(self.pot.claims) + sum(1 for a in self.pot.awards if a.percent_bp) == waiting
        assert self._kept() - money == self._units(Account.HOUSE, since=True)

    @rule(new=CENTS)
    def correct_it(self, new: int) -> None:
        old, is_pending = self.pot.amount_cents, bool(self.pot.awards or self.pot.claims)
        carry = self.pot.carry
        taken = ruling(self.pot, self.terms, Correct(old, new))
        assert not (is_pending and isinstance(taken, Booking))
        if isinstance(taken, Booking):
            self._take(taken)
            self.corrected += new - old
            assert (self.pot.amount_cents, self.pot.carry) == (new, carry)

    @rule(percents=st.tuples(*[st.integers(0, 100)] * 3))
    def transfer(self, percents: tuple[int, int, int]) -> None:
        parts = {account: self.pot.cents(account) * part // 100 for account, part in zip(KEPT, percents, strict=True)}
        taken = ruling(self.pot, self.terms, Transfer("side", *parts.values()))
        if isinstance(taken, Booking):
            assert self.terms.overflow_seeds_next or not parts[Account.OVERFLOW]
            other = open_pot(self.terms).pot
            received = receive(other, parts).pot
            before = self._kept()
            self._take(taken)
            gained = sum(received.balances.get(a, 0) - other.balances.get(a, 0) for a in KEPT)
            assert before - self._kept() == gained  # nothing is lost or made on the way
            assert imbalance(received) is None
            self.moved -= parts[Account.METER]

    @rule(beyond=st.integers(-2, 2))
    def take_the_overflow(self, beyond: int) -> None:
        there, shown = self.pot.cents(Account.OVERFLOW), self._units(Account.METER)
        cents = max(0, there + beyond)
        taken = ruling(self.pot, self.terms, TakeOverflow(cents))
        is_open = bool(self.pot.awards or self.pot.claims)
        assert isinstance(taken, Booking) == (0 < cents <= there and not is_open and not self.terms.overflow_seeds_next)
        if isinstance(taken, Booking):
            before = self._kept()
            self._take(taken)
            assert (before - self._kept(), self._units(Account.METER)) == (cents * UNITS_PER_CENT, shown)

    @rule(beyond=st.integers(-2, 2), hidden=CENTS)
    def receive_from_another_link(self, beyond: int, hidden: int) -> None:
        room = room_cents(self.pot, self.terms) if self.terms.limit_cents else 1_000
        cents = max(0, room + beyond)
        taken = ruling(self.pot, self.terms, Receive("side", cents, hidden))
        is_full = bool(self.terms.limit_cents) and cents > room
        assert isinstance(taken, NotTaken) == bool(is_full or self.pot.awards or self.pot.claims)
        if isinstance(taken, Booking):
            self._take(taken)
            self.moved += cents

    @invariant()
    def the_meter_is_explained_to_the_cent(self) -> None:
        """R16: base + contributions - deductions + refills + decisions, at every moment."""
        pot = self.pot
        explained = pot.base_cents + pot.contribution_cents - pot.deducted_cents + pot.refill_cents
        assert pot.amount_cents == explained + pot.adjusted_cents
        assert pot.adjusted_cents == self.corrected + self.moved
        assert pot.in_cents == self.wagered

    @invariant()
    def every_wager_is_on_the_meter_the_reset_meter_or_the_overflow(self) -> None:
        went_in = dict.fromkeys(Kind, 0)
        for posting in self.history:
            went_in[posting.kind] += posting.units if posting.source is Account.WAGERS else 0
        grown = Fraction(went_in[Kind.CONTRIBUTION] + went_in[Kind.OVERFLOW], UNITS_PER_CENT)
        assert grown == Fraction(self.wagered * self.terms.rate_bp, 10_000)
        hidden = Fraction(went_in[Kind.RESET_CONTRIBUTION], UNITS_PER_CENT)
        assert hidden == Fraction(self.wagered * self.terms.reset_rate_bp, 10_000)

    @invariant()
    def r7_the_display_is_pinned_at_the_limit(self) -> None:
        if self.terms.limit_cents:
            assert self._units(Account.METER) <= self.terms.limit_cents * UNITS_PER_CENT

    @invariant()
    def nothing_is_below_zero_and_the_accounts_cancel_out(self) -> None:
        assert imbalance(self.pot) is None

    @invariant()
    def r80_only_one_percentage_at_a_time_is_fixed(self) -> None:
        assert sum(1 for award in self.pot.awards if award.percent_bp) <= 1

    @invariant()
    def an_order_is_of_claims_that_wait(self) -> None:
        assert self.pot.claims or not self.pot.in_order

    @invariant()
    def nobody_waits_for_nothing(self) -> None:
        if self.pot.claims:
            assert any(award.percent_bp for award in self.pot.awards) or len({c.table for c in self.pot.claims}) > 1

    @invariant()
    def the_postings_alone_make_the_balances(self) -> None:
        balances = dict.fromkeys(Account, 0)
        for posting in self.history:
            assert posting.units > 0
            balances[posting.source] -= posting.units
            balances[posting.target] += posting.units
        assert balances == {account: self.pot.balances.get(account, 0) for account in Account}

    def teardown(self) -> None:
        """However it went, closing leaves nothing behind but what was paid and promised."""
        if hasattr(self, "pot"):
            ended = close(self.pot).pot
            assert all(not ended.balances.get(account) for account in KEPT)
            assert sum(ended.balances.values()) == 0

    def _check_reset(self, before: LinkBalances, award: OpenAward) -> None:
        seeds = before.cents(Account.OVERFLOW) if self.terms.overflow_seeds_next else 0
        asked = self.terms.reset_cents + before.cents(Account.RESET_METER) + seeds
        room = room_cents(before, self.terms) + award.taken_cents
        assert self.pot.amount_cents == (min(asked, room) if self.terms.limit_cents else asked)
        if not self.terms.limit_cents:
            assert self.pot.cents(Account.RESET_METER) == 0  # it starts at zero; what is below a cent stays

    def _claim(self, part: int, table: str) -> OpenAward:
        self.seq += 1
        return OpenAward(table, "j", self.seq, 3, "hand", part)

    def _units(self, account: Account, *, since: bool = False) -> int:
        """A balance, or how much of it the last booking took."""
        if since:
            return sum((p.source is account) * p.units - (p.target is account) * p.units for p in self.last)
        return self.pot.balances.get(account, 0)

    def _kept(self) -> int:
        return sum(self._units(account) for account in (*KEPT, Account.AWARDS))

    def _take(self, booking: Booking) -> None:
        self.pot, self.last = booking.pot, booking.postings
        self.history += booking.postings


KEPT = (Account.METER, Account.RESET_METER, Account.OVERFLOW)
LedgerLaws.TestCase.settings = settings(max_examples=120, stateful_step_count=40, deadline=None)
TestLedgerLaws = LedgerLaws.TestCase


@given(wagered=st.lists(st.integers(1, 500)), rate_bp=st.integers(1, 10_000))
def test_r17_the_meter_keeps_every_fraction_of_a_cent(wagered: list[int], rate_bp: int) -> None:
    """However wagers are grouped, the meter holds their exact sum."""
    terms = LinkTerms(rate_bp, 0, 0)
    pot = open_pot(terms).pot
    for stake in wagered:
        pot = contribute(pot, terms, stake_cents=stake, chips=1, coupons=0).pot
    assert pot.amount_cents + pot.carry == sum(Fraction(stake * rate_bp, UNITS_PER_CENT) for stake in wagered)


@given(terms=PLAIN_TERMS, part=PARTS, amount=CENTS, wagered=st.integers(0, 5_000))
def test_a_rejected_award_leaves_no_trace_on_the_meter(terms: LinkTerms, part: int, amount: int, wagered: int) -> None:
    """Fixed and released at once, by percentage or by amount, every account stands where it stood."""
    pot = contribute(open_pot(terms).pot, terms, stake_cents=1, chips=wagered, coupons=0).pot
    for fixed in (
        fix_part(pot, terms, OpenAward("T1", "j", 1, 3, "hand", part)),
        fix_amount(pot, OpenAward("T1", "j", 1, 3, "hand", 0), amount),
    ):
        back = release(fixed.pot, terms, fixed.pot.awards[0]).pot
        assert _balances(back) == _balances(pot)
        assert back.awards == ()


def test_r7_a_correction_to_the_limit_leaves_room_for_what_is_below_a_cent() -> None:
    """A fraction of a cent on the meter counts against its limit, or the display's account would stand above it."""
    terms = LinkTerms(rate_bp=1, base_cents=0, reset_cents=0, limit_cents=2)
    pot = contribute(open_pot(terms).pot, terms, stake_cents=1, chips=1, coupons=0).pot
    assert correction_fault(pot, terms, 0, 1) is None
    assert "leaves room for $0.01 only" in str(correction_fault(pot, terms, 0, 2))


@pytest.mark.parametrize(
    ("balances", "explained", "awards", "words"),
    [
        ({Account.METER: 5}, {Kind.BASE: 5}, (), "add up to 5"),
        ({Account.METER: 5, Account.HOUSE: -5}, {Kind.BASE: 4}, (), "explains 4"),
        ({Account.AWARDS: 5, Account.HOUSE: -5}, {}, (), "their account holds 5"),
        ({}, {}, (OpenAward("T1", "j", 1, 3, "hand", 0, taken_cents=1),), "open awards are 10000"),
        ({Account.METER: -5, Account.HOUSE: 5}, {Kind.BASE: -5}, (), "the meter is below zero"),
        ({Account.RESET_METER: -5, Account.HOUSE: 5}, {}, (), "the reset meter is below zero"),
    ],
)
def test_figures_that_cannot_be_right_are_named(
    balances: dict[Account, int], explained: dict[Kind, int], awards: tuple[OpenAward, ...], words: str
) -> None:
    """The self-check sees each way in which figures can disagree."""
    assert words in str(imbalance(LinkBalances(balances, explained, awards=awards)))


def _balances(pot: LinkBalances) -> dict[Account, int]:
    return {account: units for account, units in pot.balances.items() if units}
