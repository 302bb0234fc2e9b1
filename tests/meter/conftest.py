"""Fixtures: a meter whose three tables have joined, a browser at its floor, and seats that are lit."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from floor_bench import FloorBench
from floor_page import Page, page_at

from meter.rounds import LastRound


@pytest.fixture(autouse=True, scope="module")
def every_seat_is_lit(request: pytest.FixtureRequest) -> Iterator[None]:
    """Where lights are not what a module is about, its claims need no wagers before them."""
    with pytest.MonkeyPatch.context() as patch:
        if not getattr(request.module, "LIGHTS_MATTER", False):
            patch.setattr(LastRound, "unlit", lambda _self, _award: "")
        yield


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[FloorBench]:
    async with FloorBench(tmp_path).running() as bench:
        await bench.join()
        yield bench


@pytest.fixture
async def page(bench: FloorBench) -> AsyncIterator[Page]:
    async with page_at(bench) as page:
        yield page
