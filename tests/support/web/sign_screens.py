"""Signs of every game, size, state and theme in a real browser, and what is wrong with a picture of one."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from playwright.async_api import Browser, ViewportSize

from tests.support.table.paper_floor import Bench, paper_floor
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

FAULTS: Final = """() => {
  const found = [], { innerWidth: right, innerHeight: bottom } = window;
  const seen = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: false });
  const words = [];
  for (const node of document.querySelectorAll(".sign *")) {
    if (!seen(node)) continue;
    const isText = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
    if (!isText) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const isGlyph = node.closest(".odometer"); // a font's own box is higher than its digits
    const drawn = (isGlyph ? node : range).getBoundingClientRect();
    const name = `${node.tagName} ${node.className}: ${node.textContent.slice(0, 40)}`;
    const isBeyond = drawn.left < -0.5 || drawn.top < -0.5 || drawn.right > right + 0.5 || drawn.bottom > bottom + 0.5;
    if (isBeyond) found.push(`beyond the screen: ${name}`);
    const isInline = getComputedStyle(node).display === "inline";
    if (!isInline && node.scrollWidth > node.clientWidth + 1) found.push(`clipped: ${name}`);
    if (!node.classList.contains("digit")) words.push([name, drawn, node]);
  }
  for (const [place, [name, one, node]] of words.entries()) {
    for (const [other, two, another] of words.slice(place + 1)) {
      if (node.contains(another) || another.contains(node)) continue;
      const across = Math.min(one.right, two.right) - Math.max(one.left, two.left);
      const down = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
      const high = Math.min(one.height, two.height);
      if (across > 2 && down > 0.35 * high) found.push(`overlap: ${name} | ${other}`);
    }
  }
  const page = document.documentElement;
  if (page.scrollWidth > right || page.scrollHeight > bottom) found.push("the page scrolls");
  return found;
}"""
"""Text beyond the screen, clipped or over other text, in the order of the page."""

SMALLEST: Final = """() => Math.min(...[...document.querySelectorAll(".sign *")].filter((node) => node.checkVisibility()
  && [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()))
  .map((node) => parseFloat(getComputedStyle(node).fontSize)))"""


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
