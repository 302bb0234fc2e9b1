"""Next step: the one thing the dealer does now, in the dealer's words."""

from typing import Final

from common.words import Words, capitalised
from controller.web.advice import remedy
from controller.web.text import IN_ENGLISH, device_words, hand_of, place_words, reason_words, told
from games.round.coupons import unanswered
from games.round.deal import owes_stub, start
from games.round.layout import act_of_round
from games.round.outputs import takes_chips
from games.round.state import Claim, ClaimState, Phase, RoundState
from games.round.table_rules import TableRules
from games.settlement.walk import AskDisplay, AskSeats, AskSharers, Standing

_PHASES: Final = {
    Phase.CLOSED: "closed",
    Phase.OPEN: "open",
    Phase.COUNTING: "counting",
    Phase.LOCKED: "locked",
    Phase.COUNTED: "deal",
    Phase.IN_PLAY: "in_play",
    Phase.SETTLING: "settling",
    Phase.VOIDED: "voided",
    Phase.ENDED: "ended",
}


def phase_words(rules: TableRules, state: RoundState, words: Words = IN_ENGLISH) -> str:
    """Where the round stands, in large letters; wagers are open only where a gate may be."""
    if state.is_miscounted:
        return words.say("count_differs")
    if state.phase is Phase.OPEN and not takes_chips(rules, state):
        return words.say("no_new_wagers")
    return words.say(_PHASES[state.phase])


def hint(rules: TableRules, state: RoundState, words: Words = IN_ENGLISH) -> str:
    """What else a dealer may have to enter now, and where."""
    match state.phase:
        case Phase.OPEN if rules.layout_wagers:
            return words.say("hint_side", wager=rules.base_wager.name)
        case Phase.OPEN:
            return words.say("hint_open", wager=rules.base_wager.name)
        case Phase.COUNTED | Phase.IN_PLAY | Phase.SETTLING:
            return words.say("hint_fold" if rules.has_fold else "hint_win")
        case _:
            return ""


def next_step(rules: TableRules, state: RoundState, words: Words = IN_ENGLISH) -> str:
    """What to do now; what is broken comes first, then the money, then the round."""
    wide = next(((device, fault) for device, fault in state.faults.items() if fault.seat == 0), None)
    if wide is not None:
        device, fault = wide
        return words.say("remedy", device=device_words(device, words), remedy=remedy(device, fault, words))
    if settling := _settling_step(rules, state, words):
        return settling
    if state.refunds_due:
        return words.say("refund", seats=tuple(state.refunds_due))
    if why := unanswered(state):
        return capitalised(told(why, words).reason)
    if rules.why_cut_off(state) and state.is_taking_wagers:
        return words.say("no_progressive", why=reason_words(state.link_down, words))
    return _phase_step(rules, state, words)


def _settling_step(rules: TableRules, state: RoundState, words: Words) -> str:
    """What the walk around the table comes to next."""
    act = act_of_round(rules, state) if state.claims or state.envy or state.named else None
    match act:
        case AskSeats(seats=seats):
            return words.say("ask_seats", seats=seats, hand=least_from_meter(rules))
        case AskSharers(before=before):
            assert before.line is not None  # the row that takes the whole meter
            return words.say("ask_sharers", seat=before.turn.seat.number, hand=before.line.hand)
        case AskDisplay(standing=standing):
            return words.say("ask_display", seat=standing.turn.seat.number)
        case None:
            return _papers_step(state, words)
        case _:
            return _turn_step(state, act.standing, words)


def _papers_step(state: RoundState, words: Words) -> str:
    return words.say("papers_step", seats=state.papers_due) if state.papers_due else ""


def _turn_step(state: RoundState, standing: Standing, words: Words) -> str:
    turn = standing.turn
    if turn.holder:
        return _envy_step(state, standing, words)
    claim = state.claim(turn.seat.number, turn.wager.name)
    assert claim is not None
    return _claim_step(state, claim, words)


def _envy_step(state: RoundState, standing: Standing, words: Words) -> str:
    seat, holder = standing.turn.seat.number, standing.turn.holder
    if standing.validation:
        assert standing.line is not None  # somebody envies it for what it pays
        return words.say("validate_envied_step", seat=holder, hand=standing.line.hand)
    due = sum(envy.amount_cents for envy in state.envy_due if envy.seat == seat)
    return words.say("pay_envy_step", seat=seat, amount=due)


def least_from_meter(rules: TableRules) -> str:
    """The least hand that takes something from the meter."""
    return next((line.hand for line in reversed(rules.pay_table.lines) if line.deducted), "")


def _phase_step(rules: TableRules, state: RoundState, words: Words) -> str:
    lights = len(state.wagers)
    if state.is_miscounted:
        return words.say("call_supervisor", count=_against(state.counted or 0, state, words))
    match state.phase:
        case Phase.CLOSED:
            return words.say("step_closed")
        case Phase.OPEN if state.closing:
            return words.say("step_closing")
        case Phase.OPEN if rules.by_eye:
            return words.say("step_by_eye", lights=lights)
        case Phase.OPEN:
            return words.say("step_open")
        case Phase.LOCKED | Phase.COUNTING:
            return words.say("step_counting", count=_against(state.returned, state, words))
        case Phase.COUNTED | Phase.IN_PLAY if rules.draws_by_press and state.number_drawn is None:
            return words.say("step_stacks")
        case Phase.COUNTED | Phase.IN_PLAY if not lights:
            return words.say("step_deal_none", first=_number(rules, state, words))
        case Phase.COUNTED | Phase.IN_PLAY:
            count = _against(state.counted or 0, state, words)
            return words.say("step_deal", count=count, first=_number(rules, state, words))
        case _ if owes_stub(rules, state):
            return words.say("step_stub")
        case _:
            return words.say("step_end")


def _claim_step(state: RoundState, claim: Claim, words: Words) -> str:
    hand = capitalised(hand_of(claim, words))
    if state.is_held(claim):
        return words.say("claim_held", win=hand, why=reason_words(state.held, words))
    win = words.say("win_amount", win=hand, amount=claim.amount_cents)
    match claim.state:
        case ClaimState.FIXED:
            return words.say("claim_fixed", win=win)
        case ClaimState.CHECKING:
            return words.say("claim_checking", win=win, why=claim.waits or words.say("meter_checks"))
        case ClaimState.VALIDATED if claim.source == "cage":
            return words.say("claim_cage", win=win)
        case ClaimState.VALIDATED:
            return words.say("claim_validated", win=win)
        case _:
            return words.say("claim_stands", win=hand, state=claim.state.value)


def _number(rules: TableRules, state: RoundState, words: Words) -> str:
    """What the dealer announces before he deals: the number, and who gets the first cards."""
    number = words.say("number_first", number=state.number_drawn) if state.number_drawn is not None else ""
    begins = start(rules, state)
    return number + words.say("place_first", place=place_words(begins.position, words)) if begins else number


def _against(chips: int, state: RoundState, words: Words) -> str:
    key = "chips_coupons_lights" if state.coupons else "chips_lights"
    return words.say(key, chips=chips, coupons=len(state.coupons), lights=len(state.wagers))
