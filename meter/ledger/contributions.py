"""Contributions: what a table's entry moves, by arithmetic alone."""

from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from link.messages import Award, Coupon, CouponReturn, Envelope, Payout, Release, Validation, Wagers
from meter.ledger.adjustments import hold
from meter.ledger.award_settlement import claim, doubt, table_paid, table_rejected, table_validated
from meter.ledger.balances import Booking, LinkBalances, LinkTerms, NotTaken, contribute
from meter.ledger.open_items import DoubtedAward, HeldWagers, OpenAward
from meter.ledger.records import Entered, ProvedNames

MOST_OPEN: Final = 25
"""Items of one table that wait for people, held rounds and awards: each commit writes all of them, for everybody."""
MOST_PERCENTAGES: Final = 50
"""Of a link: people can put all of them in order, in one decision."""


def entry_booking(pot: LinkBalances, terms: LinkTerms, entered: Entered) -> Booking | NotTaken:
    """What this entry does to the pot; held wagers, claims and payouts do nothing yet."""
    envelope, held = entered.envelope, entered.held
    persons = ProvedNames() if entered.persons is UNSET else entered.persons
    match envelope.entry:
        case Wagers(stake_cents=stake, seats=seats, coupons=coupons):
            chips = len(seats) - len(coupons)
            if held:
                return hold(pot, HeldWagers(*_key(envelope), stake, chips, len(coupons), held))
            return contribute(pot, terms, stake_cents=stake, chips=chips, coupons=len(coupons))
        case Award() as entry:
            award = OpenAward(*_key(envelope), entry.seat, entry.hand, entry.percent_bp)
            award = replace(award, at_ms=envelope.at_ms, clock=entry.clock, sharers=entry.sharers)
            award = replace(award, round=entry.round, cards=_card_words(entry))
            if held:
                return doubt(pot, DoubtedAward(award, entry.fixed_cents, held))
            return claim(pot, terms, award, entry.fixed_cents)
        case Validation(award_seq=seq, seat=seat):
            key = (envelope.table, envelope.journal, seq)
            return table_validated(pot, key, seat, by=persons.validated_by, refused=held)
        case Payout(award_seq=seq, amount_cents=paid):
            return table_paid(pot, terms, (envelope.table, envelope.journal, seq), paid, held)
        case Release(award_seq=seq):
            return table_rejected(pot, terms, (envelope.table, envelope.journal, seq))
        case Coupon() | CouponReturn():  # money moves when the wager is registered
            return Booking((), pot)


def open_items_refusal(pot: LinkBalances, envelope: Envelope, doubt: str) -> str | None:
    """Why this claim, or this doubtful round, would be one open item too many, or None.

    Asked when it comes, and not when the ledger is read back. A claim in doubt may count any moment.
    """
    entry, table = envelope.entry, envelope.table
    if not isinstance(entry, Award) and not (isinstance(entry, Wagers) and doubt):
        return None
    awards = (*pot.awards, *pot.claims, *(doubted.award for doubted in pot.doubted))
    count = [*(award.table for award in awards), *(held.table for held in pot.held)].count(table)
    if count >= MOST_OPEN:
        why = f"{doubt}; " if doubt else ""
        return f"{why}{count} rounds and awards of table {table} are open: two persons settle or decide some first"
    is_percentage = isinstance(entry, Award) and entry.percent_bp
    if is_percentage and sum(award.percent_bp > 0 for award in awards) >= MOST_PERCENTAGES:
        return f"{MOST_PERCENTAGES} percentages of this meter are open: two persons settle or decide some first"
    return None


def _card_words(award: Award) -> str:
    """The cards for those who approve the award: "seat 3: Ah Kh Th Jh Qh"."""
    return "; ".join(f"seat {seat}: {' '.join(cards)}" for seat, cards in award.cards.items())


def _key(envelope: Envelope) -> tuple[str, str, int]:
    return envelope.table, envelope.journal, envelope.seq
