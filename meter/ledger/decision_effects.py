"""Decision table: for every kind of decision who may take it, what it moves or why it cannot be taken."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from common.auth.roles import Role, Roles
from games.money import dollars
from meter.ledger.accounts import Account
from meter.ledger.adjustments import (
    Parts,
    add_held,
    close,
    closing_seeds,
    correct,
    correction_fault,
    drop_held,
    give,
    open_award,
    open_business,
    overflow_fault,
    receive,
    reception_fault,
    take_overflow,
    transfer_fault,
)
from meter.ledger.award_settlement import count_doubted, drop_doubted, people_settled
from meter.ledger.awards import needs_approval, order_fault, put_in_order
from meter.ledger.balances import Booking, LinkBalances, LinkTerms, NotTaken
from meter.ledger.decisions import (
    AnyDecision,
    ApproveAward,
    ChangeTerms,
    Close,
    Correct,
    DecideHeld,
    EntryRef,
    OrderClaims,
    Receive,
    Reopen,
    SettleAward,
    Stop,
    SwapBoard,
    TakeOverflow,
    Transfer,
)
from meter.ledger.parameters import terms_fault


class DecisionRule(Struct, frozen=True):
    """Who may take a decision of one kind, what it moves or why it cannot, and the entry that it is about."""

    may: Roles
    ruling: Callable[[LinkBalances, LinkTerms, Any], Booking | NotTaken]
    about: Callable[[Any], EntryRef | None] = lambda _: None


_MANAGEMENT: Final[Roles] = frozenset({Role.SUPERVISOR, Role.ACCOUNTING})
_TECHNICAL: Final[Roles] = frozenset({Role.SUPERVISOR, Role.TECHNICIAN})


def ruling(pot: LinkBalances, terms: LinkTerms, decision: AnyDecision) -> Booking | NotTaken:
    """What this decision does to the pot."""
    return DECISIONS[type(decision)].ruling(pot, terms, decision)


def entry_of(decision: AnyDecision) -> EntryRef | None:
    """The entry of a table that this decision is about, if it is about one."""
    return DECISIONS[type(decision)].about(decision)


def _correct(pot: LinkBalances, terms: LinkTerms, decision: Correct) -> Booking | NotTaken:
    old, new = decision.old_cents, decision.new_cents
    return _unless(open_award(pot) or correction_fault(pot, terms, old, new), correct(pot, new))


def _transfer(pot: LinkBalances, terms: LinkTerms, decision: Transfer) -> Booking | NotTaken:
    parts = _parts(decision)
    return _unless(open_award(pot) or transfer_fault(pot, terms, parts), give(pot, parts))


def _receive(pot: LinkBalances, terms: LinkTerms, decision: Receive) -> Booking | NotTaken:
    parts = _parts(decision)
    return _unless(open_award(pot) or reception_fault(pot, terms, parts), receive(pot, parts))


def _take_overflow(pot: LinkBalances, terms: LinkTerms, decision: TakeOverflow) -> Booking | NotTaken:
    cents = decision.cents
    return _unless(open_award(pot) or overflow_fault(pot, terms, cents), take_overflow(pot, cents))


def _close(pot: LinkBalances, terms: LinkTerms, _: Close) -> Booking | NotTaken:
    return _unless(open_business(pot) or closing_seeds(pot, terms), close(pot))


def _order(pot: LinkBalances, terms: LinkTerms, decision: OrderClaims) -> Booking | NotTaken:
    keys = [claim.key for claim in decision.order]
    fault = order_fault(pot, keys)
    return NotTaken(fault) if fault else put_in_order(pot, terms, keys)


def _change_terms(pot: LinkBalances, terms: LinkTerms, decision: ChangeTerms) -> Booking | NotTaken:
    return _unless(open_business(pot) or terms_fault(pot, terms, decision.terms), Booking((), pot))


def _swap_board(pot: LinkBalances, _: LinkTerms, decision: SwapBoard) -> Booking | NotTaken:
    kept = tuple(settled for settled in pot.settled if settled.table != decision.table)  # the old board says no more
    return _unless(_open_at(pot, decision.table), Booking((), replace(pot, settled=kept)))


def _nothing_moves(pot: LinkBalances, _: LinkTerms, __: Stop | Reopen) -> Booking:
    return Booking((), pot)


def _approve(pot: LinkBalances, terms: LinkTerms, decision: ApproveAward) -> Booking | NotTaken:
    award = pot.award(*decision.award.key)
    if award is None or not needs_approval(terms, award):
        return NotTaken(f"entry {decision.award.seq} of table {decision.award.table} waits for no approval")
    if award.amount_cents != decision.amount_cents:
        return NotTaken(f"this award is {dollars(award.amount_cents)} now: look again")
    approved = replace(award, approved=True)
    return Booking((), replace(pot, awards=tuple(approved if other == award else other for other in pot.awards)))


def _unless(fault: str | None, booking: Booking) -> Booking | NotTaken:
    return NotTaken(fault) if fault else booking


def _parts(sent: Transfer | Receive) -> Parts:
    return {
        Account.METER: sent.cents,
        Account.RESET_METER: sent.reset_meter_cents,
        Account.OVERFLOW: sent.overflow_cents,
    }


def _held_ruling(pot: LinkBalances, terms: LinkTerms, decision: DecideHeld) -> Booking | NotTaken:
    held = next((wagers for wagers in pot.held if wagers.key == decision.entry.key), None)
    doubted = next((claim for claim in pot.doubted if claim.key == decision.entry.key), None)
    if doubted:
        return count_doubted(pot, terms, doubted) if decision.counts else drop_doubted(pot, doubted)
    if held is None:
        return NotTaken(f"entry {decision.entry.seq} of table {decision.entry.table} is not held")
    return add_held(pot, terms, held) if decision.counts else drop_held(pot, held)


def _award_ruling(pot: LinkBalances, terms: LinkTerms, decision: SettleAward) -> Booking | NotTaken:
    if not decision.paid and decision.amount_cents:
        return NotTaken("nothing is paid for an award that is rejected: leave the amount out")
    return people_settled(pot, terms, decision.award.key, decision.amount_cents if decision.paid else None)


def _open_at(pot: LinkBalances, table: str) -> str | None:
    if table in pot.claimants:
        return f"an award of the old board is open at table {table}: settle it first"
    return None


DECISIONS: Final[Mapping[type[AnyDecision], DecisionRule]] = {
    OrderClaims: DecisionRule(_MANAGEMENT, _order),
    DecideHeld: DecisionRule(_MANAGEMENT, _held_ruling, lambda decision: decision.entry),
    SettleAward: DecisionRule(_MANAGEMENT, _award_ruling, lambda decision: decision.award),
    ApproveAward: DecisionRule(_MANAGEMENT, _approve, lambda decision: decision.award),
    Correct: DecisionRule(_MANAGEMENT, _correct),
    Transfer: DecisionRule(_MANAGEMENT, _transfer),
    Receive: DecisionRule(frozenset(), _receive),  # the meter writes it beside a Transfer
    TakeOverflow: DecisionRule(_MANAGEMENT, _take_overflow),
    Close: DecisionRule(_MANAGEMENT, _close),
    Stop: DecisionRule(_MANAGEMENT | _TECHNICAL, _nothing_moves),
    Reopen: DecisionRule(_MANAGEMENT, _nothing_moves),
    ChangeTerms: DecisionRule(_MANAGEMENT, _change_terms),
    SwapBoard: DecisionRule(_TECHNICAL, _swap_board),
}
"""Every decision: who may take it, what it does or why not, and which entry it is about."""
