"""Next step: the one thing the dealer does now, in the dealer's words."""

from typing import Final

from controller.web.advice import remedy
from controller.web.text import many, spoken
from games.money import dollars
from games.round.coupons import unanswered
from games.round.deal import owes_stub, start
from games.round.layout import act_of_round
from games.round.outputs import takes_chips
from games.round.state import Claim, ClaimState, Phase, RoundState
from games.round.table_rules import TableRules
from games.settlement.walk import AskDisplay, AskSeats, AskSharers, Standing
from games.showdown.pai_gow.start import place

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
        case Phase.OPEN if rules.layout_wagers:
            return f"A side wager, a coupon, no {spoken(rules.base_wager.name)}: tap the seat."
        case Phase.OPEN:
            return f"A coupon, no {spoken(rules.base_wager.name)}: tap the seat."
        case Phase.COUNTED | Phase.IN_PLAY | Phase.SETTLING:
            return "A winning hand or a fold: tap the seat." if rules.has_fold else "A winning hand: tap the seat."
        case _:
            return ""


def next_step(rules: TableRules, state: RoundState) -> str:
    """What to do now; what is broken comes first, then the money, then the round."""
    wide = ((device, fault) for device, fault in state.faults.items() if fault.seat == 0)
    wide_fault = next((f"{device}: {remedy(device, fault)}" for device, fault in wide), "")
    if wide_fault:
        return wide_fault
    if settling := _settling_step(rules, state):
        return settling
    if state.refunds_due:
        return f"Refund {_seats(tuple(state.refunds_due))} from the rack, then confirm"
    if why := unanswered(state):
        return why.reason.capitalize()
    if rules.why_cut_off(state) and state.is_taking_wagers:
        return f"No progressive wagers: {state.link_down}"
    return _phase_step(rules, state)


def _settling_step(rules: TableRules, state: RoundState) -> str:
    """What the walk around the table comes to next."""
    act = act_of_round(rules, state) if state.claims or state.envy or state.named else None
    match act:
        case AskSeats(seats=seats):
            return f"{_seats(seats).capitalize()}: {least_from_meter(rules)} or better? Enter it, or tap “no meter win”"
        case AskSharers(before=before):
            hand = f"Seat {before.turn.seat.number}: {spoken(before.line.hand) if before.line else ''}"
            return f"{hand}: look at every hand, another one may share the meter"
        case AskDisplay(standing=standing):
            return f"Seat {standing.turn.seat.number} won the bonus: its player presses the button"
        case None:
            return _papers_step(state)
        case _:
            return _turn_step(state, act.standing)


def _papers_step(state: RoundState) -> str:
    if not state.papers_due:
        return ""
    seats = _seats(state.papers_due).capitalize()
    return f"{seats}: keep the cards until the papers are complete, then tap “papers done”"


def _turn_step(state: RoundState, standing: Standing) -> str:
    turn = standing.turn
    if turn.holder:
        return _envy_step(state, standing)
    claim = state.claim(turn.seat.number, turn.wager.name)
    assert claim is not None
    return _claim_step(state, claim)


def _envy_step(state: RoundState, standing: Standing) -> str:
    seat, holder = standing.turn.seat.number, standing.turn.holder
    if standing.validation:
        hand = spoken(standing.line.hand) if standing.line else "hand"
        return f"Seat {holder}: {hand}, envied by others, call supervisor"
    due = sum(envy.amount_cents for envy in state.envy_due if envy.seat == seat)
    return f"Seat {seat}: envy bonus {dollars(due)}, pay from the rack, then confirm"


def least_from_meter(rules: TableRules) -> str:
    """The least hand that takes something from the meter, as people say it."""
    last = next((line.hand for line in reversed(rules.pay_table.lines) if line.deducted), "")
    return spoken(last)


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
        case Phase.COUNTED | Phase.IN_PLAY if rules.draws_by_press and state.number_drawn is None:
            return "Deal the stacks, then press: the number is drawn"
        case Phase.COUNTED | Phase.IN_PLAY if not lights:
            return f"No progressive wagers: {_number(rules, state)}deal"
        case Phase.COUNTED | Phase.IN_PLAY:
            return f"{_against(state.counted, state)}: {_number(rules, state)}deal"
        case _ if owes_stub(rules, state):
            return "Count the stub, then end the round"
        case _:
            return "End the round"


def _claim_step(state: RoundState, claim: Claim) -> str:
    on = "" if claim.wager == "progressive" else f"{spoken(claim.wager)}, "
    hand = f"Seat {claim.seat}: {on}{spoken(claim.hand)}"
    if state.is_held(claim):
        return f"{hand}: do not pay, keep the cards; {state.held}"
    match claim.state:
        case ClaimState.FIXED:
            return f"{hand} {dollars(claim.amount_cents)}, call supervisor"
        case ClaimState.CHECKING:
            return f"{hand} {dollars(claim.amount_cents)}, do not pay yet: {claim.waits or 'the meter checks'}"
        case ClaimState.VALIDATED if claim.source == "cage":
            return f"{hand} {dollars(claim.amount_cents)}, paid by the cage: keep the cards, then confirm"
        case ClaimState.VALIDATED:
            return f"{hand} {dollars(claim.amount_cents)}, pay from the rack, then confirm"
        case _:
            return f"{hand}, {claim.state.value}"


def _number(rules: TableRules, state: RoundState) -> str:
    """What the dealer announces before he deals: the number, and who gets the first cards."""
    number = f"number {state.number_drawn}, " if state.number_drawn is not None else ""
    begins = start(rules, state)
    return f"{number}{place(begins.position)} first, " if begins else number


def _against(chips: int | None, state: RoundState) -> str:
    coupons = f" + {many(len(state.coupons), 'coupon')}" if state.coupons else ""
    return f"{many(chips, 'chip')}{coupons}, {many(len(state.wagers), 'light')}"


def _seats(seats: tuple[int, ...]) -> str:
    return ("seat " if len(seats) == 1 else "seats ") + ", ".join(map(str, seats))
