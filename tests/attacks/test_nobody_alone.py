"""Nobody alone lowers a meter: not by any entry of a table, nor by any decision, whatever one person can prove."""

from pathlib import Path
from typing import Final

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from link.messages import Coupon, CouponReturn, Entry, Payout
from meter.booking.proofs import ProofCheck
from meter.ledger.accounts import UNITS_PER_CENT, Account
from meter.ledger.decision_effects import DECISIONS
from meter.ledger.decisions import (
    AnyDecision,
    ApproveAward,
    Close,
    Correct,
    DecideHeld,
    EntryRef,
    OrderClaims,
    Reopen,
    SettleAward,
    Stop,
    SwapBoard,
    TakeOverflow,
    Transfer,
)
from meter.ledger.open_items import OpenAward
from tests.support.meter.floor_bench import FloorBench
from tests.support.meter.meter_bench import (
    TERMS,
    MeterBench,
    envelope,
    flush,
    link,
    rejection,
    royal,
    straight_flush,
    wagers,
)
from tests.support.meter.proved import STAFF, Paper
from tests.support.meter.staff_pins import ANN, SUE, Login
from tests.support.web.floor_page import page_at

AWARD: Final = EntryRef("T1", "journal-T1", 2)
DECIDED: Final[tuple[AnyDecision, ...]] = (
    Correct(1_000_000, 5),
    Transfer("side", 1_00),
    TakeOverflow(1_00),
    Close(),
    OrderClaims((AWARD,)),
    DecideHeld(AWARD, counts=False),
    SettleAward(AWARD, paid=True, amount_cents=1_00),
    ApproveAward(AWARD, 1_00),
    SwapBoard("T1", "journal-T1", "another"),
    Stop(),
    Reopen(),
)
"""One of every kind that people may bring to a meter that runs."""
SPELLINGS: Final = (str, str.upper, str.lower, " {} ".format, "".format)
MOVES: Final = st.sampled_from(
    ["wagers", "flush", "royal", "straight flush", "coupon", "coupon back", "validate", "pay", "reject", "decide"]
)


def test_every_kind_of_decision_is_tried() -> None:
    """A new kind is missed here; ChangeTerms needs a meter that does not run, and Receive is nobody's."""
    tried = {type(decision) for decision in DECIDED}
    assert {kind.__name__ for kind, rule in DECISIONS.items() if rule.may} - {"ChangeTerms"} == {
        kind.__name__ for kind in tried
    }


class Thief:
    """Somebody with a stolen table certificate, a shell at the meter's socket, and the secret of one person."""

    def __init__(self, number: str) -> None:
        self.meter = MeterBench(None, link(), link(name="side"), proofs=ProofCheck(STAFF.get))
        self.meter.join("T1")
        self._me, self._seq, self._rounds = STAFF[number], 0, 0
        self.move("wagers", 1, 0)
        self.move("flush", 3, 0)

    def move(self, what: str, seat: int, which: int) -> None:
        """One request."""
        if what == "decide":
            decision, spelled = DECIDED[which % len(DECIDED)], SPELLINGS[seat % len(SPELLINGS)]
            assert self.meter.decide(decision, self._me.name, spelled(self._me.name))
            return
        awards = self.meter.heads["main"].pot.awards
        self._rounds += what == "wagers"
        match what:
            case "wagers":
                entry: Entry = wagers(1, 2, 3, 4, 5, 6, 7, number=self._rounds)
            case "flush":
                entry = flush(seat, self._rounds)
            case "royal":
                entry = royal(seat, self._rounds)
            case "straight flush":
                entry = straight_flush(seat, self._rounds)
            case "coupon":
                entry = Coupon(self._rounds, seat, f"C{which}")
            case "coupon back":
                entry = CouponReturn(seat, f"C{which}")
            case _ if not awards:
                return
            case "reject":
                entry = rejection(awards[which % len(awards)].seq)
            case _:
                entry = self._lie(awards[which % len(awards)], which if what == "pay" else 0)
        self.enter(entry)

    def enter(self, entry: Entry) -> None:
        """The table's next entry, at a pace that no rate limit minds."""
        self.meter.now_ms += 3_600_000
        self._seq += self.meter.reply(envelope(self._seq + 1, entry)).booked_seq > self._seq

    def _lie(self, award: OpenAward, which: int) -> Entry:
        paper = Paper(award.seq, award.hand, award.amount_cents, award.seat, award.round)
        other = STAFF[sorted(STAFF)[which % len(STAFF)]]
        alone, fake = paper.payout(self._me, self._me), {award.seat: f"{other.number}:{'0' * 64}"}
        lies: list[Entry] = [
            paper.validation(self._me),
            alone,
            Payout(award.seq, alone.validated, fake, award.amount_cents),
            Payout(award.seq, fake, alone.paid, award.amount_cents),
            Payout(award.seq, alone.validated, alone.paid, 1),
        ]
        return lies[which % len(lies)]


@given(st.sampled_from(sorted(STAFF)), st.lists(st.tuples(MOVES, st.integers(1, 7), st.integers(0, 12)), max_size=25))
@settings(max_examples=300, deadline=None)
def test_no_sequence_of_requests_by_fewer_than_two_persons_lowers_a_meter(
    number: str, moves: list[tuple[str, int, int]]
) -> None:
    """Finding 4: all that wagers and house ever put in stays there.

    A claim only sets money aside: nothing is paid, goes to the house or to another link, and two persons who look into
    it give everything back.
    """
    thief = Thief(number)
    for move in moves:
        thief.move(*move)
        for pot in (thief.meter.heads[name].pot for name in ("main", "side")):
            moved = {account: pot.balances.get(account, 0) for account in Account}
            assert (moved[Account.PAID], moved[Account.OTHER_LINKS]) == (0, 0)
            assert moved[Account.HOUSE] <= -TERMS.base_cents * UNITS_PER_CENT
            assert not pot.hits
    while awards := thief.meter.heads["main"].pot.awards:  # a claim that waited for another one comes after it
        given_back = SettleAward(EntryRef(awards[0].table, awards[0].journal, awards[0].seq), paid=False)
        assert thief.meter.decide(given_back) == ""
    pot = thief.meter.heads["main"].pot
    kept = sum(pot.balances.get(account, 0) for account in (Account.METER, Account.RESET_METER, Account.OVERFLOW))
    assert kept == TERMS.base_cents * UNITS_PER_CENT - pot.balances.get(Account.WAGERS, 0)


@pytest.mark.parametrize(
    ("second", "pin"),
    [(SUE, SUE.pin), (ANN, SUE.pin), (Login("Sue", "Sue", SUE.role, SUE.pin), SUE.pin), (ANN, "")],
    ids=["the same person", "another's number", "a name for a number", "no PIN"],
)
async def test_no_decision_of_one_person_reaches_the_ledger(tmp_path: Path, second: Login, pin: str) -> None:
    """By the floor's page, for each kind that moves anything; with two persons' PINs the first of them does."""
    async with FloorBench(tmp_path).running() as bench, page_at(bench) as page:
        await bench.join("T1")
        await bench.wager("T1")
        before = bench.desks["main"].head.number
        shown = msgspec.structs.replace(second, pin=pin)
        for decision in DECIDED:
            if not isinstance(decision, Stop):  # it lowers nothing, and only waits after wrong PINs
                status, answer = await page.decide(msgspec.to_builtins(decision), shown)
                assert (status, answer["accepted"]) == (409, False), answer
        assert bench.desks["main"].head.number == before
