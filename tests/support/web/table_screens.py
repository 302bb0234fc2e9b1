"""A table with a few rounds behind it, for its replay and papers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from games.round.events import ClaimValidated, HandClaimed, NoWinShown, PapersCompleted, PayoutConfirmed
from tests.support.table.paper_floor import Bench, paper_floor
from tests.support.web.pages import Visitor
from tests.support.web.panel_page import give_pins


@asynccontextmanager
async def played_table(folder: Path) -> AsyncIterator[Bench]:
    """A straight flush from the meter, paid; a round without a win; a round that is open."""
    house = {"property": "Marlowe Casino", "address": "1 Boardwalk, Atlantic City"}
    async with paper_floor(folder, papers=house) as floor:
        bench = floor.tables["T1"]
        give_pins(bench)
        await bench.deal(2, 4, 5)
        await bench.must(
            NoWinShown((5, 4), "Dan"),
            HandClaimed(2, ("Kh", "Qh"), ("Jh", "Th", "9h"), by="Dan"),
        )
        await bench.until(lambda: bench.state.claims[0].is_fixed, "the meter fixes nothing")
        await bench.must(ClaimValidated(2, "Sue"))
        await bench.must(PayoutConfirmed(2, "Dan"), PapersCompleted(2, "Sue"))
        await bench.press_end_of_round()
        await bench.until(lambda: bench.state.round == 2, "no second round")
        await bench.deal(1, 3)
        await bench.press_end_of_round()
        await bench.until(lambda: bench.state.round == 3, "no third round")
        await bench.drop_chip(3)
        await bench.until(lambda: 3 in bench.state.wagers, "no wager")
        yield bench


async def stepped(guest: Visitor) -> None:
    """A replay at its win, with the rounds beside it; any other page as it is."""
    await guest.page.wait_for_load_state("networkidle")
    on = guest.page.locator("#on")
    for _ in range(14 if await on.count() else 0):
        await on.click()
