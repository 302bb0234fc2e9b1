"""Why a hand cannot be claimed, fixed, validated, rejected, paid or envied."""

from games.catalogue.pai_gow_poker import areas_refusal
from games.refusal import Refusal
from games.round.claims import hands_claimed, spoken, unpaid, wins_all
from games.round.envy import hands_envied, row_envied
from games.round.events import (
    AreasHeld,
    AwardFixed,
    ClaimRejected,
    ClaimValidated,
    EnvyMarkersPlaced,
    EnvyPaid,
    Event,
    HandClaimed,
    HandShown,
    PayoutConfirmed,
)
from games.round.state import Claim, ClaimState, RoundState
from games.round.table_rules import TableRules


def envy_refusal(
    rules: TableRules, state: RoundState, event: HandShown | EnvyPaid | EnvyMarkersPlaced | AreasHeld
) -> Refusal | None:
    """Why this step towards an envy bonus is refused, or None."""
    match event:
        case _ if rules.envy is None:
            return Refusal("this table pays no envy bonus")
        case HandShown():
            return _not_to_be_shown(rules, state, event)
        case EnvyPaid(seat=seat):
            return _not_to_be_paid(rules, state, seat)
        case EnvyMarkersPlaced(seats=seats):
            return _not_to_be_marked(rules, seats)
        case AreasHeld(seats=seats):
            return _not_to_be_held(rules, seats)


def _not_to_be_shown(rules: TableRules, state: RoundState, event: HandShown) -> Refusal | None:
    assert rules.envy is not None
    if event.seat not in rules.seats:
        return Refusal(f"this table has no seat {event.seat}")
    if event.seat in state.voided:
        return Refusal(f"seat {event.seat}: the hand is void", rules.envy.rule)
    if event.seat in state.shown:
        return Refusal(f"seat {event.seat} has shown {spoken(state.shown[event.seat].hand)} already")
    hands = hands_envied(rules, state, event)
    if isinstance(hands, Refusal) or row_envied(rules, hands):
        return hands if isinstance(hands, Refusal) else None
    return Refusal(f"seat {event.seat}: nobody is paid for envying this hand", rules.envy.rule)


def _not_to_be_paid(rules: TableRules, state: RoundState, seat: int) -> Refusal | None:
    """Winning wagers come before envy: this seat's own, or all, as the house settles."""
    if not any(envy.seat == seat for envy in state.envy_due):
        return Refusal(f"seat {seat} is owed no envy bonus")
    first = next((claim for claim in state.open_claims if rules.settles_envy_last or claim.seat == seat), None)
    if first is None:
        return None
    return Refusal(f"seat {first.seat}: pay the {spoken(first.hand)} first", rules.clause("settlement"))


def _not_to_be_marked(rules: TableRules, seats: tuple[int, ...]) -> Refusal | None:
    assert rules.envy is not None
    if rules.envy_goes_with_progressive:
        return Refusal("the progressive wager entitles to envy here: no markers", rules.envy.rule)
    return _strangers(rules, seats)


def _not_to_be_held(rules: TableRules, seats: tuple[int, ...]) -> Refusal | None:
    """Where the rule lets a player hold two areas, they are adjacent."""
    if not seats:
        return Refusal("name the seats of one player")
    lawful = areas_refusal(tuple(sorted(set(seats))), bank=None) if "areas" in rules.game.clauses else None
    return _strangers(rules, seats) or lawful


def _strangers(rules: TableRules, seats: tuple[int, ...]) -> Refusal | None:
    unknown = sorted(set(seats) - set(rules.seats))
    return Refusal(f"this table has no seat {unknown[0]}") if unknown else None


def claim_refusal(rules: TableRules, state: RoundState, event: Event) -> Refusal | None:
    """Why this step of a claim is refused, or None."""
    match event:
        case HandClaimed():
            return _unclaimable(rules, state, event)
        case HandShown() | EnvyPaid() | EnvyMarkersPlaced() | AreasHeld():
            return envy_refusal(rules, state, event)
        case AwardFixed() if not is_news(state, event):
            return Refusal(f"no claim waits for entry {event.seq}")
        case ClaimValidated(seat=seat) if _is_share_to_validate(state, seat):
            return _held(rules, state, seat, "do not validate yet")
        case ClaimValidated(seat=seat):
            return _not_in_state(state, seat, ClaimState.FIXED) or _held(rules, state, seat, "do not validate yet")
        case PayoutConfirmed(seat=seat):
            return _not_in_state(state, seat, ClaimState.VALIDATED) or _unsettled(rules, state, seat)
        case ClaimRejected(seat=seat) if not _is_to_be_judged(state, seat):
            return Refusal(f"seat {seat} has no open claim")
        case ClaimRejected(reason=reason) if not reason.strip():
            return Refusal("write down why the claim is rejected")
        case ClaimRejected(seat=seat):
            return _shared_already(rules, state, seat)
        case _:
            return None


def is_news(state: RoundState, event: AwardFixed) -> bool:
    """Whether a claim waits for this, or nobody was paid what was said before and now is another amount."""
    claims = state.claims_to(event.seq)
    if any(claim.state is ClaimState.PAID for claim in claims):
        return False
    changed = sum(claim.amount_cents for claim in claims) != event.amount_cents
    return bool(claims) and (changed or any(claim.state is ClaimState.ASKED for claim in claims))


def _unclaimable(rules: TableRules, state: RoundState, event: HandClaimed) -> Refusal | None:
    """Why this seat's hand cannot be claimed, or None."""
    known = state.claim(event.seat)
    if event.seat in state.voided:
        return Refusal(f"seat {event.seat}: the hand is void, its wager is refunded")
    if event.seat in state.forfeited:
        return Refusal(f"seat {event.seat} folded: its progressive wager is forfeited", rules.wager.fold.rule)
    if event.seat not in state.wagers:
        return Refusal(f"seat {event.seat} made no wager", rules.clause("light"))
    if known is not None and known.state is not ClaimState.REJECTED:
        return Refusal(f"seat {event.seat} has claimed already: {known.state.value}")
    shown = state.shown.get(event.seat)
    if shown and shown.cards and event.cards and set(shown.cards) != set(event.cards):
        return Refusal(f"seat {event.seat} has shown {' '.join(shown.cards)}", rules.clause("hand"))
    hands = hands_claimed(rules, state, event)
    if isinstance(hands, Refusal):
        return hands
    return unpaid(rules, event.seat, hands) or _too_late_to_share(rules, state, hands)


def _too_late_to_share(rules: TableRules, state: RoundState, hands: frozenset[str]) -> Refusal | None:
    """The meter that was paid belongs to whoever shares it, not the one that began after it."""
    paid = next((claim for claim in state.claims if claim.takes_all and claim.state is ClaimState.PAID), None)
    if paid is None or not rules.game.shares_whole_meter or not wins_all(rules, hands):
        return None
    words = f"seat {paid.seat} was paid the meter that this hand shares: call management"
    return Refusal(words, rules.clause("shares_whole_meter"))


def _unsettled(rules: TableRules, state: RoundState, seat: int) -> Refusal | None:
    """Why a part of the meter cannot be paid yet: other tables claim one, too, or others share it."""
    claim = state.claim(seat)
    unshared = _unshared(rules, state, claim) if claim is not None and claim.takes_all else None
    return _held(rules, state, seat, "do not pay yet") or unshared


def _held(rules: TableRules, state: RoundState, seat: int, words: str) -> Refusal | None:
    """Why nobody says yet what a part of the meter comes to: other tables claim one, too."""
    claim = state.claim(seat)
    if claim is None or not state.is_held(claim):
        return None
    return Refusal(f"seat {seat}: {words}, {state.held}", rules.clause("shares_whole_meter"))


def _unshared(rules: TableRules, state: RoundState, claim: Claim) -> Refusal | None:
    """Why the whole meter cannot be paid yet: somebody may share it, or a sharer is not validated."""
    rule = rules.clause("shares_whole_meter")
    if rules.can_be_shared and not state.all_shown:
        return Refusal("look at every hand first and say so: another one may share the meter", rule)
    sharers = (each for each in state.claims_to(claim.award_seq) if each.is_open and not each.validated_by)
    waiting = next((each.seat for each in sharers if each.seat != claim.seat), None)
    return Refusal(f"seat {waiting} shares the meter: validate its hand first", rule) if waiting else None


def _shared_already(rules: TableRules, state: RoundState, seat: int) -> Refusal | None:
    claim = state.claim(seat)
    shares = state.claims_to(claim.award_seq) if claim else ()
    paid = next((share.seat for share in shares if share.state is ClaimState.PAID), None)
    if paid is None:
        return None
    words = f"seat {paid} was paid its share of this meter: it stands as it was divided"
    return Refusal(words, rules.clause("shares_whole_meter"))


def _is_share_to_validate(state: RoundState, seat: int) -> bool:
    claim = state.claim(seat)
    if claim is None or claim.state is not ClaimState.SHARING or claim.validated_by:
        return False
    return not any(each.state is ClaimState.ASKED for each in state.claims_to(claim.award_seq))


def _is_to_be_judged(state: RoundState, seat: int) -> bool:
    """Whether a claim is open here, or a hand was shown that nobody has claimed."""
    claim = state.claim(seat)
    if claim is None or claim.state is ClaimState.REJECTED:
        return seat in state.shown
    return claim.is_open


def _not_in_state(state: RoundState, seat: int, wanted: ClaimState) -> Refusal | None:
    claim = state.claim(seat)
    if claim is None:
        return Refusal(f"seat {seat} has no claim")
    return None if claim.state is wanted else Refusal(f"seat {seat}: the {spoken(claim.hand)} is {claim.state.value}")
