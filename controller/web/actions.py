"""Actions: what can be done at a table now, by whom, and the token that an order must carry."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.web.permissions import roles_for
from controller.web.text import spoken
from controller.web.view import count, fold_words
from games.money import dollars
from games.refusal import Refusal
from games.round.events import (
    AreasHeld,
    ClaimValidated,
    CouponRedeemed,
    CouponReturned,
    EnvyMarkersPlaced,
    EnvyPaid,
    Event,
    FoldCorrected,
    HandClaimed,
    HandShown,
    PayoutConfirmed,
    SeatFolded,
    TableOpened,
)
from games.round.state import ClaimState, Phase, RoundState
from games.round.step import handle
from games.round.table_rules import TableRules

STALE: Final = Refusal("the table has moved on since this page looked; look again")
_DEALT: Final = frozenset({Phase.COUNTED, Phase.IN_PLAY, Phase.SETTLING})


def stale_token(state: RoundState, seat: int = 0) -> str:
    """The token of everything that a decision about this seat, or about the whole table (0), rests on."""
    parts = _of_seat(state, seat) if seat else _of_table(state)
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:16]


def staleness(state: RoundState, seat: int, token: str) -> Refusal | None:
    """Why an order that looked at this is refused, or None."""
    return None if token == stale_token(state, seat) else STALE


def _of_seat(state: RoundState, seat: int) -> tuple[object, ...]:
    """A wager on another seat, or the meter's answer for one, does not make this seat's page stale."""
    claims = [claim for claim in state.claims if claim.seat == seat]
    envy = [envy for envy in state.envy if seat in {envy.seat, envy.holder}]
    stage = "dealt" if state.phase in _DEALT else state.phase.value
    return state.round, stage, state.wagers.get(seat), seat in state.folded, seat in state.voided, claims, envy


def _of_table(state: RoundState) -> tuple[object, ...]:
    stage = "dealt" if state.phase in _DEALT else state.phase.value
    hands = state.claims, state.all_shown, state.shown, state.envy_markers, state.areas
    return state.round, stage, state.counted, state.counts, hands, state.refunds_due, state.voided, state.closing


_VOIDABLE: Final = frozenset({Phase.LOCKED, Phase.COUNTED, Phase.IN_PLAY, Phase.SETTLING})
NOBODY: Final = "?"


class Action(Struct, frozen=True):
    """One thing that somebody may do: which order it is, its words, and what the order must say besides.

    asks names the fields the page asks for; seen is what the order must carry; refusal says why it would be refused.
    """

    action: str
    label: str
    roles: tuple[str, ...]
    seen: str
    seat: int = 0
    asks: tuple[str, ...] = ()
    note: str = ""
    device: str = ""
    refusal: str = ""
    rule: str = ""


def table_offers(rules: TableRules, state: RoundState) -> tuple[Action, ...]:
    """What can be done now, the most urgent first."""
    return (
        *_settling(rules, state),
        *_envying(rules, state),
        *_counting(state),
        *_mending(state),
        *_attending(rules, state),
    )


def acknowledge_offer(state: RoundState) -> Action:
    """What somebody confirms who has read why the program stopped."""
    return _offer(state, "acknowledge", "Acknowledge: the program stopped", note="the reason is in the journal then")


def seat_offers(rules: TableRules, state: RoundState, seat: int) -> tuple[Action, ...]:
    """What can be done at one seat, asked of the rules themselves; what they forbid says why."""
    hand = rules.pay_table.lines[0].hand
    claim = _offer(state, "claim", "Claim a win", seat=seat, asks=("hand",))
    show = _offer(state, "show", "Show a hand that others envy", seat=seat, asks=("hand",))
    fold = _offer(state, "fold", "Player folds", seat=seat, note=fold_words(rules))
    coupon = _offer(state, "coupon", "Coupon", seat=seat, asks=("serial",))
    undo = _offer(state, "return-coupon", "Undo: coupon back to the player", seat=seat)
    unfold = _offer(state, "correct-fold", "Undo: the player did not fold", seat=seat)
    return (
        _tried(rules, state, claim, HandClaimed(seat, hand=hand)),
        *([_tried(rules, state, show, HandShown(seat, hand=_envied(rules)))] if rules.envy else ()),
        _tried(rules, state, fold, SeatFolded(seat)),
        *([_tried(rules, state, coupon, CouponRedeemed(seat, NOBODY))] if rules.game.coupons else ()),
        _tried(rules, state, undo, CouponReturned(seat)),
        _tried(rules, state, unfold, FoldCorrected(seat, NOBODY)),
    )


def _settling(rules: TableRules, state: RoundState) -> Iterator[Action]:
    shares = any(claim.takes_all for claim in state.open_claims) and rules.can_be_shared
    if shares and not state.all_shown:
        yield _offer(state, "all-shown", "Every hand was looked at", note="nobody else shares the whole meter")
    for claim in sorted(state.open_claims, key=lambda claim: (-claim.has_the_turn, -claim.seat)):
        words = f"seat {claim.seat}: {spoken(claim.hand)}"
        amount = f" {dollars(claim.amount_cents)}" if claim.amount_cents else ""
        is_held = state.is_held(claim)
        if claim.state in {ClaimState.FIXED, ClaimState.SHARING} and not claim.validated_by and not is_held:
            offer = _offer(state, "validate", f"Validate {words}{amount}", seat=claim.seat)
            yield _tried(rules, state, offer, ClaimValidated(claim.seat, NOBODY))
        if claim.state is ClaimState.VALIDATED and not is_held:
            offer = _offer(state, "pay", f"Paid {words}{amount}", seat=claim.seat, note=f"from the {claim.source}")
            yield _tried(rules, state, offer, PayoutConfirmed(claim.seat, NOBODY))
        yield _offer(state, "reject", f"Reject {words}", seat=claim.seat, asks=("reason",))
    if state.refunds_due:
        seats = ", ".join(map(str, state.refunds_due))
        yield _offer(state, "refund", f"Refunded: seats {seats}", note="each player's wager, from the rack")


def _envying(rules: TableRules, state: RoundState) -> Iterator[Action]:
    for seat in dict.fromkeys(envy.seat for envy in state.envy_due):
        owed = sum(envy.amount_cents for envy in state.envy_due if envy.seat == seat)
        offer = _offer(state, "pay-envy", f"Envy paid seat {seat}: {dollars(owed)}", seat=seat, note="from the rack")
        yield _tried(rules, state, offer, EnvyPaid(seat, NOBODY))
    claimed = {claim.seat for claim in state.open_claims}
    for seat, shown in state.shown.items():
        if seat not in claimed and any(envy.holder == seat for envy in state.envy_due):
            yield _offer(
                state, "reject", f"Take back the {spoken(shown.hand)} of seat {seat}", seat=seat, asks=("reason",)
            )
    if rules.envy and not rules.envy_goes_with_progressive:
        offer = _offer(state, "envy-markers", "Envy bonus markers", asks=("seats",))
        offer = _tried(rules, state, offer, EnvyMarkersPlaced((), NOBODY))
        yield from () if offer.refusal else (offer,)
    if rules.envy:
        offer = _offer(
            state, "one-player", "One player, several seats", asks=("seats",), note="he does not envy himself"
        )
        offer = _tried(rules, state, offer, AreasHeld(rules.seats[:1], NOBODY))
        yield from () if offer.refusal else (offer,)


def _counting(state: RoundState) -> Iterator[Action]:
    if state.is_miscounted:
        yield _offer(state, "explain", "Explain the difference", asks=("reason", "seats"), note=count(state).words)
    if state.is_to_be_counted:
        yield _offer(state, "recount", "Count again", note="the return device gives back what it still holds")


def _mending(state: RoundState) -> Iterator[Action]:
    for device in state.faults:
        yield _offer(state, "retest", f"Test {device} again", device=device)


def _attending(rules: TableRules, state: RoundState) -> Iterator[Action]:
    if state.phase is Phase.CLOSED:
        yield _tried(rules, state, _offer(state, "open", "Open the table"), TableOpened(NOBODY))
    elif state.closing is None:
        yield _offer(state, "close", "Close the table", asks=("reason",), note="after the round in hand")
    if state.phase in _VOIDABLE or state.is_to_be_counted:
        yield _offer(state, "void", "Irregularity", asks=("irregularity",))


def _envied(rules: TableRules) -> str:
    """A hand that this table's envy bonus knows."""
    assert rules.envy is not None
    return rules.envy.precedence()[0]


def _tried(rules: TableRules, state: RoundState, offer: Action, event: Event) -> Action:
    why = handle(rules, state, event).refusal
    return offer if why is None else replace(offer, refusal=why.reason, rule=why.rule)


def _offer(
    state: RoundState,
    action: str,
    label: str,
    *,
    seat: int = 0,
    asks: Sequence[str] = (),
    note: str = "",
    device: str = "",
) -> Action:
    roles = tuple(sorted(role.value for role in roles_for("void-round" if action == "void" else action)))
    return Action(
        action=action,
        label=label,
        roles=roles,
        seen=stale_token(state, seat),
        seat=seat,
        asks=tuple(asks),
        note=note,
        device=device,
    )
