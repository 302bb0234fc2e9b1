"""Drain check: may a link be closed or changed now? No wager made on its parameters may be left out."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from meter.ledger.decisions import AnyDecision, ChangeTerms, Close, Decided
from meter.ledger.link_state import Member
from meter.ledger.parameters import Parameters, counted_otherwise
from meter.ledger.records import Opened, SealedRecord, read_record

_WORDS: Final = (b'"Opened"', b'"ChangeTerms"')


def removed_tables(records: Iterable[SealedRecord]) -> dict[str, Parameters]:
    """The tables that are off the link after these records and once were on it, with the parameters of then."""
    last_on: dict[str, Parameters] = {}
    on: tuple[str, ...] = ()
    for row in records:
        if not any(word in row.body for word in _WORDS):
            continue  # nearly all of millions: to read each would take minutes
        match read_record(row.body).cause:
            case Opened(terms=terms, offer=offer) | Decided(decision=ChangeTerms(terms=terms, offer=offer)):
                on = offer.tables
                last_on |= dict.fromkeys(on, Parameters(terms, offer))
    return {table: was for table, was in last_on.items() if table not in on}


_FEW: Final = 5  # tables that one answer names
_FIRST: Final = (
    "the link is not stopped: while the meter runs, have every table closed, let two persons Stop the link, and wait "
    "until each table has said that nothing is left there"
)
_THEN: Final = (
    "Reopen lets tables hand in what they have: have them closed, then Stop the link again. A table that will not come "
    "back may be given up by its name"
)
_BACK: Final = (
    "Add the removed table again, with the parameters that it had when it was removed. When it has sent its entries, "
    "change them. "
)


def draining_fault(
    decision: AnyDecision, staying: Sequence[Member], records: Iterable[SealedRecord], *, is_stopped: bool
) -> str | None:
    """Why tables that are to stay on a link, or to come back to it, keep it from being closed or changed, or None."""
    match decision:
        case Close(given_up=given_up):
            return _unrest(staying, given_up, {}, is_stopped=is_stopped)
        case ChangeTerms(terms=terms, offer=offer, given_up=given_up):
            were_on = removed_tables(records)
            returning = {
                member.hello.table: counted_otherwise(was, Parameters(terms, offer), member.hello.game)
                for member in staying
                if (was := were_on.get(member.hello.table))
            }
            return _unrest(staying, given_up, returning, is_stopped=is_stopped)
        case _:
            return None


def _unrest(
    members: Sequence[Member], given_up: Collection[str], returning: Mapping[str, str], *, is_stopped: bool
) -> str | None:
    """Tables that return with unchanged parameters need not be drained first: they must send their entries."""
    strangers = sorted(set(given_up) - {member.hello.table for member in members})
    if strangers:
        return f"table {', '.join(strangers)} has not joined this link: there is nothing to give up"
    waited = [member for member in members if returning.get(member.hello.table) != ""]
    if waited and not is_stopped:
        return _FIRST
    left = {member.hello.table: words for member in waited if (words := _left(member, given_up))}
    if not left:
        return None
    named = [f"table {table} {words}{_since(returning.get(table))}" for table, words in left.items()]
    more = f"; {len(left) - _FEW} more tables" if len(left) > _FEW else ""
    back = _BACK if left.keys() & returning.keys() else ""
    return f"{'; '.join(named[:_FEW])}{more}. {back}{_THEN}"


def _since(changed: str | None) -> str:
    return f" (what changes for it since it was removed from the link: {changed})" if changed else ""


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
