"""Checks of a page as a browser draws it: cut off, too small to touch, hard to read, out of the keyboard's reach."""

from pathlib import Path
from typing import Any, Final

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

from tests.support.web.pages import Visitor

LEAST_TARGET_PX: Final = 44
LEAST_GAP_PX: Final = 8
MOST_TABS: Final = 400
_CHECKS: Final = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


async def layout_faults(page: Page, root: str = "body *", *, glyphs: str = "", scrolls: bool = True) -> list[str]:
    """What is beyond the screen, hidden, clipped or over other text; a page that scrolls may be long."""
    about = {"root": root, "glyphs": glyphs, "scrolls": scrolls}
    found: list[str] = await _asked(page, "layoutFaults", about)
    return found


async def target_faults(page: Page, *, gap_px: int = LEAST_GAP_PX) -> list[str]:
    """Which controls a finger does not hit."""
    found: list[str] = await _asked(page, "targetFaults", {"least": LEAST_TARGET_PX, "gap": gap_px})
    return found


async def axe_faults(page: Page) -> list[str]:
    """Serious findings of axe, contrast among them, each with the first element that has it."""
    found = await Axe().run(page)
    serious = [one for one in found.response["violations"] if one["impact"] in {"serious", "critical"}]
    return [f"axe {one['id']}: {one['nodes'][0]['target']}" for one in serious]


async def keyboard_faults(page: Page) -> list[str]:
    """Which controls the Tab key does not reach, or does not mark."""
    found: list[str] = []
    tabbed: set[str] = set()
    last = ""
    await _asked(page, "begin")
    for _ in range(MOST_TABS):
        await page.keyboard.press("Tab")
        focus: Any = await _asked(page, "focused")
        if focus is None:
            break
        if focus["key"] == last:  # the parts of a date
            continue
        last = focus["key"]
        if last in tabbed:
            break
        tabbed.add(focus["key"])
        if not focus["isMarked"]:
            found.append(f"focus cannot be seen: {focus['name']}")
    return found + [f"not reached by Tab: {name}" for name in await _asked(page, "unreached")]


async def page_faults(guest: Visitor, *, scrolls: bool = True, keyboard: bool = False) -> list[str]:
    """Everything that is wrong with what this visitor sees."""
    page = guest.page
    found = await layout_faults(page, scrolls=scrolls) + await target_faults(page) + await axe_faults(page)
    found += await keyboard_faults(page) if keyboard else []
    return found + guest.faults


async def _asked(page: Page, check: str, about: object = None) -> Any:
    """The answer of one function of page_checks.js."""
    return await page.evaluate(f"(about) => {{ {_CHECKS} return {check}(about); }}", about)
