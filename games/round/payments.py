"""Paying: whose turn it is, what the meter fixed for it, who shares it, and who was paid."""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from games.money import equal_shares
from games.round.claims import new_claim, priced, spoken
from games.round.effects import (
    DeductAward,
    FixAward,
    MeterEntry,
    Outcome,
    ReleaseAward,
    SendToMeter,
)
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


def settled(rules: TableRules, book: RoundState, event: ClaimEvent) -> Outcome:
    """Writes down what happened to a claim; then the next one has its turn."""
    book, effects = _claimed(rules, book, event)
    book, asked = _take_turn(rules, book)
    return _number_slips(book), (*effects, *asked)


def _claimed(rules: TableRules, book: RoundState, event: ClaimEvent) -> Outcome:
    match event:
        case HandClaimed():
            return _open(rules, book, event)
        case HandShown():
            return envied(rules, book, event), ()
        case HandsAllShown():
            return replace(book, all_shown=True), ()
        case EnvyPaid(seat=seat, by=by):
            return envy_paid(book, seat, by), ()
        case AwardFixed():
            return _fix(rules, book, event)
        case ClaimValidated():
            return _validate(book, event), ()
        case ClaimRejected():
            return _reject(book, event)
        case PayoutConfirmed():
            return _pay(book, event)


def _open(rules: TableRules, book: RoundState, event: HandClaimed) -> Outcome:
    """Writes the claim down; a lower seat that has the turn gives it up, for the higher seat is paid first."""
    claim = new_claim(rules, book, event)
    book = replace(
        book,
        community=tuple(event.community) or book.community,
        all_shown=book.all_shown and not claim.takes_all,
    )
    return _yield_turn(rules, envied(rules, book, event).with_claim(claim), claim)


def _yield_turn(rules: TableRules, book: RoundState, newcomer: Claim) -> Outcome:
    """Who shares the whole meter joins those for whom it was fixed; else a validated claim keeps its turn."""
    ahead = next((claim for claim in book.claims if claim.has_the_turn), None)
    if ahead is None:
        return book, ()
    if ahead.takes_all and newcomer.takes_all and rules.game.shares_whole_meter:
        return _give_up(rules, book, ahead, f"seat {newcomer.seat} shares the meter")
    if newcomer.seat < ahead.seat or ahead.state is ClaimState.VALIDATED:
        return book, ()
    return _give_up(rules, book, ahead, f"seat {newcomer.seat} is paid first")


def _take_turn(rules: TableRules, book: RoundState) -> Outcome:
    """Gives the turn to the waiting claim nearest the dealer's right, if nobody has it."""
    waiting = [claim for claim in book.claims if claim.state in {ClaimState.WAITING, ClaimState.SHARING}]
    if not waiting or any(claim.has_the_turn for claim in book.claims):
        return book, ()
    claim = max(waiting, key=lambda claim: claim.seat)
    if claim.state is ClaimState.SHARING:
        return book.with_claim(replace(claim, state=_once_fixed(claim))), ()
    if not claim.deducted:
        return book.with_claim(replace(claim, state=_once_fixed(claim), amount_cents=claim.fixed_cents)), ()
    return _ask(rules, book, claim)


def _ask(rules: TableRules, book: RoundState, claim: Claim) -> Outcome:
    """Has the meter fix the award, for everybody who shares it."""
    shared = claim.takes_all and rules.game.shares_whole_meter
    others = [other for other in book.open_claims if shared and other.takes_all and other is not claim]
    seats = tuple(sorted((each.seat for each in (claim, *others)), reverse=True))
    entry = FixAward(
        round=book.round,
        seat=claim.seat,
        hand=claim.hand,
        percent_bp=claim.percent_bp,
        fixed_cents=claim.fixed_cents,
        sharers=seats if others else (),
    )
    book, effect = _to_meter(book, entry)
    book = book.with_claim(replace(claim, state=ClaimState.ASKED, award_seq=book.link_seq))
    for other in others:
        book = book.with_claim(replace(other, state=ClaimState.SHARING, award_seq=book.link_seq))
    return book, (effect,)


def _fix(rules: TableRules, book: RoundState, event: AwardFixed) -> Outcome:
    """Writes down what the meter fixed, unless at that meter the cards are paid more as another hand (11.9(j)).

    An amount that management's order changed is validated anew, on a slip of its own (28.11(i)).
    """
    claims = tuple(replace(claim, validated_by="", slip=0) for claim in book.claims_to(event.seq))
    best = priced(rules, claims[0], event.meter_before_cents)
    if best.hand != claims[0].hand:
        book, effects = _release(book, claims[0], f"{spoken(best.hand)} pays more at this meter", TABLE)
        return book.with_claim(_waiting(best)), effects
    for claim, share in zip(claims, equal_shares(event.amount_cents, len(claims)), strict=True):
        fixed = replace(
            claim,
            amount_cents=share,
            meter_before_cents=event.meter_before_cents,
            meter_after_cents=event.meter_after_cents,
            house_funded_cents=event.house_funded_cents,
        )
        has_turn = claim.state is not ClaimState.SHARING
        book = book.with_claim(replace(fixed, state=_once_fixed(fixed)) if has_turn else fixed)
    return book, ()


def _validate(book: RoundState, event: ClaimValidated) -> RoundState:
    """Writes down who validated the claim; a share that waits for its turn goes on waiting."""
    claim = replace(_known(book, event.seat), validated_by=event.by)
    has_turn = claim.state is ClaimState.FIXED
    return book.with_claim(replace(claim, state=ClaimState.VALIDATED) if has_turn else claim)


def _pay(book: RoundState, event: PayoutConfirmed) -> Outcome:
    """Writes down the payout; with its last share the meter learns that its award was paid."""
    claim = replace(_known(book, event.seat), state=ClaimState.PAID, paid_by=event.by)
    book = book.with_claim(claim)
    claims = book.claims_to(claim.award_seq)
    if not claims or any(sharer.is_open for sharer in claims):
        return book, ()
    entry = DeductAward(
        award_seq=claim.award_seq,
        validated_by=_names(each.validated_by for each in claims),
        paid_by=_names(each.paid_by for each in claims),
        amount_cents=sum(each.amount_cents for each in claims),
    )
    book, effect = _to_meter(book, entry)
    return book, (effect,)


def _reject(book: RoundState, event: ClaimRejected) -> Outcome:
    """Writes down the rejection; what the meter had fixed goes back to it, also what others would have shared."""
    book, claim = unshown(book, event.seat), book.claim(event.seat)
    if claim is None or not claim.is_open:
        return book, ()
    rejected = replace(claim, state=ClaimState.REJECTED, reason=event.reason, validated_by=event.by)
    book = book.with_claim(rejected)
    if all(claim.state is ClaimState.REJECTED for claim in book.claims):
        book = replace(book, community=())  # a flop that was misread binds nobody
    for sharer in book.claims_to(claim.award_seq):
        book = book.with_claim(_waiting(sharer))
    return _release(book, rejected, event.reason, event.by)


def _give_up(rules: TableRules, book: RoundState, ahead: Claim, reason: str) -> Outcome:
    """The claim that has the turn, and whoever shares with it, waits again."""
    for claim in book.claims_to(ahead.award_seq) or (ahead,):
        book = book.with_claim(_waiting(priced(rules, claim, meter_cents=None)))
    return _release(book, ahead, reason, TABLE)


def _release(book: RoundState, claim: Claim, reason: str, by: str) -> Outcome:
    if not claim.award_seq:
        return book, ()
    book, effect = _to_meter(book, ReleaseAward(claim.award_seq, reason, by))
    return book, (effect,)


def _to_meter(book: RoundState, entry: MeterEntry) -> tuple[RoundState, SendToMeter]:
    seq = book.link_seq + 1
    return replace(book, link_seq=seq), SendToMeter(seq, entry)


def _waiting(claim: Claim) -> Claim:
    """The claim without its turn: whatever was fixed, validated or numbered for it is not any more."""
    return replace(claim, state=ClaimState.WAITING, award_seq=0, amount_cents=0, validated_by="", slip=0)


def _once_fixed(claim: Claim) -> ClaimState:
    """A house may require a supervisor for more than the rule does, never for less."""
    return ClaimState.FIXED if claim.validation and not claim.validated_by else ClaimState.VALIDATED


def _number_slips(book: RoundState) -> RoundState:
    """Gives the next slip number to every claim that is to be paid now; a number is never given another amount."""
    for claim in book.claims:
        if claim.state is ClaimState.VALIDATED and not claim.slip:
            book = replace(book, slips=book.slips + 1)
            book = book.with_claim(replace(claim, slip=book.slips))
    return book


def _known(book: RoundState, seat: int) -> Claim:
    claim = book.claim(seat)
    assert claim is not None
    return claim


def _names(people: Iterable[str]) -> str:
    """Everybody once, in the order of the payments."""
    return ", ".join(dict.fromkeys(name for name in people if name))
