"""Wagers: how they come and go, are counted against the lights and are registered on the meter."""

from msgspec.structs import replace

from games.round.effects import (
    AddWagers,
    Collect,
    Outcome,
    SendToMeter,
)
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
from games.round.state import (
    Collection,
    Phase,
    RoundState,
    SeatWager,
)
from games.round.table_rules import TableRules


def wagered(rules: TableRules, book: RoundState, event: WagerEvent) -> Outcome:
    """Writes down what happened to the wagers; a count that agrees sends them to the meter."""
    match event:
        case ChipPlaced() | ChipLifted() | CouponRedeemed() | CouponReturned():
            return _counted_anew(book, _laid(book, event))
        case LockOutPressed() | RecountAsked():
            return _counting(book)
        case CollectionStarted() | ChipsReturned():
            return _collected(book, event), ()
        case ChipsCounted(chips=chips):
            return _register(rules, replace(book, counted=chips, returned=chips))
        case ChipsAttested(chips=chips):
            return _register(rules, replace(book, counted=chips, by_eye=True))
        case MismatchExplained():
            return _register(rules, _explained(book, event))
        case WagersRegistered():
            return replace(book, registered=True), ()
        case EnvyMarkersPlaced(seats=seats):
            return replace(book, envy_markers=tuple(sorted(set(seats)))), ()


def _laid(book: RoundState, event: ChipPlaced | ChipLifted | CouponRedeemed | CouponReturned) -> RoundState:
    match event:
        case ChipPlaced(seat=seat):
            return replace(book, wagers={**book.wagers, seat: SeatWager()})
        case CouponRedeemed(seat=seat, serial=serial):
            return replace(book, wagers={**book.wagers, seat: SeatWager(coupon=serial)})
        case ChipLifted(seat=seat) if not book.is_taking_wagers or seat in book.coupons:
            return replace(book, flagged=tuple(sorted({*book.flagged, seat})))
        case ChipLifted(seat=seat) | CouponReturned(seat=seat):
            return replace(book, wagers={other: wager for other, wager in book.wagers.items() if other != seat})


def _counted_anew(before: RoundState, book: RoundState) -> Outcome:
    """A wager that comes or goes while chips are counted makes the count begin again."""
    if book.phase is not Phase.COUNTING or book.wagers == before.wagers:
        return book, ()
    return _counting(book)


def _counting(book: RoundState) -> Outcome:
    return replace(book, counted=None, counts=book.counts + 1), (Collect(),)


def _collected(book: RoundState, event: CollectionStarted | ChipsReturned) -> RoundState:
    match event:
        case CollectionStarted(epoch=epoch, count=count):
            resumed = book.collection is not None and book.collection.epoch == epoch
            fresh = Collection(epoch, count, carried=book.returned)
            return replace(book, collection=book.collection if resumed else fresh)
        case ChipsReturned(chips=chips):
            return replace(book, returned=chips)


def _explained(book: RoundState, event: MismatchExplained) -> RoundState:
    stand = {seat: wager for seat, wager in book.wagers.items() if seat not in event.void_seats}
    return replace(book, wagers=stand, explanation=f"{event.by}: {event.reason}")


def _register(rules: TableRules, book: RoundState) -> Outcome:
    """With chips and lights agreed, the wagers go to the meter, all of a round in one entry."""
    if not book.wagers:
        return book, ()
    seq = book.link_seq + 1
    entry = AddWagers(book.round, rules.stake_cents, tuple(sorted(book.wagers)), book.coupons)
    return replace(book, link_seq=seq, wagers_seq=seq), (SendToMeter(seq, entry),)
