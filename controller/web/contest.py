"""A contested award as a table shows it: who else claims a part of the same meter."""

from controller.web.text import spoken
from link.messages import PendingAward, State


def contest(meter: State | None) -> tuple[str, ...]:
    """Every claim that waits for management, without its uncertain amount; clocks are compared on the floor."""
    return tuple(_claim(award) for award in (meter.pending if meter else ()) if award.contested)


def _claim(award: PendingAward) -> str:
    return f"table {award.table} seat {award.seat}: {spoken(award.hand)}"
