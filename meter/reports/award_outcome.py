"""What became of a fixed award: pending, contested, paid, rejected, or put back by an order of claims."""

from typing import Final, TypeAlias

from msgspec import Struct

from games.money import Cents
from link.messages import Payout, Release
from meter.ledger.awards import is_contested
from meter.ledger.decisions import Decided, OrderClaims, SettleAward
from meter.ledger.open_items import OpenAward
from meter.ledger.pot import Pot
from meter.ledger.records import Cause, Entered
from meter.store.replay import Told

PENDING: Final = "pending"
CONTESTED: Final = "contested"
PAID: Final = "paid"
REJECTED: Final = "rejected"
PUT_BACK: Final = "put_back"
MEANING: Final = {
    PENDING: "pending: neither paid nor rejected yet",
    CONTESTED: "pending and contested: management decides who comes first",
    PAID: "paid",
    REJECTED: "rejected and returned",
    PUT_BACK: "put back by the order of the claims, to wait for its turn",
}


class Outcome(Struct, frozen=True):
    """What became of an award, in which record, when, by whom and why; nothing of that while it is pending.

    paid_cents is what was paid, which two persons may have settled otherwise than it was fixed (R72).
    """

    status: str
    record: int = 0
    booked_ms: int = 0
    persons: tuple[str, ...] = ()
    reason: str = ""
    paid_cents: Cents = 0


_Said: TypeAlias = tuple[str, tuple[str, ...], str]
"""A status, who said so, and why."""


def outcomes(entry: Told) -> dict[tuple[str, str, int], Outcome]:
    """What this record settled, by the entry that had claimed it."""
    said = _said(entry.record.cause)
    if said is None:
        return {}
    status, persons, reason = said
    paid = entry.after.pot.paid_cents - entry.before.pot.paid_cents
    outcome = Outcome(status, entry.record.number, entry.record.booked_ms, tuple(filter(None, persons)), reason, paid)
    return {award.key: outcome for award in entry.before.pot.awards if award not in entry.after.pot.awards}


def open_outcome(pot: Pot, award: OpenAward) -> Outcome:
    """What an award is while it is open."""
    return Outcome(CONTESTED if is_contested(pot, award) else PENDING)


def _said(cause: Cause) -> _Said | None:
    """What a cause that settles awards says of them; nothing else takes a fixed award away."""
    match cause:
        case Entered(envelope=envelope) if isinstance(envelope.entry, Payout):
            return PAID, (envelope.entry.validated_by, envelope.entry.paid_by), ""
        case Entered(envelope=envelope) if isinstance(envelope.entry, Release):
            return REJECTED, (envelope.entry.rejected_by,), envelope.entry.reason
        case Decided(decision=SettleAward(paid=paid), by=by, and_by=and_by, reason=reason):
            return PAID if paid else REJECTED, (by, and_by), reason
        case Decided(decision=OrderClaims(), by=by, and_by=and_by, reason=reason):
            return PUT_BACK, (by, and_by), reason
        case _:
            return None
