"""Fixtures: one Chromium for all tests of a worker, a connection to it for each, and a table with its screen."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser

from tests.support.table.paper_floor import Bench, paper_floor
from tests.support.web.pages import Visitor, browser, chromium, visitor
from tests.support.web.panel_page import give_pins


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Where a running Chromium listens."""
    with chromium() as address:
        yield address


@pytest.fixture
async def chrome(address: str) -> AsyncIterator[Browser]:
    """A connection to it."""
    async with browser(address) as chrome:
        yield chrome


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    """An open table with a staff."""
    async with paper_floor(tmp_path) as floor:
        give_pins(floor.tables["T1"])
        yield floor.tables["T1"]


@pytest.fixture
async def panel(chrome: Browser, bench: Bench) -> AsyncIterator[Visitor]:
    """The table's own screen."""
    async with visitor(chrome, bench) as panel:
        await panel.go("/panel")
        yield panel
