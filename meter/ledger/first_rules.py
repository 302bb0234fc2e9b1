"""How awards were booked by the first rules: kept as they were, so that old records are told to the same figures."""

from collections.abc import Sequence
from itertools import takewhile

from msgspec.structs import replace

from games.money import Cents, part_up
from meter.ledger.accounts import Account, Kind, posting
from meter.ledger.award_postings import (
    WHOLE_METER_BP,
    fixed,
    then,
    unfixed,
    without,
)
from meter.ledger.balances import LAST_AWARDS, Booking, LinkBalances, LinkTerms, booked, room_cents
from meter.ledger.open_items import OpenAward


def claim_part(pot: LinkBalances, terms: LinkTerms, award: OpenAward) -> Booking:
    """Fixes a percentage now, or lets it wait while one of another table is open."""
    if not pot.claims and not _rivals(pot, award.table):
        return fix_part(pot, terms, award)
    waiting = replace(award, before_cents=pot.amount_cents)
    return Booking((), replace(pot, claims=(*pot.claims, waiting), in_order=False))


def fix_part(pot: LinkBalances, terms: LinkTerms, award: OpenAward) -> Booking:
    """Fixes a percentage of the meter as it stands, rounded up to the cent; the whole of it brings the reset amount."""
    taken = part_up(pot.amount_cents, award.percent_bp)
    claimed = replace(award, taken_cents=taken)
    return fixed(pot, _refilled(pot, terms, claimed) if award.percent_bp == WHOLE_METER_BP else claimed)


def pay(pot: LinkBalances, terms: LinkTerms, award: OpenAward) -> Booking:
    """The award was paid: one hit, however many share it."""
    last = (*pot.last_paid, award)[-LAST_AWARDS:]
    counted = replace(pot, hits=pot.hits + 1, awards=without(pot.awards, award), last_paid=last)
    paid = booked(counted, [posting(Kind.PAYOUT, Account.AWARDS, Account.PAID, award.amount_cents)])
    return advance(paid, terms)


def release(pot: LinkBalances, terms: LinkTerms, award: OpenAward) -> Booking:
    """The award was rejected: everything goes back where it came from, and the next claim has its turn."""
    return advance(_put_back(pot, terms, award), terms)


def withdraw(pot: LinkBalances, terms: LinkTerms, claim: OpenAward) -> Booking:
    """A claim that waited was rejected: nothing was taken, and the next claim may have its turn."""
    return advance(Booking((), replace(pot, claims=without(pot.claims, claim))), terms)


def put_in_order(pot: LinkBalances, terms: LinkTerms, order: Sequence[tuple[str, str, int]]) -> Booking:
    """Lets the claims come in this order, each when the one before is settled; what was fixed too early goes back."""
    parts = [award for award in pot.awards if award.percent_bp]
    stay = [award for award, _ in takewhile(lambda pair: pair[0].key == pair[1], zip(parts, order, strict=False))]
    booking = Booking((), pot)
    for award in reversed([award for award in parts if award not in stay]):
        booking = then(booking, _put_back(booking.pot, terms, award))
    claims = {claim.key: claim for claim in (*pot.claims, *map(unfixed, parts))}
    waiting = tuple(claims[key] for key in order if key not in {award.key for award in stay})
    queued = replace(booking, pot=replace(booking.pot, claims=waiting, in_order=True))
    return advance(queued, terms)


def advance(booking: Booking, terms: LinkTerms) -> Booking:
    """Fixes what waits as far as nobody else's claim is before it."""
    while booking.pot.claims:
        pot, first = booking.pot, booking.pot.claims[0]
        is_alone = pot.in_order or all(claim.table == first.table for claim in pot.claims)
        if not is_alone or _rivals(pot, first.table):
            break
        booking = then(booking, fix_part(replace(pot, claims=pot.claims[1:]), terms, first))
    if not booking.pot.claims and booking.pot.in_order:
        return replace(booking, pot=replace(booking.pot, in_order=False))
    return booking


def _rivals(pot: LinkBalances, table: str) -> bool:
    return any(award.percent_bp and award.table != table for award in pot.awards)


def _refilled(pot: LinkBalances, terms: LinkTerms, award: OpenAward) -> OpenAward:
    """What comes in after the whole meter was taken: the house's part and what was collected for it."""
    most = room_cents(pot, terms) + award.taken_cents if terms.limit_cents else None

    def fitting(cents: Cents, beside: Cents) -> Cents:
        return cents if most is None else max(0, min(cents, most - beside))

    house = fitting(terms.reset_cents, 0)
    collected = fitting(pot.cents(Account.RESET_METER), house)
    seeds = pot.cents(Account.OVERFLOW) if terms.overflow_seeds_next else 0
    seeded = fitting(seeds, house + collected)
    return replace(award, refill_cents=house, collected_cents=collected, seeded_cents=seeded)


def _put_back(pot: LinkBalances, terms: LinkTerms, award: OpenAward) -> Booking:
    """Undoes a fixed award.

    A refill goes back only as far as the meter holds it, for other prizes may have been paid from it; the players' part
    of it first. What no longer fits under the limit is overflow, in whole cents.
    """
    there = pot.amount_cents + award.taken_cents
    collected = min(award.collected_cents, there)
    seeded = min(award.seeded_cents, there - collected)
    refill = min(award.refill_cents, there - collected - seeded)
    over = award.taken_cents - refill - collected - seeded - room_cents(pot, terms) if terms.limit_cents else 0
    return booked(
        replace(pot, awards=without(pot.awards, award)),
        [
            posting(Kind.RELEASE, Account.AWARDS, Account.METER, award.taken_cents - max(0, over)),
            posting(Kind.RELEASE, Account.AWARDS, Account.OVERFLOW, max(0, over)),
            posting(Kind.RELEASE, Account.AWARDS, Account.HOUSE, award.house_cents),
            posting(Kind.REFILL, Account.METER, Account.RESET_METER, collected),
            posting(Kind.REFILL, Account.METER, Account.OVERFLOW, seeded),
            posting(Kind.REFILL, Account.METER, Account.HOUSE, refill),
        ],
    )
