"""Why a hand cannot be envied, or an envy bonus not be paid now."""

from games.catalogue.pai_gow_areas import areas_refusal
from games.refusal import Refusal
from games.round.claims import spoken
from games.round.envy import hands_envied, row_envied
from games.round.events import (
    AreasHeld,
    EnvyMarkersPlaced,
    EnvyPaid,
    HandShown,
)
from games.round.state import Book
from games.round.table_rules import TableRules


def envy_refusal(
    rules: TableRules, book: Book, event: HandShown | EnvyPaid | EnvyMarkersPlaced | AreasHeld
) -> Refusal | None:
    """Why this step towards an envy bonus is refused, or None."""
    match event:
        case _ if rules.envy is None:
            return Refusal("this table pays no envy bonus")
        case HandShown():
            return _not_to_be_shown(rules, book, event)
        case EnvyPaid(seat=seat):
            return _not_to_be_paid(rules, book, seat)
        case EnvyMarkersPlaced(seats=seats):
            return _not_to_be_marked(rules, seats)
        case AreasHeld(seats=seats):
            return _not_to_be_held(rules, seats)


def _not_to_be_shown(rules: TableRules, book: Book, event: HandShown) -> Refusal | None:
    assert rules.envy is not None
    if event.seat not in rules.seats:
        return Refusal(f"this table has no seat {event.seat}")
    if event.seat in book.voided:
        return Refusal(f"seat {event.seat}: the hand is void", rules.envy.rule)
    if event.seat in book.shown:
        return Refusal(f"seat {event.seat} has shown {spoken(book.shown[event.seat].hand)} already")
    hands = hands_envied(rules, book, event)
    if isinstance(hands, Refusal) or row_envied(rules, hands):
        return hands if isinstance(hands, Refusal) else None
    return Refusal(f"seat {event.seat}: nobody is paid for envying this hand", rules.envy.rule)


def _not_to_be_paid(rules: TableRules, book: Book, seat: int) -> Refusal | None:
    """Winning wagers come before envy: this seat's own, or all, as the house settles."""
    if not any(envy.seat == seat for envy in book.envy_due):
        return Refusal(f"seat {seat} is owed no envy bonus")
    first = next((claim for claim in book.open_claims if rules.settles_envy_last or claim.seat == seat), None)
    if first is None:
        return None
    return Refusal(f"seat {first.seat}: pay the {spoken(first.hand)} first", rules.clause("settlement"))


def _not_to_be_marked(rules: TableRules, seats: tuple[int, ...]) -> Refusal | None:
    assert rules.envy is not None
    if rules.envy_goes_with_progressive:
        return Refusal("the progressive wager entitles to envy here: no markers", rules.envy.rule)
    return _strangers(rules, seats)


def _not_to_be_held(rules: TableRules, seats: tuple[int, ...]) -> Refusal | None:
    """Where the rule lets a player hold two areas, they are adjacent."""
    if not seats:
        return Refusal("name the seats of one player")
    lawful = areas_refusal(tuple(sorted(set(seats))), bank=None) if "areas" in rules.game.clauses else None
    return _strangers(rules, seats) or lawful


def _strangers(rules: TableRules, seats: tuple[int, ...]) -> Refusal | None:
    unknown = sorted(set(seats) - set(rules.seats))
    return Refusal(f"this table has no seat {unknown[0]}") if unknown else None
