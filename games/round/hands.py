"""Hands and who plays them: folds, irregularities and refunds, and players with several."""

from msgspec.structs import replace

from games.round.coupons import given_back
from games.round.effects import Effect, Outcome
from games.round.events import (
    AreasHeld,
    FoldCorrected,
    HandEvent,
    IrregularityNoted,
    IrregularityWithdrawn,
    RefundsConfirmed,
    SeatFolded,
    StacksDealt,
)
from games.round.layout import layout
from games.round.payments import advance, void_claims
from games.round.state import NotedIrregularity, Phase, RoundState
from games.round.table_rules import TableRules
from games.settlement.played_round import settled_early


def dealt(rules: TableRules, state: RoundState, event: HandEvent) -> Outcome:
    """Writes down what became of hands; whose turn it is may change with it."""
    state, effects = _recorded(rules, state, event)
    if state.phase in (Phase.OPEN, Phase.COUNTING, Phase.LOCKED, Phase.VOIDED):
        return state, effects
    state, more = advance(rules, state)
    return state, (*effects, *more)


def _recorded(rules: TableRules, state: RoundState, event: HandEvent) -> Outcome:
    match event:
        case StacksDealt():
            return replace(state, stacks_dealt=True), ()
        case SeatFolded(seat=seat):
            return _fold(rules, state, seat), ()
        case FoldCorrected(seat=seat):
            return replace(state, folded=_without(state.folded, seat), forfeited=_without(state.forfeited, seat)), ()
        case IrregularityNoted():
            return _note(rules, state, event)
        case IrregularityWithdrawn(irregularity=name):
            kept = tuple(noted for noted in state.irregularities if noted.name != name)
            return _with_refunds(rules, replace(state, irregularities=kept)), ()
        case RefundsConfirmed():
            back = [seat for seat, wagers in state.refunds_due.items() if rules.wager.name in wagers]
            state, freed = given_back(state, back)
            return replace(state, refunds_due={}, refunded=state.refunded | state.refunds_due), freed
        case AreasHeld(seats=seats):
            others = (tuple(seat for seat in areas if seat not in seats) for areas in state.areas)
            held = tuple(areas for areas in (*others, tuple(sorted(set(seats)))) if len(areas) > 1)
            return replace(state, areas=held), ()


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


def _note(rules: TableRules, state: RoundState, event: IrregularityNoted) -> Outcome:
    """Adds an irregularity to those of the round; each acts on what is still open, and what was paid stands."""
    early = settled_early(layout(rules, state)) | {*event.settled} | _paid_early(rules, state)
    noted = NotedIrregularity(
        event.irregularity, event.by, tuple(sorted(event.seats)), tuple(sorted(early)), state.lines_paid
    )
    state = replace(state, irregularities=(*state.irregularities, noted))
    if state.phase is Phase.VOIDED:
        return _end_before_registration(rules, state), ()
    return _void(rules, state, event.irregularity, event.by)


def _paid_early(rules: TableRules, state: RoundState) -> set[str]:
    """Wagers that are settled before the hands are played and of which somebody was paid."""
    early = {wager.name for wager in rules.layout_wagers if wager.sees == "own_first_three" or not wager.tables}
    told = {wager for named in state.named.values() for wager in named}
    return early & ({claim.wager for claim in state.claims} | told)


def _end_before_registration(rules: TableRules, state: RoundState) -> RoundState:
    """Nothing is registered: chips and coupons go back; chips that are still inside come with the next count."""
    inside = 0 if rules.by_eye or state.counted is not None else max(state.chips_due - state.returned, 0)
    due = dict.fromkeys(state.wagers, (rules.wager.name,))
    return replace(state, voided=tuple(sorted(state.wagers)), refunds_due=due, loose_chips=inside)


def _void(rules: TableRules, state: RoundState, reason: str, by: str) -> Outcome:
    """Takes back the claims of wagers that are refunded now."""
    played, effects = layout(rules, state), list[Effect]()
    for seat in played.seats:
        gone = {wager.name for wager in played.wagers_at(seat) if played.is_refunded(seat, wager)}
        if gone and seat.number in {*state.cards, *state.named}:
            state, released = void_claims(state, seat.number, reason, by, only=frozenset(gone))
            effects.extend(released)
    return _with_refunds(rules, state), tuple(effects)


def _with_refunds(rules: TableRules, state: RoundState) -> RoundState:
    """The state with what goes back to whom by the irregularities of this round."""
    played, due = layout(rules, state), dict[int, tuple[str, ...]]()
    voided = []
    for seat in played.seats:
        if seat.number in state.wagers and played.is_refunded(seat, rules.wager):
            voided.append(seat.number)
        names = tuple(
            wager.name
            for wager in played.wagers_at(seat)
            if seat.wagers[wager.name]
            and played.is_refunded(seat, wager)
            and not played.is_forfeited(seat, wager)
            and not state.is_paid(seat.number, wager.name)
            and wager.name not in state.refunded.get(seat.number, ())
        )
        due |= {seat.number: names} if names else {}
    return replace(state, voided=tuple(voided), refunds_due=due)
