"""Pictures and checks of the sign in every game, size, state and theme: `./dev screens FOLDER`; look at each one."""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from playwright.async_api import Browser

from tests.support.pages import Visitor, browser, chromium
from tests.support.sign_screens import FAULTS, SIZES, SMALLEST, STATES, TABLES, THEMES, preview, sign_table


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
    faults = [*await guest.page.evaluate(FAULTS), *guest.faults]
    smallest = await guest.page.evaluate(SMALLEST)
    print(f"{title}: smallest letters {smallest:.1f} px, {'; '.join(faults) or 'good'}", flush=True)
    return [f"{title}: {fault}" for fault in faults]


def main(words: Sequence[str]) -> int:
    """Takes them; 1 if something is cut off."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="where the pictures go; without it only the checks run")
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
            return await picture_all(chosen, chrome)

    with chromium() as address:
        found = asyncio.run(run(address))
    print("\n".join(found) or "nothing is cut off")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
