"""What must come to rest before a link is closed or its parameters change: no wager made on them may be left out."""

from collections.abc import Collection, Sequence
from typing import Final

from meter.book import Member
from meter.decisions import AnyDecision, ChangeTerms, Close

_FEW: Final = 5  # tables that one answer names
_FIRST: Final = (
    "the link is not stopped: while the meter runs, have every table closed, let two persons Stop the link, and wait "
    "until each table has said that nothing is left there [R96]"
)
_THEN: Final = (
    "Reopen lets tables hand in what they have: have them closed, then Stop the link again. A table that will not come "
    "back may be given up by its name [R96]"
)


def draining_fault(decision: AnyDecision, staying: Sequence[Member], *, is_stopped: bool) -> str | None:
    """Why tables that are to stay on a link keep it from being closed or changed, or None."""
    match decision:
        case Close(given_up=given_up) | ChangeTerms(given_up=given_up):
            return _unrest(staying, given_up, is_stopped=is_stopped)
        case _:
            return None


def _unrest(members: Sequence[Member], given_up: Collection[str], *, is_stopped: bool) -> str | None:
    strangers = sorted(set(given_up) - {member.hello.table for member in members})
    if strangers:
        return f"table {', '.join(strangers)} has not joined this link: there is nothing to give up"
    if members and not is_stopped:
        return _FIRST
    left = [f"table {member.hello.table} {words}" for member in members if (words := _left(member, given_up))]
    if not left:
        return None
    more = f"; {len(left) - _FEW} more tables" if len(left) > _FEW else ""
    return f"{'; '.join(left[:_FEW])}{more}. {_THEN}"


def _left(member: Member, given_up: Collection[str]) -> str:
    """What may still come from this table, or nothing."""
    waiting = member.said_seq - 1 - member.booked_seq
    if member.hello.table in given_up:
        return ""
    if not member.said_seq:
        return "has not been heard since the link was stopped"
    if waiting < 0:
        return f"has {-waiting} entries less than are booked: look at its journal"
    if waiting:
        return f"has {waiting} entries that are not booked"
    return "" if member.idle else "has a round in hand, or may still take wagers"
