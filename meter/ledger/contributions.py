"""Contributions: what a table's entry moves, by arithmetic alone."""

from typing import Final

from msgspec.structs import replace

from link.messages import Award, Envelope, Payout, Release, Wagers
from meter.ledger.adjustments import hold
from meter.ledger.award_settlement import claim, doubt, table_paid, table_rejected
from meter.ledger.balances import Booking, LinkBalances, LinkTerms, NotTaken, contribute
from meter.ledger.open_items import DoubtedAward, HeldWagers, OpenAward

MOST_HELD: Final = 100
MOST_OPEN: Final = 100
"""Rounds held and awards open of one table: each commit writes all of them, for everybody."""
MOST_PARTS: Final = 10
MOST_PARTS_OF_A_LINK: Final = 50
"""Percentages: every seat of a table has one; and people can put all of a link in order, in one decision."""


def entry_booking(pot: LinkBalances, terms: LinkTerms, envelope: Envelope, held: str) -> Booking | NotTaken:
    """What this entry does to the pot; held wagers and claims do nothing yet."""
    match envelope.entry:
        case Wagers(stake_cents=stake, seats=seats, coupons=coupons):
            chips = len(seats) - len(coupons)
            if held:
                return _hold(pot, HeldWagers(*_key(envelope), stake, chips, len(coupons), held))
            return contribute(pot, terms, stake_cents=stake, chips=chips, coupons=len(coupons))
        case Award() as entry:
            award = OpenAward(*_key(envelope), entry.seat, entry.hand, entry.percent_bp)
            award = replace(award, at_ms=envelope.at_ms, clock=entry.clock, sharers=entry.sharers)
            full = _full(pot, envelope.table)
            if held and not full:
                return doubt(pot, DoubtedAward(award, entry.fixed_cents, held))
            return full or claim(pot, terms, award, entry.fixed_cents)
        case Payout(award_seq=seq, amount_cents=paid):
            return table_paid(pot, terms, (envelope.table, envelope.journal, seq), paid)
        case Release(award_seq=seq):
            return table_rejected(pot, terms, (envelope.table, envelope.journal, seq))


def parts_refusal(pot: LinkBalances, envelope: Envelope) -> str | None:
    """Why this percentage is one too many for people to put in order, or None.

    Asked when it comes, and not when the ledger is read back: there was a time when nobody asked. A claim in doubt is
    one, too: it may count any moment.
    """
    if not isinstance(envelope.entry, Award) or not envelope.entry.percent_bp:
        return None
    open_now = (*pot.awards, *pot.claims, *(doubted.award for doubted in pot.doubted))
    tables = [award.table for award in open_now if award.percent_bp]
    if tables.count(envelope.table) >= MOST_PARTS:
        return f"{MOST_PARTS} percentages of table {envelope.table} are open: two persons settle or decide some first"
    if len(tables) >= MOST_PARTS_OF_A_LINK:
        return f"{MOST_PARTS_OF_A_LINK} percentages of this meter are open: two persons settle or decide some first"
    return None


def _key(envelope: Envelope) -> tuple[str, str, int]:
    return envelope.table, envelope.journal, envelope.seq


def _full(pot: LinkBalances, table: str) -> NotTaken | None:
    """Why this table cannot have one more award open, or None."""
    count = pot.claimants.count(table)
    if count < MOST_OPEN:
        return None
    return NotTaken(f"{count} awards of table {table} are open: two persons settle or decide some of them first")


def _hold(pot: LinkBalances, wagers: HeldWagers) -> Booking | NotTaken:
    """Keeps these wagers aside; a table that is always wrong fills its own place, and nobody else's."""
    if sum(held.table == wagers.table for held in pot.held) < MOST_HELD:
        return hold(pot, wagers)
    return NotTaken(f"{wagers.reason}; {MOST_HELD} rounds of table {wagers.table} are held: two persons decide first")
