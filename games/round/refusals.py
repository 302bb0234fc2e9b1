"""Why the rules forbid an event: a reason a dealer understands, with its clause; never an exception."""

from games.refusal import Refusal
from games.round.claim_refusals import claim_refusal
from games.round.events import (
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
    HandsVoided,
    LockOutPressed,
    MismatchExplained,
    PayoutConfirmed,
    RecountAsked,
    RefundsConfirmed,
    RoundVoided,
    SeatFolded,
    SeatsVoided,
    TableOpened,
)
from games.round.hand_refusals import hand_refusal
from games.round.state import Book, Phase
from games.round.table_rules import TableRules
from games.round.wager_refusals import count_refusal, wager_refusal

_SUPERVISORS = (
    TableOpened,
    CloseAsked,
    MismatchExplained,
    ClaimValidated,
    ClaimRejected,
    FoldCorrected,
    HandsVoided,
    RoundVoided,
    SeatsVoided,
)

_NAMED = (*_SUPERVISORS, PayoutConfirmed, RecountAsked, RefundsConfirmed)
"""Whose events carry a name into the books."""


def refusal(rules: TableRules, book: Book, event: Event) -> Refusal | None:
    """Why the rules forbid this, or None; phase legality is the table's business."""
    if isinstance(event, _SUPERVISORS) and rules.supervisor_key and not book.key_on:
        return Refusal("turn the supervisor key first")
    if isinstance(event, _NAMED) and not event.by.strip():
        return Refusal("say who you are")
    reasons = (why(rules, book, event) for why in (wager_refusal, count_refusal, hand_refusal, claim_refusal))
    return next((reason for reason in reasons if reason), None)


def out_of_phase(rules: TableRules, book: Book, event: Event) -> Refusal:
    """Why an event the phase table knows no way for is refused."""
    match event:
        case ChipPlaced(seat=seat) | CouponRedeemed(seat=seat) if book.phase is Phase.CLOSED:
            return Refusal(f"seat {seat}: the table is closed")
        case ChipPlaced(seat=seat):
            return Refusal(f"seat {seat}: chip after lock-out; give it back to the player", rules.clause("late"))
        case CouponRedeemed(seat=seat) | CouponReturned(seat=seat):
            return Refusal(f"seat {seat}: coupons only before lock-out", rules.clause("late"))
        case LockOutPressed() if book.is_to_be_counted:
            return Refusal("the chips are being counted")
        case EndOfRoundPressed() if book.is_to_be_counted:
            return Refusal("the chips are not counted yet", rules.clause("count"))
        case EndOfRoundPressed() if book.phase is Phase.OPEN:
            return Refusal("press lock-out first", rules.clause("late"))
        case HandClaimed() | SeatFolded() if book.is_taking_wagers or book.is_to_be_counted:
            return Refusal("the hand is not dealt yet", rules.clause("count"))
        case _:
            return Refusal(f"{_words(event)} is not possible while the table is {book.phase.value}")


def _words(event: Event) -> str:
    name = type(event).__name__
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip()
