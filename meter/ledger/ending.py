"""The announced end of a link (R89): a day that everybody is told of long before, and before which it is not closed."""

from datetime import date, datetime
from typing import Final

from meter.ledger.pot import Terms

NOTICE_DAYS: Final = 30


def day_of(wall_ms: int) -> date:
    """The calendar day of a moment, by this machine's time zone."""
    return datetime.fromtimestamp(wall_ms / 1_000).astimezone().date()


def days_left(terms: Terms, today: date) -> int | None:
    """How many days are left until the announced end, or None where none is announced."""
    return (date.fromisoformat(terms.ends_on) - today).days if terms.ends_on else None


def ending_notice(terms: Terms, today: date) -> str | None:
    """What players are told of the end, or None."""
    left = days_left(terms, today)
    if left is None:
        return None
    if left < 0:
        return f"this progressive was to end on {terms.ends_on}"
    return f"this progressive ends on {terms.ends_on}, " + ("today" if left == 0 else f"in {left} day(s)")


def announcement_fault(old: Terms, new: Terms, today: date) -> str | None:
    """Why this end cannot be announced today, or None; one that is put off or taken back needs no notice."""
    left, before = days_left(new, today), days_left(old, today)
    if left is None or left >= NOTICE_DAYS or (before is not None and before <= left):
        return None
    return f"ends_on = {new.ends_on} is less than {NOTICE_DAYS} days away [R89]"


def closing_fault(terms: Terms, today: date) -> str | None:
    """Why a link whose end was announced cannot be closed today, or None."""
    left = days_left(terms, today)
    return f"it was announced to end on {terms.ends_on}, not before [R89]" if left and left > 0 else None
