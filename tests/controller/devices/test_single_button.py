"""One button for lock-out and end of round: two presses a round, and an impatient one more does no harm."""

from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.performer import GUARD_S, ButtonMeaning, Press, meaning
from games.round.events import ChipsCounted, EndOfRoundPressed, LockOutPressed, RoundOpened
from games.round.state import Phase
from tests.support.games.pit import PaperTable
from tests.support.table.paper_floor import Bench, paper_floor

_gaps = st.floats(0.05, 3.0)
_delays = st.floats(0.0, 2.0)
_presses = st.lists(st.tuples(_gaps, _delays), min_size=2, max_size=40)


@pytest.fixture
async def one_button(tmp_path: Path) -> AsyncIterator[Bench]:
    async with paper_floor(tmp_path, end_of_round={}) as floor:
        yield floor.tables["T1"]


class Dealer:
    """Presses one button at an empty table whose hopper takes its time."""

    def __init__(self) -> None:
        self.table, self.button = PaperTable(), ButtonMeaning(Press.LOCK_OUT)
        self.done: list[tuple[float, str]] = []
        self._counted_at: float | None = None

    def press(self, at: float, delay: float) -> None:
        """A press; the count that a lock-out begins ends after a delay."""
        self._catch_up(at)
        event = EndOfRoundPressed() if self.button.press(at) is Press.END else LockOutPressed()
        if self.table.do(event).refusal is not None:
            return
        self.done.append((at, type(event).__name__))
        self._stand(at)
        if isinstance(event, LockOutPressed):
            self._counted_at = at + delay
        else:
            self.table.must(RoundOpened())
            self._stand(at)

    def _catch_up(self, at: float) -> None:
        if self._counted_at is not None and self._counted_at <= at:
            self.table.must(ChipsCounted(0))
            self._stand(self._counted_at)
            self._counted_at = None

    def _stand(self, at: float) -> None:
        self.button.stand(meaning(self.table.rules, self.table.state), at)


@given(_presses)
def test_presses_in_quick_succession_never_do_two_things(presses: list[tuple[float, float]]) -> None:
    """Whatever the rhythm and however slow the count: lock-out and end of round are at least a guard apart."""
    dealer, at = Dealer(), 100.0
    for gap, delay in presses:
        at += gap
        dealer.press(at, delay)
    moments = [moment for moment, _ in dealer.done]
    assert all(later - earlier >= GUARD_S for earlier, later in pairwise(moments))
    names = [name for _, name in dealer.done]
    assert names == [("LockOutPressed", "EndOfRoundPressed")[number % 2] for number in range(len(names))]


@given(st.lists(st.floats(0.05, 0.99), min_size=1, max_size=30))
def test_drumming_on_the_button_after_the_end_never_locks_the_next_round(gaps: list[float]) -> None:
    """The round that has just opened stays open for as long as the drumming goes on."""
    dealer = Dealer()
    dealer.press(100.0, 0.0)
    dealer.press(103.0, 0.0)
    at = 103.0
    for gap in gaps:
        at += gap
        dealer.press(at, 0.0)
    assert dealer.table.phase is Phase.OPEN
    assert dealer.table.state.round == 2


@given(st.lists(st.floats(GUARD_S, 3.0), min_size=1, max_size=30))
def test_every_calm_press_does_what_the_dealer_wants(gaps: list[float]) -> None:
    """Two presses a round, none of them lost."""
    dealer, at = Dealer(), 100.0
    for gap in gaps:
        at += gap + 0.001
        dealer.press(at, 0.0)
    assert len(dealer.done) == len(gaps)


async def test_a_double_press_at_the_end_of_a_round_leaves_the_next_one_open(one_button: Bench) -> None:
    """The second press is written down as refused; gates are open again, the next press in earnest locks."""
    await one_button.deal(3)
    await one_button.pass_time(1.1)
    await one_button.press_lock_out()
    await one_button.press_lock_out()
    await one_button.until(lambda: one_button.state.round == 2)
    await one_button.settle()
    assert (one_button.state.phase, one_button.open_gates) == (Phase.OPEN, [1, 2, 3, 4, 5, 6, 7])
    await one_button.pass_time(1.1)
    await one_button.press_lock_out()
    await one_button.settle()
    assert one_button.state.phase is Phase.COUNTED


async def test_a_double_press_at_lock_out_ends_nothing(one_button: Bench) -> None:
    """Also where the count is over before the second press."""
    await one_button.press_lock_out()
    await one_button.settle()
    await one_button.press_lock_out()
    await one_button.settle()
    assert one_button.state.phase is Phase.COUNTED
    assert one_button.state.round == 1
