"""A browser at a bench table: Debian's own Chromium, driven by playwright, on loopback only."""

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Literal

from axe_playwright_python.async_playwright import Axe
from msgspec.structs import replace
from playwright.async_api import Browser, BrowserContext, Locator, Page, ViewportSize, async_playwright, expect

from common.auth.roles import Role
from tests.support.meter.staff_pins import PINS, Login
from tests.support.table.paper_floor import Bench

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--remote-debugging-port=0",
    "--ignore-certificate-errors",
)
PANEL: ViewportSize = {"width": 1024, "height": 600}
PHONE: ViewportSize = {"width": 390, "height": 844}
WALL: ViewportSize = {"width": 1920, "height": 1080}
SMALL_SIGN: ViewportSize = {"width": 800, "height": 480}
SIGN_IN = re.compile("^(Sign in|Another person…)$")
PATIENCE_MS = 90_000  # two cores may be shared by many

expect.set_options(timeout=PATIENCE_MS)


@contextmanager
def chromium() -> Iterator[str]:
    """A running Chromium; yields where its debugger listens."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    assert program is not None, "install Debian's chromium"
    with tempfile.TemporaryDirectory(prefix="pitlink-chromium-", ignore_cleanup_errors=True) as folder:
        words = [program, *FLAGS, f"--user-data-dir={folder}", "about:blank"]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield f"http://127.0.0.1:{_debug_port(Path(folder))}"
        finally:
            process.terminate()
            process.wait(timeout=60)


def _debug_port(folder: Path) -> int:
    deadline = time.monotonic() + 120
    file = folder / "DevToolsActivePort"
    while time.monotonic() < deadline:
        if file.is_file() and (lines := file.read_text().splitlines()):
            return int(lines[0])
        time.sleep(0.02)
    raise TimeoutError("chromium does not start")


@asynccontextmanager
async def browser(address: str) -> AsyncIterator[Browser]:
    """A connection to a running Chromium."""
    async with async_playwright() as playwright:
        yield await playwright.chromium.connect_over_cdp(address, timeout=PATIENCE_MS)


class Visitor:
    """One browser window at a table."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, url
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)

    async def go(self, path: str) -> None:
        """Opens one of the table's pages."""
        await self.page.goto(self.url + path)

    async def sign_in(self, role: Role, pin: str = "") -> None:
        """Somebody of this role signs in at the panel."""
        login = PINS[role]
        await self.page.get_by_role("button", name=SIGN_IN).first.click()
        await self.enter_pin(replace(login, pin=pin or login.pin))
        if not pin:
            await expect(self.page.get_by_role("button", name=f"{login.name}, {role.value}: sign out")).to_be_visible()

    async def enter_pin(self, login: Login) -> None:
        """A staff number, where nobody is signed in, and a PIN in the open sheet; OK sends what the sheet is about."""
        keypad = self.page.locator("dialog[open] .sign-in")
        await expect(keypad.first).to_be_visible()
        if await keypad.get_by_label("Staff number").count():
            await self._press(keypad, login.number)
        await self._press(keypad, login.pin)

    async def _press(self, keypad: Locator, digits: str) -> None:
        for digit in digits:
            await keypad.get_by_role("button", name=digit, exact=True).click()
        await keypad.get_by_role("button", name="OK", exact=True).click()

    async def says(self, where: str, words: str) -> None:
        """Waits until a part of the page says this."""
        await expect(self.page.locator(where)).to_contain_text(words)


@asynccontextmanager
async def visitor(
    browser: Browser, bench: Bench, size: ViewportSize = PANEL, *, moves: bool = False
) -> AsyncIterator[Visitor]:
    """A new window of this size at this table."""
    assert bench.assembly is not None
    async with window(browser, f"http://127.0.0.1:{bench.assembly.port}", size, moves=moves) as guest:
        yield guest


@asynccontextmanager
async def window(browser: Browser, url: str, size: ViewportSize, *, moves: bool = False) -> AsyncIterator[Visitor]:
    """A new window of this size somewhere; what rolls there only rolls where it moves."""
    motion: Literal["no-preference", "reduce"] = "no-preference" if moves else "reduce"
    context: BrowserContext = await browser.new_context(viewport=size, reduced_motion=motion)
    context.set_default_timeout(PATIENCE_MS)
    try:
        yield Visitor(await context.new_page(), url)
    finally:
        await context.close()


async def assert_fit(guest: Visitor) -> None:
    """No sideways scrolling, no serious accessibility finding, no error in the console."""
    wide = await guest.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0
    found = await Axe().run(guest.page)
    serious = [one["id"] for one in found.response["violations"] if one["impact"] in {"serious", "critical"}]
    assert serious == []
    assert guest.faults == []
