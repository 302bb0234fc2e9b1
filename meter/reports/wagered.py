"""The wagers that count with a record, and what they add by rates and limit: worked out without its postings."""

from msgspec import Struct

from link.messages import Wagers
from meter.ledger.accounts import UNITS_PER_CENT, Account
from meter.ledger.decisions import Decided, DecideHeld
from meter.ledger.open_items import HeldWagers
from meter.ledger.records import Entered
from meter.store.replay import Told


class Wagered(Struct, frozen=True):
    """Wagers of one stake at one table, and the units that they add to each account."""

    table: str
    stake_cents: int
    chips: int
    coupons: int
    meter_units: int
    overflow_units: int
    reset_meter_units: int


def wagered(entry: Told) -> Wagered | None:
    """The wagers that count with this record, and what they add by the rates and the limit that ruled."""
    held = _counted(entry)
    if held is None:
        return None
    terms, cents = entry.before.terms, held.stake_cents * (held.chips + held.coupons)
    units = cents * terms.rate_bp
    room = terms.limit_cents * UNITS_PER_CENT - entry.before.pot.balances.get(Account.METER, 0)
    over = max(0, units - max(0, room)) if terms.limit_cents else 0
    return Wagered(
        held.table,
        held.stake_cents,
        held.chips,
        held.coupons,
        meter_units=units - over,
        overflow_units=over,
        reset_meter_units=cents * terms.reset_rate_bp,
    )


def _counted(entry: Told) -> HeldWagers | None:
    match entry.record.cause:
        case Entered(envelope=envelope, held="") if isinstance(envelope.entry, Wagers):
            wagers, coupons = envelope.entry, len(envelope.entry.coupons)
            key = (envelope.table, envelope.journal, envelope.seq)
            return HeldWagers(*key, wagers.stake_cents, len(wagers.seats) - coupons, coupons, "")
        case Decided(decision=DecideHeld(entry=named, counts=True)):
            return next((held for held in entry.before.pot.held if held.key == named.key), None)
        case _:
            return None
