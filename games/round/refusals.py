"""Why the rules forbid an event: a reason a dealer understands, with its clause; never an exception."""

from games.refusal import Refusal
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
        return Refusal("turn the supervisor key first")
    if isinstance(event, _NAMED) and not event.by.strip():
        return Refusal("say who you are")
    check = _CHECKS.get(type(event))
    return check(rules, state, event) if check is not None else None


def out_of_phase(rules: TableRules, state: RoundState, event: Event) -> Refusal:
    """Why an event the phase table knows no way for is refused."""
    match event:
        case ChipPlaced(seat=seat) | CouponRedeemed(seat=seat) if state.phase is Phase.CLOSED:
            return Refusal(f"seat {seat}: the table is closed")
        case ChipPlaced(seat=seat):
            return Refusal(f"seat {seat}: chip after lock-out; give it back to the player", rules.clause("late"))
        case CouponRedeemed(seat=seat) | CouponReturned(seat=seat):
            return Refusal(f"seat {seat}: coupons only before lock-out", rules.clause("late"))
        case SideChipPlaced():
            return late_side_chip(rules, state, event)
        case WagerPlaced() | WagerTakenBack() | WagersRepeated() | BaseWagerMissed() | BaseWagerLaid():
            return Refusal("wagers are made, changed and taken back before lock-out only", rules.clause("late"))
        case BankTaken() | BankPassed() | BankGivenBack():
            return Refusal("the bank is offered while wagers are open, before lock-out", "11.10(c)")
        case LockOutPressed() if state.is_to_be_counted:
            return Refusal("the chips are being counted")
        case EndOfRoundPressed() if state.is_to_be_counted:
            return Refusal("the chips are not counted yet", rules.clause("count"))
        case EndOfRoundPressed() if state.phase is Phase.OPEN:
            return Refusal("press lock-out first", rules.clause("late"))
        case BonusDisplayed():
            return Refusal("nobody won the bonus yet: no amount is displayed", "2.20(f)")
        case HandClaimed() | SeatFolded() if state.is_taking_wagers or state.is_to_be_counted:
            return Refusal("the hand is not dealt yet", rules.clause("count"))
        case _:
            return Refusal(f"{_words(event)} is not possible while the table is {state.phase.value}")


def _words(event: Event) -> str:
    name = type(event).__name__
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip()
