"""Takes the pictures of docs/screenshots, without the sign's: `.venv/bin/python -m tests.browser.screenshots`."""

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.async_api import Browser, ViewportSize, expect

from common.auth.roles import Role
from games.round.state import ClaimState
from tests.support.meter.staff_pins import DAN, SUE
from tests.support.table.paper_floor import Bench, paper_floor
from tests.support.web.demo_process import drop, follow, lock_and_deal, running_demo
from tests.support.web.floor_screens import at_floor, busy_floor, opened
from tests.support.web.pages import PANEL, PHONE, Visitor, browser, chromium, visitor, window
from tests.support.web.panel_page import enter_cards, give_pins
from tests.support.web.table_screens import played_table, stepped

ROOT = Path(__file__).parents[2]
LAPTOP: ViewportSize = {"width": 1366, "height": 900}
DESK: ViewportSize = {"width": 1280, "height": 800}
PICTURES = ROOT / "docs" / "screenshots"


async def take(guest: Visitor, name: str) -> None:
    """One picture, once the page has settled."""
    await guest.page.wait_for_timeout(400)
    await guest.page.screenshot(path=PICTURES / f"{name}.png")


async def panel_story(bench: Bench, chrome: Browser) -> None:
    """A round with a win, from the open table to the slip."""
    async with visitor(chrome, bench, PANEL) as panel:
        page = panel.page
        await panel.go("/panel")
        await bench.drop_chip(3)
        await take(panel, "panel-open")
        await page.get_by_role("button", name="Sign in", exact=True).first.click()
        await take(panel, "panel-sign-in")
        await page.keyboard.press("Escape")
        await panel.sign_in(Role.DEALER)
        await bench.deal(5)
        await page.get_by_role("button", name="Seat 3:").click()
        await page.get_by_role("button", name="Claim a win").click()
        await enter_cards(panel, "Th Jh Qh 2h")
        await page.locator('[data-rank="3"]').click()
        await take(panel, "panel-claim")
        await page.locator('[data-suit="h"]').click()
        await page.get_by_role("button", name="Claim", exact=True).click()
        await panel.says("#next", "Seat 5: any win?")
        await take(panel, "panel-settling")
        await page.locator("#acts button.main").click()
        await panel.says("#next", "Call a supervisor")
        await page.locator("#acts button.main").click()
        await take(panel, "panel-evidence")
        await panel.enter_pin(SUE)
        await bench.until(lambda: bench.state.claims[0].state is ClaimState.VALIDATED, "the meter does not agree")
        await page.get_by_role("button", name="Paid $50").click()
        await panel.enter_pin(DAN)
        await panel.says("#paying", "paid")


async def other_pages(bench: Bench, chrome: Browser) -> None:
    """Phone, and the technician's bench."""
    async with visitor(chrome, bench, PHONE) as phone:
        await phone.go("/panel")
        await take(phone, "panel-phone")
    async with visitor(chrome, bench, PANEL) as technician:
        await technician.go("/panel")
        await technician.sign_in(Role.TECHNICIAN)
        await technician.page.get_by_role("button", name="Test bench").click()
        await take(technician, "panel-technician")


async def demo_story(url: str, chrome: Browser) -> None:
    """Both tables of the demo: a win on its way, a cut cable, an award that two tables claim."""
    async with window(chrome, url, LAPTOP) as demo:
        await demo.go("/")
        one, two = (demo.page.get_by_label(f"Table {name}") for name in ("T1", "T2"))
        await drop(one, 5)
        await lock_and_deal(one, 3, "straight_flush")
        await follow(one, "no-win")
        await expect(one).to_contain_text("waiting for the supervisor")
        await take(demo, "demo")
        cable = two.locator('[data-name="network-T2"]')
        await cable.click()
        await expect(two.locator(".link")).to_contain_text("No meter")
        await take(demo, "demo-fault")
        await cable.click()
        await expect(two.locator(".link")).to_be_empty()
        await lock_and_deal(two, 6, "royal_flush")
        await expect(two.locator(".hint")).to_contain_text("Two tables claim the same meter")
        async with demo.page.expect_popup() as opened:
            await one.get_by_role("link", name="Dealer's panel").click()
        beside = Visitor(await opened.value, url)
        await beside.page.set_viewport_size(PANEL)
        await expect(beside.page.locator("body")).to_contain_text("straight flush")
        await take(beside, "panel-contested")


async def floor_story(folder: Path, chrome: Browser) -> None:
    """A busy afternoon: claims to put in order, a lost table, a dangerous decision; the day's statement."""
    async with busy_floor(folder, tables=40) as bench:
        for name, size in (("floor", "1280x800"), ("floor-wall", "1920x1080")):
            async with at_floor(chrome, bench, size, Role.SUPERVISOR) as guest:
                await take(guest, name)
                if name == "floor-wall":
                    await floor_sheets(guest)


async def floor_sheets(guest: Visitor) -> None:
    """The order of the claims with its evidence, a dangerous decision, and the statement on paper."""
    await opened(guest, "contest")
    await guest.page.get_by_label("Reason").fill("recording of both tables reviewed")
    await take(guest, "floor-order")
    await guest.page.keyboard.press("Escape")
    await opened(guest, "danger")
    await take(guest, "floor-danger")
    await guest.page.set_viewport_size(DESK)
    await guest.go("/statement?link=main")
    await guest.page.get_by_role("button", name="Print").wait_for()
    await take(guest, "floor-statement")


async def replay_story(folder: Path, chrome: Browser) -> None:
    """A straight flush that the meter paid, and its slip."""
    async with played_table(folder) as bench, visitor(chrome, bench, LAPTOP) as guest:
        await guest.go("/panel")
        await guest.sign_in(Role.SUPERVISOR)
        await guest.go("/replay?round=1")
        await stepped(guest)
        await take(guest, "replay")
        await guest.go("/slip/1")
        await take(guest, "slip")


async def main(stories: Sequence[str]) -> None:
    """All stories, or those that are named: panel, floor, demo."""
    PICTURES.mkdir(exist_ok=True)
    with chromium() as address, tempfile.TemporaryDirectory() as folder:
        async with paper_floor(Path(folder)) as floor, browser(address) as chrome:
            give_pins(floor.tables["T1"])
            if "panel" in stories:
                await panel_story(floor.tables["T1"], chrome)
                await other_pages(floor.tables["T1"], chrome)
            if "floor" in stories:
                for story in (floor_story, replay_story):
                    (Path(folder) / story.__name__).mkdir()
                    await story(Path(folder) / story.__name__, chrome)
            if "demo" in stories:
                with running_demo() as url:
                    await demo_story(url, chrome)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:] or ("panel", "floor", "demo")))
