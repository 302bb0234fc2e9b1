"""What a press draws: the number after stacks dealt by hand (11.8A(e)), and the bonus display's amount (2.20(f))."""

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from common.settings import SettingsError
from common.words import Words, read_catalogues
from controller.web.sign.view import sign_view
from demo.table import bench_settings
from games.round.events import HandClaimed, PayoutConfirmed, WagerPlaced
from games.round.state import ClaimState, Phase
from tests.support.table.paper_floor import Bench, paper_floor

WORDS = Words(read_catalogues()[0]["en"], "sign", "USD")
BY_HAND = {"game": "pai-gow-poker", "pay_table": "base", "wagers": ["number"], "options": {"dealing": "by_hand"}}
BLACKJACK = {"game": "blackjack", "pay_table": "base", "wagers": ["bonus"]}
DISPLAY = {"button": 14, "amounts_100": [500, 1000], "amounts_500": [2500, 5000, 100_000]}


@pytest.fixture(params=["one button", "two buttons"])
async def by_hand(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Bench]:
    one: dict[str, Any] = {"end_of_round": {}} if request.param == "one button" else {}
    async with paper_floor(tmp_path, table=BY_HAND, **one) as floor:
        yield floor.tables["T1"]


@pytest.fixture
async def blackjack(tmp_path: Path) -> AsyncIterator[Bench]:
    async with paper_floor(tmp_path, table=BLACKJACK, bonus_display=DISPLAY) as floor:
        yield floor.tables["T1"]


async def press(bench: Bench) -> None:
    """The dealer presses the button that ends rounds, after a while."""
    await bench.pass_time(1.1)
    await (bench.press_lock_out() if bench.settings.end_of_round is None else bench.press_end_of_round())
    await bench.settle()


async def test_11_8a_e_the_second_of_three_presses_draws_the_number(by_hand: Bench) -> None:
    """Registered wagers alone draw nothing; a double press draws once; the third one ends."""
    await by_hand.deal(3)
    await by_hand.until(lambda: by_hand.state.phase is Phase.IN_PLAY)
    await by_hand.settle()
    assert by_hand.state.number_drawn is None
    await press(by_hand)
    await by_hand.until(lambda: by_hand.state.number_drawn is not None)
    drawn, again = by_hand.state.number_drawn, by_hand.settings.end_of_round is None
    await (by_hand.press_lock_out() if again else by_hand.press_end_of_round())
    await by_hand.settle()
    assert (by_hand.state.round, by_hand.state.number_drawn) == (1, drawn), "an impatient press does nothing"
    await press(by_hand)
    await by_hand.until(lambda: by_hand.state.round == 2)


async def test_2_20_f_the_winner_presses_and_the_display_shows_what_was_drawn(blackjack: Bench) -> None:
    """By the wager's own amounts, once, and written down before it is shown (S-60)."""
    asked: list[tuple[int, ...]] = []

    def drawn(amounts: Sequence[int]) -> int:
        asked.append(tuple(amounts))
        assert blackjack.state.displayed == {}
        return 5000

    assert blackjack.assembly is not None
    blackjack.assembly.performer.draw_amount = drawn
    await blackjack.must(WagerPlaced(2, "bonus", 5_00))
    await blackjack.deal(3)
    await blackjack.press_bonus()
    await blackjack.settle()
    refusal = blackjack.assembly.look().refusal
    assert refusal is not None
    assert "nobody won the bonus" in refusal.reason
    await blackjack.must(HandClaimed(2, hand="blackjack", wager="bonus"))
    await blackjack.press_bonus()
    await blackjack.until(lambda: blackjack.state.displayed == {2: 5000})
    claim = blackjack.state.claim(2, "bonus")
    assert claim is not None
    assert (claim.amount_cents, claim.state) == (5000, ClaimState.VALIDATED)
    (shown,) = (news for news in sign_view(blackjack.assembly.look(), None, WORDS).news if "Seat 2 wins" in news)
    assert "$50" in shown
    await blackjack.press_bonus()
    await blackjack.settle()
    assert asked == [(2500, 5000, 100_000)], "a second press draws nothing"
    await blackjack.must(PayoutConfirmed(2, "Dan", "bonus"))
    await blackjack.press_end_of_round()
    await blackjack.until(lambda: blackjack.state.round == 2)


async def test_every_amount_of_the_display_is_as_likely_as_any_other(blackjack: Bench) -> None:
    """The system's generator, by rejection: within five deviations of an even share, and nothing else is shown."""
    assert blackjack.assembly is not None
    shown = Counter(blackjack.assembly.performer.draw_amount((1, 2, 3)) for _ in range(3000))
    assert set(shown) == {1, 2, 3}
    assert all(abs(count - 1000) < 130 for count in shown.values())


def test_2_20_f_the_display_of_a_table_is_read_with_its_amounts(tmp_path: Path) -> None:
    """By the cents of the wager, and the pin is the table's like any other."""
    display = bench_settings("T1", tmp_path, table=BLACKJACK, bonus_display=DISPLAY).bonus_display
    assert display is not None
    assert display.amounts == {100: (500, 1000), 500: (2500, 5000, 100_000)}


@pytest.mark.parametrize(
    ("table", "display", "key"),
    [
        ({}, DISPLAY, "bonus_display.button"),
        (BLACKJACK, {**DISPLAY, "amounts_500": []}, "bonus_display.amounts_500"),
        (BLACKJACK, {**DISPLAY, "amounts_100": [0]}, "bonus_display.amounts_100"),
        (BLACKJACK, {**DISPLAY, "button": 25}, "bonus_display.button"),
    ],
)
def test_2_20_f_a_display_that_cannot_be_is_refused(tmp_path: Path, table: Any, display: Any, key: str) -> None:
    """At another game, without amounts for a stake, with an amount of nothing, on a pin that is taken."""
    with pytest.raises(SettingsError) as refused:
        bench_settings("T1", tmp_path, table=table, bonus_display=display)
    assert key in {fault.key for fault in refused.value.faults}
