"""Coupons: the meter is asked for each before it is a wager; one that goes back may be redeemed again."""

import re
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from games.refusal import Refusal, because
from games.round.effects import Effect, FlashRefusal, FreeCoupon, Outcome, RedeemCoupon, to_meter
from games.round.events import CouponAccepted, CouponRedeemed, CouponRefused, CouponReturned
from games.round.state import AskedCoupon, RoundState, SeatWager

_SERIAL: Final = re.compile(r"[!-_{-~]{1,40}")


def spelled(serial: str) -> str:
    """The one spelling of a serial number, scanned or typed: capital letters."""
    return serial.strip().upper()


def misspelled(serial: str) -> bool:
    """Whether this cannot be a coupon's serial number."""
    return _SERIAL.fullmatch(spelled(serial)) is None


def unanswered(state: RoundState) -> Refusal | None:
    """Why wagers cannot close: the meter has not said whether a coupon is one; or None."""
    seat = next(iter(state.asked_coupons), None)
    if seat is None:
        return None
    return because("coupon_unanswered", seat=seat)


def coupon_moved(state: RoundState, event: CouponRedeemed | CouponAccepted | CouponRefused | CouponReturned) -> Outcome:
    """Writes down what became of a coupon; its seat is lit when the meter has accepted it."""
    match event:
        case CouponRedeemed(seat=seat, serial=serial):
            state, order = to_meter(state, RedeemCoupon(state.round, seat, spelled(serial)))
            asked = {**state.asked_coupons, seat: AskedCoupon(spelled(serial), order.seq)}
            return replace(_not_refused(state, seat), asked_coupons=asked), (order,)
        case CouponAccepted(seq=seq):
            seat, coupon = _asked_by(state, seq)
            wagers = {**state.wagers, seat: SeatWager(coupon.serial, seq)}
            return replace(_not_asked(state, seat), wagers=wagers), ()
        case CouponRefused(seq=seq, reason=reason):
            seat, _ = _asked_by(state, seq)
            refused = {**state.refused_coupons, seat: reason}
            return replace(_not_asked(state, seat), refused_coupons=refused), (FlashRefusal(seat),)
        case CouponReturned(seat=seat):
            state, orders = given_back(state, (seat,))
            return replace(state, wagers={other: laid for other, laid in state.wagers.items() if other != seat}), orders


def given_back(state: RoundState, seats: Iterable[int]) -> Outcome:
    """Has the meter free the coupons of these seats, accepted or not answered yet; chips are not touched."""
    orders = list[Effect]()
    for seat in sorted(seats):
        wager, asked = state.wagers.get(seat, SeatWager()), state.asked_coupons.get(seat)
        coupon = asked or (AskedCoupon(wager.coupon, wager.coupon_seq) if wager.coupon else None)
        if coupon is not None:
            state, order = to_meter(_not_asked(state, seat), FreeCoupon(coupon.seq, coupon.serial))
            orders.append(order)
    return state, tuple(orders)


def _asked_by(state: RoundState, seq: int) -> tuple[int, AskedCoupon]:
    return next((seat, asked) for seat, asked in state.asked_coupons.items() if asked.seq == seq)


def _not_asked(state: RoundState, seat: int) -> RoundState:
    return replace(state, asked_coupons={at: asked for at, asked in state.asked_coupons.items() if at != seat})


def _not_refused(state: RoundState, seat: int) -> RoundState:
    return replace(state, refused_coupons={at: words for at, words in state.refused_coupons.items() if at != seat})
