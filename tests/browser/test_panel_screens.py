"""The panel as people see it, a smoke part of `./dev panel-screens`: nothing is cut off, too small, or out of reach."""

from pathlib import Path

import pytest
from playwright.async_api import Browser

from tests.support.web.page_checks import page_faults
from tests.support.web.panel_screens import ROUNDS, look, panel_of, panel_table, sheets_of

pytestmark = pytest.mark.timeout(300)


@pytest.mark.parametrize("size", ["1024x600", "390x844"])
async def test_a_round_is_seen_and_touched_with_two_people_signed_in(
    chrome: Browser, tmp_path: Path, size: str
) -> None:
    """From the closed table to void hands: no text beyond the screen, each control large enough and marked by Tab."""
    name, found = "texas-holdem-bonus", list[str]()
    async with panel_table(tmp_path, name) as bench, panel_of(chrome, bench, "two") as guest:
        async for moment in ROUNDS[name](bench):
            await look(guest, size, "es" if moment == "settling" else "en")
            found += [f"{moment}: {fault}" for fault in await page_faults(guest, scrolls=False, keyboard=True)]
            if moment in {"counted", "award"}:
                async for sheet in sheets_of(guest, moment):
                    found += [f"{moment}, {sheet}: {fault}" for fault in await page_faults(guest, scrolls=False)]
    assert found == []
