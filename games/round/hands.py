"""Hands and who plays them: folds, void hands and refunds, and players with several."""

from msgspec.structs import replace

from games.round.envy import areas_held, unshown
from games.round.events import (
    AreasHeld,
    FoldCorrected,
    HandEvent,
    HandsVoided,
    RefundsConfirmed,
    RoundVoided,
    SeatFolded,
    SeatsVoided,
)
from games.round.state import RoundState
from games.round.table_rules import TableRules


def dealt(rules: TableRules, book: RoundState, event: HandEvent) -> RoundState:
    """Writes down what became of hands."""
    match event:
        case SeatFolded(seat=seat):
            return _fold(rules, book, seat)
        case FoldCorrected(seat=seat):
            return replace(book, folded=_without(book.folded, seat), forfeited=_without(book.forfeited, seat))
        case HandsVoided(irregularity=name):
            return replace(book, irregularity=name)
        case RoundVoided(irregularity=name):
            return replace(_void(book, name, tuple(book.wagers)), shown={}, envy=())
        case SeatsVoided(irregularity=name, seats=seats):
            return _void(book, name, seats)
        case RefundsConfirmed():
            return replace(book, refunds_due=())
        case AreasHeld(seats=seats):
            return areas_held(rules, book, seats)


def _fold(rules: TableRules, book: RoundState, seat: int) -> RoundState:
    """Folding ends the base game; whether the progressive wager goes with it is the game's own rule."""
    forfeits = rules.wager.fold.effect == "forfeits" and seat in book.wagers
    return replace(
        book,
        folded=tuple(sorted({*book.folded, seat})),
        forfeited=tuple(sorted({*book.forfeited, seat})) if forfeits else book.forfeited,
    )


def _without(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(other for other in seats if other != seat)


def _void(book: RoundState, irregularity: str, seats: tuple[int, ...]) -> RoundState:
    """Void wagers are refunded; a void hand neither envies nor is envied."""
    for seat in seats:
        book = unshown(book, seat)
    due = (set(seats) & set(book.wagers)) - set(book.voided)
    return replace(
        book,
        irregularity=irregularity,
        voided=tuple(sorted({*book.voided, *seats})),
        envy=tuple(envy for envy in book.envy if envy.seat not in seats),
        refunds_due=tuple(sorted({*book.refunds_due, *due})),
    )
