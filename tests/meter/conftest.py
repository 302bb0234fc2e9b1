"""Fixtures: a meter whose three tables have joined and a browser at its floor."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.meter.floor_bench import FloorBench
from tests.support.web.floor_page import FloorPage, page_at


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[FloorBench]:
    async with FloorBench(tmp_path).running() as bench:
        await bench.join()
        yield bench


@pytest.fixture
async def page(bench: FloorBench) -> AsyncIterator[FloorPage]:
    async with page_at(bench) as page:
        yield page
