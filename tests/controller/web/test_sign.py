"""The sign: the amount, why it is closed, and who has won or is about to."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.auth.roles import Role
from controller.web.sign.view import MOST_SHOWN, SHOWN_S, RecentWins
from games.round.events import ClaimRejected, ClaimValidated, HandClaimed, PayoutConfirmed
from link.messages import VERSION, State, Win
from tests.support.meter.staff_pins import SUE
from tests.support.table.paper_floor import Bench, PaperFloor, two_dealt_tables
from tests.support.web.panel_page import FLOP, Page
from tests.support.web.streams import shown


async def test_the_sign_tells_the_amount_and_why_it_is_closed(floor: PaperFloor, bench: Bench, page: Page) -> None:
    """Open, closed, no meter: the sign never invents an amount, nor says the house's reasons (R29, R39)."""

    async def sign() -> Any:
        async with page.session.get(page.url + "/sign/stream") as stream:
            return await anext(shown(stream))

    await page.sign_in(Role.SUPERVISOR)
    told = await sign()
    assert (told["amount_cents"], told["amount"], told["state"]) == (10_000_00, "$10,000.00", "open")
    await page.act("close", await page.offer("close"), signed=SUE, reason="end of day")
    await bench.until(lambda: bench.state.phase.value == "closed")
    told = await sign()
    assert (told["state"], told["title"], told["amount_cents"]) == ("closed", "This table is closed", 10_000_00)
    assert "end of day" not in str(told)
    await page.act("open", await page.offer("open"), signed=SUE)
    await floor.meter.kill()
    await bench.until(lambda: bool(bench.state.link_down), "the table never noticed")
    told = await sign()
    assert (told["amount_cents"], told["amount"], told["parts"]) == (None, "", {})
    assert (told["state"], told["title"]) == ("lost", "No progressive wagers now")


@pytest.fixture
async def pair(tmp_path: Path) -> AsyncIterator[tuple[Bench, Bench]]:
    """Two open tables on one meter, a wager at seat 3 of each."""
    async with two_dealt_tables(tmp_path) as floor:
        yield floor.tables["T1"], floor.tables["T2"]


def news(bench: Bench) -> list[str]:
    """What the table's sign says besides the amount."""
    assert bench.assembly is not None
    return list(bench.assembly.web_server.sign.view().news)


def awards(bench: Bench) -> list[tuple[str, str, str]]:
    """The awards of this table's round: how far each is, its title and its amount."""
    assert bench.assembly is not None
    return [(award.stage, award.title, award.amount) for award in bench.assembly.web_server.sign.view().awards]


async def test_r33_every_sign_says_where_an_award_is_pending_and_where_it_was_won(pair: tuple[Bench, Bench]) -> None:
    """Pending with hand and amount; then won at table T1, for two minutes from when the sign's table heard of it."""
    one, two = pair
    await one.must(HandClaimed(3, ("2h", "3h"), tuple(FLOP)))
    await two.until(lambda: news(two) == ["Award being verified at table T1: Flush *$50.00*"], "not told")
    await one.until(lambda: awards(one) == [("verifying", "Award being verified", "$50.00")], "no answer of the meter")
    await one.must(ClaimValidated(3, "Sue"))
    assert awards(one) == [("won", "Progressive win", "$50.00")]
    await one.must(PayoutConfirmed(3, "Dan"))
    await two.until(lambda: news(two) == ["Won at table T1: Flush *$50.00*"], "not told")
    await one.until(lambda: awards(one) == [("paid", "Progressive win", "$50.00")], "not paid")
    assert news(one) == []
    await one.press_end_of_round()
    await one.until(lambda: news(one) == ["Won at this table: Flush *$50.00*"], "the winner's own sign forgot")
    await two.pass_time(SHOWN_S + 1)
    assert news(two) == []


async def test_a_contested_award_has_no_amount_on_any_sign(pair: tuple[Bench, Bench]) -> None:
    """R32: claimed at two tables, both signs say only that it is verified; a rejected claim leaves one its amount."""
    one, two = pair
    for bench in pair:
        await bench.must(HandClaimed(3, ("8h", "9h"), tuple(FLOP)))
    others = ["Award being verified at table T2: Straight flush"]
    await one.until(lambda: news(one) == others, "not said")
    assert awards(one) == [("verifying", "Award being verified", "")]
    await two.must(ClaimRejected(3, "Sue", "misread"))
    await one.until(lambda: awards(one) == [("verifying", "Award being verified", "$1,000.14")], "still contested")


def heard(hits: int, *, alive: bool = True) -> State:
    """A meter after so many wins, the last at the table of that number."""
    win = Win(f"T{hits}", 3, "flush", 50_00) if hits else None
    return State(VERSION, "demo", alive=alive, hits=hits, last_win=win)


def test_a_win_of_before_is_not_news() -> None:
    """A table that starts does not know when the last win was, so it says nothing of it."""
    wins = RecentWins()
    for _ in range(3):
        wins.hear(heard(7), 0.0)
    wins.hear(heard(0, alive=False), 1.0)
    wins.hear(None, 1.0)
    assert wins.shown(2.0) == ()
    wins.hear(heard(8), 3.0)
    assert [win.table for win in wins.shown(3.0)] == ["T8"]


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(0, SHOWN_S)), max_size=30), st.floats(0, 2 * SHOWN_S))
def test_no_win_is_shown_longer_than_two_minutes_or_twice(story: list[tuple[int, float]], later: float) -> None:
    """Whatever the meter says and however often: few wins, each once, the newest first, none older than the time."""
    wins, now, hits, when = RecentWins(), 0.0, 0, dict[str, float]()
    wins.hear(heard(0), now)
    for more, pause in story:
        now, hits = now + pause, hits + more
        wins.hear(heard(hits), now)
        when.setdefault(f"T{hits}", now)
    shown_now = [win.table for win in wins.shown(now + later)]
    assert len(shown_now) == len(set(shown_now)) <= MOST_SHOWN
    assert all(now + later - when[table] < SHOWN_S for table in shown_now)
    assert shown_now == sorted(shown_now, key=lambda table: -int(table[1:]))
