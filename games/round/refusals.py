"""Why the rules forbid an event: a reason a dealer understands, with its clause; never an exception."""

from games.refusal import Refusal, because
from games.round.claim_refusals import CLAIM_CHECKS
from games.round.deal_refusals import DEAL_CHECKS
from games.round.events import (
    BankGivenBack,
    BankPassed,
    BankTaken,
    BaseWagerLaid,
    BaseWagerMissed,
    BonusDisplayed,
    ChipPlaced,
    ClaimRejected,
    ClaimValidated,
    CloseAsked,
    CouponRedeemed,
    CouponReturned,
    EndOfRoundPressed,
    Event,
    FoldCorrected,
    HandClaimed,
    IrregularityNoted,
    IrregularityWithdrawn,
    LockOutPressed,
    MismatchExplained,
    PapersCompleted,
    PayoutConfirmed,
    RecountAsked,
    RefundsConfirmed,
    SeatFolded,
    SideChipPlaced,
    TableOpened,
    WagerPlaced,
    WagersRepeated,
    WagerTakenBack,
)
from games.round.hand_refusals import HAND_CHECKS
from games.round.state import Phase, RoundState
from games.round.table_rules import TableRules
from games.round.wager_refusals import WAGER_CHECKS, late_side_chip

_SUPERVISORS = (
    TableOpened,
    CloseAsked,
    MismatchExplained,
    ClaimValidated,
    ClaimRejected,
    FoldCorrected,
    IrregularityNoted,
    IrregularityWithdrawn,
)

_NAMED = (*_SUPERVISORS, PapersCompleted, PayoutConfirmed, RecountAsked, RefundsConfirmed)
"""Whose events carry a name into the books."""


_CHECKS = {**WAGER_CHECKS, **HAND_CHECKS, **CLAIM_CHECKS, **DEAL_CHECKS}


def refusal(rules: TableRules, state: RoundState, event: Event) -> Refusal | None:
    """Why the rules forbid this, or None; phase legality is the table's business."""
    if isinstance(event, _SUPERVISORS) and rules.supervisor_key and not state.key_on:
        return because("turn_key")
    if isinstance(event, _NAMED) and not event.by.strip():
        return because("say_who")
    check = _CHECKS.get(type(event))
    return check(rules, state, event) if check is not None else None


def out_of_phase(rules: TableRules, state: RoundState, event: Event) -> Refusal:
    """Why an event the phase table knows no way for is refused."""
    match event:
        case ChipPlaced(seat=seat) | CouponRedeemed(seat=seat) if state.phase is Phase.CLOSED:
            return because("table_closed", seat=seat)
        case ChipPlaced(seat=seat):
            return because("chip_late", rules.clause("late"), seat=seat)
        case CouponRedeemed(seat=seat) | CouponReturned(seat=seat):
            return because("coupon_late", rules.clause("late"), seat=seat)
        case SideChipPlaced():
            return late_side_chip(rules, state, event)
        case WagerPlaced() | WagerTakenBack() | WagersRepeated() | BaseWagerMissed() | BaseWagerLaid():
            return because("wagers_late", rules.clause("late"))
        case BankTaken() | BankPassed() | BankGivenBack():
            return because("bank_late", "11.10(c)")
        case LockOutPressed() if state.is_to_be_counted:
            return because("being_counted")
        case EndOfRoundPressed() if state.is_to_be_counted:
            return because("not_counted", rules.clause("count"))
        case EndOfRoundPressed() if state.phase is Phase.OPEN:
            return because("press_lock_out", rules.clause("late"))
        case BonusDisplayed():
            return because("nobody_won_bonus", "2.20(f)")
        case HandClaimed() | SeatFolded() if state.is_taking_wagers or state.is_to_be_counted:
            return because("not_dealt", rules.clause("count"))
        case _:
            return because("not_now", event=type(event).__name__, phase=state.phase.value)
