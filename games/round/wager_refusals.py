"""Why a wager, a count or the opening of a table is refused."""

from games.refusal import Refusal
from games.round.events import (
    ChipPlaced,
    ChipsAttested,
    ChipsCounted,
    CouponRedeemed,
    CouponReturned,
    Event,
    MismatchExplained,
    TableClosed,
    TableOpened,
    WagersRegistered,
)
from games.round.state import Book, Phase
from games.round.table_rules import TableRules


def wager_refusal(rules: TableRules, book: Book, event: Event) -> Refusal | None:
    """Why this may not happen to a wager, or None."""
    match event:
        case TableOpened():
            return _unfit_to_open(rules, book)
        case TableClosed() if book.wagers and book.phase is Phase.OPEN:
            return Refusal(f"{len(book.wagers)} wagers are live: press lock-out and finish the round")
        case ChipPlaced(seat=seat):
            return _unfit_for_wager(rules, book, seat)
        case CouponRedeemed() if not rules.game.coupons:
            return Refusal(f"{rules.game.title} takes no coupons", rules.clause("coupons"))
        case CouponRedeemed(seat=seat, serial=serial):
            if not serial.strip():
                return Refusal("write the coupon's serial number", rules.clause("coupons"))
            if any(wager.coupon == serial for wager in book.wagers.values()):
                return Refusal(f"coupon {serial} is on the table already", rules.clause("coupons"))
            return _unfit_for_wager(rules, book, seat)
        case CouponReturned(seat=seat) if seat not in book.coupons:
            return Refusal(f"seat {seat} has no coupon wager")
        case _:
            return None


def _unfit_to_open(rules: TableRules, book: Book) -> Refusal | None:
    fault = next(((device, fault) for device, fault in book.faults.items() if fault.seat == 0), None)
    if fault is not None:
        return Refusal(f"{fault[0]}: {fault[1].detail}; mend it first")
    if rules.why_cut_off(book):
        return Refusal(f"no meter: {book.link_down}")
    return None


def _unfit_for_wager(rules: TableRules, book: Book, seat: int) -> Refusal | None:
    fault = book.seat_fault(seat)
    if seat not in rules.seats:
        return Refusal(f"this table has no seat {seat}")
    if seat in book.wagers:
        return Refusal(f"seat {seat} has its wager already; one a round", rules.clause("one_wager"))
    if book.is_miscounted:
        return Refusal(f"seat {seat}: chips and lights differ; wait for the supervisor", rules.clause("count"))
    if fault is not None:
        return Refusal(f"seat {seat} is shut: {fault.detail}")
    if rules.why_cut_off(book):
        return Refusal(f"seat {seat}: no progressive wagers, {book.link_down}")
    if book.closing is not None:
        return Refusal(f"seat {seat}: the table is closing")
    return None


def count_refusal(rules: TableRules, book: Book, event: Event) -> Refusal | None:
    """Why a count, or its registration, is not accepted, or None."""
    match event:
        case ChipsCounted(chips=chips) | ChipsAttested(chips=chips) if chips != book.chips_due:
            coupons = f" and {len(book.coupons)} coupons" if book.coupons else ""
            return Refusal(
                f"{len(book.wagers)} lights but {chips} chips{coupons}: call the supervisor", rules.clause("count")
            )
        case MismatchExplained() if book.counted is None:
            return Refusal("the chips are not counted yet", rules.clause("count"))
        case MismatchExplained(reason=reason) if not reason.strip():
            return Refusal("write down why chips and lights differ", rules.clause("count"))
        case MismatchExplained(void_seats=seats) if unlit := sorted(set(seats) - set(book.wagers)):
            return Refusal(f"seat {unlit[0]} made no wager")
        case WagersRegistered(seq=seq) if seq != book.wagers_seq or book.registered:
            return Refusal(f"entry {seq} is not this round's")
        case _:
            return None
