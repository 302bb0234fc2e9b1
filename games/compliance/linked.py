"""What the rules forbid of a table because of the others on its meter."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from games.compliance.cases import Fault, Faults, TableCase
from games.compliance.offer import Offer, offer_of
from games.compliance.similarity import ALIKE, difference

HOLDEM: Final = "texas-holdem-bonus"
CARIBBEAN: Final = "caribbean-stud"

_SIGN_RULES: Final[Mapping[str, str]] = {HOLDEM: "1.13Q(f)", CARIBBEAN: "1.13G(h)"}


def linked_faults(case: TableCase, others: Sequence[TableCase], games: Collection[str] = ()) -> tuple[Fault, ...]:
    """What is wrong with this linked table beside these others; games are those that its meter allows besides."""
    names = {case.game, *games, *(other.game for other in others)}
    offer = offer_of(case)
    if offer is None:
        return ()
    return (*unlinkable_faults("pay_table", offer, names), *_unlike(case, offer, others), *sign_fault(case, names))


def unlinkable_faults(key: str, offer: Offer, names: Collection[str]) -> Faults:
    """Pay tables that a clause keeps off a link."""
    chosen = offer.table.name
    if offer.game.name == HOLDEM and CARIBBEAN in names and chosen != "A":
        problem = f"pay table {chosen} may not be linked to {CARIBBEAN}"
        yield Fault(key, chosen, problem, "choose A", "28.11(g)")
    if not offer.table.linkable:
        problem = f"pay table {chosen} of {offer.game.name} may not be linked"
        yield Fault(key, chosen, problem, f"choose {_linkable(offer)}, or leave the table alone", "16.12(e)")


def sign_fault(case: TableCase, names: Collection[str]) -> Faults:
    """The sign at each table that says hold 'em bonus and Caribbean stud share a meter."""
    if case.game in _SIGN_RULES and _SIGN_RULES.keys() <= set(names) and not case.connection_sign:
        problem = f"no sign says that {HOLDEM} and {CARIBBEAN} are connected"
        remedy = "post it and write connection_sign = true"
        yield Fault("connection_sign", False, problem, remedy, _SIGN_RULES[case.game])


def _unlike(case: TableCase, offer: Offer, others: Sequence[TableCase]) -> Faults:
    """The first of the others that this table's wager is not like."""
    for other in others:
        theirs = offer_of(other)
        why = difference(theirs, offer) if theirs else None
        if theirs and why:
            key, value = _culprit(case, offer, theirs)
            yield Fault(key, value, why, "link only what is alike", ALIKE)
            return


def _culprit(case: TableCase, offer: Offer, theirs: Offer) -> tuple[str, object]:
    if offer.stake_cents != theirs.stake_cents:
        return "stake_cents", case.stake_cents
    if offer.game.name == theirs.game.name and offer.decks != theirs.decks:
        return "decks", offer.decks
    return "pay_table", case.pay_table


def _linkable(offer: Offer) -> str:
    wager = offer.game.progressive
    assert wager is not None
    return " or ".join(table.name for table in wager.tables if table.linkable)
