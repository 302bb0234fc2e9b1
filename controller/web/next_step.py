"""Next step: the one thing the dealer does now, in the dealer's words."""

from typing import Final

from controller.web.advice import remedy
from controller.web.text import many, spoken
from games.money import dollars
from games.round.outputs import takes_chips
from games.round.state import Claim, ClaimState, Phase, RoundState
from games.round.table_rules import TableRules

_PHASES: Final = {
    Phase.CLOSED: "Closed",
    Phase.OPEN: "Wagers open",
    Phase.COUNTING: "Counting",
    Phase.LOCKED: "No more bets",
    Phase.COUNTED: "Deal",
    Phase.IN_PLAY: "In play",
    Phase.SETTLING: "Settling",
    Phase.VOIDED: "Round void",
    Phase.ENDED: "Round over",
}


def phase_words(rules: TableRules, state: RoundState) -> str:
    """Where the round stands, in large letters; wagers are open only where a gate may be."""
    if state.is_miscounted:
        return "Count differs"
    if state.phase is Phase.OPEN and not takes_chips(rules, state):
        return "No new wagers"
    return _PHASES[state.phase]


def hint(rules: TableRules, state: RoundState) -> str:
    """What else a dealer may have to enter now, and where."""
    match state.phase:
        case Phase.OPEN if rules.game.coupons:
            return "A coupon: tap the seat."
        case Phase.COUNTED | Phase.IN_PLAY | Phase.SETTLING:
            return "A winning hand or a fold: tap the seat."
        case _:
            return ""


def next_step(rules: TableRules, state: RoundState) -> str:
    """What to do now; what is broken comes first, then the money, then the round."""
    wide = ((device, fault) for device, fault in state.faults.items() if fault.seat == 0)
    wide_fault = next((f"{device}: {remedy(device, fault)}" for device, fault in wide), "")
    claim = max(state.open_claims, key=lambda claim: (claim.has_the_turn, claim.seat), default=None)
    if wide_fault:
        return wide_fault
    if claim is not None:
        return _claim_step(rules, state, claim)
    if state.envy_due:
        due = state.envy_due[0]
        return f"Seat {due.seat}: envy bonus {dollars(due.amount_cents)}, pay from the rack, then confirm"
    if state.refunds_due:
        return f"Round void: refund {_seats(state.refunds_due)} from the rack"
    if rules.why_cut_off(state) and state.is_taking_wagers:
        return f"No progressive wagers: {state.link_down}"
    return _phase_step(rules, state)


def _phase_step(rules: TableRules, state: RoundState) -> str:
    lights = len(state.wagers)
    if state.is_miscounted:
        return f"{_against(state.counted, state)}: call the supervisor"
    match state.phase:
        case Phase.CLOSED:
            return "Table closed: a supervisor opens it"
        case Phase.OPEN if state.closing:
            return "Closing: press lock-out"
        case Phase.OPEN if rules.by_eye:
            return f"Wagers open: {many(lights, 'light')}; count the chips, then press lock-out"
        case Phase.OPEN:
            return "Wagers open: press lock-out"
        case Phase.LOCKED | Phase.COUNTING:
            return f"Counting: {_against(state.returned, state)}"
        case Phase.COUNTED | Phase.IN_PLAY if not lights:
            return "No progressive wagers: deal"
        case Phase.COUNTED | Phase.IN_PLAY:
            return f"{_against(state.counted, state)}: deal"
        case _:
            return "End the round"


def _claim_step(rules: TableRules, state: RoundState, claim: Claim) -> str:
    hand = f"Seat {claim.seat}: {spoken(claim.hand)}"
    if state.held and claim.percent_bp:
        return f"{hand}: do not pay, keep the cards; {state.held}"
    match claim.state:
        case ClaimState.VALIDATED if claim.takes_all and rules.can_be_shared and not state.all_shown:
            return f"{hand}: look at every hand, another one may share the meter"
        case ClaimState.FIXED:
            return f"{hand} {dollars(claim.amount_cents)}, call supervisor"
        case ClaimState.VALIDATED if claim.source == "cage":
            return f"{hand} {dollars(claim.amount_cents)}, paid by the cage: keep the cards, then confirm"
        case ClaimState.VALIDATED:
            return f"{hand} {dollars(claim.amount_cents)}, pay from the rack, then confirm"
        case _:
            return f"{hand}, {claim.state.value}"


def _against(chips: int | None, state: RoundState) -> str:
    coupons = f" + {many(len(state.coupons), 'coupon')}" if state.coupons else ""
    return f"{many(chips, 'chip')}{coupons}, {many(len(state.wagers), 'light')}"


def _seats(seats: tuple[int, ...]) -> str:
    return ("seat " if len(seats) == 1 else "seats ") + ", ".join(map(str, seats))
