"""Awards: what a claim takes from the meter at its turn, its rounding, payment and release."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from games.money import Cents, part_up
from meter.ledger.accounts import UNITS_PER_CENT, Account, Kind, Posting, posting
from meter.ledger.balances import LAST_AWARDS, Booking, LinkBalances, LinkTerms, booked, room_cents
from meter.ledger.open_items import OpenAward, Stood

WHOLE_METER_BP: Final = 10_000
TO_APPROVE: Final = "two persons must approve this award at the meter's page or console before it is paid"


def fix_amount(pot: LinkBalances, award: OpenAward, amount_cents: Cents) -> Booking:
    """Fixes an amount: from the meter as far as it goes, the rest from the house."""
    taken = min(amount_cents, pot.amount_cents)
    return fixed(pot, replace(award, taken_cents=taken, house_cents=amount_cents - taken))


def fixed(pot: LinkBalances, award: OpenAward) -> Booking:
    """Takes what this award says from where it says, and lets it stand open."""
    moved = taken_for(pot, award)
    open_award = replace(award, before_cents=pot.amount_cents, after_cents=moved.pot.amount_cents)
    return replace(moved, pot=replace(moved.pot, awards=(*pot.awards, open_award)))


def taken_for(pot: LinkBalances, award: OpenAward) -> Booking:
    """Takes what this award says from where it says."""
    return booked(
        pot,
        [
            posting(Kind.AWARD_FIXED, Account.METER, Account.AWARDS, award.taken_cents),
            posting(Kind.HOUSE_FUNDED, Account.HOUSE, Account.AWARDS, award.house_cents),
            posting(Kind.REFILL, Account.HOUSE, Account.METER, award.refill_cents),
            posting(Kind.REFILL, Account.RESET_METER, Account.METER, award.collected_cents),
            posting(Kind.REFILL, Account.OVERFLOW, Account.METER, award.seeded_cents),
        ],
    )


def unfixed(award: OpenAward) -> OpenAward:
    """The claim again, as it was before anything was taken for it."""
    nothing = ("after_cents", "taken_cents", "house_cents", "refill_cents", "collected_cents", "seeded_cents")
    return replace(award, **dict.fromkeys(nothing, 0), validators={}, refused="", approved=False)


def then(first: Booking, second: Booking) -> Booking:
    """One booking of two, the second made on the pot of the first."""
    return Booking((*first.postings, *second.postings), second.pot)


def without(awards: tuple[OpenAward, ...], award: OpenAward) -> tuple[OpenAward, ...]:
    """These awards but this one."""
    return tuple(other for other in awards if other != award)


def claim_part(pot: LinkBalances, terms: LinkTerms, award: OpenAward) -> Booking:
    """Fixes a percentage now, or lets it wait while another one is open (R80).

    Seat after seat at one table; between tables it is for management to say who comes first, never for the order in
    which messages arrive (28.11(i)).
    """
    first = open_part(pot)
    unclaimed = _put_back(pot, terms, first).pot if first else pot
    claimed = replace(pot, stood=(*pot.stood, _stood(unclaimed, award.key)))
    if first is None and not pot.claims:
        return fix_part(claimed, terms, award)
    waiting = replace(award, before_cents=pot.amount_cents)
    return Booking((), replace(claimed, claims=(*pot.claims, waiting), in_order=False))


def fix_part(pot: LinkBalances, terms: LinkTerms, award: OpenAward) -> Booking:
    """Fixes a percentage, rounded up to the cent, of the meter as it stood at the first of the claims that are open.

    What came in since is the next jackpot's: it stays on the meter, beside what the whole of it brings back (R69). What
    went out since, for other prizes, the house makes good where the meter cannot.
    """
    stood = pot.stood[0] if pot.stood else _stood(pot, award.key)
    past = _as_it_stood(pot, stood)
    claimed = _covered(pot, _claimed(past, terms, award))
    moved = taken_for(pot, claimed)
    moved = then(moved, _fitted(moved.pot, terms, stood.overflow - claimed.seeded_cents * UNITS_PER_CENT))
    opened = replace(claimed, before_cents=past.amount_cents, after_cents=moved.pot.amount_cents)
    marked = (replace(stood, table=award.table, journal=award.journal, seq=award.seq), *_other_stood(pot, award))
    return replace(moved, pot=replace(moved.pot, awards=(*pot.awards, opened), stood=marked))


def pay(pot: LinkBalances, terms: LinkTerms, award: OpenAward) -> Booking:
    """The award was validated and paid: a hit for each who shares it (R5), and no longer pending.

    The meter was lowered when it was fixed. After a percentage the claims that are left are for the next jackpot, from
    what stands now.
    """
    last = (*pot.last_paid, award)[-LAST_AWARDS:]
    stood = tuple(_stood(pot, other.key) for other in _other_stood(pot, award)) if award.percent_bp else pot.stood
    hits = pot.hits + len(award.shares)
    counted = replace(pot, hits=hits, awards=without(pot.awards, award), last_paid=last, stood=stood)
    paid = booked(counted, [posting(Kind.PAYOUT, Account.AWARDS, Account.PAID, award.amount_cents)])
    return advance(paid, terms)


def set_amount(pot: LinkBalances, terms: LinkTerms, award: OpenAward, cents: Cents) -> Booking:
    """Lets an open award be so much (R72): the house adds what is more; what is less goes back, the house's first."""
    more, less = max(0, cents - award.amount_cents), max(0, award.amount_cents - cents)
    to_house = min(less, award.house_cents)
    taken, house = award.taken_cents - less + to_house, award.house_cents - to_house + more
    changed = replace(award, taken_cents=taken, house_cents=house)
    moved = booked(
        replace(pot, awards=tuple(changed if other == award else other for other in pot.awards)),
        [
            posting(Kind.HOUSE_FUNDED, Account.HOUSE, Account.AWARDS, more),
            posting(Kind.RELEASE, Account.AWARDS, Account.HOUSE, to_house),
            posting(Kind.RELEASE, Account.AWARDS, Account.METER, less - to_house),
        ],
    )
    return then(moved, _fitted(moved.pot, terms, None)) if less else moved


def release(pot: LinkBalances, terms: LinkTerms, award: OpenAward) -> Booking:
    """The award was rejected: everything goes back where it came from, and the next claim has its turn."""
    back = _put_back(pot, terms, award)
    return advance(replace(back, pot=replace(back.pot, stood=_other_stood(pot, award))), terms)


def withdraw(pot: LinkBalances, terms: LinkTerms, claim: OpenAward) -> Booking:
    """A claim that waited was rejected: nothing was taken, and the next claim may have its turn."""
    left = replace(pot, claims=without(pot.claims, claim), stood=_other_stood(pot, claim))
    return advance(Booking((), left), terms)


def is_contested(pot: LinkBalances, award: OpenAward) -> bool:
    """Whether this award or claim waits for management's word, because another table claims a percentage, too."""
    return bool(award.percent_bp) and not pot.in_order and bool(contest(pot))


def contest(pot: LinkBalances) -> tuple[OpenAward, ...]:
    """The percentages of several tables that management must put in order: those fixed, then those that wait."""
    if not pot.claims:
        return ()
    parts = (*(award for award in pot.awards if award.percent_bp), *pot.claims)
    return parts if any(part.table != parts[0].table for part in parts) else ()


def needs_approval(terms: LinkTerms, award: OpenAward) -> bool:
    """Whether two persons at the meter must approve this award, and have not: the whole meter above a limit."""
    limit = terms.approval_above_cents
    is_above = limit is not None and award.amount_cents > limit
    return is_above and award.percent_bp == WHOLE_METER_BP and not award.approved


def open_part(pot: LinkBalances) -> OpenAward | None:
    """The percentage that is fixed and not settled: there is never a second one."""
    return next((award for award in pot.awards if award.percent_bp), None)


def order_fault(pot: LinkBalances, order: Sequence[tuple[str, str, int]]) -> str | None:
    """Why this cannot be the order of the open claims, or None; one table's claims keep their own order."""
    keys = [claim.key for claim in contest(pot)]
    if not keys:
        return "no claims are open at several tables"
    if sorted(keys) != sorted(order):
        names = ", ".join(f"{table} {journal} {seq}" for table, journal, seq in keys)
        return f"name each of these claims once, the first to be paid first: {names}"
    by_table = sorted(order, key=lambda key: key[0])
    return None if by_table == sorted(order) else "the claims of one table keep their own order (seat after seat)"


def put_in_order(pot: LinkBalances, terms: LinkTerms, order: Sequence[tuple[str, str, int]]) -> Booking:
    """Lets the claims come in this order, each when the one before is settled; what was fixed too early goes back."""
    first = open_part(pot)
    if first is None or first.key == order[0]:
        return advance(Booking((), _queued(pot, pot.claims, order)), terms)
    back = _put_back(pot, terms, first)
    return advance(replace(back, pot=_queued(back.pot, (*pot.claims, unfixed(first)), order)), terms)


def advance(booking: Booking, terms: LinkTerms) -> Booking:
    """Fixes the first claim that waits, unless another is before it or management has not said which is the first."""
    pot = booking.pot
    if pot.claims and open_part(pot) is None and not is_contested(pot, pot.claims[0]):
        booking = then(booking, fix_part(replace(pot, claims=pot.claims[1:]), terms, pot.claims[0]))
    is_in_order = booking.pot.in_order and bool(booking.pot.claims)
    return replace(booking, pot=replace(booking.pot, in_order=is_in_order))


def _queued(pot: LinkBalances, claims: Sequence[OpenAward], order: Sequence[tuple[str, str, int]]) -> LinkBalances:
    """The pot with these claims waiting in this order."""
    by_key = {claim.key: claim for claim in claims}
    return replace(pot, claims=tuple(by_key[key] for key in order if key in by_key), in_order=True)


def _stood(pot: LinkBalances, key: tuple[str, str, int]) -> Stood:
    """How the accounts stand now, for the claim of this entry."""
    accounts = (Account.METER, Account.RESET_METER, Account.OVERFLOW)
    return Stood(*key, *(pot.balances.get(account, 0) for account in accounts))


def _as_it_stood(pot: LinkBalances, stood: Stood) -> LinkBalances:
    then_there = {Account.METER: stood.meter, Account.RESET_METER: stood.reset_meter, Account.OVERFLOW: stood.overflow}
    return replace(pot, balances={**pot.balances, **then_there})


def _other_stood(pot: LinkBalances, award: OpenAward) -> tuple[Stood, ...]:
    return tuple(stood for stood in pot.stood if stood.key != award.key)


def _claimed(pot: LinkBalances, terms: LinkTerms, award: OpenAward) -> OpenAward:
    """What this claim takes from such a pot, and what comes in if it takes the whole meter."""
    taken = part_up(pot.amount_cents, award.percent_bp)
    claimed = replace(award, taken_cents=taken)
    return _refilled(pot, terms, claimed) if award.percent_bp == WHOLE_METER_BP else claimed


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


def _covered(pot: LinkBalances, award: OpenAward) -> OpenAward:
    """The award as far as the accounts hold it now, the rest of its amount from the house."""
    collected = min(award.collected_cents, pot.cents(Account.RESET_METER))
    seeded = min(award.seeded_cents, pot.cents(Account.OVERFLOW))
    short = max(0, award.taken_cents - pot.amount_cents - award.refill_cents - collected - seeded)
    taken, house = award.taken_cents - short, award.house_cents + short
    return replace(award, taken_cents=taken, house_cents=house, collected_cents=collected, seeded_cents=seeded)


def _put_back(pot: LinkBalances, terms: LinkTerms, award: OpenAward) -> Booking:
    """Undoes a fixed award.

    A refill goes back only as far as the meter holds it, for other prizes may have been paid from it; the players' part
    of it first.
    """
    there = pot.amount_cents + award.taken_cents
    collected = min(award.collected_cents, there)
    seeded = min(award.seeded_cents, there - collected)
    refill = min(award.refill_cents, there - collected - seeded)
    back = booked(
        replace(pot, awards=without(pot.awards, award)),
        [
            posting(Kind.RELEASE, Account.AWARDS, Account.METER, award.taken_cents),
            posting(Kind.RELEASE, Account.AWARDS, Account.HOUSE, award.house_cents),
            posting(Kind.REFILL, Account.METER, Account.RESET_METER, collected),
            posting(Kind.REFILL, Account.METER, Account.OVERFLOW, seeded),
            posting(Kind.REFILL, Account.METER, Account.HOUSE, refill),
        ],
    )
    overflow = next((stood.overflow for stood in pot.stood if stood.key == award.key), None)
    return then(back, _fitted(back.pot, terms, overflow))


def _fitted(pot: LinkBalances, terms: LinkTerms, overflow: int | None) -> Booking:
    """The display under its limit (R7), to the fraction: what is above it goes over.

    What went over since the overflow stood so, and would fit now, comes back.
    """
    if not terms.limit_cents:
        return Booking((), pot)
    room = terms.limit_cents * UNITS_PER_CENT - pot.balances.get(Account.METER, 0)
    went_over = 0 if overflow is None else max(0, pot.balances.get(Account.OVERFLOW, 0) - overflow)
    return booked(
        pot,
        [
            Posting(Kind.OVERFLOW, Account.METER, Account.OVERFLOW, max(0, -room)),
            Posting(Kind.OVERFLOW, Account.OVERFLOW, Account.METER, max(0, min(room, went_over))),
        ],
    )
