"""The round: one event in, the new state and its orders out, or a refusal."""

from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from games.refusal import Refusal
from games.round.deal import arranged, first_deal, next_deal
from games.round.effects import CloseTable, Collect, DrawNumber, Effect, FlashRefusal, OpenNextRound, Outcome
from games.round.events import (
    AwardsFreed,
    AwardsHeld,
    ChipPlaced,
    ChipsCounted,
    ClaimEvent,
    CloseAsked,
    CouponRedeemed,
    DealEvent,
    DeviceFaulted,
    DeviceMended,
    EndOfRoundPressed,
    Event,
    HandClaimed,
    HandEvent,
    IrregularityNoted,
    LinkLost,
    LinkRestored,
    Notice,
    PanelUsed,
    RoundOpened,
    SideChipPlaced,
    SupervisorKeyTurned,
    TableClosed,
    TableEvent,
    TableOpened,
    WagerEvent,
)
from games.round.hands import dealt
from games.round.outputs import changes, outputs
from games.round.payments import settled
from games.round.phases import PHASE_TABLES, Order, PhaseWalk, RoundVoided, Way
from games.round.refusals import out_of_phase, refusal
from games.round.state import Closing, DeviceFault, Phase, RoundState
from games.round.table_rules import TableRules
from games.round.wagers import wagered


@cache
def _walk(order: Order) -> PhaseWalk:
    """A table's own phases; no table pays at its start for those of others."""
    return PhaseWalk(PHASE_TABLES[order])


class RoundStep(Struct, frozen=True):
    """What one event led to."""

    state: RoundState
    effects: tuple[Effect, ...]
    refusal: Refusal | None = None


def handle(rules: TableRules, state: RoundState, event: Event) -> RoundStep:
    """The next step of the round; the same state and event always give the same step."""
    phase = _walk(rules.order).walk(state.phase, _way(rules, event))
    why = out_of_phase(rules, state, event) if phase is None else refusal(rules, state, event)
    if why is not None or phase is None:
        after, orders = _refused(rules, state, event)
    else:
        after, orders = _recorded(rules, replace(state, phase=phase), event)
    shown = changes(outputs(rules, state), outputs(rules, after))
    drawn = () if rules.is_number_due(state) else _undrawn(rules, after)
    return RoundStep(after, (*shown, *orders, *drawn), why)


def _way(rules: TableRules, event: Event) -> Way:
    """The row of the phase table that this event walks."""
    if isinstance(event, IrregularityNoted):
        known = rules.irregularity(event.irregularity)
        return RoundVoided if known is not None and known.voids == "round" else IrregularityNoted
    return type(event)


def at_boot(rules: TableRules, state: RoundState) -> tuple[Effect, ...]:
    """Every order that must stand again when a table wakes up in this state."""
    _walk(rules.order)  # now, so that no chip waits for it
    return (*changes(None, outputs(rules, state)), *_unfinished(state), *_undrawn(rules, state))


def _unfinished(state: RoundState) -> tuple[Effect, ...]:
    match state:
        case RoundState(counted=None) if state.is_to_be_counted:
            return (Collect(),)
        case RoundState(phase=Phase.ENDED, closing=Closing(by=by, reason=reason)):
            return (CloseTable(by, reason),)
        case RoundState(phase=Phase.OPEN, closing=Closing(by=by, reason=reason)) if not (
            state.wagers or state.asked_coupons
        ):
            return (CloseTable(by, reason),)
        case RoundState(phase=Phase.ENDED):
            return (OpenNextRound(),)
        case _:
            return ()


def _undrawn(rules: TableRules, state: RoundState) -> tuple[Effect, ...]:
    return (DrawNumber(),) if rules.is_number_due(state) else ()


def _refused(rules: TableRules, state: RoundState, event: Event) -> Outcome:
    match event:
        case ChipPlaced(seat=seat):
            return _flagged_if_late(state, seat), (FlashRefusal(seat),)
        case SideChipPlaced(seat=seat, wager=wager) if rules.has_sensor(seat, wager):
            return _flagged_if_late(state, seat), (FlashRefusal(seat, wager),)
        case CouponRedeemed(seat=seat) | HandClaimed(seat=seat) if seat in rules.seats:
            return state, (FlashRefusal(seat),)
        case ChipsCounted(chips=chips) if state.is_to_be_counted and state.asked_coupons:
            return replace(state, returned=chips), ()  # counted again when the meter has answered
        case ChipsCounted(chips=chips) if state.is_to_be_counted:
            return replace(state, counted=chips, returned=chips), ()
        case _:
            return state, ()


def _flagged_if_late(state: RoundState, seat: int) -> RoundState:
    is_late = not state.is_taking_wagers and state.phase is not Phase.CLOSED
    return replace(state, flagged=tuple(sorted({*state.flagged, seat}))) if is_late else state


def _recorded(rules: TableRules, state: RoundState, event: Event) -> Outcome:
    if isinstance(event, WagerEvent):
        return wagered(rules, state, event)
    if isinstance(event, HandEvent):
        return dealt(rules, state, event)
    if isinstance(event, ClaimEvent):
        return settled(rules, state, event)
    if isinstance(event, DealEvent):
        return arranged(rules, state, event)
    if isinstance(event, TableEvent):
        return _attended(rules, state, event)
    return _noticed(state, event), ()


def _attended(rules: TableRules, state: RoundState, event: TableEvent) -> Outcome:
    match event:
        case TableOpened():
            return replace(state.next_round(first_deal()), closing=None), ()
        case RoundOpened():
            state = state.next_round(next_deal(rules, state))
            return state, _unfinished(state)
        case TableClosed(by=by, reason=reason):
            return replace(state, closing=Closing(by, reason)), ()
        case CloseAsked(by=by, reason=reason):
            state = replace(state, closing=Closing(by, reason))
            return state, _unfinished(state) if state.phase is Phase.OPEN else ()
        case EndOfRoundPressed():
            return state, _unfinished(state)


def _noticed(state: RoundState, event: Notice) -> RoundState:
    match event:
        case SupervisorKeyTurned(on=on):
            return replace(state, key_on=on)
        case DeviceFaulted(device=device, kind=kind, detail=detail, seat=seat, wager=wager):
            return replace(state, faults={**state.faults, device: DeviceFault(kind, detail, seat, wager)})
        case DeviceMended(device=mended, chips_out=chips):
            loose = state.loose_chips if state.is_to_be_counted else max(state.loose_chips - chips, 0)
            others = {name: fault for name, fault in state.faults.items() if name != mended}
            return replace(state, faults=others, loose_chips=loose)
        case LinkLost(reason=reason, refused=refused):
            return replace(state, link_down=reason, link_refused=refused or state.link_refused)
        case LinkRestored():
            return replace(state, link_down="", link_refused=False)
        case AwardsHeld(reason=reason):
            return replace(state, held=reason)
        case AwardsFreed():
            return replace(state, held="")
        case PanelUsed():
            return state
