"""An award's life goes by its table, whatever tables, staff and management do."""

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from link.messages import Entry, Payout, Validation
from meter.ledger.award_life import AWARD_LIFE, AwardEvent, AwardState, award_state
from meter.ledger.decision_effects import DECISIONS
from meter.ledger.decisions import AnyDecision, ApproveAward, DecideHeld, Decision, EntryRef, SettleAward
from tests.support.meter.meter_bench import (
    TERMS,
    MeterBench,
    envelope,
    flush,
    link,
    payout,
    rejection,
    royal,
    straight_flush,
    wagers,
)

APPROVED_ABOVE = replace(TERMS, approval_above_cents=1_000_00)
WAYS = {
    AwardEvent.CLAIM_DOUBTED: "claim",
    AwardEvent.CLAIMED: "claim",
    AwardEvent.VALIDATED: "validate",
    AwardEvent.APPROVED: "approve",
    AwardEvent.PAID: "pay",
    AwardEvent.PAYOUT_DOUBTED: "pay",
    AwardEvent.RELEASED: "reject",
    AwardEvent.DECIDED: "decide",
}


def test_every_decision_has_a_row_in_the_table() -> None:
    """A new decision is its class and its row."""
    assert set(DECISIONS) == set(Decision.__subclasses__())


@given(st.lists(st.tuples(st.sampled_from(sorted({*WAYS.values(), "deal"})), st.integers(0, 9)), max_size=30))
@settings(max_examples=200, deadline=None)
def test_an_award_never_goes_a_way_that_the_table_does_not_know(moves: list[tuple[str, int]]) -> None:
    """Each step leads from a state to one that the table names for what happened, or changes nothing."""
    meter = MeterBench(None, link(APPROVED_ABOVE))
    meter.join("T1")
    seq, number = 0, 0
    claims: list[tuple[str, str, int]] = []
    for move, which in moves:
        before = {key: _state(meter, key) for key in claims}
        named = claims[which % len(claims)] if claims else ("T1", "journal-T1", 1)
        entry, decision = _said(meter, move, which, named, number)
        if decision is not None:
            meter.decide(decision)
        elif entry is not None and meter.reply(envelope(seq + 1, entry)).booked_seq == seq + 1:
            seq, number = seq + 1, number + (move == "deal")
            if move == "claim":
                claims.append(("T1", "journal-T1", seq))
                before[claims[-1]] = AwardState.UNCLAIMED
        for key, state in before.items():
            after = _state(meter, key)
            events = [event for event, name in WAYS.items() if name == move and key in (named, claims[-1])]
            known = [AWARD_LIFE[event].get(state, frozenset()) for event in (*events, AwardEvent.TURN_CAME)]
            assert after is state or any(after in way for way in known), (move, state, after)


def _state(meter: MeterBench, key: tuple[str, str, int]) -> AwardState:
    head = meter.heads["main"]
    return award_state(head.pot, head.terms, key)


def _said(
    meter: MeterBench, move: str, which: int, named: tuple[str, str, int], number: int
) -> tuple[Entry | None, AnyDecision | None]:
    award, entry = meter.heads["main"].pot.award(*named), EntryRef(*named)
    amount = award.amount_cents if award else 0
    claim = (royal, straight_flush, flush)[which % 3]
    match move:
        case "deal":
            return wagers(1, 2, 3, number=number + 1), None
        case "claim":
            return claim(1 + which % 4, number), None
        case "validate":
            return Validation(named[2], award.seat if award else 1, amount), None
        case "pay":
            return (payout(named[2]) if which % 2 else Payout(named[2], amount_cents=amount + 1)), None
        case "reject":
            return rejection(named[2]), None
        case "approve":
            return None, ApproveAward(entry, amount)
        case _ if which % 2:
            return None, DecideHeld(entry, counts=which % 4 == 1)
        case _:
            return None, SettleAward(entry, paid=which % 4 == 0)
