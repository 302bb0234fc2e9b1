"""An award is settled once, by its table or by two persons (R72); whoever speaks last moves nothing, blocks nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from link.messages import Entry, Payout
from meter.booking.results import MessageResult
from meter.ledger.accounts import Account
from meter.ledger.balances import LinkTerms
from meter.ledger.decisions import EntryRef, OrderClaims, SettleAward, SwapBoard
from meter.service.alarms import standing
from meter.service.state import state_of
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

ONE, TWO = EntryRef("T1", "journal-T1", 2), EntryRef("T2", "journal-T2", 2)
RESET = TERMS.reset_cents


def paid(award_seq: int, cents: int) -> Payout:
    """The table says that it has paid so much."""
    return replace(payout(award_seq), amount_cents=cents)


@pytest.fixture
def meter() -> MeterBench:
    """T1 has fifty dollars of the meter fixed."""
    meter = MeterBench()
    meter.join()
    meter.deal("T1")
    meter.say(envelope(2, flush()))
    return meter


@pytest.mark.parametrize(
    ("decision", "word", "doubt"),
    [
        (SettleAward(ONE, paid=True), payout(2), ""),
        (SettleAward(ONE, paid=True), paid(2, 50_00), ""),
        (SettleAward(ONE, paid=True, amount_cents=40_00), paid(2, 40_00), ""),
        (SettleAward(ONE, paid=False), rejection(2), ""),
        (SettleAward(ONE, paid=True), paid(2, 60_00), "paid with $60 at the table, and paid with $50 by decision"),
        (SettleAward(ONE, paid=True), rejection(2), "rejected at the table, and paid with $50 by decision"),
        (SettleAward(ONE, paid=False), payout(2), "was paid at the table, and rejected by decision"),
        (SettleAward(ONE, paid=False), paid(2, 50_00), "paid with $50 at the table, and rejected by decision"),
    ],
)
def test_what_a_table_says_of_an_award_that_people_settled_moves_nothing(
    meter: MeterBench, decision: SettleAward, word: Payout, doubt: str
) -> None:
    """It is booked, so that the table plays on; where it contradicts the two persons, somebody hears of it."""
    assert meter.decide(decision) == ""
    before = meter.heads["main"].pot
    outcome = meter.outcome(envelope(3, word))
    assert outcome.result is (MessageResult.KEPT_ASIDE if doubt else MessageResult.BOOKED)
    assert doubt in outcome.words
    pot = meter.heads["main"].pot
    assert (pot.balances, pot.hits, pot.awards) == (before.balances, before.hits, before.awards)
    assert meter.outcome(envelope(4, wagers())).result is MessageResult.BOOKED
    assert MeterBench(meter.store).heads == meter.heads


def test_a_table_has_only_one_word_of_an_award_that_people_settled(meter: MeterBench) -> None:
    """The second payout is one of nothing, as ever."""
    meter.decide(SettleAward(ONE, paid=True))
    meter.say(envelope(3, payout(2)))
    assert "no award" in meter.outcome(envelope(4, payout(2))).words
    assert meter.heads["main"].pot.settled == ()


def test_what_a_lost_board_would_have_said_is_forgotten_with_it(meter: MeterBench) -> None:
    """Nothing waits for a journal that is locked out."""
    meter.decide(SettleAward(ONE, paid=True))
    assert meter.heads["main"].pot.settled != ()
    assert meter.decide(SwapBoard("T1", "journal-T1", "new")) == ""
    assert meter.heads["main"].pot.settled == ()
    assert MeterBench(meter.store).heads == meter.heads


def test_r72_another_amount_is_kept_aside_until_two_persons_have_settled_it(meter: MeterBench) -> None:
    """The table plays on, the award stands open with an alarm, and the decision has the amount and the reason."""
    assert meter.outcome(envelope(3, paid(2, 60_00))).result is MessageResult.KEPT_ASIDE
    assert meter.outcome(envelope(4, wagers())).result is MessageResult.BOOKED
    pot = meter.heads["main"].pot
    assert (pot.paid_cents, pot.hits, pot.cents(Account.AWARDS)) == (0, 0, 50_00)
    (alarm,) = standing("main", meter.heads["main"])
    assert (alarm.kind, alarm.table) == ("payout held", "T1")
    assert state_of("main", meter.heads["main"], 0).health == "attention"
    assert "$60 was paid, $50 is fixed" in alarm.words
    assert meter.decide(SettleAward(ONE, paid=True, amount_cents=60_00), reason="dealer's error, slip 17") == ""
    pot = meter.heads["main"].pot
    assert (pot.paid_cents, pot.hits, pot.awards, pot.reported, pot.settled) == (60_00, 1, (), (), ())
    assert pot.last_paid[-1].house_cents == 10_00
    assert standing("main", meter.heads["main"]) == []
    assert MeterBench(meter.store).heads == meter.heads


@pytest.mark.parametrize("word", [payout(2), paid(2, 60_00), rejection(2)])
def test_nothing_more_is_paid_or_released_while_a_payout_is_kept_aside(meter: MeterBench, word: Payout) -> None:
    """A second word of the table is an alarm and moves nothing: money may be gone already."""
    meter.say(envelope(3, paid(2, 60_00)))
    before = meter.heads["main"].pot
    outcome = meter.outcome(envelope(4, word))
    assert outcome.result is MessageResult.KEPT_ASIDE
    assert "waits to be settled" in outcome.words
    assert meter.heads["main"].pot == before


@pytest.mark.parametrize(
    ("shown_cents", "cents", "taken", "house", "meter_after"),
    [
        (1_000_00, 60_00, 50_00, 10_00, 950_00),  # the house pays what is more
        (1_000_00, 30_00, 30_00, 0, 970_00),  # what is less goes back to the meter
        (20_00, 40_00, 20_00, 20_00, 0),  # the house's part of it goes back first
        (20_00, 15_00, 15_00, 0, 5_00),
    ],
)
def test_r72_two_persons_settle_with_what_was_paid(
    shown_cents: int, cents: int, taken: int, house: int, meter_after: int
) -> None:
    """More than was fixed is the house's; less goes back where it came from."""
    meter = MeterBench(MemoryStore(), link(LinkTerms(7_000, shown_cents - 70, RESET)))
    meter.join("T1")
    meter.deal("T1")
    meter.say(envelope(2, flush()))
    assert meter.decide(SettleAward(ONE, paid=True, amount_cents=cents)) == ""
    pot = meter.heads["main"].pot
    assert (pot.last_paid[-1].taken_cents, pot.last_paid[-1].house_cents) == (taken, house)
    assert (pot.paid_cents, pot.amount_cents, pot.deducted_cents) == (cents, meter_after, shown_cents - meter_after)


def test_r7_what_goes_back_of_a_smaller_payout_stays_under_the_limit() -> None:
    """While fifty dollars were out the meter filled up: the ten that come back are overflow."""
    meter = MeterBench(MemoryStore(), link(LinkTerms(10_000, 999_00, 500_00, limit_cents=1_000_00)))
    meter.join()
    meter.deal("T1")
    meter.say(envelope(2, flush()), *(envelope(seq, wagers(1, 2, 3, 4, 5), "T2") for seq in range(1, 11)))
    assert meter.decide(SettleAward(ONE, paid=True, amount_cents=40_00)) == ""
    pot = meter.heads["main"].pot
    assert (pot.amount_cents, pot.cents(Account.OVERFLOW), pot.paid_cents) == (1_000_00, 10_00, 40_00)


def test_nothing_is_paid_for_a_rejected_award(meter: MeterBench) -> None:
    """Rejected with an amount is no decision."""
    assert "leave the amount out" in meter.decide(SettleAward(ONE, paid=False, amount_cents=1))


def test_a_contested_award_is_not_settled_before_its_order() -> None:
    """28.11(i): neither the fixed one nor the one that waits can be paid by decision; both can be rejected."""
    meter = MeterBench()
    meter.join()
    meter.deal("T1", "T2")
    meter.say(envelope(2, royal()), envelope(2, royal(), "T2"))
    assert "enter the order" in meter.decide(SettleAward(ONE, paid=True))
    assert "management decides" in meter.decide(SettleAward(TWO, paid=True))
    assert meter.decide(SettleAward(TWO, paid=False)) == ""
    assert meter.decide(SettleAward(ONE, paid=True)) == ""


def test_r72_an_award_paid_while_its_table_was_cut_off_and_then_put_second() -> None:
    """T1 paid $10,000 of its own; T2 came first, so $5,000 are left for it: the house pays the rest, and T1 goes on."""
    meter = MeterBench(MemoryStore(), link(LinkTerms(7_000, 10_000_00 - 140, RESET)))
    meter.join()
    meter.deal("T1", "T2")
    meter.say(envelope(2, royal()), envelope(2, royal(), "T2"))
    gone = envelope(3, paid(2, 10_000_00))
    assert meter.outcome(gone).result is MessageResult.HELD
    assert meter.decide(OrderClaims((TWO, ONE))) == ""
    assert meter.outcome(gone).result is MessageResult.HELD
    meter.say(envelope(3, payout(2), "T2"))
    assert meter.outcome(gone).result is MessageResult.KEPT_ASIDE
    assert meter.decide(SettleAward(ONE, paid=True, amount_cents=10_000_00)) == ""
    pot = meter.heads["main"].pot
    assert (pot.paid_cents, pot.hits, pot.last_paid[-1].house_cents) == (20_000_00, 2, 5_000_00)
    assert meter.outcome(envelope(4, wagers())).result is MessageResult.BOOKED


class Contradictions:
    """A meter that tables and people tell this and that about awards of fifty dollars, and what must come of it."""

    def __init__(self) -> None:
        self.meter = MeterBench()
        self.meter.join()
        self.seqs = dict.fromkeys(("T1", "T2"), 0)
        self.open: set[EntryRef] = set()
        self.unheard: set[EntryRef] = set()
        self.paid_cents = 0

    def claim(self, table: str) -> EntryRef:
        """The table claims another fifty dollars, in another round."""
        assert self._enter(table, wagers(3))
        assert self._enter(table, flush(number=self.seqs[table]))
        claim = EntryRef(table, f"journal-{table}", self.seqs[table])
        self.open.add(claim)
        self.unheard.add(claim)
        return claim

    def table_says(self, claim: EntryRef, cents: int | None) -> None:
        """Paid with so much, or rejected: the first word is booked, whatever people have settled meanwhile."""
        is_news = claim in self.unheard
        is_booked = self._enter(claim.table, rejection(claim.seq) if cents is None else paid(claim.seq, cents))
        assert is_booked or not is_news
        if is_news and claim in self.open and cents in (None, 50_00):
            self._settle(claim, cents)
        self.unheard.discard(claim)

    def people_say(self, claim: EntryRef, cents: int | None) -> None:
        """Two persons settle it: taken if nobody has before."""
        refusal = self.meter.decide(SettleAward(claim, cents is not None, cents or 0))
        assert (refusal == "") == (claim in self.open)
        if claim in self.open:
            self._settle(claim, cents)

    def _settle(self, claim: EntryRef, cents: int | None) -> None:
        self.open.remove(claim)
        self.paid_cents += cents or 0

    def _enter(self, table: str, entry: Entry) -> bool:
        is_booked = self.meter.outcome(envelope(self.seqs[table] + 1, entry, table)).result is not MessageResult.REFUSED
        self.seqs[table] += is_booked
        return is_booked


WORDS = st.tuples(st.booleans(), st.integers(0, 50), st.sampled_from([None, 50_00, 1, 70_00]))


@given(claims=st.lists(st.sampled_from(["T1", "T2"]), min_size=1, max_size=5), words=st.lists(WORDS, max_size=25))
@settings(deadline=None, max_examples=150)
def test_however_table_and_people_contradict_each_other_nothing_is_settled_twice(
    claims: list[str], words: list[tuple[bool, int, int | None]]
) -> None:
    """The first who settles an award decides what is paid for it; no table is ever kept from its next entry."""
    said = Contradictions()
    known = [said.claim(table) for table in claims]
    for by_people, which, cents in words:
        claim = known[which % len(known)]
        said.people_say(claim, cents) if by_people else said.table_says(claim, cents)
        pot = said.meter.heads["main"].pot
        assert pot.paid_cents == said.paid_cents
        assert {award.key for award in pot.awards} == {claim.key for claim in said.open}
    assert MeterBench(said.meter.store).heads == said.meter.heads
