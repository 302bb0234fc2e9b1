"""Pictures and checks of the sign in every game, size, state and theme: `./dev screens FOLDER`; look at each one."""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from playwright.async_api import Browser, ViewportSize

from tests.support.web.pages import Visitor, browser, chromium, visitor
from tests.support.web.sign_screens import SIZES, SMALLEST, STATES, TABLES, THEMES, preview, sign_faults, sign_table

PICTURES = Path(__file__).parents[2] / "docs" / "screenshots"
HALF: ViewportSize = {"width": 960, "height": 540}
DOCS = (
    ("sign", "texas-holdem-bonus", "regent", "open", HALF),
    ("sign-pai-gow", "pai-gow-poker", "meridian", "open", HALF),
    ("sign-verified", "texas-holdem-bonus", "meridian", "verifying", HALF),
    ("sign-celebration", "caribbean-stud", "regent", "paid", HALF),
    ("sign-tall", "three-card-poker", "ivory", "open", ViewportSize(width=540, height=960)),
    ("sign-small", "pai-gow-poker", "regent", "open", SIZES["480x320"]),
)


async def picture_all(chosen: argparse.Namespace, chrome: Browser) -> list[str]:
    """Every picture that was asked for; returns what is wrong with them."""
    found = []
    for name in chosen.games:
        with tempfile.TemporaryDirectory() as folder:
            async with sign_table(Path(folder), name) as bench:
                for size, state, theme in product(chosen.sizes, chosen.states, chosen.themes):
                    async with preview(
                        chrome, bench, size, theme=theme, state=state, language=chosen.language
                    ) as guest:
                        found += await picture(guest, f"{name}-{size}-{state}-{theme}", chosen.folder)
    return found


async def picture(guest: Visitor, title: str, folder: Path | None) -> list[str]:
    """One picture; returns what is wrong with it."""
    if folder:
        await guest.page.screenshot(path=folder / f"{title}.png")
    faults = [*await sign_faults(guest.page), *guest.faults]
    smallest = await guest.page.evaluate(SMALLEST)
    print(f"{title}: smallest letters {smallest:.1f} px, {'; '.join(faults) or 'good'}", flush=True)
    return [f"{title}: {fault}" for fault in faults]


async def picture_docs(chrome: Browser) -> None:
    """The few pictures of docs/screenshots; on half a screen everything is drawn at half its size."""
    for title, name, theme, state, size in DOCS:
        with tempfile.TemporaryDirectory() as folder:
            async with sign_table(Path(folder), name) as bench, visitor(chrome, bench, size, moves=True) as guest:
                await guest.go(f"/themes?theme={theme}&state={state}")
                await guest.page.wait_for_selector(".sign[data-state]")
                await guest.page.wait_for_timeout(6000)  # until the celebration has come in
                await guest.page.screenshot(path=PICTURES / f"{title}.jpg", type="jpeg", quality=88)


def main(words: Sequence[str]) -> int:
    """Takes them; 1 if something is cut off."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="where the pictures go; without it only the checks run")
    parser.add_argument("--docs", action="store_true", help="take the pictures of docs/screenshots and nothing else")
    parser.add_argument("--games", nargs="+", default=list(TABLES))
    parser.add_argument("--sizes", nargs="+", default=list(SIZES))
    parser.add_argument("--states", nargs="+", default=list(STATES))
    parser.add_argument("--themes", nargs="+", default=list(THEMES))
    parser.add_argument("--language", default="en")
    chosen = parser.parse_args(words)
    if chosen.folder:
        chosen.folder.mkdir(parents=True, exist_ok=True)

    async def run(address: str) -> list[str]:
        async with browser(address) as chrome:
            if chosen.docs:
                await picture_docs(chrome)
                return []
            return await picture_all(chosen, chrome)

    with chromium() as address:
        found = asyncio.run(run(address))
    print("\n".join(found) or "nothing is cut off")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
