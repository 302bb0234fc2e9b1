"""Why a wager, a count or a registration is refused."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from games.game import Wager
from games.refusal import Refusal, Value, because
from games.round.claims import unknown_wager
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
    return None if seat in rules.seats else because("no_such_seat", seat=seat)


def _opening(rules: TableRules, state: RoundState, _: TableOpened) -> Refusal | None:
    fault = next(((device, fault) for device, fault in state.faults.items() if fault.seat == 0), None)
    if fault is not None:
        return because("device_broken", device=fault[0], fault=fault[1].detail)
    return because("no_meter", why=state.link_down) if rules.why_cut_off(state) else None


def _closing(_: TableRules, state: RoundState, __: TableClosed) -> Refusal | None:
    if state.wagers and state.phase is Phase.OPEN:
        return because("wagers_live", wagers=len(state.wagers))
    return unanswered(state)


def _lock_out(rules: TableRules, state: RoundState, _: LockOutPressed) -> Refusal | None:
    """Where the press only begins the count, the count waits for the meter's answer."""
    return None if rules.order == "count_then_lock" else unanswered(state)


def _chip(rules: TableRules, state: RoundState, event: ChipPlaced) -> Refusal | None:
    return _unfit_for_wager(rules, state, event.seat)


def _coupon(rules: TableRules, state: RoundState, event: CouponRedeemed) -> Refusal | None:
    if not rules.game.coupons:
        return because("no_coupons_here", rules.clause("coupons"), game=rules.game.name)
    serial = spelled(event.serial)
    if not serial:
        return because("write_serial", rules.clause("coupons"))
    if misspelled(serial):
        return because("serial_misspelled", rules.clause("coupons"))
    known = {wager.coupon for wager in state.wagers.values()} | {asked.serial for asked in state.asked_coupons.values()}
    if serial in known:
        return because("coupon_on_table", rules.clause("coupons"), serial=serial)
    if state.link_down:
        return because("coupons_need_meter", rules.clause("coupons"), seat=event.seat, why=state.link_down)
    return _unfit_for_wager(rules, state, event.seat)


def _coupon_back(_: TableRules, state: RoundState, event: CouponReturned) -> Refusal | None:
    has_coupon = event.seat in state.coupons or event.seat in state.asked_coupons
    return None if has_coupon else because("no_coupon_wager", seat=event.seat)


def _coupon_answer(_: TableRules, state: RoundState, event: CouponAccepted | CouponRefused) -> Refusal | None:
    is_asked = any(asked.seq == event.seq for asked in state.asked_coupons.values())
    return None if is_asked else because("no_coupon_awaited", entry=event.seq)


def _unfit_for_wager(rules: TableRules, state: RoundState, seat: int) -> Refusal | None:
    fault = state.seat_fault(seat)
    if seat not in rules.seats:
        return no_such_seat(rules, seat)
    if seat in state.wagers:
        return because("one_wager", rules.clause("one_wager"), seat=seat)
    if seat in state.asked_coupons:
        return because("coupon_asked", rules.clause("one_wager"), seat=seat)
    if state.is_miscounted:
        return because("miscounted", rules.clause("count"), seat=seat)
    if fault is not None:
        return because("seat_shut", seat=seat, fault=fault.detail)
    if rules.why_cut_off(state):
        return because("no_progressive_now", seat=seat, why=state.link_down)
    if state.closing is not None:
        return because("closing", seat=seat)
    return _without_base(rules, state, seat, rules.wager)


def _without_base(rules: TableRules, state: RoundState, seat: int, wager: Wager) -> Refusal | None:
    """Why a wager cannot lie at a seat that lacks the wager which it needs."""
    if wager.needs is None or _lying(rules, state, seat) & {*wager.needs.any_of}:
        return None
    if state.deal.bank is not None and state.deal.bank.seat == seat:
        return because("banks_no_wager", "11.10(f), (p)", seat=seat)
    return because("needs_beside", wager.needs.rule, seat=seat, wager=wager.name, needed=wager.needs.any_of)


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
        return because("sensor_sees_none", seat=seat, wager=name)
    if isinstance(event, WagerTakenBack):
        return because("sensor_sees_chip", seat=seat, wager=name)
    return None


def late_side_chip(rules: TableRules, state: RoundState, event: SideChipPlaced) -> Refusal:
    """Why a chip on the sensor of a side wager is no wager while wagers are closed."""
    key = "side_chip_closed" if state.phase is Phase.CLOSED else "side_chip_late"
    return because(key, rules.clause("late"), seat=event.seat, wager=event.wager)


def _side_chip(rules: TableRules, state: RoundState, event: SideChipPlaced) -> Refusal | None:
    wager = rules.layout_wager(event.wager)
    if wager is None or not rules.has_sensor(event.seat, event.wager):
        return because("no_wager_sensor", seat=event.seat, wager=event.wager)
    if event.wager in state.sensed.get(event.seat, ()):
        return because("side_wager_laid", rules.clause("one_wager"), seat=event.seat, wager=event.wager)
    if state.closing is not None:
        return because("side_chip_closing", seat=event.seat, wager=event.wager)
    if not state.is_taking_wagers and not wager.dealer_hand:
        return late_side_chip(rules, state, event)
    why = _untimely(rules, state, wager)
    return why if why is not None else _without_base(rules, state, event.seat, wager)


def _untimely(rules: TableRules, state: RoundState, wager: Wager) -> Refusal | None:
    """Why this wager cannot come or go now: insurance is made beside the dealer's ace, everything else before it."""
    if not wager.dealer_hand:
        return None if state.is_taking_wagers else because("wagers_late", rules.clause("late"))
    if state.is_taking_wagers or not state.dealer_hands:
        return because("up_card_untold", wager.rule, wager=wager.name)
    if not state.dealer_hands[0].startswith("A"):
        return because("insurance_ace", "house: insurance")
    if len(state.dealer_hands) > 1:
        return because("second_card_dealt", wager.rule, wager=wager.name)
    return None


def _amount(rules: TableRules, wager: Wager, event: WagerPlaced) -> Refusal | None:
    least = rules.minimum_cents(wager)
    if not 0 <= event.cents <= MOST_CENTS:
        return because("amount_most", seat=event.seat, wager=wager.name, cents=event.cents, most=MOST_CENTS)
    if event.cents and wager.stakes and event.cents not in wager.stakes:
        told: dict[str, Value] = {"seat": event.seat, "wager": wager.name, "cents": event.cents}
        return because("amount_stakes", wager.rule, stakes=wager.stakes, **told)
    if event.cents and event.cents < least:
        return because("amount_least", wager.rule, seat=event.seat, wager=wager.name, cents=event.cents, least=least)
    if (wager.name == "number") is not bool(event.number) or event.number not in (0, *NUMBERS):
        return because("number_wager", wager.rule, seat=event.seat)
    return None


def _side_wager_back(rules: TableRules, state: RoundState, event: WagerTakenBack) -> Refusal | None:
    side = state.side.get(event.seat)
    lying = {*side.amounts, *(("number",) if side.numbers else ())} if side else set()
    if event.wager not in lying:
        return no_such_seat(rules, event.seat) or because("no_such_wager_made", seat=event.seat, wager=event.wager)
    laid = rules.layout_wager(event.wager)
    assert laid is not None
    if why := _untimely(rules, state, laid) or _sensor_says(rules, state, event):
        return why
    left = _lying(rules, state, event.seat) - {event.wager}
    for wager in rules.layout_wagers:
        if wager.name in left and wager.needs is not None and not left & {*wager.needs.any_of}:
            return because("take_back_first", wager.needs.rule, seat=event.seat, wager=wager.name, other=event.wager)
    return None


def _repeated(rules: TableRules, state: RoundState, _: WagersRepeated) -> Refusal | None:
    if not rules.layout_wagers:
        return because("no_entered_wagers")
    return None if state.last_side else because("none_last_round")


def _base_missed(rules: TableRules, state: RoundState, event: BaseWagerMissed) -> Refusal | None:
    if event.seat in state.baseless:
        return because("base_missed_already", seat=event.seat, wager=rules.base_wager.name)
    return no_such_seat(rules, event.seat)


def _base_laid(rules: TableRules, state: RoundState, event: BaseWagerLaid) -> Refusal | None:
    if event.seat not in state.baseless:
        return because("base_not_missed", seat=event.seat, wager=rules.base_wager.name)
    if state.deal.bank is not None and state.deal.bank.seat == event.seat:
        return because("banks_no_wager", "11.10(f), (p)", seat=event.seat)
    return None


def _count(rules: TableRules, state: RoundState, event: ChipsCounted | ChipsAttested) -> Refusal | None:
    if state.asked_coupons or event.chips == state.chips_due or state.phase is Phase.VOIDED:
        return unanswered(state)
    return _differs(rules, state, event.chips)


def _differs(rules: TableRules, state: RoundState, chips: int) -> Refusal:
    rule, lights, coupons, loose = rules.clause("count"), len(state.wagers), len(state.coupons), state.loose_chips
    if coupons and loose:
        return because("count_differs_both", rule, lights=lights, chips=chips, coupons=coupons, loose=loose)
    if coupons:
        return because("count_differs_coupons", rule, lights=lights, chips=chips, coupons=coupons)
    if loose:
        return because("count_differs_loose", rule, lights=lights, chips=chips, loose=loose)
    return because("count_differs", rule, lights=lights, chips=chips)


def _explained(rules: TableRules, state: RoundState, event: MismatchExplained) -> Refusal | None:
    if state.counted is None:
        return because("not_counted", rules.clause("count"))
    if not event.reason.strip():
        return because("say_why_differ", rules.clause("count"))
    unlit = sorted(set(event.void_seats) - set(state.wagers))
    return because("no_progressive_wager", seat=unlit[0]) if unlit else None


def _registered(_: TableRules, state: RoundState, event: WagersRegistered) -> Refusal | None:
    if event.seq != state.wagers_seq or state.registered:
        return because("not_this_round", entry=event.seq)
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
