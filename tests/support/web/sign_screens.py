"""Signs of every game, size, state and theme in a real browser, and what is wrong with a picture of one."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from playwright.async_api import Browser, Page, ViewportSize

from tests.support.table.paper_floor import Bench, paper_floor
from tests.support.web.page_checks import layout_faults
from tests.support.web.pages import Visitor, visitor

SIZES: Final[Mapping[str, ViewportSize]] = {
    "1920x1080": {"width": 1920, "height": 1080},
    "1080x1920": {"width": 1080, "height": 1920},
    "3840x2160": {"width": 3840, "height": 2160},
    "1024x600": {"width": 1024, "height": 600},
    "480x320": {"width": 480, "height": 320},
}
STATES: Final = ("open", "news", "verifying", "won", "paid", "closed", "lost", "most")
THEMES: Final = ("regent", "meridian", "ivory")
TABLES: Final[Mapping[str, dict[str, Any]]] = {
    "texas-holdem-bonus": {"pay_table": "A", "wagers": ["bonus"]},
    "caribbean-stud": {"pay_table": "base"},
    "three-card-poker": {"pay_table": "A", "wagers": ["six_card_bonus"]},
    "blackjack": {"pay_table": "base", "wagers": ["bonus"]},
    "pai-gow-poker": {"pay_table": "base", "wagers": ["bonus", "insurance", "number"]},
    "pai-gow-poker-seven": {"pay_table": "base", "wagers": ["insurance", "three_card_bonus", "seven_card_bonus"]},
}
"""Every game with every wager that may be offered together."""

SMALLEST: Final = """() => Math.min(...[...document.querySelectorAll(".sign *")].filter((node) => node.checkVisibility()
  && [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()))
  .map((node) => parseFloat(getComputedStyle(node).fontSize)))"""


async def sign_faults(page: Page) -> list[str]:
    """What is cut off or covered on a sign, which never scrolls; an odometer's font is higher than its digits."""
    return await layout_faults(page, ".sign *", glyphs=".odometer", scrolls=False)


@asynccontextmanager
async def sign_table(folder: Path, name: str) -> AsyncIterator[Bench]:
    """A table of this game with every wager, whose house has a name."""
    game = name.removesuffix("-seven")
    async with paper_floor(folder, table={"game": game, **TABLES[name]}, sign={"house": "Marlowe Casino"}) as floor:
        yield floor.tables["T1"]


@asynccontextmanager
async def preview(
    chrome: Browser, bench: Bench, size: str, *, theme: str = "regent", state: str = "open", language: str = "en"
) -> AsyncIterator[Visitor]:
    """A screen of this size that shows the sample of a state."""
    async with visitor(chrome, bench, SIZES[size]) as guest:
        await guest.go(f"/themes?theme={theme}&state={state}&language={language}")
        await guest.page.wait_for_selector(".sign[data-state]")
        await guest.page.evaluate("document.fonts.ready")
        await guest.page.wait_for_timeout(60)
        yield guest
