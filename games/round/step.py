"""The round: one event in, the new book and its orders out, or a refusal."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from games.refusal import Refusal
from games.round.effects import (
    CloseTable,
    Collect,
    Effect,
    FlashRefusal,
    OpenNextRound,
    Outcome,
)
from games.round.events import (
    AwardsFreed,
    AwardsHeld,
    ChipPlaced,
    ChipsCounted,
    ClaimEvent,
    CloseAsked,
    CouponRedeemed,
    DeviceFaulted,
    DeviceMended,
    EndOfRoundPressed,
    Event,
    HandClaimed,
    HandEvent,
    LinkLost,
    LinkRestored,
    Notice,
    PanelUsed,
    RoundOpened,
    SupervisorKeyTurned,
    TableClosed,
    TableEvent,
    TableOpened,
    WagerEvent,
)
from games.round.hands import dealt
from games.round.outputs import changes, outputs
from games.round.payments import settled
from games.round.phases import PHASE_TABLES, PhaseWalk
from games.round.refusals import out_of_phase, refusal
from games.round.state import (
    Closing,
    DeviceFault,
    Phase,
    RoundState,
)
from games.round.table_rules import TableRules
from games.round.wagers import wagered

_WALKS: Final = {order: PhaseWalk(table) for order, table in PHASE_TABLES.items()}


class RoundStep(Struct, frozen=True):
    """What one event led to."""

    book: RoundState
    effects: tuple[Effect, ...]
    refusal: Refusal | None = None


def handle(rules: TableRules, book: RoundState, event: Event) -> RoundStep:
    """The next step of the round; the same book and event always give the same step."""
    phase = _WALKS[rules.order].walk(book.phase, event)
    why = out_of_phase(rules, book, event) if phase is None else refusal(rules, book, event)
    if why is not None or phase is None:
        after, orders = _refused(rules, book, event)
    else:
        after, orders = _recorded(rules, replace(book, phase=phase), event)
    shown = changes(outputs(rules, book), outputs(rules, after))
    return RoundStep(after, (*shown, *orders), why)


def at_boot(rules: TableRules, book: RoundState) -> tuple[Effect, ...]:
    """Every order that must stand again when a table wakes up in this book."""
    return (*changes(None, outputs(rules, book)), *_unfinished(book))


def _unfinished(book: RoundState) -> tuple[Effect, ...]:
    match book:
        case RoundState(counted=None) if book.is_to_be_counted:
            return (Collect(),)
        case RoundState(phase=Phase.ENDED, closing=Closing(by=by, reason=reason)):
            return (CloseTable(by, reason),)
        case RoundState(phase=Phase.OPEN, closing=Closing(by=by, reason=reason)) if not book.wagers:
            return (CloseTable(by, reason),)
        case RoundState(phase=Phase.ENDED):
            return (OpenNextRound(),)
        case _:
            return ()


def _refused(rules: TableRules, book: RoundState, event: Event) -> Outcome:
    match event:
        case ChipPlaced(seat=seat):
            late = not book.is_taking_wagers and book.phase is not Phase.CLOSED
            flagged = tuple(sorted({*book.flagged, seat})) if late else book.flagged
            return replace(book, flagged=flagged), (FlashRefusal(seat),)
        case CouponRedeemed(seat=seat) | HandClaimed(seat=seat) if seat in rules.seats:
            return book, (FlashRefusal(seat),)
        case ChipsCounted(chips=chips) if book.is_to_be_counted:
            return replace(book, counted=chips, returned=chips), ()
        case _:
            return book, ()


def _recorded(rules: TableRules, book: RoundState, event: Event) -> Outcome:
    if isinstance(event, WagerEvent):
        return wagered(rules, book, event)
    if isinstance(event, HandEvent):
        return dealt(rules, book, event), ()
    if isinstance(event, ClaimEvent):
        return settled(rules, book, event)
    if isinstance(event, TableEvent):
        return _attended(book, event)
    return _noticed(book, event), ()


def _attended(book: RoundState, event: TableEvent) -> Outcome:
    match event:
        case TableOpened():
            return replace(book.next_round(), closing=None), ()
        case RoundOpened():
            book = book.next_round()
            return book, _unfinished(book)
        case TableClosed(by=by, reason=reason):
            return replace(book, closing=Closing(by, reason)), ()
        case CloseAsked(by=by, reason=reason):
            book = replace(book, closing=Closing(by, reason))
            return book, _unfinished(book) if book.phase is Phase.OPEN else ()
        case EndOfRoundPressed():
            return book, _unfinished(book)


def _noticed(book: RoundState, event: Notice) -> RoundState:
    match event:
        case SupervisorKeyTurned(on=on):
            return replace(book, key_on=on)
        case DeviceFaulted(device=device, kind=kind, detail=detail, seat=seat):
            return replace(book, faults={**book.faults, device: DeviceFault(kind, detail, seat)})
        case DeviceMended(device=mended):
            return replace(book, faults={name: fault for name, fault in book.faults.items() if name != mended})
        case LinkLost(reason=reason, refused=refused):
            return replace(book, link_down=reason, link_refused=refused or book.link_refused)
        case LinkRestored():
            return replace(book, link_down="", link_refused=False)
        case AwardsHeld(reason=reason):
            return replace(book, held=reason)
        case AwardsFreed():
            return replace(book, held="")
        case PanelUsed():
            return book
