"""Why a wager, a count or a registration is refused."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from games.game import Wager
from games.money import dollars
from games.refusal import Refusal
from games.round.claims import spoken, unknown_wager
from games.round.coupons import misspelled, spelled, unanswered
from games.round.events import (
    BaseWagerLaid,
    BaseWagerMissed,
    ChipPlaced,
    ChipsAttested,
    ChipsCounted,
    CouponAccepted,
    CouponRedeemed,
    CouponRefused,
    CouponReturned,
    Event,
    LockOutPressed,
    MismatchExplained,
    SideChipPlaced,
    TableClosed,
    TableOpened,
    WagerPlaced,
    WagersRegistered,
    WagersRepeated,
    WagerTakenBack,
)
from games.round.state import Phase, RoundState
from games.round.table_rules import TableRules

Check: TypeAlias = Callable[[TableRules, RoundState, Any], Refusal | None]
MOST_CENTS: Final = 100_000_00
NUMBERS: Final = range(1, 8)


def no_such_seat(rules: TableRules, seat: int) -> Refusal | None:
    """Why nothing can happen at this seat, or None."""
    return None if seat in rules.seats else Refusal(f"this table has no seat {seat}")


def _opening(rules: TableRules, state: RoundState, _: TableOpened) -> Refusal | None:
    fault = next(((device, fault) for device, fault in state.faults.items() if fault.seat == 0), None)
    if fault is not None:
        return Refusal(f"{fault[0]}: {fault[1].detail}; mend it first")
    return Refusal(f"no meter: {state.link_down}") if rules.why_cut_off(state) else None


def _closing(_: TableRules, state: RoundState, __: TableClosed) -> Refusal | None:
    if state.wagers and state.phase is Phase.OPEN:
        return Refusal(f"{len(state.wagers)} wagers are live: press lock-out and finish the round")
    return unanswered(state)


def _lock_out(rules: TableRules, state: RoundState, _: LockOutPressed) -> Refusal | None:
    """Where the press only begins the count, the count waits for the meter's answer."""
    return None if rules.order == "count_then_lock" else unanswered(state)


def _chip(rules: TableRules, state: RoundState, event: ChipPlaced) -> Refusal | None:
    return _unfit_for_wager(rules, state, event.seat)


def _coupon(rules: TableRules, state: RoundState, event: CouponRedeemed) -> Refusal | None:
    if not rules.game.coupons:
        return Refusal(f"{rules.game.title} takes no coupons", rules.clause("coupons"))
    serial = spelled(event.serial)
    if not serial:
        return Refusal("write the coupon's serial number", rules.clause("coupons"))
    if misspelled(serial):
        words = "a coupon's serial number has 1 to 40 plain letters, digits and signs, without spaces: write it again"
        return Refusal(words, rules.clause("coupons"))
    known = {wager.coupon for wager in state.wagers.values()} | {asked.serial for asked in state.asked_coupons.values()}
    if serial in known:
        return Refusal(f"coupon {serial} is on the table already", rules.clause("coupons"))
    if state.link_down:
        words = f"seat {event.seat}: no coupons while the meter cannot be asked, {state.link_down}"
        return Refusal(words, rules.clause("coupons"))
    return _unfit_for_wager(rules, state, event.seat)


def _coupon_back(_: TableRules, state: RoundState, event: CouponReturned) -> Refusal | None:
    has_coupon = event.seat in state.coupons or event.seat in state.asked_coupons
    return None if has_coupon else Refusal(f"seat {event.seat} has no coupon wager")


def _coupon_answer(_: TableRules, state: RoundState, event: CouponAccepted | CouponRefused) -> Refusal | None:
    is_asked = any(asked.seq == event.seq for asked in state.asked_coupons.values())
    return None if is_asked else Refusal(f"entry {event.seq} is no coupon that waits for the meter")


def _unfit_for_wager(rules: TableRules, state: RoundState, seat: int) -> Refusal | None:
    fault = state.seat_fault(seat)
    if seat not in rules.seats:
        return no_such_seat(rules, seat)
    if seat in state.wagers:
        return Refusal(f"seat {seat} has its wager already; one a round", rules.clause("one_wager"))
    if seat in state.asked_coupons:
        return Refusal(f"seat {seat}: the meter has not answered for its coupon yet", rules.clause("one_wager"))
    if state.is_miscounted:
        return Refusal(f"seat {seat}: chips and lights differ; wait for the supervisor", rules.clause("count"))
    if fault is not None:
        return Refusal(f"seat {seat} is shut: {fault.detail}")
    if rules.why_cut_off(state):
        return Refusal(f"seat {seat}: no progressive wagers, {state.link_down}")
    if state.closing is not None:
        return Refusal(f"seat {seat}: the table is closing")
    return _without_base(rules, state, seat, rules.wager)


def _without_base(rules: TableRules, state: RoundState, seat: int, wager: Wager) -> Refusal | None:
    """Why a wager cannot lie at a seat that lacks the wager which it needs."""
    if wager.needs is None or _lying(rules, state, seat) & {*wager.needs.any_of}:
        return None
    if state.deal.bank is not None and state.deal.bank.seat == seat:
        return Refusal(f"seat {seat} banks this round and makes no wager of its own", "11.10(f), (p)")
    needed = " or ".join(map(spoken, wager.needs.any_of))
    return Refusal(f"seat {seat}: {spoken(wager.name)} needs {needed} beside it", wager.needs.rule)


def _lying(rules: TableRules, state: RoundState, seat: int) -> set[str]:
    """The wagers of the layout at this seat, the base wager among them."""
    side = state.side.get(seat)
    return {*(side.amounts if side else ()), *(() if seat in state.baseless else (rules.base_wager.name,))}


def _side_wager(rules: TableRules, state: RoundState, event: WagerPlaced) -> Refusal | None:
    wager = rules.layout_wager(event.wager)
    if wager is None:
        return unknown_wager(rules, event.wager)
    return (
        no_such_seat(rules, event.seat)
        or _untimely(rules, state, wager)
        or _without_base(rules, state, event.seat, wager)
        or _amount(rules, wager, event)
        or _sensor_says(rules, state, event)
    )


def _sensor_says(rules: TableRules, state: RoundState, event: WagerPlaced | WagerTakenBack) -> Refusal | None:
    """Where a sensor looks, no tap lays a wager or takes it back; only its amount is the dealer's word."""
    seat, name = event.seat, event.wager
    if not rules.has_sensor(seat, name) or state.is_sensor_faulty(seat, name):
        return None
    if name not in state.sensed.get(seat, ()):
        words = f"its sensor sees no {spoken(name)} chip: the player lays it there, and its light goes on"
        return Refusal(f"seat {seat}: {words}")
    if isinstance(event, WagerTakenBack):
        return Refusal(f"seat {seat}: the {spoken(name)} chip lies on its sensor: the player lifts it")
    return None


def late_side_chip(rules: TableRules, state: RoundState, event: SideChipPlaced) -> Refusal:
    """Why a chip on the sensor of a side wager is no wager while wagers are closed."""
    when = "while the table is closed" if state.phase is Phase.CLOSED else "after lock-out"
    words = f"seat {event.seat}: {spoken(event.wager)} chip {when}; give it back to the player"
    return Refusal(words, rules.clause("late"))


def _side_chip(rules: TableRules, state: RoundState, event: SideChipPlaced) -> Refusal | None:
    wager, words = rules.layout_wager(event.wager), spoken(event.wager)
    if wager is None or not rules.has_sensor(event.seat, event.wager):
        return Refusal(f"seat {event.seat} has no sensor for a {words} wager")
    if event.wager in state.sensed.get(event.seat, ()):
        return Refusal(f"seat {event.seat} has its {words} wager already; one a round", rules.clause("one_wager"))
    if state.closing is not None:
        return Refusal(f"seat {event.seat}: the table is closing; give the {words} chip back to the player")
    if not state.is_taking_wagers and not wager.dealer_hand:
        return late_side_chip(rules, state, event)
    why = _untimely(rules, state, wager)
    return why if why is not None else _without_base(rules, state, event.seat, wager)


def _untimely(rules: TableRules, state: RoundState, wager: Wager) -> Refusal | None:
    """Why this wager cannot come or go now: insurance is made beside the dealer's ace, everything else before it."""
    if not wager.dealer_hand:
        words = "wagers are made, changed and taken back before lock-out only"
        return None if state.is_taking_wagers else Refusal(words, rules.clause("late"))
    if state.is_taking_wagers or not state.dealer_hands:
        return Refusal(f"{spoken(wager.name)}: the dealer's up-card is not told yet", wager.rule)
    if not state.dealer_hands[0].startswith("A"):
        return Refusal("insurance is offered beside an ace only", "house: insurance")
    if len(state.dealer_hands) > 1:
        return Refusal(f"{spoken(wager.name)}: the dealer has his second card already", wager.rule)
    return None


def _amount(rules: TableRules, wager: Wager, event: WagerPlaced) -> Refusal | None:
    told = f"seat {event.seat}: {spoken(wager.name)} of {dollars(event.cents)}"
    least = rules.minimum_cents(wager)
    if not 0 <= event.cents <= MOST_CENTS:
        return Refusal(f"{told}: write an amount up to {dollars(MOST_CENTS)}")
    if event.cents and wager.stakes and event.cents not in wager.stakes:
        return Refusal(f"{told}; it costs {' or '.join(map(dollars, wager.stakes))}", wager.rule)
    if event.cents and event.cents < least:
        return Refusal(f"{told}; at least {dollars(least)}", wager.rule)
    if (wager.name == "number") is not bool(event.number) or event.number not in (0, *NUMBERS):
        return Refusal(
            f"seat {event.seat}: a number wager lies on a number from 1 to 7, no other wager does", wager.rule
        )
    return None


def _side_wager_back(rules: TableRules, state: RoundState, event: WagerTakenBack) -> Refusal | None:
    side = state.side.get(event.seat)
    lying = {*side.amounts, *(("number",) if side.numbers else ())} if side else set()
    if event.wager not in lying:
        return no_such_seat(rules, event.seat) or Refusal(f"seat {event.seat} made no {spoken(event.wager)} wager")
    laid = rules.layout_wager(event.wager)
    assert laid is not None
    if why := _untimely(rules, state, laid) or _sensor_says(rules, state, event):
        return why
    left = _lying(rules, state, event.seat) - {event.wager}
    for wager in rules.layout_wagers:
        if wager.name in left and wager.needs is not None and not left & {*wager.needs.any_of}:
            words = f"{spoken(wager.name)} needs {spoken(event.wager)} beside it: take that back first"
            return Refusal(f"seat {event.seat}: {words}", wager.needs.rule)
    return None


def _repeated(rules: TableRules, state: RoundState, _: WagersRepeated) -> Refusal | None:
    if not rules.layout_wagers:
        return Refusal("this table has no wager that the dealer enters")
    return None if state.last_side else Refusal("nobody made such a wager in the last round: enter each one")


def _base_missed(rules: TableRules, state: RoundState, event: BaseWagerMissed) -> Refusal | None:
    if event.seat in state.baseless:
        return Refusal(f"seat {event.seat} has no {spoken(rules.base_wager.name)} already")
    return no_such_seat(rules, event.seat)


def _base_laid(rules: TableRules, state: RoundState, event: BaseWagerLaid) -> Refusal | None:
    if event.seat not in state.baseless:
        return Refusal(f"nobody said that seat {event.seat} has no {spoken(rules.base_wager.name)}")
    if state.deal.bank is not None and state.deal.bank.seat == event.seat:
        return Refusal(f"seat {event.seat} banks this round and makes no wager of its own", "11.10(f), (p)")
    return None


def _count(rules: TableRules, state: RoundState, event: ChipsCounted | ChipsAttested) -> Refusal | None:
    if state.asked_coupons or event.chips == state.chips_due or state.phase is Phase.VOIDED:
        return unanswered(state)
    coupons = f" and {len(state.coupons)} coupons" if state.coupons else ""
    loose = f", {state.loose_chips} chips without a light" if state.loose_chips else ""
    words = f"{len(state.wagers)} lights{loose} but {event.chips} chips{coupons}: call the supervisor"
    return Refusal(words, rules.clause("count"))


def _explained(rules: TableRules, state: RoundState, event: MismatchExplained) -> Refusal | None:
    if state.counted is None:
        return Refusal("the chips are not counted yet", rules.clause("count"))
    if not event.reason.strip():
        return Refusal("write down why chips and lights differ", rules.clause("count"))
    unlit = sorted(set(event.void_seats) - set(state.wagers))
    return Refusal(f"seat {unlit[0]} made no wager") if unlit else None


def _registered(_: TableRules, state: RoundState, event: WagersRegistered) -> Refusal | None:
    if event.seq != state.wagers_seq or state.registered:
        return Refusal(f"entry {event.seq} is not this round's")
    return None


WAGER_CHECKS: Final[Mapping[type[Event], Check]] = {
    TableOpened: _opening,
    TableClosed: _closing,
    ChipPlaced: _chip,
    CouponRedeemed: _coupon,
    CouponAccepted: _coupon_answer,
    CouponRefused: _coupon_answer,
    LockOutPressed: _lock_out,
    CouponReturned: _coupon_back,
    SideChipPlaced: _side_chip,
    WagerPlaced: _side_wager,
    WagerTakenBack: _side_wager_back,
    WagersRepeated: _repeated,
    BaseWagerMissed: _base_missed,
    BaseWagerLaid: _base_laid,
    ChipsCounted: _count,
    ChipsAttested: _count,
    MismatchExplained: _explained,
    WagersRegistered: _registered,
}
