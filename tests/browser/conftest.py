"""Fixtures: one Chromium for the tests of a file, and a connection to it for each."""

from collections.abc import AsyncIterator, Iterator

import pytest
from pages import browser, chromium
from playwright.async_api import Browser


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where a running Chromium listens."""
    with chromium() as address:
        yield address


@pytest.fixture
async def chrome(address: str) -> AsyncIterator[Browser]:
    """A connection to it."""
    async with browser(address) as chrome:
        yield chrome
