"""Liability: what a link owes to its players, and what has accrued since a day (R75)."""

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from typing import Final

from msgspec import Struct

from meter.ledger.accounts import Account
from meter.ledger.link_state import Head
from meter.reports.formatting import Row, figures, one_line, plain_dollars
from meter.store.replay import ReplayedRecord

_KEPT: Final = {
    "meter": Account.METER,
    "reset meter": Account.RESET_METER,
    "overflow": Account.OVERFLOW,
    "awards not yet paid": Account.AWARDS,
}


class Liability(Struct, frozen=True):
    """One link after its last record; units are ten-thousandths of a cent.

    accrued_units are by the days that the records bear, as in the statements; misdated_units is what came after the
    first of these days by its place in the ledger, and bears an earlier one: part of what is owed, not of accrued.
    house_overflow_units is overflow that does not seed the next jackpot: the house's, and owed to nobody (R85).
    held_units is what held wagers would add if two persons let them count; it is not part of what is owed.
    """

    link: str
    record: int
    owed_units: dict[str, int]
    total_units: int
    since: date
    accrued_units: int
    misdated_units: int
    house_overflow_units: int
    held_units: int
    stopped: str


def liability(
    history: Iterable[ReplayedRecord], day_of: Callable[[int], date], since: date, *, today: date
) -> Liability | None:
    """What is owed at the end of this history, and what of it came since the beginning of that gaming day."""
    accrued, misdated, is_reached, last, day = 0, 0, False, None, date.min
    for last in history:
        stamped = day_of(last.record.booked_ms)
        day = stamped if stamped <= today else day  # a day that has not come yet: the clock was ahead
        moved = owed_in_all(last.after) - owed_in_all(last.before)
        is_reached = is_reached or day >= since
        accrued += moved if day >= since else 0
        misdated += moved if is_reached and day < since else 0
    if last is None:
        return None
    head, terms = last.after, last.after.terms
    held = sum(one.stake_cents * (one.chips + one.coupons) for one in head.pot.held)
    return Liability(
        link=last.record.link,
        record=head.number,
        owed_units=_owed(head),
        total_units=owed_in_all(head),
        since=since,
        accrued_units=accrued,
        misdated_units=misdated,
        house_overflow_units=0 if terms.overflow_seeds_next else head.pot.balances.get(Account.OVERFLOW, 0),
        held_units=held * (terms.rate_bp + terms.reset_rate_bp),
        stopped=head.stopped,
    )


def liability_text(owed: Liability) -> str:
    """The same for the accountant's desk."""
    named = {**owed.owed_units, "owed to the players": owed.total_units, f"since {owed.since}": owed.accrued_units}
    if owed.misdated_units:
        named["booked later, under earlier days"] = owed.misdated_units
    if owed.house_overflow_units:
        named["overflow, the house's, not in it"] = owed.house_overflow_units
    if owed.held_units:
        named["held, not in it"] = owed.held_units
    stopped = [f"  stopped: {one_line(owed.stopped)}"] if owed.stopped else []
    return "\n".join((f"link {owed.link}, after record {owed.record}", *figures(named.items()), *stopped))


def liability_rows(owed: Liability) -> Iterator[Row]:
    """The same as rows."""
    sums = {"total": owed.total_units, "accrued": owed.accrued_units, "misdated": owed.misdated_units}
    named = {**owed.owed_units, **sums, "house_overflow": owed.house_overflow_units, "held": owed.held_units}
    for name, units in named.items():
        about: Row = {"link": owed.link, "record": owed.record, "since": str(owed.since), "figure": name}
        yield about | {"dollars": plain_dollars(units)}


def owed_in_all(head: Head) -> int:
    """What the link owes its players, in ten-thousandths of a cent."""
    return sum(_owed(head).values())


def _owed(head: Head) -> dict[str, int]:
    """Each account that is the players'; the overflow is, where it seeds the next jackpot (R85)."""
    balances = {name: head.pot.balances.get(account, 0) for name, account in _KEPT.items()}
    return balances if head.terms.overflow_seeds_next else balances | {"overflow": 0}
