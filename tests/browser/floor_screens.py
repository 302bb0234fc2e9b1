"""Pictures and checks of floor, replay, slips and statement: `./dev floor-screens FOLDER`; look at each one."""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from playwright.async_api import Browser

from common.auth.roles import Role
from tests.support.meter.floor_bench import FloorBench
from tests.support.web.floor_screens import SHEETS, SIZES, at_floor, busy_floor, opened
from tests.support.web.page_checks import page_faults
from tests.support.web.pages import Visitor, browser, chromium, visitor
from tests.support.web.table_screens import played_table, stepped

ROLES: Final = (Role.SUPERVISOR, Role.ACCOUNTING, Role.TECHNICIAN)
AT_A_TABLE: Final = ("/replay?round=1", "/slips", "/slip/1")
LANGUAGES: Final = ("en", "es", "zh")


class Album:
    """Pictures in a folder, if there is one, and what is wrong with them."""

    def __init__(self, folder: Path | None) -> None:
        self._folder, self.found = folder, list[str]()

    async def take(self, guest: Visitor, title: str, *, keyboard: bool = False) -> None:
        """One picture; what is wrong with it is printed and kept."""
        if self._folder:
            await guest.page.screenshot(path=self._folder / f"{title}.png")
        faults = await page_faults(guest, keyboard=keyboard)
        print(f"{title}: {'; '.join(faults) or 'good'}", flush=True)
        self.found += [f"{title}: {fault}" for fault in faults]


async def floor_pictures(album: Album, chrome: Browser, bench: FloorBench, sizes: Sequence[str]) -> None:
    """The floor for each role, every sheet for a supervisor, and the day's statement."""
    for size in sizes:
        for role in ROLES:
            async with at_floor(chrome, bench, size, role) as guest:
                await album.take(guest, f"floor-{size}-{role.value}", keyboard=True)
                for sheet in SHEETS if role is Role.SUPERVISOR else ():
                    await opened(guest, sheet)
                    await album.take(guest, f"floor-{size}-{sheet}", keyboard=True)
                    await guest.page.keyboard.press("Escape")
                if role is Role.ACCOUNTING:
                    await guest.go("/statement?link=main")
                    await guest.page.get_by_role("button", name="Print").wait_for()
                    await album.take(guest, f"statement-{size}")


async def table_pictures(album: Album, chrome: Browser, sizes: Sequence[str]) -> None:
    """Replay and slips at a table, the replay in each language."""
    with tempfile.TemporaryDirectory() as folder:
        async with played_table(Path(folder)) as bench:
            for size in sizes:
                async with visitor(chrome, bench, SIZES[size]) as guest:
                    await guest.go("/panel")
                    await guest.sign_in(Role.SUPERVISOR)
                    for path in AT_A_TABLE:
                        for language in LANGUAGES if path.startswith("/replay") else LANGUAGES[:1]:
                            await guest.go(f"{path}{'&' if '?' in path else '?'}language={language}")
                            await stepped(guest)
                            name = path.split("?", maxsplit=1)[0].strip("/").replace("/", "-")
                            await album.take(guest, f"{name}-{size}-{language}", keyboard=language == "en")


async def picture_all(album: Album, sizes: Sequence[str]) -> None:
    with chromium() as address, tempfile.TemporaryDirectory() as folder:
        async with browser(address) as chrome, busy_floor(Path(folder)) as bench:
            await floor_pictures(album, chrome, bench, sizes)
            await table_pictures(album, chrome, sizes)


def main(words: Sequence[str]) -> int:
    """Takes them; 1 if anything is wrong with one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="where the pictures go; without it only the checks run")
    parser.add_argument("--sizes", nargs="+", default=list(SIZES), choices=list(SIZES))
    chosen = parser.parse_args(words)
    if chosen.folder:
        chosen.folder.mkdir(parents=True, exist_ok=True)
    album = Album(chosen.folder)
    asyncio.run(picture_all(album, chosen.sizes))
    print("\n".join(album.found) or "nothing is wrong")
    return bool(album.found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
