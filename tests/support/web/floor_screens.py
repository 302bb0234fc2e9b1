"""A busy floor, and every sheet of it at every size."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from playwright.async_api import Browser, Page, ViewportSize, expect

from common.auth.roles import Role
from demo.broker import free_port
from drivers.mqtt.client import Message
from link.messages import VERSION, Award, TableLights, TableWord, Wagers, encode
from link.topics import lights_topic
from tests.support.meter.floor_bench import FloorBench
from tests.support.web.pages import PANEL, PHONE, WALL, Visitor, window

SIZES: Final[Mapping[str, ViewportSize]] = {
    "1920x1080": WALL,
    "1280x800": {"width": 1280, "height": 800},
    "1024x600": PANEL,
    "390x844": PHONE,
}
WORDS: Final[tuple[TableWord, ...]] = ("open", "in_play", "settling", "open", "closed", "paying", "counting", "open")


def show(bench: FloorBench, table: str, word: TableWord, lit: tuple[int, ...] = (), **other: object) -> None:
    """A table says what it shows."""
    open_ = tuple(seat for seat in range(1, 8) if seat not in lit) if word == "open" else ()
    page = "http://127.0.0.1:8080"
    lights = TableLights(VERSION, table, 97, word, 7, lit, open_, page=page, **other)  # type: ignore[arg-type]  # fields of TableLights
    bench.desks["main"].heard(Message(lights_topic("main", table), encode(lights)))


@asynccontextmanager
async def busy_floor(folder: Path, tables: int = 24) -> AsyncIterator[FloorBench]:
    """An afternoon: contested claims, held wagers, a lost table, a miscount, awards that wait."""
    names = tuple(f"T{number}" for number in range(1, tables + 1))
    async with FloorBench(folder, free_port(), tables=names).running() as bench:
        await bench.join(*names[:-1])
        for number in range(40):
            played = await bench.wager(names[number % 5])
            if number == 21:
                await bench.enter("T2", Award(played, 2, "flush", fixed_cents=50_00))
        await bench.enter("T3", Wagers(1, 500, (1,)))
        await bench.contest()
        for place, name in enumerate(names[:-1]):
            lit = tuple(seat for seat in range(1, 8) if (seat * 5 + place * 3) % 4 == 0)
            word = WORDS[place % len(WORDS)]
            show(bench, name, word, () if word == "closed" else lit)
        show(bench, "T7", "supervisor", (2, 4))
        show(bench, "T9", "differs", (1, 3, 4, 6), chips=3)
        show(bench, "T11", "fault", look=(5,))
        bench.present("T4", alive=False)
        yield bench


@asynccontextmanager
async def at_floor(chrome: Browser, bench: FloorBench, size: str, role: Role) -> AsyncIterator[Visitor]:
    """A screen of this size with somebody signed in, once the growth of each link is drawn."""
    async with window(chrome, f"http://127.0.0.1:{bench.settings.floor_port}", SIZES[size]) as guest:
        await guest.go("/floor")
        await expect(guest.page.locator(".chart svg")).to_have_count(2)
        await guest.sign_in(role)
        yield guest


async def _decisions(page: Page) -> None:
    await page.get_by_role("button", name="Decide…").first.click()


async def _danger(page: Page) -> None:
    await _decisions(page)
    await page.get_by_role("button", name="Correct the meter").click()
    await page.get_by_label("New amount").fill("9000.00")


async def _press(page: Page, name: str) -> None:
    await page.get_by_role("button", name=name).first.click()


SHEETS: Final[Mapping[str, Callable[[Page], Awaitable[None]]]] = {
    "contest": lambda page: _press(page, "Enter the order"),
    "decisions": _decisions,
    "danger": _danger,
    "held": lambda page: page.get_by_role("button", name="Decide", exact=True).first.click(),
    "settle": lambda page: _press(page, "Settle…"),
    "table": lambda page: _press(page, "Table T9"),
    "history": lambda page: _press(page, "History"),
    "person": lambda page: _press(page, "Another person…"),
}


async def opened(guest: Visitor, sheet: str) -> None:
    """Opens one sheet of the floor."""
    await SHEETS[sheet](guest.page)
    await expect(guest.page.get_by_role("dialog")).to_be_visible()
    await guest.page.wait_for_timeout(250)
