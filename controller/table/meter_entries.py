"""A round's orders to the meter, in the words of the link."""

from collections.abc import Mapping
from typing import Final

from games.round.effects import (
    AddWagers,
    DeductAward,
    FixAward,
    MeterEntry,
    ReleaseAward,
    SendToMeter,
)
from games.round.step import Step
from link.messages import (
    Award,
    Entry,
    Payout,
    Release,
    Wagers,
    shortened,
)

CLOCKS: Final[Mapping[bool | None, str]] = {True: "synchronised", False: "not synchronised", None: "unknown"}


def entries(step: Step, synced: bool | None) -> tuple[tuple[int, Entry], ...]:
    """Everything a step orders of the meter, numbered."""
    orders = [effect for effect in step.effects if isinstance(effect, SendToMeter)]
    return tuple((order.seq, link_entry(order.entry, synced)) for order in orders)


def link_entry(order: MeterEntry, synced: bool | None = None) -> Entry:
    """The link's entry for a round's order; an award says how far its table's clock can be trusted (R76).

    Names and reasons are cut to what a message may carry; the journal has all of them.
    """
    match order:
        case AddWagers(round=number, stake_cents=stake, seats=seats, coupons=coupons):
            return Wagers(number, stake, seats, coupons)
        case FixAward() as fix:
            return Award(
                fix.round, fix.seat, fix.hand, fix.percent_bp, fix.fixed_cents, CLOCKS[synced], sharers=fix.sharers
            )
        case DeductAward() as paid:
            return Payout(paid.award_seq, shortened(paid.validated_by), shortened(paid.paid_by), paid.amount_cents)
        case ReleaseAward() as released:
            return Release(released.award_seq, shortened(released.reason), shortened(released.rejected_by))
