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


def seen(book: RoundState, seat: int = 0) -> str:
    """The token of everything that a decision about this seat, or about the whole table (0), rests on."""
    parts = _of_seat(book, seat) if seat else _of_table(book)
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:16]


def staleness(book: RoundState, seat: int, token: str) -> Refusal | None:
    """Why an order that looked at this is refused, or None."""
    return None if token == seen(book, seat) else STALE


def _of_seat(book: RoundState, seat: int) -> tuple[object, ...]:
    """A wager on another seat, or the meter's answer for one, does not make this seat's page stale."""
    claims = [claim for claim in book.claims if claim.seat == seat]
    envy = [envy for envy in book.envy if seat in {envy.seat, envy.holder}]
    stage = "dealt" if book.phase in _DEALT else book.phase.value
    return book.round, stage, book.wagers.get(seat), seat in book.folded, seat in book.voided, claims, envy


def _of_table(book: RoundState) -> tuple[object, ...]:
    stage = "dealt" if book.phase in _DEALT else book.phase.value
    hands = book.claims, book.all_shown, book.shown, book.envy_markers, book.areas
    return book.round, stage, book.counted, book.counts, hands, book.refunds_due, book.voided, book.closing


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


def table_offers(rules: TableRules, book: RoundState) -> tuple[Action, ...]:
    """What can be done now, the most urgent first."""
    return (
        *_settling(rules, book),
        *_envying(rules, book),
        *_counting(book),
        *_mending(book),
        *_attending(rules, book),
    )


def acknowledge_offer(book: RoundState) -> Action:
    """What somebody confirms who has read why the program stopped."""
    return _offer(book, "acknowledge", "Acknowledge: the program stopped", note="the reason is in the journal then")


def seat_offers(rules: TableRules, book: RoundState, seat: int) -> tuple[Action, ...]:
    """What can be done at one seat, asked of the rules themselves; what they forbid says why."""
    hand = rules.pay_table.lines[0].hand
    claim = _offer(book, "claim", "Claim a win", seat=seat, asks=("hand",))
    show = _offer(book, "show", "Show a hand that others envy", seat=seat, asks=("hand",))
    fold = _offer(book, "fold", "Player folds", seat=seat, note=fold_words(rules))
    coupon = _offer(book, "coupon", "Coupon", seat=seat, asks=("serial",))
    undo = _offer(book, "return-coupon", "Undo: coupon back to the player", seat=seat)
    unfold = _offer(book, "correct-fold", "Undo: the player did not fold", seat=seat)
    return (
        _tried(rules, book, claim, HandClaimed(seat, hand=hand)),
        *([_tried(rules, book, show, HandShown(seat, hand=_envied(rules)))] if rules.envy else ()),
        _tried(rules, book, fold, SeatFolded(seat)),
        *([_tried(rules, book, coupon, CouponRedeemed(seat, NOBODY))] if rules.game.coupons else ()),
        _tried(rules, book, undo, CouponReturned(seat)),
        _tried(rules, book, unfold, FoldCorrected(seat, NOBODY)),
    )


def _settling(rules: TableRules, book: RoundState) -> Iterator[Action]:
    shares = any(claim.takes_all for claim in book.open_claims) and rules.can_be_shared
    if shares and not book.all_shown:
        yield _offer(book, "all-shown", "Every hand was looked at", note="nobody else shares the whole meter")
    for claim in sorted(book.open_claims, key=lambda claim: (-claim.has_the_turn, -claim.seat)):
        words = f"seat {claim.seat}: {spoken(claim.hand)}"
        amount = f" {dollars(claim.amount_cents)}" if claim.amount_cents else ""
        is_held = book.is_held(claim)
        if claim.state in {ClaimState.FIXED, ClaimState.SHARING} and not claim.validated_by and not is_held:
            offer = _offer(book, "validate", f"Validate {words}{amount}", seat=claim.seat)
            yield _tried(rules, book, offer, ClaimValidated(claim.seat, NOBODY))
        if claim.state is ClaimState.VALIDATED and not is_held:
            offer = _offer(book, "pay", f"Paid {words}{amount}", seat=claim.seat, note=f"from the {claim.source}")
            yield _tried(rules, book, offer, PayoutConfirmed(claim.seat, NOBODY))
        yield _offer(book, "reject", f"Reject {words}", seat=claim.seat, asks=("reason",))
    if book.refunds_due:
        seats = ", ".join(map(str, book.refunds_due))
        yield _offer(book, "refund", f"Refunded: seats {seats}", note="each player's wager, from the rack")


def _envying(rules: TableRules, book: RoundState) -> Iterator[Action]:
    for seat in dict.fromkeys(envy.seat for envy in book.envy_due):
        owed = sum(envy.amount_cents for envy in book.envy_due if envy.seat == seat)
        offer = _offer(book, "pay-envy", f"Envy paid seat {seat}: {dollars(owed)}", seat=seat, note="from the rack")
        yield _tried(rules, book, offer, EnvyPaid(seat, NOBODY))
    claimed = {claim.seat for claim in book.open_claims}
    for seat, shown in book.shown.items():
        if seat not in claimed and any(envy.holder == seat for envy in book.envy_due):
            yield _offer(
                book, "reject", f"Take back the {spoken(shown.hand)} of seat {seat}", seat=seat, asks=("reason",)
            )
    if rules.envy and not rules.envy_goes_with_progressive:
        offer = _offer(book, "envy-markers", "Envy bonus markers", asks=("seats",))
        offer = _tried(rules, book, offer, EnvyMarkersPlaced((), NOBODY))
        yield from () if offer.refusal else (offer,)
    if rules.envy:
        offer = _offer(
            book, "one-player", "One player, several seats", asks=("seats",), note="he does not envy himself"
        )
        offer = _tried(rules, book, offer, AreasHeld(rules.seats[:1], NOBODY))
        yield from () if offer.refusal else (offer,)


def _counting(book: RoundState) -> Iterator[Action]:
    if book.is_miscounted:
        yield _offer(book, "explain", "Explain the difference", asks=("reason", "seats"), note=count(book).words)
    if book.is_to_be_counted:
        yield _offer(book, "recount", "Count again", note="the return device gives back what it still holds")


def _mending(book: RoundState) -> Iterator[Action]:
    for device in book.faults:
        yield _offer(book, "retest", f"Test {device} again", device=device)


def _attending(rules: TableRules, book: RoundState) -> Iterator[Action]:
    if book.phase is Phase.CLOSED:
        yield _tried(rules, book, _offer(book, "open", "Open the table"), TableOpened(NOBODY))
    elif book.closing is None:
        yield _offer(book, "close", "Close the table", asks=("reason",), note="after the round in hand")
    if book.phase in _VOIDABLE or book.is_to_be_counted:
        yield _offer(book, "void", "Irregularity", asks=("irregularity",))


def _envied(rules: TableRules) -> str:
    """A hand that this table's envy bonus knows."""
    assert rules.envy is not None
    return rules.envy.precedence()[0]


def _tried(rules: TableRules, book: RoundState, offer: Action, event: Event) -> Action:
    why = handle(rules, book, event).refusal
    return offer if why is None else replace(offer, refusal=why.reason, rule=why.rule)


def _offer(
    book: RoundState,
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
        seen=seen(book, seat),
        seat=seat,
        asks=tuple(asks),
        note=note,
        device=device,
    )
