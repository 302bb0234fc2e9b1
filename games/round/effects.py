"""Everything a round can order: frozen commands in the imperative."""

from enum import Enum
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from games.money import Cents
from games.round.state import RoundState


class Light(Enum):
    """What a seat's light, or the lock-out lamp, tells a person."""

    DARK = "dark"  # no wager
    OPEN = "open"  # open to wager
    LIT = "lit"  # wager accepted
    LOOK = "look"  # refused, or look here


class EffectBase(Struct, frozen=True, tag=True):
    """What every effect shares."""


class ShutGate(EffectBase, frozen=True):
    """Projection: this seat takes no chip."""

    seat: int


class OpenGate(EffectBase, frozen=True):
    """Projection: this seat may take a chip."""

    seat: int


class SetLight(EffectBase, frozen=True):
    """Projection: the light of this seat's acceptor, or of the sensor of this wager at the seat."""

    seat: int
    light: Light
    wager: str = ""


class SetLamp(EffectBase, frozen=True):
    """Projection: the lamp of the lock-out button."""

    light: Light


class FlashRefusal(EffectBase, frozen=True):
    """Projection of a moment: something at this seat, or on the sensor of this wager, was refused."""

    seat: int
    wager: str = ""


class Collect(EffectBase, frozen=True):
    """Idempotent by the device's own counter: have every chip returned and counted."""


class DrawNumber(EffectBase, frozen=True):
    """Idempotent by the round's state: have the random number generator draw, unless this round's number is known."""


class OpenNextRound(EffectBase, frozen=True):
    """Projection of an ended round: open the next one."""


class CloseTable(EffectBase, frozen=True):
    """Projection of an ended round on a table that is to close."""

    by: str
    reason: str


class AddWagers(Struct, frozen=True, tag=True):
    """Register a round's wagers on the meter."""

    round: int
    stake_cents: Cents
    seats: tuple[int, ...]
    coupons: tuple[int, ...]


class FixAward(Struct, frozen=True, tag=True):
    """Fix what this seat's hand takes from the meter now; sharers, in paying order, divide it equally among them."""

    round: int
    seat: int
    hand: str
    percent_bp: int
    fixed_cents: Cents
    sharers: tuple[int, ...] = ()


class ValidateAward(Struct, frozen=True, tag=True):
    """A supervisor validated this seat's part of the award of entry award_seq: have the meter check the proof."""

    award_seq: int
    seat: int
    amount_cents: Cents
    proof: str


class DeductAward(Struct, frozen=True, tag=True):
    """The award of entry award_seq was validated and paid, so much in all."""

    award_seq: int
    validated_by: str
    paid_by: str
    amount_cents: Cents


class ReleaseAward(Struct, frozen=True, tag=True):
    """The award of entry award_seq is not paid; give it back to the meter."""

    award_seq: int
    reason: str
    rejected_by: str


class RedeemCoupon(Struct, frozen=True, tag=True):
    """Redeem this coupon, once on the whole link."""

    round: int
    seat: int
    serial: str


class FreeCoupon(Struct, frozen=True, tag=True):
    """The coupon of entry coupon_seq goes back to its player; it may be redeemed again."""

    coupon_seq: int
    serial: str


MeterEntry: TypeAlias = AddWagers | FixAward | ValidateAward | DeductAward | ReleaseAward | RedeemCoupon | FreeCoupon


class SendToMeter(EffectBase, frozen=True):
    """Idempotent by seq: resent until the meter has it on disk."""

    seq: int
    entry: MeterEntry


Effect: TypeAlias = (
    ShutGate
    | OpenGate
    | SetLight
    | SetLamp
    | FlashRefusal
    | Collect
    | DrawNumber
    | OpenNextRound
    | CloseTable
    | SendToMeter
)

Outcome: TypeAlias = tuple[RoundState, tuple[Effect, ...]]
"""The state after an event, and the orders it gives."""


def to_meter(state: RoundState, entry: MeterEntry) -> tuple[RoundState, SendToMeter]:
    """The state with one more entry for the meter, and that entry under its number."""
    seq = state.link_seq + 1
    return replace(state, link_seq=seq), SendToMeter(seq, entry)
