"""The walk: for what is known of a round so far, which turn comes next and what it needs."""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import TypeAlias

from msgspec import Struct

from games.game import Game
from games.paytable import PayLine
from games.settlement.order import Turn
from games.settlement.till import WHOLE


class Stage(Enum):
    """How far one turn has come."""

    UNKNOWN = "nobody said what it wins"
    LOST = "wins nothing"
    UNSHOWN = "waiting for the bonus display"
    WON = "waiting for its turn"
    ASKED = "waiting for the meter"
    FIXED = "waiting for the supervisor"
    VALIDATED = "to be paid"
    PAID = "paid"


class Standing(Struct, frozen=True):
    """One turn and how far it has come; line is the row that pays it, as far as it wins."""

    turn: Turn
    stage: Stage
    line: PayLine | None = None
    validation: bool = False

    @property
    def is_from_meter(self) -> bool:
        """Whether what it wins comes off the meter."""
        return self.line is not None and self.line.deducted

    @property
    def takes_all(self) -> bool:
        """Whether it wins the whole meter."""
        return self.line is not None and self.line.pay == WHOLE


class AskSeats(Struct, frozen=True):
    """The dealer says of these seats that they win nothing from the meter, or enters their hands."""

    seats: tuple[int, ...]
    before: Standing


class AskSharers(Struct, frozen=True):
    """The dealer looks at every hand: another one may share the whole meter."""

    before: Standing


class AskDisplay(Struct, frozen=True):
    """The winner presses the bonus button, and its display shows the amount."""

    standing: Standing


class AskMeter(Struct, frozen=True):
    """The meter fixes what this turn takes from it."""

    standing: Standing


class AwaitMeter(Struct, frozen=True):
    """The meter was asked and has not answered yet."""

    standing: Standing


class Validate(Struct, frozen=True):
    """A supervisor looks at the hand and validates it."""

    standing: Standing


class Pay(Struct, frozen=True):
    """The dealer pays this turn."""

    standing: Standing


Act: TypeAlias = AskSeats | AskSharers | AskDisplay | AskMeter | AwaitMeter | Validate | Pay


def turn_of(act: Act | None) -> Standing | None:
    """The turn that has come; None where a question comes before it, or nothing is left."""
    return None if act is None or isinstance(act, AskSeats | AskSharers) else act.standing


def next_act(
    game: Game, walk: Iterable[Standing], *, unexposed: Sequence[int] = (), is_alone: bool = True
) -> Act | None:
    """What comes next in this order of turns, or None where nothing that is known is left to be settled.

    A turn of which nobody knows anything is passed over, until a later one takes something from the meter: then it is
    asked for first. unexposed are the seats nobody has spoken of anywhere in the round, for games that expose every
    hand before the first payment; is_alone says that nobody else can share the whole meter.
    """
    unanswered: list[int] = []
    for standing in walk:
        if standing.stage is Stage.UNKNOWN and standing.turn.wager.is_progressive:
            unanswered.append(standing.turn.seat.number)
        if standing.stage in (Stage.UNKNOWN, Stage.LOST, Stage.PAID):
            continue
        first = unexposed if game.exposes_all_first else unanswered
        if standing.is_from_meter and first:
            return AskSeats(tuple(first), standing)
        if standing.takes_all and game.shares_whole_meter and not is_alone:
            return AskSharers(standing)
        return _act_of(standing)
    return None


def next_meter_act(game: Game, walk: Iterable[Standing], *, is_alone: bool = True) -> Act | None:
    """What the meter's turn waits for: the same walk, without what is paid from the rack alone."""
    progressive = [
        standing
        for standing in walk
        if standing.turn.wager.is_progressive and (standing.line is None or standing.is_from_meter)
    ]
    return next_act(game, progressive, unexposed=unanswered_seats(progressive), is_alone=is_alone)


def unanswered_seats(walk: Iterable[Standing]) -> tuple[int, ...]:
    """The seats with a live progressive wager of which nobody has said anything, in paying order."""
    unknown = (each for each in walk if each.stage is Stage.UNKNOWN and each.turn.wager.is_progressive)
    return tuple(standing.turn.seat.number for standing in unknown)


def _act_of(standing: Standing) -> Act:
    match standing.stage:
        case Stage.UNSHOWN:
            return AskDisplay(standing)
        case Stage.ASKED:
            return AwaitMeter(standing)
        case Stage.WON if standing.is_from_meter:
            return AskMeter(standing)
        case Stage.FIXED:
            return Validate(standing)
        case Stage.WON if standing.validation:
            return Validate(standing)
        case _:
            return Pay(standing)
