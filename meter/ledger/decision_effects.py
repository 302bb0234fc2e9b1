"""Decision effects: what a decision moves, or why it cannot be; the same on replay."""

from msgspec.structs import replace

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
from meter.ledger.awards import order_fault, put_in_order
from meter.ledger.balances import Booking, LinkBalances, LinkTerms, NotTaken
from meter.ledger.decisions import (
    AnyDecision,
    ChangeTerms,
    Close,
    Correct,
    DecideHeld,
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


def ruling(pot: LinkBalances, terms: LinkTerms, decision: AnyDecision) -> Booking | NotTaken:
    """What this decision does to the pot."""
    match decision:
        case Correct(old_cents=old, new_cents=new):
            return _unless(open_award(pot) or correction_fault(pot, terms, old, new), correct(pot, new))
        case Transfer():
            parts = _parts(decision)
            return _unless(open_award(pot) or transfer_fault(pot, terms, parts), give(pot, parts))
        case Receive():
            parts = _parts(decision)
            return _unless(open_award(pot) or reception_fault(pot, terms, parts), receive(pot, parts))
        case TakeOverflow(cents=cents):
            return _unless(open_award(pot) or overflow_fault(pot, terms, cents), take_overflow(pot, cents))
        case Close():
            return _unless(open_business(pot) or closing_seeds(pot, terms), close(pot))
        case OrderClaims(order=order):
            keys = [claim.key for claim in order]
            fault = order_fault(pot, keys)
            return NotTaken(fault) if fault else put_in_order(pot, terms, keys)
        case DecideHeld():
            return _held_ruling(pot, terms, decision)
        case SettleAward():
            return _award_ruling(pot, terms, decision)
        case ChangeTerms(terms=new):
            return _unless(open_business(pot) or terms_fault(pot, terms, new), Booking((), pot))
        case SwapBoard(table=table):
            kept = tuple(settled for settled in pot.settled if settled.table != table)  # the old board says no more
            return _unless(_open_at(pot, table), Booking((), replace(pot, settled=kept)))
        case Stop() | Reopen():
            return Booking((), pot)


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
