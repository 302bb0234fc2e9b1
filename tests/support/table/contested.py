"""An award that two tables claim at once: percentages of one meter, held until management says who comes first."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from games.round.events import HandClaimed
from tests.support.table.paper_floor import Bench, two_dealt_tables
from tests.support.web.panel_page import FLOP, give_pins


@asynccontextmanager
async def contested_tables(folder: Path) -> AsyncIterator[list[Bench]]:
    """A straight flush at seat 3 of two tables on one meter, each with a staff; both have been told to wait.

    The first one's was fixed before the other one claimed.
    """
    async with two_dealt_tables(folder) as floor:
        tables = list(floor.tables.values())
        for bench in tables:
            give_pins(bench)
            await bench.must(HandClaimed(3, ("8h", "9h"), tuple(FLOP)))
            if bench is tables[0]:
                await bench.until(partial(_is_fixed, bench), "not fixed")
        for bench in tables:
            await bench.until(partial(_is_told, bench), "not held")
        yield tables


def _is_fixed(bench: Bench) -> bool:
    return bench.state.claims[0].amount_cents > 0


def _is_told(bench: Bench) -> bool:
    """Whether this table has heard that its award must wait, and of both claims."""
    assert bench.assembly is not None
    state = bench.assembly.client.state
    claims = state.pending if state else ()
    return bool(bench.state.held) and [award.contested for award in claims] == [True, True]
