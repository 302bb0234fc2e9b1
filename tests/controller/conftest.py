"""Fixtures: a bench table on a paper floor."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.table.paper_floor import Bench, PaperFloor, paper_floor
from tests.support.web.panel_page import Page, give_pins, page_at


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[PaperFloor]:
    """A meter and one open table."""
    async with paper_floor(tmp_path) as floor:
        yield floor


@pytest.fixture
def bench(floor: PaperFloor) -> Bench:
    """The open table."""
    return floor.tables["T1"]


@pytest.fixture
async def url(bench: Bench) -> str:
    assert bench.assembly is not None
    give_pins(bench)
    return f"http://127.0.0.1:{bench.assembly.port}"


@pytest.fixture
async def page(url: str) -> AsyncIterator[Page]:
    async with page_at(url) as page:
        yield page
