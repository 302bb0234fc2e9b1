"""Obstacles: why a decision about a link cannot be taken now, and when it can."""

from collections.abc import Iterator

from msgspec import Struct

from meter.ledger.adjustments import open_award, open_business
from meter.ledger.decisions import AnyDecision, Close, Correct, TakeOverflow, Transfer
from meter.service.link_desk import LinkDesk


class Obstacle(Struct, frozen=True):
    """What keeps this kind of decision from being taken, when that ends, and the tables it is about.

    only_lower says that only taking from the meter is forbidden.
    """

    decision: str
    why: str
    until: str
    tables: tuple[str, ...] = ()
    only_lower: bool = False


def obstacles(desk: LinkDesk) -> tuple[Obstacle, ...]:
    """Everything that stands against decisions about this link now."""
    return tuple(_obstacles(desk))


def obstacle_to(desk: LinkDesk, decision: AnyDecision) -> Obstacle | None:
    """Why the players' wagers forbid this decision now, or None; what the ledger forbids it says itself."""
    in_play = wagers_in_play(desk)
    is_less = isinstance(decision, Transfer) or (
        isinstance(decision, Correct) and decision.new_cents < decision.old_cents
    )
    return _while_they_play(type(decision).__name__, in_play) if is_less and in_play else None


def wagers_in_play(desk: LinkDesk) -> tuple[str, ...]:
    """The tables whose lights say that wagers are on this meter now; one that is gone says nothing of now."""
    shown = ((name, table.lights) for name, table in desk.tables.items() if table.alive is True)
    return tuple(name for name, lights in shown if lights is not None and lights.lit)


def _obstacles(desk: LinkDesk) -> Iterator[Obstacle]:
    pot = desk.head.pot
    in_play = wagers_in_play(desk)
    award, tables = open_award(pot), tuple(sorted(set(pot.claimants)))
    for kind in (Correct, Transfer, TakeOverflow):
        if award:
            yield Obstacle(kind.__name__, award, "It becomes possible when that is done.", tables)
    if in_play:
        yield _while_they_play(Correct.__name__, in_play, only_lower=True)
        yield _while_they_play(Transfer.__name__, in_play, only_lower=True)
    business = open_business(pot)
    if business:
        yield Obstacle(Close.__name__, business, "It becomes possible when that is done.", tables)
    elif not desk.head.stopped:
        still = "the link is open: its tables may take wagers"
        yield Obstacle(Close.__name__, still, "Stop the link first; then every table says that nothing is left there.")


def _while_they_play(kind: str, tables: tuple[str, ...], *, only_lower: bool = False) -> Obstacle:
    why = f"a round with wagers is in play at {', '.join(tables)}: its players were shown this amount"
    return Obstacle(kind, why, "It becomes possible when these rounds have ended.", tables, only_lower)
