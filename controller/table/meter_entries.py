"""Effects of a round as entries for the meter, with the interval since the last round."""

from collections.abc import Mapping
from typing import Final, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from common.auth.proof import ProvedOrder
from controller.journal.records import Moment
from games.round.effects import (
    AddWagers,
    DeductAward,
    FixAward,
    FreeCoupon,
    RedeemCoupon,
    ReleaseAward,
    SendToMeter,
    ValidateAward,
)
from games.round.state import Claim, RoundState
from games.round.step import RoundStep
from link.messages import Award, Coupon, CouponReturn, Entry, Payout, Release, Validation, Wagers, shortened

STEPPED_MS: Final = 1_000
"""Two clocks that disagree by more did not drift apart within a round: somebody set the calendar."""

Ordered: TypeAlias = tuple[tuple[int, Entry], ...]
"""Entries for the meter, numbered."""


class RoundInterval:
    """Remembers when this run last registered wagers; an earlier run had a clock of its own."""

    def __init__(self) -> None:
        self._last: Moment | None = None

    def timed(self, ordered: Ordered, moment: Moment) -> Ordered:
        """The same entries, with the time since the round before where the meter could not work it out itself."""
        if not any(isinstance(entry, Wagers) for _, entry in ordered):
            return ordered
        since_ms, self._last = _since_ms(self._last, moment), moment
        return with_since(ordered, since_ms)


def with_since(ordered: Ordered, since_ms: int | UnsetType) -> Ordered:
    """The same entries, with this said of wagers among them."""
    if since_ms is UNSET:
        return ordered
    return tuple(
        (seq, replace(entry, since_ms=since_ms) if isinstance(entry, Wagers) else entry) for seq, entry in ordered
    )


def written_since(words: str) -> int | UnsetType:
    """What the entries of a written event say of it: measured once, and not again when the journal is told anew."""
    said = (msgspec.json.decode(line.partition(" ")[2], type=_Timed).since_ms for line in words.splitlines())
    return next((since_ms for since_ms in said if since_ms is not UNSET), UNSET)


class _Timed(Struct, frozen=True):
    since_ms: int | UnsetType = UNSET


def _since_ms(last: Moment | None, now: Moment) -> int | UnsetType:
    if last is None:
        return UNSET
    since_ms = now.mono_ms - last.mono_ms
    return since_ms if abs(now.at_ms - last.at_ms - since_ms) > STEPPED_MS else UNSET


CLOCKS: Final[Mapping[bool | None, str]] = {True: "synchronised", False: "not synchronised", None: "unknown"}


def entries(step: RoundStep, synced: bool | None) -> tuple[tuple[int, Entry], ...]:
    """Everything a step orders of the meter, numbered."""
    orders = [effect for effect in step.effects if isinstance(effect, SendToMeter)]
    return tuple((order.seq, link_entry(order, step.state, synced)) for order in orders)


def link_entry(ordered: SendToMeter, state: RoundState, synced: bool | None = None) -> Entry:
    """The link's entry for a round's order; an award says how far its table's clock can be trusted (R76).

    Cards and proofs are those of the claims in this state. Names and reasons are cut to what a message may carry; the
    journal has all of them.
    """
    order = ordered.entry
    match order:
        case AddWagers(round=number, stake_cents=stake, seats=seats, coupons=coupons):
            return Wagers(number, stake, seats, coupons)
        case FixAward() as fix:
            claims = state.claims_to(ordered.seq)
            return Award(
                fix.round,
                fix.seat,
                fix.hand,
                fix.percent_bp,
                fix.fixed_cents,
                CLOCKS[synced],
                sharers=fix.sharers,
                cards={claim.seat: (*claim.cards, *claim.community) for claim in claims if claim.cards},
            )
        case ValidateAward(award_seq=seq, seat=seat, amount_cents=amount, proof=proof):
            return Validation(seq, seat, amount, proof)
        case DeductAward(award_seq=seq, amount_cents=amount):
            claims = state.claims_to(seq)
            validated = {claim.seat: claim.validation_proof for claim in claims}
            return Payout(seq, validated, {claim.seat: claim.payout_proof for claim in claims}, amount)
        case ReleaseAward() as released:
            return Release(released.award_seq, shortened(released.reason), shortened(released.rejected_by))
        case RedeemCoupon(round=number, seat=seat, serial=serial):
            return Coupon(number, seat, serial)
        case FreeCoupon(coupon_seq=seq, serial=serial):
            return CouponReturn(seq, serial)


def order_to_prove(act: str, state: RoundState, claim: Claim, *, link: str, table: str, journal: str) -> ProvedOrder:
    """What a person stands by who validates ("validate") or pays ("pay") a claim to the meter (claim.deducted)."""
    return ProvedOrder(act, link, table, journal, state.round, claim.seat, claim.hand, claim.amount_cents)
