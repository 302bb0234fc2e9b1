"""Pictures and checks of the panel at every moment, size, language and company: `./dev panel-screens FOLDER`."""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from playwright.async_api import Browser

from common.words import LANGUAGES
from tests.support.web.page_checks import page_faults
from tests.support.web.pages import Visitor, browser, chromium
from tests.support.web.panel_screens import PEOPLE, ROUNDS, SIZES, look, panel_of, panel_table, sheets_of


async def check_round(chosen: argparse.Namespace, chrome: Browser, name: str, company: str) -> list[str]:
    """Every moment of one round for the people who are signed in; returns what is wrong."""
    found: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        async with panel_table(Path(folder), name) as bench, panel_of(chrome, bench, company) as guest:
            async for moment in ROUNDS[name](bench):
                for size, language in product(chosen.sizes, chosen.languages):
                    await look(guest, size, language)
                    title = f"{name}-{moment}-{company}-{size}-{language}"
                    found += await check(guest, title, chosen, keyboard=chosen.keyboard)
                    if company == "dealer":
                        async for sheet in sheets_of(guest, moment):
                            found += await check(guest, f"{title}-{sheet}", chosen)
    return found


async def check(guest: Visitor, title: str, chosen: argparse.Namespace, *, keyboard: bool = False) -> list[str]:
    """One picture, and what is wrong with it."""
    if chosen.folder:
        await guest.page.screenshot(path=chosen.folder / f"{title}.png")
    faults = await page_faults(guest, scrolls=False, keyboard=keyboard)
    guest.faults.clear()
    print(f"{title}: {'; '.join(faults) or 'good'}", flush=True)
    return [f"{title}: {fault}" for fault in faults]


async def check_all(chosen: argparse.Namespace, address: str) -> list[str]:
    """All that was asked for."""
    found: list[str] = []
    async with browser(address) as chrome:
        for name, company in product(chosen.rounds, chosen.people):
            found += await check_round(chosen, chrome, name, company)
    return found


def main(words: Sequence[str]) -> int:
    """Checks them; 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="where the pictures go; without it only the checks run")
    parser.add_argument("--rounds", nargs="+", default=list(ROUNDS))
    parser.add_argument("--people", nargs="+", default=list(PEOPLE))
    parser.add_argument("--sizes", nargs="+", default=list(SIZES))
    parser.add_argument("--languages", nargs="+", default=list(LANGUAGES))
    parser.add_argument("--keyboard", action="store_true", help="also reach every control by the Tab key")
    chosen = parser.parse_args(words)
    if chosen.folder:
        chosen.folder.mkdir(parents=True, exist_ok=True)
    with chromium() as address:
        found = asyncio.run(check_all(chosen, address))
    print("\n".join(found) or "nothing is wrong")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
