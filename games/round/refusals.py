"""Why the rules forbid an event: a reason a dealer understands, with its clause; never an exception."""

from games.money import dollars
from games.refusal import Refusal
from games.round.claim_refusals import claim_refusal
from games.round.claims import spoken
from games.round.envy import words_of
from games.round.events import (
    ChipPlaced,
    ChipsAttested,
    ChipsCounted,
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
    TableClosed,
    TableOpened,
    WagersRegistered,
)
from games.round.outputs import live_wagers
from games.round.state import ClaimState, Phase, RoundState
from games.round.table_rules import TableRules


def wager_refusal(rules: TableRules, state: RoundState, event: Event) -> Refusal | None:
    """Why this may not happen to a wager, or None."""
    match event:
        case TableOpened():
            return _unfit_to_open(rules, state)
        case TableClosed() if state.wagers and state.phase is Phase.OPEN:
            return Refusal(f"{len(state.wagers)} wagers are live: press lock-out and finish the round")
        case ChipPlaced(seat=seat):
            return _unfit_for_wager(rules, state, seat)
        case CouponRedeemed() if not rules.game.coupons:
            return Refusal(f"{rules.game.title} takes no coupons", rules.clause("coupons"))
        case CouponRedeemed(seat=seat, serial=serial):
            if not serial.strip():
                return Refusal("write the coupon's serial number", rules.clause("coupons"))
            if any(wager.coupon == serial for wager in state.wagers.values()):
                return Refusal(f"coupon {serial} is on the table already", rules.clause("coupons"))
            return _unfit_for_wager(rules, state, seat)
        case CouponReturned(seat=seat) if seat not in state.coupons:
            return Refusal(f"seat {seat} has no coupon wager")
        case _:
            return None


def _unfit_to_open(rules: TableRules, state: RoundState) -> Refusal | None:
    fault = next(((device, fault) for device, fault in state.faults.items() if fault.seat == 0), None)
    if fault is not None:
        return Refusal(f"{fault[0]}: {fault[1].detail}; mend it first")
    if rules.why_cut_off(state):
        return Refusal(f"no meter: {state.link_down}")
    return None


def _unfit_for_wager(rules: TableRules, state: RoundState, seat: int) -> Refusal | None:
    fault = state.seat_fault(seat)
    if seat not in rules.seats:
        return Refusal(f"this table has no seat {seat}")
    if seat in state.wagers:
        return Refusal(f"seat {seat} has its wager already; one a round", rules.clause("one_wager"))
    if state.is_miscounted:
        return Refusal(f"seat {seat}: chips and lights differ; wait for the supervisor", rules.clause("count"))
    if fault is not None:
        return Refusal(f"seat {seat} is shut: {fault.detail}")
    if rules.why_cut_off(state):
        return Refusal(f"seat {seat}: no progressive wagers, {state.link_down}")
    if state.closing is not None:
        return Refusal(f"seat {seat}: the table is closing")
    return None


def count_refusal(rules: TableRules, state: RoundState, event: Event) -> Refusal | None:
    """Why a count, or its registration, is not accepted, or None."""
    match event:
        case ChipsCounted(chips=chips) | ChipsAttested(chips=chips) if chips != state.chips_due:
            coupons = f" and {len(state.coupons)} coupons" if state.coupons else ""
            return Refusal(
                f"{len(state.wagers)} lights but {chips} chips{coupons}: call the supervisor", rules.clause("count")
            )
        case MismatchExplained() if state.counted is None:
            return Refusal("the chips are not counted yet", rules.clause("count"))
        case MismatchExplained(reason=reason) if not reason.strip():
            return Refusal("write down why chips and lights differ", rules.clause("count"))
        case MismatchExplained(void_seats=seats) if unlit := sorted(set(seats) - set(state.wagers)):
            return Refusal(f"seat {unlit[0]} made no wager")
        case WagersRegistered(seq=seq) if seq != state.wagers_seq or state.registered:
            return Refusal(f"entry {seq} is not this round's")
        case _:
            return None


def hand_refusal(rules: TableRules, state: RoundState, event: Event) -> Refusal | None:
    """Why this may not happen to a hand, or None."""
    match event:
        case SeatFolded(seat=seat):
            return _fold_refusal(rules, state, seat)
        case FoldCorrected(seat=seat) if seat not in state.folded:
            return Refusal(f"seat {seat} has not folded")
        case HandsVoided(irregularity=name) | RoundVoided(irregularity=name):
            return _irregularity_refusal(rules, state, name, refunds=isinstance(event, RoundVoided))
        case SeatsVoided():
            return _seats_refusal(rules, state, event)
        case RefundsConfirmed() if not state.refunds_due:
            return Refusal("no wager is to be refunded")
        case EndOfRoundPressed():
            return _unfinished(rules, state)
        case _:
            return None


def _fold_refusal(rules: TableRules, state: RoundState, seat: int) -> Refusal | None:
    fold, claim = rules.wager.fold, state.claim(seat)
    if seat not in rules.seats:
        return Refusal(f"this table has no seat {seat}")
    if fold.effect == "bars" and seat in live_wagers(state):
        return Refusal(f"seat {seat} made a progressive wager and may not surrender", fold.rule)
    if fold.effect == "forfeits" and claim is not None and claim.state is not ClaimState.REJECTED:
        return Refusal(f"seat {seat} has claimed: reject the claim first", fold.rule)
    return None


def _irregularity_refusal(rules: TableRules, state: RoundState, name: str, *, refunds: bool) -> Refusal | None:
    known = rules.irregularity(name)
    if known is None:
        return _unknown(rules)
    if known.voids == "seats":
        return Refusal("the rules void single seats for this one: name them", known.rule)
    if rules.refunds(known) and not refunds:
        return Refusal("the rules refund this one: void the round", known.rule)
    if refunds and not rules.refunds(known):
        return Refusal("the hands are void but progressive wagers are settled all the same", known.rule)
    if refunds and any(claim.state is not ClaimState.REJECTED for claim in state.claims):
        return Refusal("a hand is claimed: reject the claim first", known.rule)
    if refunds and any(envy.paid_by for envy in state.envy):
        return Refusal("an envy bonus was paid: the round stands", known.rule)
    return None


def _seats_refusal(rules: TableRules, state: RoundState, event: SeatsVoided) -> Refusal | None:
    known = rules.irregularity(event.irregularity)
    strangers = sorted(set(event.seats) - set(rules.seats))
    claimed = [seat for seat in event.seats if (claim := state.claim(seat)) and claim.state is not ClaimState.REJECTED]
    if known is None:
        return _unknown(rules)
    if known.voids != "seats":
        return Refusal("the rules void no single seat for this one", known.rule)
    if strangers or not event.seats:
        return Refusal(f"this table has no seat {strangers[0]}" if strangers else "name the seats", known.rule)
    if claimed:
        return Refusal(f"seat {claimed[0]} has claimed: reject the claim first", known.rule)
    if any(envy.paid_by and {envy.seat, envy.holder} & set(event.seats) for envy in state.envy):
        return Refusal("an envy bonus was paid to this seat or for its hand: it stands", known.rule)
    return None


def _unknown(rules: TableRules) -> Refusal:
    return Refusal(f"unknown irregularity; write one of {', '.join(known.name for known in rules.game.irregularities)}")


def _unfinished(rules: TableRules, state: RoundState) -> Refusal | None:
    if state.refunds_due:
        return Refusal(f"refund seats {', '.join(map(str, state.refunds_due))} first")
    if not state.open_claims:
        return _envy_unpaid(state)
    claim = max(state.open_claims, key=lambda claim: (claim.has_the_turn, claim.seat))
    amount = f" {dollars(claim.amount_cents)}" if claim.amount_cents else ""
    return Refusal(f"seat {claim.seat}: {spoken(claim.hand)}{amount} is {claim.state.value}", rules.clause("pay_first"))


def _envy_unpaid(state: RoundState) -> Refusal | None:
    due = next(iter(state.envy_due), None)
    if due is None:
        return None
    return Refusal(
        f"seat {due.seat}: envy bonus {dollars(due.amount_cents)} for {words_of(due)} is to be paid", due.rule
    )


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


def refusal(rules: TableRules, state: RoundState, event: Event) -> Refusal | None:
    """Why the rules forbid this, or None; phase legality is the table's business."""
    if isinstance(event, _SUPERVISORS) and rules.supervisor_key and not state.key_on:
        return Refusal("turn the supervisor key first")
    if isinstance(event, _NAMED) and not event.by.strip():
        return Refusal("say who you are")
    reasons = (why(rules, state, event) for why in (wager_refusal, count_refusal, hand_refusal, claim_refusal))
    return next((reason for reason in reasons if reason), None)


def out_of_phase(rules: TableRules, state: RoundState, event: Event) -> Refusal:
    """Why an event the phase table knows no way for is refused."""
    match event:
        case ChipPlaced(seat=seat) | CouponRedeemed(seat=seat) if state.phase is Phase.CLOSED:
            return Refusal(f"seat {seat}: the table is closed")
        case ChipPlaced(seat=seat):
            return Refusal(f"seat {seat}: chip after lock-out; give it back to the player", rules.clause("late"))
        case CouponRedeemed(seat=seat) | CouponReturned(seat=seat):
            return Refusal(f"seat {seat}: coupons only before lock-out", rules.clause("late"))
        case LockOutPressed() if state.is_to_be_counted:
            return Refusal("the chips are being counted")
        case EndOfRoundPressed() if state.is_to_be_counted:
            return Refusal("the chips are not counted yet", rules.clause("count"))
        case EndOfRoundPressed() if state.phase is Phase.OPEN:
            return Refusal("press lock-out first", rules.clause("late"))
        case HandClaimed() | SeatFolded() if state.is_taking_wagers or state.is_to_be_counted:
            return Refusal("the hand is not dealt yet", rules.clause("count"))
        case _:
            return Refusal(f"{_words(event)} is not possible while the table is {state.phase.value}")


def _words(event: Event) -> str:
    name = type(event).__name__
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip()
