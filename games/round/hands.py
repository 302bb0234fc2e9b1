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


def dealt(rules: TableRules, state: RoundState, event: HandEvent) -> RoundState:
    """Writes down what became of hands."""
    match event:
        case SeatFolded(seat=seat):
            return _fold(rules, state, seat)
        case FoldCorrected(seat=seat):
            return replace(state, folded=_without(state.folded, seat), forfeited=_without(state.forfeited, seat))
        case HandsVoided(irregularity=name):
            return replace(state, irregularity=name)
        case RoundVoided(irregularity=name):
            return replace(_void(state, name, tuple(state.wagers)), shown={}, envy=())
        case SeatsVoided(irregularity=name, seats=seats):
            return _void(state, name, seats)
        case RefundsConfirmed():
            return replace(state, refunds_due=())
        case AreasHeld(seats=seats):
            return areas_held(rules, state, seats)


def _fold(rules: TableRules, state: RoundState, seat: int) -> RoundState:
    """Folding ends the base game; whether the progressive wager goes with it is the game's own rule."""
    forfeits = rules.wager.fold.effect == "forfeits" and seat in state.wagers
    return replace(
        state,
        folded=tuple(sorted({*state.folded, seat})),
        forfeited=tuple(sorted({*state.forfeited, seat})) if forfeits else state.forfeited,
    )


def _without(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(other for other in seats if other != seat)


def _void(state: RoundState, irregularity: str, seats: tuple[int, ...]) -> RoundState:
    """Void wagers are refunded; a void hand neither envies nor is envied."""
    for seat in seats:
        state = unshown(state, seat)
    due = (set(seats) & set(state.wagers)) - set(state.voided)
    return replace(
        state,
        irregularity=irregularity,
        voided=tuple(sorted({*state.voided, *seats})),
        envy=tuple(envy for envy in state.envy if envy.seat not in seats),
        refunds_due=tuple(sorted({*state.refunds_due, *due})),
    )
