"""Wagers: how they come and go, are counted against the lights and are registered on the meter."""

from collections.abc import Mapping
from typing import TypeAlias

from msgspec.structs import replace

from games.money import Cents
from games.round.coupons import coupon_moved, given_back
from games.round.effects import AddWagers, Collect, Effect, Outcome, to_meter
from games.round.events import (
    BaseWagerLaid,
    BaseWagerMissed,
    ChipLifted,
    ChipPlaced,
    ChipsAttested,
    ChipsCounted,
    ChipsReturned,
    CollectionStarted,
    CouponAccepted,
    CouponRedeemed,
    CouponRefused,
    CouponReturned,
    LockOutPressed,
    MismatchExplained,
    RecountAsked,
    SideChipLifted,
    SideChipPlaced,
    WagerEvent,
    WagerPlaced,
    WagersRegistered,
    WagersRepeated,
    WagerTakenBack,
)
from games.round.state import Collection, Phase, RoundState, SeatWager, SideWagers
from games.round.table_rules import TableRules

_Side: TypeAlias = WagerPlaced | WagerTakenBack | WagersRepeated | SideChipPlaced | SideChipLifted


def wagered(rules: TableRules, state: RoundState, event: WagerEvent) -> Outcome:
    """Writes down what happened to the wagers; a count that agrees sends them to the meter."""
    match event:
        case ChipPlaced() | ChipLifted():
            return _counted_anew(state, (_laid(state, event), ()))
        case CouponRedeemed() | CouponAccepted() | CouponRefused() | CouponReturned():
            return _counted_anew(state, coupon_moved(state, event))
        case LockOutPressed() | RecountAsked():
            return _counting(state)
        case ChipsReturned(chips=chips) | ChipsCounted(chips=chips) if state.phase is Phase.VOIDED:
            return _came_out(state, chips), ()
        case CollectionStarted() | ChipsReturned():
            return _collected(state, event), ()
        case ChipsCounted(chips=chips):
            return _register(rules, replace(state, counted=chips, returned=chips))
        case ChipsAttested(chips=chips):
            return _register(rules, replace(state, counted=chips, by_eye=True))
        case MismatchExplained():
            state, freed = _explained(state, event)
            state, registered = _register(rules, state)
            return state, (*freed, *registered)
        case WagersRegistered():
            return replace(state, registered=True), ()
        case WagerPlaced() | WagerTakenBack() | WagersRepeated() | SideChipPlaced() | SideChipLifted():
            return _unless_alone(rules, state, _told(rules, state, event))
        case BaseWagerMissed(seat=seat):
            return _counted_anew(state, without_base(rules, state, seat))
        case BaseWagerLaid(seat=seat):
            return replace(state, baseless=tuple(other for other in state.baseless if other != seat)), ()


def _laid(state: RoundState, event: ChipPlaced | ChipLifted) -> RoundState:
    match event:
        case ChipPlaced(seat=seat):
            return replace(state, wagers={**state.wagers, seat: SeatWager()})
        case ChipLifted(seat=seat) if not state.is_taking_wagers or seat in state.coupons:
            return replace(state, flagged=tuple(sorted({*state.flagged, seat})))
        case ChipLifted(seat=seat):
            return replace(state, wagers={other: wager for other, wager in state.wagers.items() if other != seat})


def _told(rules: TableRules, state: RoundState, event: _Side) -> RoundState:
    """What lies on the layout: a sensor saw it, or the dealer says so where no sensor looks."""
    match event:
        case WagerPlaced():
            return _placed(rules, state, event)
        case SideChipPlaced(seat=seat, wager=name):
            seen = tuple(sorted({*state.sensed.get(seat, ()), name}))
            state = replace(state, sensed=state.sensed | {seat: seen})
            return state if name in _amounts(state, seat) else _placed(rules, state, WagerPlaced(seat, name))
        case SideChipLifted(seat=seat, wager=name):
            return _side_lifted(rules, state, seat, name)
        case WagerTakenBack(seat=seat, wager=name):
            side = state.side[seat]
            amounts = {other: cents for other, cents in side.amounts.items() if other != name}
            return _with_side(state, seat, SideWagers(amounts, {} if name == "number" else side.numbers))
        case WagersRepeated():
            kept = {wager.name for wager in rules.layout_wagers if not wager.dealer_hand}  # insurance is made later
            again = {
                seat: replace(side, amounts=_repeated(rules, state, seat, side.amounts, kept))
                for seat, side in ({seat: SideWagers() for seat in state.sensed} | state.last_side).items()
                if seat not in state.baseless
            }
            return replace(state, side={seat: side for seat, side in again.items() if side.amounts or side.numbers})


def _repeated(
    rules: TableRules, state: RoundState, seat: int, last: Mapping[str, Cents], kept: set[str]
) -> dict[str, Cents]:
    """What was tapped in the last round once more, and what a sensor has seen in this one."""
    sensed = state.sensed.get(seat, ())
    seen = {name: cents for name, cents in _amounts(state, seat).items() if name in sensed}
    tapped = {name: cents for name, cents in last.items() if name in kept and not rules.has_sensor(seat, name)}
    return tapped | seen


def _amounts(state: RoundState, seat: int) -> Mapping[str, Cents]:
    return state.side.get(seat, SideWagers()).amounts


def _side_lifted(rules: TableRules, state: RoundState, seat: int, name: str) -> RoundState:
    """Until wagers close a lifted chip takes its wager back, and those that need it; later it is only flagged."""
    wager = rules.layout_wager(name)
    if name not in state.sensed.get(seat, ()) or wager is None:
        return state
    if not (state.is_taking_wagers or (wager.dealer_hand and len(state.dealer_hands) == 1)):
        return replace(state, flagged=tuple(sorted({*state.flagged, seat})))
    side = state.side[seat]
    left = {other: cents for other, cents in side.amounts.items() if other != name}
    base = set() if seat in state.baseless else {rules.base_wager.name}
    for other in rules.layout_wagers:
        if other.needs is not None and not {*left, *base} & {*other.needs.any_of}:
            left.pop(other.name, None)
    numbers = side.numbers if base else {}
    sensed = tuple(other for other in state.sensed[seat] if other in left)
    return _with_side(replace(state, sensed=state.sensed | {seat: sensed}), seat, SideWagers(left, numbers))


def _placed(rules: TableRules, state: RoundState, event: WagerPlaced) -> RoundState:
    """The amount that was said, or the seat's of the last round, or the table's usual one."""
    wager = rules.layout_wager(event.wager)
    assert wager is not None
    side, last = state.side.get(event.seat, SideWagers()), state.last_side.get(event.seat, SideWagers())
    if event.number:
        cents = event.cents or last.numbers.get(event.number) or rules.usual_cents(wager)
        return _with_side(state, event.seat, replace(side, numbers={**side.numbers, event.number: cents}))
    cents = event.cents or last.amounts.get(event.wager) or rules.usual_cents(wager)
    return _with_side(state, event.seat, replace(side, amounts={**side.amounts, event.wager: cents}))


def _with_side(state: RoundState, seat: int, side: SideWagers) -> RoundState:
    others = {other: known for other, known in state.side.items() if other != seat}
    return replace(state, side=others | ({seat: side} if side.amounts or side.numbers else {}))


def without_base(rules: TableRules, state: RoundState, seat: int) -> Outcome:
    """Without its base wager a seat has none; a chip that went in belongs to no light any more, a coupon goes back."""
    wager = state.wagers.get(seat)
    state, freed = given_back(state, (seat,))
    went_in = wager is not None and not wager.coupon and not rules.by_eye
    others = {other: known for other, known in state.wagers.items() if other != seat}
    state = replace(
        state,
        wagers=others,
        baseless=tuple(sorted({*state.baseless, seat})),
        loose_chips=state.loose_chips + went_in,
        sensed={other: names for other, names in state.sensed.items() if other != seat},
    )
    return _with_side(state, seat, SideWagers()), freed


def _unless_alone(rules: TableRules, before: RoundState, state: RoundState) -> Outcome:
    """Without any wager that it needs a progressive wager is none: its light goes out (20.6(a)4, 20.13(b))."""
    needed = {*rules.wager.needs.any_of} if rules.wager.needs else set[str]()
    alone = [
        seat
        for seat in state.wagers
        if seat in state.baseless and needed & {*_amounts(before, seat)} and not needed & {*_amounts(state, seat)}
    ]
    freed: tuple[Effect, ...] = ()
    for seat in alone:
        state, more = without_base(rules, state, seat)
        freed = (*freed, *more)
    return _counted_anew(before, (state, freed)) if alone else (state, ())


def _counted_anew(before: RoundState, outcome: Outcome) -> Outcome:
    """A wager that comes or goes while chips are counted makes the count begin again.

    So does a coupon that is no longer asked for: while it was, no count could close the wagers.
    """
    state, effects = outcome
    is_same = state.wagers == before.wagers and not before.asked_coupons.keys() - state.asked_coupons.keys()
    if state.phase is not Phase.COUNTING or is_same:
        return outcome
    state, collect = _counting(state)
    return state, (*effects, *collect)


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


def _came_out(state: RoundState, chips: int) -> RoundState:
    """Chips of a void round that the device still gives back: they are not inside any more."""
    more = max(chips - state.returned, 0)
    return replace(state, returned=state.returned + more, loose_chips=max(state.loose_chips - more, 0))


def _explained(state: RoundState, event: MismatchExplained) -> Outcome:
    """A void seat's coupon goes back; a chip is in the return device's count."""
    state, freed = given_back(state, event.void_seats)
    stand = {seat: wager for seat, wager in state.wagers.items() if seat not in event.void_seats}
    return replace(state, wagers=stand, explanation=f"{event.by}: {event.reason}"), freed


def _register(rules: TableRules, state: RoundState) -> Outcome:
    """With chips and lights agreed, the wagers go to the meter, all of a round in one entry."""
    state = replace(state, loose_chips=0)
    if not state.wagers:
        return state, ()
    entry = AddWagers(state.round, rules.stake_cents, tuple(sorted(state.wagers)), state.coupons)
    state, order = to_meter(state, entry)
    return replace(state, wagers_seq=order.seq), (order,)
