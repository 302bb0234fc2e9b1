"""A round's orders to the meter, in the words of the link."""

from collections.abc import Mapping
from typing import Final

from games.effects import AddWagers, DeductAward, FixAward, MeterEntry, ReleaseAward, SendToMeter
from games.round import Step
from meter.link import MOST_WORDS, Award, Entry, Payout, Release, Wagers

CLOCKS: Final[Mapping[bool | None, str]] = {True: "synchronised", False: "not synchronised", None: "unknown"}


def entries(step: Step, synced: bool | None) -> tuple[tuple[int, Entry], ...]:
    """Everything a step orders of the meter, numbered."""
    orders = [effect for effect in step.effects if isinstance(effect, SendToMeter)]
    return tuple((order.seq, link_entry(order.entry, synced)) for order in orders)


def link_entry(order: MeterEntry, synced: bool | None = None) -> Entry:
    """The link's entry for a round's order; an award says how far its table's clock can be trusted (R76)."""
    match order:
        case AddWagers(round=number, stake_cents=stake, seats=seats, coupons=coupons):
            return Wagers(number, stake, seats, coupons)
        case FixAward() as fix:
            return Award(
                fix.round, fix.seat, fix.hand, fix.percent_bp, fix.fixed_cents, CLOCKS[synced], sharers=fix.sharers
            )
        case DeductAward() as paid:
            return Payout(paid.award_seq, _short(paid.validated_by), _short(paid.paid_by), paid.amount_cents)
        case ReleaseAward() as released:
            return Release(released.award_seq, _short(released.reason), _short(released.rejected_by))


def _short(words: str) -> str:
    """As much as a message may carry; the journal has all of it."""
    return words if len(words) <= MOST_WORDS else words[: MOST_WORDS - 1] + "…"
