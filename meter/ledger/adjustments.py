"""Adjustments by decision: held wagers, corrections, transfers, the house's overflow, closing."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from msgspec.structs import replace

from games.money import Cents, dollars
from meter.ledger.accounts import Account, Kind, Posting, posting
from meter.ledger.balances import Booking, LinkBalances, LinkTerms, booked, contribute, room_cents
from meter.ledger.open_items import HeldWagers

Parts: TypeAlias = Mapping[Account, Cents]
"""How much of which account."""
TRANSFER_SEEDS: Final = "transfer them first, to a link whose overflow seeds the next jackpot, too"


def hold(pot: LinkBalances, wagers: HeldWagers) -> Booking:
    """Keeps an unreasonable contribution aside; nothing moves."""
    return Booking((), replace(pot, held=(*pot.held, wagers)))


def add_held(pot: LinkBalances, terms: LinkTerms, wagers: HeldWagers) -> Booking:
    """A held contribution was found to be right: it counts now."""
    freed = drop_held(pot, wagers).pot
    return contribute(freed, terms, stake_cents=wagers.stake_cents, chips=wagers.chips, coupons=wagers.coupons)


def drop_held(pot: LinkBalances, wagers: HeldWagers) -> Booking:
    """A held contribution was found to be wrong: it never counts."""
    return Booking((), replace(pot, held=tuple(other for other in pot.held if other != wagers)))


def correction_fault(pot: LinkBalances, terms: LinkTerms, old_cents: Cents, new_cents: Cents) -> str | None:
    """Why the meter cannot be set to this, or None."""
    if old_cents != pot.amount_cents:
        return f"the meter stands at {dollars(pot.amount_cents)}, not at {dollars(old_cents)}: look again"
    if new_cents == old_cents:
        return "that is what the meter shows"
    return limit_fault(pot, terms, new_cents - old_cents)


def limit_fault(pot: LinkBalances, terms: LinkTerms, cents: Cents) -> str | None:
    """Why so much more does not fit on the meter, or None; what is below a cent takes room too."""
    if terms.limit_cents and cents > room_cents(pot, terms):
        return f"the limit of {dollars(terms.limit_cents)} leaves room for {dollars(room_cents(pot, terms))} only"
    return None


def correct(pot: LinkBalances, new_cents: Cents) -> Booking:
    """Sets the meter to this; the house takes or gives the difference, and what is below a cent stays."""
    difference = new_cents - pot.amount_cents
    source, target = (Account.HOUSE, Account.METER) if difference > 0 else (Account.METER, Account.HOUSE)
    return booked(pot, [posting(Kind.CORRECTION, source, target, abs(difference))])


def transfer_fault(pot: LinkBalances, terms: LinkTerms, parts: Parts) -> str | None:
    """Why this link cannot give so much away, or None."""
    if not any(parts.values()):
        return "nothing would be transferred"
    for account, cents in parts.items():
        if cents > pot.cents(account):
            return f"the {account.value.replace('_', ' ')} holds {dollars(pot.cents(account))}"
    return _seeds_fault(terms, parts)


def reception_fault(pot: LinkBalances, terms: LinkTerms, parts: Parts) -> str | None:
    """Why this link cannot take so much, or None."""
    return limit_fault(pot, terms, parts.get(Account.METER, 0)) or _seeds_fault(terms, parts)


def give(pot: LinkBalances, parts: Parts) -> Booking:
    """Sends so much of each account to another link."""
    return booked(
        pot,
        [posting(Kind.TRANSFER, account, Account.OTHER_LINKS, cents) for account, cents in parts.items()],
    )


def receive(pot: LinkBalances, parts: Parts) -> Booking:
    """Takes what another link sends, each part on the same account."""
    return booked(
        pot,
        [posting(Kind.TRANSFER, Account.OTHER_LINKS, account, cents) for account, cents in parts.items()],
    )


def _seeds_fault(terms: LinkTerms, parts: Parts) -> str | None:
    """Overflow goes only from where it is the players' to where it is theirs, too."""
    if not parts.get(Account.OVERFLOW) or terms.overflow_seeds_next:
        return None
    return "its overflow does not seed the next jackpot: it is the house's"


def overflow_fault(pot: LinkBalances, terms: LinkTerms, cents: Cents) -> str | None:
    """Why the house cannot take so much of the overflow, or None."""
    if terms.overflow_seeds_next:
        return "the overflow seeds the next jackpot: it is the players'"
    if not cents:
        return "nothing would be taken"
    there = pot.cents(Account.OVERFLOW)
    return f"the overflow holds {dollars(there)}" if cents > there else None


def take_overflow(pot: LinkBalances, cents: Cents) -> Booking:
    """Takes so much of the overflow out to the house; what is below a cent stays."""
    return booked(pot, [posting(Kind.OVERFLOW_TAKEN, Account.OVERFLOW, Account.HOUSE, cents)])


def closing_seeds(pot: LinkBalances, terms: LinkTerms) -> str | None:
    """Why a link cannot be closed whose overflow is the players', or None."""
    if not terms.overflow_seeds_next or not pot.cents(Account.OVERFLOW):
        return None
    seeds = dollars(pot.cents(Account.OVERFLOW))
    return f"{seeds} of overflow are to seed the next jackpot: {TRANSFER_SEEDS}"


def open_business(pot: LinkBalances) -> str | None:
    """What must be settled before a link is closed or its terms change, or None."""
    return open_award(pot) or ("wagers are held: have them decided first" if pot.held else None)


def open_award(pot: LinkBalances) -> str | None:
    """Why people cannot move the meter now, or None: whoever waits for his part of it would get another one."""
    tables = ", ".join(sorted(set(pot.claimants)))
    return f"an award is open at table {tables}: have it paid or rejected first" if tables else None


def close(pot: LinkBalances) -> Booking:
    """Ends a link: what is left, to the last fraction, goes to the house."""
    left = (Account.METER, Account.RESET_METER, Account.OVERFLOW)
    return booked(
        pot, [Posting(Kind.CLOSING, account, Account.HOUSE, pot.balances.get(account, 0)) for account in left]
    )
