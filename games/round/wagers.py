"""Wagers: how they come and go, are counted against the lights and are registered on the meter."""

from msgspec.structs import replace

from games.round.effects import AddWagers, Collect, Outcome, SendToMeter
from games.round.events import (
    ChipLifted,
    ChipPlaced,
    ChipsAttested,
    ChipsCounted,
    ChipsReturned,
    CollectionStarted,
    CouponRedeemed,
    CouponReturned,
    EnvyMarkersPlaced,
    LockOutPressed,
    MismatchExplained,
    RecountAsked,
    WagerEvent,
    WagersRegistered,
)
from games.round.state import Collection, Phase, RoundState, SeatWager
from games.round.table_rules import TableRules


def wagered(rules: TableRules, state: RoundState, event: WagerEvent) -> Outcome:
    """Writes down what happened to the wagers; a count that agrees sends them to the meter."""
    match event:
        case ChipPlaced() | ChipLifted() | CouponRedeemed() | CouponReturned():
            return _counted_anew(state, _laid(state, event))
        case LockOutPressed() | RecountAsked():
            return _counting(state)
        case CollectionStarted() | ChipsReturned():
            return _collected(state, event), ()
        case ChipsCounted(chips=chips):
            return _register(rules, replace(state, counted=chips, returned=chips))
        case ChipsAttested(chips=chips):
            return _register(rules, replace(state, counted=chips, by_eye=True))
        case MismatchExplained():
            return _register(rules, _explained(state, event))
        case WagersRegistered():
            return replace(state, registered=True), ()
        case EnvyMarkersPlaced(seats=seats):
            return replace(state, envy_markers=tuple(sorted(set(seats)))), ()


def _laid(state: RoundState, event: ChipPlaced | ChipLifted | CouponRedeemed | CouponReturned) -> RoundState:
    match event:
        case ChipPlaced(seat=seat):
            return replace(state, wagers={**state.wagers, seat: SeatWager()})
        case CouponRedeemed(seat=seat, serial=serial):
            return replace(state, wagers={**state.wagers, seat: SeatWager(coupon=serial)})
        case ChipLifted(seat=seat) if not state.is_taking_wagers or seat in state.coupons:
            return replace(state, flagged=tuple(sorted({*state.flagged, seat})))
        case ChipLifted(seat=seat) | CouponReturned(seat=seat):
            return replace(state, wagers={other: wager for other, wager in state.wagers.items() if other != seat})


def _counted_anew(before: RoundState, state: RoundState) -> Outcome:
    """A wager that comes or goes while chips are counted makes the count begin again."""
    if state.phase is not Phase.COUNTING or state.wagers == before.wagers:
        return state, ()
    return _counting(state)


def _counting(state: RoundState) -> Outcome:
    return replace(state, counted=None, counts=state.counts + 1), (Collect(),)


def _collected(state: RoundState, event: CollectionStarted | ChipsReturned) -> RoundState:
    match event:
        case CollectionStarted(epoch=epoch, count=count):
            resumed = state.collection is not None and state.collection.epoch == epoch
            fresh = Collection(epoch, count, carried=state.returned)
            return replace(state, collection=state.collection if resumed else fresh)
        case ChipsReturned(chips=chips):
            return replace(state, returned=chips)


def _explained(state: RoundState, event: MismatchExplained) -> RoundState:
    stand = {seat: wager for seat, wager in state.wagers.items() if seat not in event.void_seats}
    return replace(state, wagers=stand, explanation=f"{event.by}: {event.reason}")


def _register(rules: TableRules, state: RoundState) -> Outcome:
    """With chips and lights agreed, the wagers go to the meter, all of a round in one entry."""
    if not state.wagers:
        return state, ()
    seq = state.link_seq + 1
    entry = AddWagers(state.round, rules.stake_cents, tuple(sorted(state.wagers)), state.coupons)
    return replace(state, link_seq=seq, wagers_seq=seq), (SendToMeter(seq, entry),)
