"""The wagers that count with a record, and what they add by the rates: worked out without looking at its postings."""

from msgspec import Struct

from meter.decisions import Decided, DecideHeld
from meter.ledger import HeldWagers
from meter.link import Wagers
from meter.records import Entered
from meter.replay import Told


class Wagered(Struct, frozen=True):
    """Wagers of one stake at one table, and the units that they add."""

    table: str
    stake_cents: int
    chips: int
    coupons: int
    units: int


def wagered(entry: Told) -> Wagered | None:
    """The wagers that count with this record, and what they add by the rates that ruled."""
    held = _counted(entry)
    if held is None:
        return None
    terms = entry.before.terms
    cents = held.stake_cents * (held.chips + held.coupons)
    units = cents * (terms.rate_bp + terms.reset_rate_bp)
    return Wagered(held.table, held.stake_cents, held.chips, held.coupons, units)


def _counted(entry: Told) -> HeldWagers | None:
    match entry.record.cause:
        case Entered(envelope=envelope, held="") if isinstance(envelope.entry, Wagers):
            wagers, coupons = envelope.entry, len(envelope.entry.coupons)
            key = (envelope.table, envelope.journal, envelope.seq)
            return HeldWagers(*key, wagers.stake_cents, len(wagers.seats) - coupons, coupons, "")
        case Decided(decision=DecideHeld(entry=named, counts=True)):
            return next(held for held in entry.before.pot.held if held.key == named.key)
        case _:
            return None
