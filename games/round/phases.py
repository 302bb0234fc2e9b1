"""The life of a round as tables: event × phase → phase, walked by transitions."""

from collections.abc import Iterator, Mapping
from typing import Final, Literal, Protocol, TypeAlias, TypedDict, cast

from transitions import Machine

from games.round.events import (
    AreasHeld,
    AwardFixed,
    AwardsFreed,
    AwardsHeld,
    BankGivenBack,
    BankPassed,
    BankTaken,
    BaseWagerLaid,
    BaseWagerMissed,
    BaseWagerWon,
    BonusDisplayed,
    CentreCounted,
    ChipLifted,
    ChipPlaced,
    ChipsAttested,
    ChipsCounted,
    ChipsReturned,
    ClaimRejected,
    ClaimValidated,
    CloseAsked,
    CollectionStarted,
    CouponAccepted,
    CouponRedeemed,
    CouponRefused,
    CouponReturned,
    DealerCardDealt,
    DeviceFaulted,
    DeviceMended,
    DiceTotalled,
    EndOfRoundPressed,
    EnvyPaid,
    Event,
    FoldCorrected,
    HandClaimed,
    HandsAllShown,
    HandShown,
    HouseWayAsked,
    IrregularityNoted,
    IrregularityWithdrawn,
    LinkLost,
    LinkRestored,
    LockOutPressed,
    MismatchExplained,
    NoWinShown,
    NumberDrawn,
    PanelUsed,
    PapersCompleted,
    PayoutConfirmed,
    RecountAsked,
    RefundsConfirmed,
    RoundOpened,
    SeatFolded,
    SideChipLifted,
    SideChipPlaced,
    StacksDealt,
    StubCounted,
    SupervisorKeyTurned,
    TableClosed,
    TableOpened,
    ValidationAccepted,
    ValidationRefused,
    WagerPlaced,
    WagersRegistered,
    WagersRepeated,
    WagerTakenBack,
)
from games.round.state import Phase


class RoundVoided:
    """The way of an irregularity that voids the whole round: before registration it ends the round."""


Way: TypeAlias = type[Event] | type[RoundVoided]
PhaseTable: TypeAlias = Mapping[Way, Mapping[Phase, Phase]]
Order: TypeAlias = Literal["lock_then_count", "count_then_lock", "by_eye"]


def _stay(*phases: Phase) -> dict[Phase, Phase]:
    return {phase: phase for phase in phases}


def _layout(*phases: Phase) -> dict[Way, dict[Phase, Phase]]:
    """What the dealer says of the layout, as long as wagers are open; insurance is made once cards are dealt."""
    said: dict[Way, dict[Phase, Phase]] = {
        event: _stay(*phases) for event in (WagersRepeated, BaseWagerMissed, BaseWagerLaid)
    }
    return said | {event: _stay(*phases, *_DEALT) for event in (WagerPlaced, WagerTakenBack, SideChipPlaced)}


def _coupons(*phases: Phase) -> dict[Way, dict[Phase, Phase]]:
    """What becomes of coupons, as long as wagers are open."""
    return {event: _stay(*phases) for event in (CouponRedeemed, CouponAccepted, CouponRefused, CouponReturned)}


def _voided(*phases: Phase) -> dict[Phase, Phase]:
    """In these phases nothing is registered yet: what voids the round ends it. Later it is settled."""
    return {**dict.fromkeys(phases, Phase.VOIDED), **_stay(*_DEALT)}


_ANYWHERE: Final = _stay(*Phase)
_BEFORE_REGISTRATION: Final = (Phase.OPEN, Phase.COUNTING, Phase.LOCKED)
_DEALT: Final = (Phase.COUNTED, Phase.IN_PLAY, Phase.SETTLING)

# What all tables have in common: how they open and close, and everything once the wagers are closed.
_COMMON: Final[PhaseTable] = {
    TableOpened: {Phase.CLOSED: Phase.OPEN},
    ChipLifted: _ANYWHERE,
    SideChipLifted: _ANYWHERE,
    AreasHeld: _stay(*_BEFORE_REGISTRATION, *_DEALT),
    WagersRegistered: {Phase.COUNTED: Phase.IN_PLAY, **_stay(Phase.SETTLING, Phase.VOIDED, Phase.ENDED)},
    StacksDealt: _stay(Phase.COUNTED, Phase.IN_PLAY),
    SeatFolded: _stay(*_DEALT),
    FoldCorrected: _stay(*_DEALT),
    NumberDrawn: _stay(*_DEALT),
    DealerCardDealt: _stay(*_DEALT),
    HandClaimed: dict.fromkeys(_DEALT, Phase.SETTLING),
    HandShown: dict.fromkeys(_DEALT, Phase.SETTLING),
    NoWinShown: _stay(*_DEALT),
    HandsAllShown: _stay(Phase.SETTLING),
    BonusDisplayed: _stay(Phase.SETTLING),
    EnvyPaid: _stay(Phase.SETTLING),
    AwardFixed: _stay(Phase.SETTLING),
    ClaimValidated: _stay(Phase.SETTLING),
    ValidationAccepted: _stay(Phase.SETTLING),
    ValidationRefused: _stay(Phase.SETTLING),
    ClaimRejected: _stay(Phase.SETTLING),
    PapersCompleted: _stay(Phase.SETTLING),
    PayoutConfirmed: _stay(*_DEALT),  # a number wager is paid before the cards (11.13(b)5)
    IrregularityNoted: _stay(*_BEFORE_REGISTRATION, *_DEALT),
    IrregularityWithdrawn: _stay(*_BEFORE_REGISTRATION, *_DEALT, Phase.VOIDED),
    RefundsConfirmed: _stay(Phase.VOIDED, *_DEALT),
    # Who banks is settled before "No more bets"; the rest once the cards are, or can be, dealt (11.8C, 11.9, 11.17).
    **{event: _stay(Phase.OPEN) for event in (BankPassed, BankTaken, BankGivenBack)},
    **{event: _stay(*_DEALT) for event in (DiceTotalled, StubCounted, HouseWayAsked, BaseWagerWon, CentreCounted)},
    EndOfRoundPressed: dict.fromkeys((*_DEALT, Phase.VOIDED), Phase.ENDED),
    RoundOpened: {Phase.ENDED: Phase.OPEN},
    TableClosed: {Phase.OPEN: Phase.CLOSED, Phase.ENDED: Phase.CLOSED},
    CloseAsked: _stay(*(phase for phase in Phase if phase is not Phase.CLOSED)),
    PanelUsed: _ANYWHERE,
    SupervisorKeyTurned: _ANYWHERE,
    DeviceFaulted: _ANYWHERE,
    DeviceMended: _ANYWHERE,
    LinkLost: _ANYWHERE,
    LinkRestored: _ANYWHERE,
    AwardsHeld: _ANYWHERE,
    AwardsFreed: _ANYWHERE,
}

LOCK_THEN_COUNT: Final[PhaseTable] = {
    ChipPlaced: _stay(Phase.OPEN),
    **_coupons(Phase.OPEN),
    **_layout(Phase.OPEN),
    LockOutPressed: {Phase.OPEN: Phase.LOCKED},
    CollectionStarted: _stay(Phase.LOCKED),
    ChipsReturned: _stay(Phase.LOCKED, Phase.VOIDED),
    RecountAsked: _stay(Phase.LOCKED),
    ChipsCounted: {Phase.LOCKED: Phase.COUNTED, Phase.VOIDED: Phase.VOIDED},
    MismatchExplained: {Phase.LOCKED: Phase.COUNTED},
    RoundVoided: _voided(Phase.OPEN, Phase.LOCKED),
    **_COMMON,
}

# Wagers come and go until a count agrees with the lights; that count closes them.
COUNT_THEN_LOCK: Final[PhaseTable] = {
    ChipPlaced: _stay(Phase.OPEN, Phase.COUNTING),
    **_coupons(Phase.OPEN, Phase.COUNTING),
    **_layout(Phase.OPEN, Phase.COUNTING),
    LockOutPressed: {Phase.OPEN: Phase.COUNTING},
    CollectionStarted: _stay(Phase.COUNTING),
    ChipsReturned: _stay(Phase.COUNTING, Phase.VOIDED),
    RecountAsked: _stay(Phase.COUNTING),
    ChipsCounted: {Phase.COUNTING: Phase.COUNTED, Phase.VOIDED: Phase.VOIDED},
    MismatchExplained: {Phase.COUNTING: Phase.COUNTED},
    RoundVoided: _voided(Phase.OPEN, Phase.COUNTING),
    **_COMMON,
}

# The dealer has counted before he presses, so that his press closes the wagers.
BY_EYE: Final[PhaseTable] = {
    ChipPlaced: _stay(Phase.OPEN),
    **_coupons(Phase.OPEN),
    **_layout(Phase.OPEN),
    ChipsAttested: {Phase.OPEN: Phase.COUNTED},
    RoundVoided: _voided(Phase.OPEN),
    **_COMMON,
}

PHASE_TABLES: Final[Mapping[Order, PhaseTable]] = {
    "lock_then_count": LOCK_THEN_COUNT,
    "count_then_lock": COUNT_THEN_LOCK,
    "by_eye": BY_EYE,
}


class _Walker(Protocol):
    """The model that transitions moves; the machine gives it state and triggers."""

    state: Phase

    def trigger(self, name: str) -> bool: ...


class _Blank:
    """What the machine makes a walker of."""


class PhaseWalk:
    """A phase table made walkable."""

    def __init__(self, table: PhaseTable) -> None:
        blank = _Blank()
        machine = Machine(
            model=blank,
            states=Phase,
            initial=Phase.CLOSED,
            transitions=_rows(table),
            auto_transitions=False,
        )
        # Every way is walked once: the machine is one moving thing, and replays run beside the table in other threads.
        self._ways = dict(_walked(machine, cast("_Walker", blank)))

    def walk(self, phase: Phase, way: Way) -> Phase | None:
        """The phase after such an event, or None where the table knows no way."""
        return self._ways.get((phase, way.__name__))


def _walked(machine: Machine, walker: _Walker) -> Iterator[tuple[tuple[Phase, str], Phase]]:
    for phase in Phase:
        for event in machine.get_triggers(phase):
            machine.set_state(phase, walker)
            walker.trigger(event)
            yield (phase, event), walker.state


def diagram(table: PhaseTable) -> str:
    """The ways between different phases, as a mermaid state diagram."""
    from transitions.extensions import GraphMachine  # only the documents are drawn: no table pays for it

    rows = [row for row in _rows(table) if row["source"] is not row["dest"]]
    reached = {phase for row in rows for phase in (row["source"], row["dest"])}
    machine = GraphMachine(
        states=[phase for phase in Phase if phase in reached],
        initial=Phase.CLOSED,
        transitions=rows,
        auto_transitions=False,
        graph_engine="mermaid",
    )
    return str(machine.get_graph().draw(None))


class _Row(TypedDict):
    trigger: str
    source: Phase
    dest: Phase


def _rows(table: PhaseTable) -> list[_Row]:
    return [
        {"trigger": event.__name__, "source": source, "dest": target}
        for event, ways in table.items()
        for source, target in ways.items()
    ]
