"""What every rule of booking does with an award: fix it, and put bookings and awards together."""

from typing import Final

from msgspec.structs import replace

from games.money import Cents
from meter.ledger.accounts import Account, Kind, posting
from meter.ledger.balances import Booking, LinkBalances, booked
from meter.ledger.open_items import OpenAward

WHOLE_METER_BP: Final = 10_000


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
    return replace(award, **dict.fromkeys(nothing, 0))


def then(first: Booking, second: Booking) -> Booking:
    """One booking of two, the second made on the pot of the first."""
    return Booking((*first.postings, *second.postings), second.pot)


def without(awards: tuple[OpenAward, ...], award: OpenAward) -> tuple[OpenAward, ...]:
    """These awards but this one."""
    return tuple(other for other in awards if other != award)
