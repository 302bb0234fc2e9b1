"""Paying: whose turn it is, what the meter fixed for it, who shares it, and who was paid."""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from games.money import equal_shares
from games.round.claims import new_claim, priced, spoken
from games.round.effects import DeductAward, FixAward, MeterEntry, Outcome, ReleaseAward, SendToMeter
from games.round.envy import envied, envy_paid, unshown
from games.round.events import (
    AwardFixed,
    ClaimEvent,
    ClaimRejected,
    ClaimValidated,
    EnvyPaid,
    HandClaimed,
    HandsAllShown,
    HandShown,
    PayoutConfirmed,
)
from games.round.state import Claim, ClaimState, RoundState
from games.round.table_rules import TableRules

TABLE: Final = "table"
"""Who releases an award that no person has rejected."""


def settled(rules: TableRules, state: RoundState, event: ClaimEvent) -> Outcome:
    """Writes down what happened to a claim; then the next one has its turn."""
    state, effects = _claimed(rules, state, event)
    state, asked = _take_turn(rules, state)
    return _number_slips(state), (*effects, *asked)


def _claimed(rules: TableRules, state: RoundState, event: ClaimEvent) -> Outcome:
    match event:
        case HandClaimed():
            return _open(rules, state, event)
        case HandShown():
            return envied(rules, state, event), ()
        case HandsAllShown():
            return replace(state, all_shown=True), ()
        case EnvyPaid(seat=seat, by=by):
            return envy_paid(state, seat, by), ()
        case AwardFixed():
            return _fix(rules, state, event)
        case ClaimValidated():
            return _validate(state, event), ()
        case ClaimRejected():
            return _reject(state, event)
        case PayoutConfirmed():
            return _pay(state, event)


def _open(rules: TableRules, state: RoundState, event: HandClaimed) -> Outcome:
    """Writes the claim down; a lower seat that has the turn gives it up, for the higher seat is paid first."""
    claim = new_claim(rules, state, event)
    state = replace(
        state,
        community=tuple(event.community) or state.community,
        all_shown=state.all_shown and not claim.takes_all,
    )
    return _yield_turn(rules, envied(rules, state, event).with_claim(claim), claim)


def _yield_turn(rules: TableRules, state: RoundState, newcomer: Claim) -> Outcome:
    """Who shares the whole meter joins those for whom it was fixed; else a validated claim keeps its turn."""
    ahead = next((claim for claim in state.claims if claim.has_the_turn), None)
    if ahead is None:
        return state, ()
    if ahead.takes_all and newcomer.takes_all and rules.game.shares_whole_meter:
        return _give_up(rules, state, ahead, f"seat {newcomer.seat} shares the meter")
    if newcomer.seat < ahead.seat or ahead.state is ClaimState.VALIDATED:
        return state, ()
    return _give_up(rules, state, ahead, f"seat {newcomer.seat} is paid first")


def _take_turn(rules: TableRules, state: RoundState) -> Outcome:
    """Gives the turn to the waiting claim nearest the dealer's right, if nobody has it."""
    waiting = [claim for claim in state.claims if claim.state in {ClaimState.WAITING, ClaimState.SHARING}]
    if not waiting or any(claim.has_the_turn for claim in state.claims):
        return state, ()
    claim = max(waiting, key=lambda claim: claim.seat)
    if claim.state is ClaimState.SHARING:
        return state.with_claim(replace(claim, state=_once_fixed(claim))), ()
    if not claim.deducted:
        return state.with_claim(replace(claim, state=_once_fixed(claim), amount_cents=claim.fixed_cents)), ()
    return _ask(rules, state, claim)


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
    state, effect = _to_meter(state, entry)
    state = state.with_claim(replace(claim, state=ClaimState.ASKED, award_seq=state.link_seq))
    for other in others:
        state = state.with_claim(replace(other, state=ClaimState.SHARING, award_seq=state.link_seq))
    return state, (effect,)


def _fix(rules: TableRules, state: RoundState, event: AwardFixed) -> Outcome:
    """Writes down what the meter fixed, unless at that meter the cards are paid more as another hand (11.9(j)).

    An amount that management's order changed is validated anew, on a slip of its own (28.11(i)).
    """
    claims = tuple(replace(claim, validated_by="", slip=0) for claim in state.claims_to(event.seq))
    best = priced(rules, claims[0], event.meter_before_cents)
    if best.hand != claims[0].hand:
        state, effects = _release(state, claims[0], f"{spoken(best.hand)} pays more at this meter", TABLE)
        return state.with_claim(_waiting(best)), effects
    for claim, share in zip(claims, equal_shares(event.amount_cents, len(claims)), strict=True):
        fixed = replace(
            claim,
            amount_cents=share,
            meter_before_cents=event.meter_before_cents,
            meter_after_cents=event.meter_after_cents,
            house_funded_cents=event.house_funded_cents,
        )
        has_turn = claim.state is not ClaimState.SHARING
        state = state.with_claim(replace(fixed, state=_once_fixed(fixed)) if has_turn else fixed)
    return state, ()


def _validate(state: RoundState, event: ClaimValidated) -> RoundState:
    """Writes down who validated the claim; a share that waits for its turn goes on waiting."""
    claim = replace(_known(state, event.seat), validated_by=event.by)
    has_turn = claim.state is ClaimState.FIXED
    return state.with_claim(replace(claim, state=ClaimState.VALIDATED) if has_turn else claim)


def _pay(state: RoundState, event: PayoutConfirmed) -> Outcome:
    """Writes down the payout; with its last share the meter learns that its award was paid."""
    claim = replace(_known(state, event.seat), state=ClaimState.PAID, paid_by=event.by)
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
    state, effect = _to_meter(state, entry)
    return state, (effect,)


def _reject(state: RoundState, event: ClaimRejected) -> Outcome:
    """Writes down the rejection; what the meter had fixed goes back to it, also what others would have shared."""
    state, claim = unshown(state, event.seat), state.claim(event.seat)
    if claim is None or not claim.is_open:
        return state, ()
    rejected = replace(claim, state=ClaimState.REJECTED, reason=event.reason, validated_by=event.by)
    state = state.with_claim(rejected)
    if all(claim.state is ClaimState.REJECTED for claim in state.claims):
        state = replace(state, community=())  # a flop that was misread binds nobody
    for sharer in state.claims_to(claim.award_seq):
        state = state.with_claim(_waiting(sharer))
    return _release(state, rejected, event.reason, event.by)


def _give_up(rules: TableRules, state: RoundState, ahead: Claim, reason: str) -> Outcome:
    """The claim that has the turn, and whoever shares with it, waits again."""
    for claim in state.claims_to(ahead.award_seq) or (ahead,):
        state = state.with_claim(_waiting(priced(rules, claim, meter_cents=None)))
    return _release(state, ahead, reason, TABLE)


def _release(state: RoundState, claim: Claim, reason: str, by: str) -> Outcome:
    if not claim.award_seq:
        return state, ()
    state, effect = _to_meter(state, ReleaseAward(claim.award_seq, reason, by))
    return state, (effect,)


def _to_meter(state: RoundState, entry: MeterEntry) -> tuple[RoundState, SendToMeter]:
    seq = state.link_seq + 1
    return replace(state, link_seq=seq), SendToMeter(seq, entry)


def _waiting(claim: Claim) -> Claim:
    """The claim without its turn: whatever was fixed, validated or numbered for it is not any more."""
    return replace(claim, state=ClaimState.WAITING, award_seq=0, amount_cents=0, validated_by="", slip=0)


def _once_fixed(claim: Claim) -> ClaimState:
    """A house may require a supervisor for more than the rule does, never for less."""
    return ClaimState.FIXED if claim.validation and not claim.validated_by else ClaimState.VALIDATED


def _number_slips(state: RoundState) -> RoundState:
    """Gives the next slip number to every claim that is to be paid now; a number is never given another amount."""
    for claim in state.claims:
        if claim.state is ClaimState.VALIDATED and not claim.slip:
            state = replace(state, slips=state.slips + 1)
            state = state.with_claim(replace(claim, slip=state.slips))
    return state


def _known(state: RoundState, seat: int) -> Claim:
    claim = state.claim(seat)
    assert claim is not None
    return claim


def _names(people: Iterable[str]) -> str:
    """Everybody once, in the order of the payments."""
    return ", ".join(dict.fromkeys(name for name in people if name))
