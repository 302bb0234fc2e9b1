"""A table that is asked to close closes, whatever else happens at the same moment."""

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from games.round.effects import CloseTable, Effect, OpenNextRound
from games.round.events import (
    ChipPlaced,
    ChipsCounted,
    CloseAsked,
    EndOfRoundPressed,
    Event,
    LockOutPressed,
    RoundOpened,
    TableClosed,
)
from games.round.state import Phase
from tests.support.games.pit import PaperTable

CLOSE = CloseAsked("Sue", "end of the shift")


def serve(table: PaperTable, batches: Sequence[Sequence[Event]]) -> None:
    """What the controller does: a batch of events, then all their orders, whose events are the next batch."""
    waiting = [list(batch) for batch in batches]
    while waiting:
        orders: list[Effect] = []
        for event in waiting.pop(0):
            counted = isinstance(event, ChipsCounted)
            orders += table.do(ChipsCounted(table.state.chips_due) if counted else event).effects
        followers = [follower for order in orders for follower in _followers(order)]
        if followers:
            waiting.insert(0, followers)


def _followers(order: Effect) -> list[Event]:
    match order:
        case OpenNextRound():
            return [RoundOpened()]
        case CloseTable(by=by, reason=reason):
            return [TableClosed(by, reason)]
        case _:
            return []


def test_asked_in_the_same_batch_as_the_end_of_the_round_the_table_closes() -> None:
    """Behind the end or before it: no round is left open that nobody can wager in."""
    batches: list[list[Event]] = [[EndOfRoundPressed(), CLOSE], [CLOSE, EndOfRoundPressed()]]
    for batch in batches:
        table = PaperTable()
        table.deal(3)
        serve(table, [batch])
        assert table.phase is Phase.CLOSED
        assert table.state.closing is not None
        assert table.state.closing.reason == "end of the shift"


@given(where=st.integers(0, 5), cuts=st.sets(st.integers(1, 5)))
def test_wherever_the_wish_falls_the_table_closes_after_the_round(where: int, cuts: set[int]) -> None:
    """However events are batched; a round with a wager in it is played to its end first."""
    happenings: list[Event] = [ChipPlaced(3), LockOutPressed(), ChipsCounted(1), EndOfRoundPressed()]
    happenings.insert(min(where, 4), CLOSE)
    edges = [0, *sorted(cuts), len(happenings)]
    table = PaperTable()
    serve(table, [happenings[start:end] for start, end in pairwise(edges)])
    assert table.phase is Phase.CLOSED
    assert len(table.entries) == (0 if where == 0 else 1)
