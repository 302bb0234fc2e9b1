"""Paying: what the walk asks for next, what the meter fixed for it, who shares it, and who was paid."""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from games.money import equal_shares
from games.round.claims import spoken, with_lines, written_down
from games.round.effects import DeductAward, FixAward, Outcome, ReleaseAward, ValidateAward, to_meter
from games.round.events import (
    AwardFixed,
    BonusDisplayed,
    ClaimEvent,
    ClaimRejected,
    ClaimValidated,
    DealerCardDealt,
    EnvyPaid,
    HandClaimed,
    HandsAllShown,
    HandShown,
    NoWinShown,
    NumberDrawn,
    PapersCompleted,
    PayoutConfirmed,
    ValidationAccepted,
    ValidationRefused,
)
from games.round.layout import act_of_meter, is_envy_validated, layout
from games.round.state import Claim, ClaimState, RoundState
from games.round.table_rules import TableRules
from games.settlement.order import turns
from games.settlement.settle import row
from games.settlement.walk import Act, AskMeter, AskSeats, AskSharers, turn_of

TABLE: Final = "table"
"""Who releases an award that no person has rejected."""


def settled(rules: TableRules, state: RoundState, event: ClaimEvent) -> Outcome:
    """Writes down what happened to a hand or a payment; then the walk goes on."""
    state, effects = _recorded(rules, state, event)
    state, more = advance(rules, state)
    if isinstance(event, HandClaimed) and event.paid:
        claim = _known(state, event.seat, event.wager)
        state = state.with_claim(replace(claim, state=ClaimState.PAID, paid_by=event.by))
    return state, (*effects, *more)


def advance(rules: TableRules, state: RoundState) -> Outcome:
    """What follows from what is known: who wins, and for whom the meter is asked, or was asked too early."""
    state = with_lines(rules, state)
    act = act_of_meter(rules, state)
    state, released = _release_overtaken(rules, state, act)
    if released:
        state = with_lines(rules, state)
        act = act_of_meter(rules, state)
    state, asked = _take_turn(rules, state, act)
    return _number_slips(state), (*released, *asked)


def _recorded(rules: TableRules, state: RoundState, event: ClaimEvent) -> Outcome:
    match event:
        case HandClaimed() | HandShown():
            return _claim(rules, state, event)
        case NoWinShown(seats=seats):
            return replace(state, no_win=tuple(sorted({*state.no_win, *seats}))), ()
        case HandsAllShown():
            return replace(state, all_shown=True), ()
        case NumberDrawn(number=number):
            return replace(state, number_drawn=number), ()
        case DealerCardDealt(hand=hand, card=card):
            return replace(state, dealer_hands=(*state.dealer_hands[:hand], card)), ()
        case BonusDisplayed(seat=seat, cents=cents):
            return replace(state, displayed=state.displayed | {seat: cents}), ()
        case EnvyPaid(seat=seat, by=by):
            return _pay_envy(rules, state, seat, by), ()
        case AwardFixed():
            return _fix(rules, state, event)
        case ClaimValidated():
            return _validate(state, event)
        case ValidationAccepted() | ValidationRefused():
            return state.with_claim(_checked(_known(state, event.seat), event)), ()
        case ClaimRejected():
            return _reject(state, event)
        case PayoutConfirmed() | PapersCompleted():
            return _pay(state, event)


def _claim(rules: TableRules, state: RoundState, event: HandClaimed | HandShown) -> Outcome:
    """Writes the hand down; a hand that has grown gives back what the meter fixed for it as it was."""
    before = {claim.seat for claim in state.claims if claim.takes_all}
    state, effects = _withdraw(state, event.seat, "the hand has grown", TABLE)
    state = written_down(rules, state, event)
    after = {claim.seat for claim in with_lines(rules, state).claims if claim.takes_all}
    return replace(state, all_shown=state.all_shown and after <= before), effects


def _withdraw(state: RoundState, seat: int, reason: str, by: str) -> Outcome:
    """The seat's claim to the meter without its turn, and what was fixed for it and its sharers given back."""
    claim = state.claim(seat)
    if claim is None or not claim.award_seq or not claim.is_open:
        return state, ()
    return _give_back(state, claim, reason, by)


def _give_back(state: RoundState, claim: Claim, reason: str, by: str) -> Outcome:
    award_seq = claim.award_seq
    for sharer in state.claims_to(award_seq):
        state = state.with_claim(_waiting(sharer))
    state, effect = to_meter(state, ReleaseAward(award_seq, reason, by))
    return state, (effect,)


def _release_overtaken(rules: TableRules, state: RoundState, act: Act | None) -> Outcome:
    """An award whose turn has not come after all, or that one more shares, goes back to the meter.

    Where a share of it was paid, it stands as it was divided.
    """
    turn = _claim_at_turn(state, act)
    for claim in state.open_claims:
        is_begun = any(each.state is ClaimState.PAID for each in state.claims_to(claim.award_seq))
        if not claim.has_the_turn or is_begun:
            continue
        sharer = _new_sharer(rules, state, claim)
        if sharer is not None:
            return _give_back(state, claim, f"seat {sharer} shares the meter", TABLE)
        if turn is None or turn.award_seq != claim.award_seq:
            return _give_back(state, claim, _why(act), TABLE)
    return state, ()


def _claim_at_turn(state: RoundState, act: Act | None) -> Claim | None:
    standing = turn_of(act)
    return state.claim(standing.turn.seat.number) if standing is not None else None


def _new_sharer(rules: TableRules, state: RoundState, claim: Claim) -> int | None:
    """A seat that wins the whole meter too, and for which it was not fixed."""
    if not (claim.takes_all and rules.game.shares_whole_meter):
        return None
    others = (other.seat for other in state.open_claims if other.takes_all and other.award_seq != claim.award_seq)
    return next(others, None)


def _why(act: Act | None) -> str:
    match act:
        case AskSeats(seats=seats):
            return f"seats {', '.join(map(str, seats))} come first"
        case AskSharers():
            return "another seat may share the meter"
        case AskMeter(standing=standing):
            return f"seat {standing.turn.seat.number} is paid first"
        case _:
            return "its turn has not come"


def _take_turn(rules: TableRules, state: RoundState, act: Act | None) -> Outcome:
    """Asks the meter for whoever's turn it is; a share whose turn has come is to be validated or paid."""
    if isinstance(act, AskMeter):
        return _ask(rules, state, _known(state, act.standing.turn.seat.number))
    claim = _claim_at_turn(state, act)
    if claim is not None and claim.state is ClaimState.SHARING and claim.is_fixed:
        return state.with_claim(replace(claim, state=_once_fixed(claim))), ()
    return state, ()


def _ask(rules: TableRules, state: RoundState, claim: Claim) -> Outcome:
    """Has the meter fix the award, for everybody who shares it."""
    shared = claim.takes_all and rules.game.shares_whole_meter
    others = [other for other in state.open_claims if shared and other.takes_all and other is not claim]
    seats = tuple(sorted((each.seat for each in (claim, *others)), reverse=True))
    entry = FixAward(
        round=state.round,
        seat=claim.seat,
        hand=claim.hand,
        percent_bp=claim.percent_bp,
        fixed_cents=claim.fixed_cents,
        sharers=seats if others else (),
    )
    state, effect = to_meter(state, entry)
    state = state.with_claim(replace(claim, state=ClaimState.ASKED, award_seq=state.link_seq))
    for other in others:
        state = state.with_claim(replace(other, state=ClaimState.SHARING, award_seq=state.link_seq))
    return state, (effect,)


def _fix(rules: TableRules, state: RoundState, event: AwardFixed) -> Outcome:
    """Writes down what the meter fixed, unless at that meter the cards are paid more as another hand (11.9(j)).

    An amount that management's order changed is validated anew, on a slip of its own (28.11(i)).
    """
    claims = tuple(replace(_unvalidated(claim), slip=0) for claim in state.claims_to(event.seq))
    best = _best_hand(rules, state, claims[0], event)
    if best != claims[0].hand:
        state, effects = _give_back(state, claims[0], f"{spoken(best)} pays more at this meter", TABLE)
        waiting = _known(state, claims[0].seat)
        return state.with_claim(replace(waiting, priced_at_cents=event.meter_before_cents)), effects
    for claim, share in zip(claims, equal_shares(event.amount_cents, len(claims)), strict=True):
        fixed = replace(
            claim,
            is_fixed=True,
            amount_cents=share,
            meter_before_cents=event.meter_before_cents,
            meter_after_cents=event.meter_after_cents,
            house_funded_cents=event.house_funded_cents,
        )
        has_turn = claim.state is not ClaimState.SHARING
        state = state.with_claim(replace(fixed, state=_once_fixed(fixed)) if has_turn else fixed)
    return state, ()


def _best_hand(rules: TableRules, state: RoundState, claim: Claim, event: AwardFixed) -> str:
    played = layout(rules, state)
    mine = (turn for turn in turns(played) if turn.seat.number == claim.seat and turn.wager.is_progressive)
    line = row(played, next(mine), event.meter_before_cents)
    assert line is not None
    return line.hand


def _validate(state: RoundState, event: ClaimValidated) -> Outcome:
    """Writes down who validated the claim; the meter checks it where it pays. A share goes on waiting for its turn."""
    if event.wager == "envy":
        return replace(state, envy_validated=state.envy_validated | {event.seat: event.by}), ()
    claim = replace(_known(state, event.seat, event.wager), validated_by=event.by)
    if not claim.deducted:
        return state.with_claim(_at_turn(claim)), ()
    state, effect = to_meter(state, ValidateAward(claim.award_seq, claim.seat, claim.amount_cents, event.proof))
    claim = replace(claim, validation_seq=state.link_seq, validation_proof=event.proof)
    return state.with_claim(_at_turn(claim)), (effect,)


def _checked(claim: Claim, event: ValidationAccepted | ValidationRefused) -> Claim:
    """The claim as the meter answers its validation: to be paid, to wait for an approval, or to be validated again."""
    if isinstance(event, ValidationRefused):
        return _at_turn(_unvalidated(claim))
    return _at_turn(replace(claim, is_agreed=not event.waits, waits=event.waits))


def _at_turn(claim: Claim) -> Claim:
    """The claim with what is to be done for it now; a share that waits for its turn goes on waiting."""
    return claim if claim.state is ClaimState.SHARING else replace(claim, state=_once_fixed(claim))


def _unvalidated(claim: Claim) -> Claim:
    return replace(claim, validated_by="", validation_seq=0, is_agreed=False, waits="", validation_proof="")


def _pay(state: RoundState, event: PayoutConfirmed | PapersCompleted) -> Outcome:
    """Writes down the payout, or its papers; with its last share the meter learns that its award was paid."""
    if isinstance(event, PapersCompleted):
        return state.with_claim(replace(_known(state, event.seat), papers_by=event.by)), ()
    claim = _known(state, event.seat, event.wager)
    claim = replace(claim, state=ClaimState.PAID, paid_by=event.by, payout_proof=event.proof)
    state = state.with_claim(claim)
    claims = state.claims_to(claim.award_seq)
    if not claims or any(sharer.is_open for sharer in claims):
        return state, ()
    entry = DeductAward(
        award_seq=claim.award_seq,
        validated_by=_names(each.validated_by for each in claims),
        paid_by=_names(each.paid_by for each in claims),
        amount_cents=sum(each.amount_cents for each in claims),
    )
    state, effect = to_meter(state, entry)
    return state, (effect,)


def _pay_envy(rules: TableRules, state: RoundState, seat: int, by: str) -> RoundState:
    """Writes down that a seat was paid all that it is owed for hands that may be paid for."""
    mine = (envy for envy in state.envy_due if envy.seat == seat)
    due = {(envy.seat, envy.holder) for envy in mine if is_envy_validated(rules, state, envy.holder)}
    paid = (replace(envy, paid_by=by) if (envy.seat, envy.holder) in due else envy for envy in state.envy)
    return replace(state, envy=tuple(paid))


def _reject(state: RoundState, event: ClaimRejected) -> Outcome:
    """Writes down the rejection; what the meter had fixed goes back to it, also what others would have shared."""
    return void_claims(state, event.seat, event.reason, event.by)


def void_claims(state: RoundState, seat: int, reason: str, by: str, only: frozenset[str] | None = None) -> Outcome:
    """The state without the seat's hand: its open claims, or only these, are rejected, and nobody envies it any more.

    What the meter had fixed for them goes back to it; a slip that was numbered keeps its number.
    """
    before = state.claim(seat)
    state = _without_hand(state, seat, reason, by, only)
    after = state.claim(seat)
    if before is None or after is None or not before.award_seq or before.is_open is after.is_open:
        return state, ()
    return _give_back(state, before, reason, by)


def _without_hand(state: RoundState, seat: int, reason: str, by: str, only: frozenset[str] | None) -> RoundState:
    for claim in state.claims_of(seat):
        if claim.is_open and (only is None or claim.wager in only):
            rejected = replace(claim, state=ClaimState.REJECTED, reason=reason, validated_by=by)
            state = state.with_claim(rejected)
    if only is not None and any(claim.is_open for claim in state.claims_of(seat)):
        return state
    others = {other: cards for other, cards in state.cards.items() if other != seat}
    named = {wager: hand for wager, hand in state.named.get(seat, {}).items() if state.is_paid(seat, wager)}
    return replace(
        state,
        cards=others,
        named=state.named | {seat: named} if seat in state.named else state.named,
        community=state.community if others else (),  # a flop that was misread binds nobody
        dealer=state.dealer if others else (),
        envy_validated={holder: who for holder, who in state.envy_validated.items() if holder != seat},
    )


def _waiting(claim: Claim) -> Claim:
    """The claim without its turn: whatever was fixed, validated or numbered for it is not any more."""
    return replace(
        _unvalidated(claim),
        state=ClaimState.WAITING,
        award_seq=0,
        is_fixed=False,
        amount_cents=0,
        slip=0,
        priced_at_cents=None,
    )


def _once_fixed(claim: Claim) -> ClaimState:
    """A house may require a supervisor for more than the rule does, never for less."""
    if claim.validation and not claim.validated_by:
        return ClaimState.FIXED
    return ClaimState.CHECKING if claim.deducted and not claim.is_agreed else ClaimState.VALIDATED


def _number_slips(state: RoundState) -> RoundState:
    """Gives the next slip number to every claim that is to be paid now; a number is never given another amount."""
    for claim in state.claims:
        if claim.state is ClaimState.VALIDATED and not claim.slip:
            state = replace(state, slips=state.slips + 1)
            state = state.with_claim(replace(claim, slip=state.slips))
    return state


def _known(state: RoundState, seat: int, wager: str = "progressive") -> Claim:
    claim = state.claim(seat, wager)
    assert claim is not None
    return claim


def _names(people: Iterable[str]) -> str:
    """Everybody once, in the order of the payments."""
    return ", ".join(dict.fromkeys(name for name in people if name))
