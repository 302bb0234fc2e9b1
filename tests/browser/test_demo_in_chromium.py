"""The demo as a newcomer meets it: one command, a browser, and whatever the page says to press next."""

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, ViewportSize, expect
from playwright.async_api import TimeoutError as Overtaken

from games.money import dollars
from tests.support.meter.staff_pins import ANN, SUE
from tests.support.web.demo_process import drop, follow, lock_and_deal, running_demo
from tests.support.web.pages import PHONE, Visitor, assert_fit, browser, window

pytestmark = [pytest.mark.timeout(300), pytest.mark.asyncio(loop_scope="module")]
LAPTOP: ViewportSize = {"width": 1366, "height": 768}
SOON_MS = 2_000
MOST_PRESSES = 60  # of what is marked, until a round that was dealt at random is over


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """One demo for all of them, started as the README says."""
    with running_demo() as url:
        yield url


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def chrome(address: str) -> AsyncIterator[Browser]:
    """One connection for all of them: nothing here has a loop of its own."""
    async with browser(address) as chrome:
        yield chrome


@pytest_asyncio.fixture(loop_scope="module")
async def demo(chrome: Browser, url: str) -> AsyncIterator[Visitor]:
    async with window(chrome, url, LAPTOP) as demo:
        await demo.go("/")
        await expect(demo.page.locator("#meter")).to_contain_text("$")
        yield demo


def table(demo: Visitor, name: str) -> Locator:
    return demo.page.get_by_label(f"Table {name}")


def control(place: Locator, name: str) -> Locator:
    return place.locator(f'[data-name="{name}"]')


async def amount(demo: Visitor) -> str:
    """The meter in the page's head."""
    return await demo.page.locator("#meter").inner_text()


async def one_wager_more(demo: Visitor, before: str) -> None:
    """The meter moves by the contribution of one dollar, and stays there: no second one."""
    words = "|".join(re.escape(dollars(cents(before) + more)) for more in (70, 71))
    await expect(demo.page.locator("#meter")).to_have_text(re.compile(f"^({words})$"))


def cents(text: str) -> int:
    whole, _, part = text.strip("$").replace(",", "").partition(".")
    return int(whole) * 100 + int(part or 0)


async def test_a_newcomer_wins_at_both_tables_by_pressing_what_is_lit(demo: Visitor) -> None:
    """Chip, lock-out, deal, claim, validate, pay: one control is marked at a time; the other sign tells of it."""
    one, two = table(demo, "T1"), table(demo, "T2")
    await expect(one.locator(".hint")).to_contain_text("Click a seat")
    await lock_and_deal(one, 3, "flush")
    await follow(one, "validate-3", "pay-3")
    await expect(one).to_contain_text("✔ seat 3 flush $50, paid, slip")
    await follow(one, "end")
    async with demo.page.expect_popup() as opened:
        await two.get_by_role("link", name="Players' sign").click()
    sign = await opened.value
    await expect(sign.locator(".news")).to_contain_text("Won at table T1: Flush $50.00")
    await sign.close()
    await lock_and_deal(two, 5, "royal_flush")
    await follow(two, "validate-5", "pay-5", "papers-5", "end")
    await expect(demo.page.locator("#meter")).to_have_text("$5,000")
    await expect(demo.page.locator("#tour .done")).to_have_count(6)
    assert demo.faults == []


async def test_a_visitor_names_the_cards_himself(demo: Visitor) -> None:
    """What cannot be dealt is said in words; what can is dealt, claimed and rejected again."""
    place = table(demo, "T2")
    await drop(place, 4)
    await follow(place, "lock")
    await expect(place.locator(".phase")).to_contain_text("In play")  # a word about cards goes when the table moves on
    await place.get_by_label("Which hand").select_option("own cards")
    cards = place.get_by_label("Cards, such as")
    await expect(control(place, "deal")).to_have_class("main")
    await cards.fill("As As Kd 7h 7c")
    await follow(place, "deal")
    await expect(place.locator(".refusal")).to_contain_text("As lies there 2 times")
    await cards.fill("8s 8h 8d 8c 10d")
    await follow(place, "deal", "claim-4")
    await expect(place).to_contain_text("Seat 4: four of a kind $500, waiting for the supervisor")
    await control(place, "reject-4").click()
    await follow(place, "claim-4", "validate-4", "pay-4", "end")


async def test_the_page_fits_a_laptop_and_a_phone(chrome: Browser, url: str, demo: Visitor) -> None:
    """No sideways scrolling, no serious accessibility finding."""
    await expect(table(demo, "T2").locator(".hint")).not_to_be_empty()
    await assert_fit(demo)
    async with window(chrome, url, PHONE) as phone:
        await phone.go("/")
        await expect(table(phone, "T2").locator(".hint")).not_to_be_empty()
        await assert_fit(phone)


async def test_panel_sign_and_floor_are_one_click_away(demo: Visitor) -> None:
    """Each opens beside the demo and shows the same meter."""
    for place, link, words in (
        (table(demo, "T1"), "Dealer's panel", "T1"),
        (table(demo, "T2"), "Players' sign", "Caribbean stud"),
        (demo.page.locator("header"), "Management's floor", "demo"),
    ):
        async with demo.page.expect_popup() as opened:
            await place.get_by_role("link", name=link).click()
        page = await opened.value
        await expect(page.locator("body")).to_contain_text(words)
        await page.close()


async def test_28_11_i_two_tables_claim_one_meter_and_management_says_who_comes_first(demo: Visitor) -> None:
    """Held at both tables; decided by two persons on the floor, one link away; then each is paid in that order."""
    one, two = table(demo, "T1"), table(demo, "T2")
    await lock_and_deal(one, 3, "straight_flush")
    await expect(one).to_contain_text("waiting for the supervisor")
    await lock_and_deal(two, 6, "royal_flush")
    for place in (one, two):
        await expect(place.locator(".hint")).to_contain_text("Two tables claim the same meter")
        await expect(place.locator("button.main")).to_have_count(0)
        await expect(place.locator("[data-name^=validate], [data-name^=pay]")).to_have_count(0)
    await expect(one).to_contain_text("Seat 3: straight flush 10 % of the meter, held: ")
    async with demo.page.expect_popup() as opened:
        await demo.page.get_by_role("link", name="Management's floor").click()
    floor = Visitor(await opened.value, demo.url)
    await floor.page.get_by_role("button", name="Enter the order").click()
    await floor.enter_pin(SUE)
    await floor.page.get_by_label("Reason").fill("recording reviewed")
    await floor.page.get_by_label("PIN, First person").fill(SUE.pin)
    await floor.page.get_by_label("Staff number, Second person").fill(ANN.number)
    await floor.page.get_by_label("PIN, Second person").fill(ANN.pin)
    await floor.page.get_by_role("button", name="Confirm this order").click()
    await follow(one, "validate-3", "pay-3", "papers-3", "end")
    await follow(two, "validate-6", "pay-6", "papers-6", "end")
    await expect(demo.page.locator("#meter")).to_have_text("$5,000")
    await floor.page.close()


async def break_it(demo: Visitor, name: str) -> Locator:
    """Switches a fault on; the page says what to watch."""
    switch = control(demo.page.locator("body"), name)
    await switch.click()
    await expect(switch).to_have_attribute("aria-pressed", "true")
    await expect(demo.page.locator(".watch li")).to_have_count(1)
    return switch


async def mend(switch: Locator) -> None:
    await switch.click()
    await expect(switch).to_have_attribute("aria-pressed", "false")


async def test_a_stuck_sensor_shuts_its_seat_alone(demo: Visitor) -> None:
    """Seat 1 is out of order, seat 3 plays; tested again it is back."""
    place = table(demo, "T1")
    switch = await break_it(demo, "beam-T1")
    await expect(place.get_by_role("button", name="Seat 1:")).to_contain_text("✕ fault")
    await expect(place.get_by_role("button", name="Seat 1:")).to_have_css("border-style", "double")
    await drop(place, 3)
    await mend(switch)
    await control(place, "retest seat 1 acceptor").click()
    await expect(place.get_by_role("button", name="Seat 1: drop a chip (gate open")).to_be_visible()
    await follow(place, "lock")
    await place.get_by_label("Which hand").select_option("")
    await end_losing(place)


async def end_losing(place: Locator) -> None:
    """Random cards may win: whatever is marked is pressed until the round is over, its wagers booked before."""
    await expect(place.locator(".phase")).to_contain_text("In play")
    await follow(place, "deal")
    press, over = place.locator("button.main"), place.locator(".phase", has_text="Wagers open")
    for _ in range(MOST_PRESSES):
        await expect(press.or_(over).first).to_be_visible()
        if await over.count():
            return
        with suppress(Overtaken):  # what was marked a moment ago may be done by now
            name = await press.get_attribute("data-name", timeout=SOON_MS)
            await place.locator(f'button.main[data-name="{name}"]').click(timeout=SOON_MS)
    await expect(over).to_be_visible()


@pytest.mark.parametrize("fault", ["jam", "wire"])
async def test_a_hopper_that_cannot_count_holds_the_deal(demo: Visitor, fault: str) -> None:
    """Jammed or unplugged, the table waits for a true count; mended it goes on where it stood, and counts once."""
    place, before = table(demo, "T1"), await amount(demo)
    switch = await break_it(demo, f"{fault}-T1")
    await drop(place, 4)
    await control(place, "lock").click()
    await expect(place.locator(".hint")).to_contain_text("The hopper cannot count")
    await control(place, "retest return device").click()
    await expect(place.locator(".tested")).to_contain_text("not mended yet")
    await mend(switch)
    if fault == "jam":
        await control(place, "retest return device").click()
    await expect(place.locator(".phase")).to_contain_text("Counted: deal the hand")
    await one_wager_more(demo, before)
    await place.get_by_label("Which hand").select_option("")
    await end_losing(place)


@pytest.mark.parametrize("fault", ["network-T1", "broker", "meter"])
async def test_a_table_without_its_meter_finishes_the_round_and_books_once(demo: Visitor, fault: str) -> None:
    """Cut cable, dead broker or dead meter: the hand is dealt, no new wager is taken, one contribution arrives."""
    place, other, before = table(demo, "T1"), table(demo, "T2"), await amount(demo)
    await drop(place, 2)
    switch = await break_it(demo, fault)
    await expect(place.locator(".link")).to_contain_text("No meter")
    await expect(place.locator(".phase")).to_contain_text("No new wagers")
    await control(place, "lock").click()
    await expect(place.locator(".phase")).to_contain_text("Counted: deal the hand")
    if fault == "network-T1":
        await expect(other.locator(".link")).to_be_empty()
    await mend(switch)
    await expect(place.locator(".link")).to_be_empty()
    await expect(place.locator(".phase")).to_contain_text("In play")
    await expect(control(place, "deal")).to_have_class("main")
    await one_wager_more(demo, before)
    await place.get_by_label("Which hand").select_option("")
    await end_losing(place)


async def test_a_power_cut_leaves_the_table_where_it_stood(demo: Visitor) -> None:
    """Dark and shut without power; the same light and the same wager with it, and a chip meanwhile is not taken."""
    place = table(demo, "T2")
    await drop(place, 6)
    switch = await break_it(demo, "power-T2")
    await expect(place.locator(".phase")).to_contain_text("No power")
    await expect(place.get_by_role("button", name="Seat 6: drop a chip (gate shut, light dark)")).to_be_visible()
    await place.get_by_role("button", name="Seat 3:").click()
    await mend(switch)
    await expect(place.get_by_role("button", name="Seat 6: drop a chip (gate shut, light lit)")).to_be_visible()
    await expect(place.get_by_role("button", name="Seat 3: drop a chip (gate open")).to_be_visible()
    await follow(place, "lock")
    await expect(place.locator(".phase")).to_contain_text("Counted: deal the hand")
    await place.get_by_label("Which hand").select_option("")
    await end_losing(place)


async def test_a_missing_chip_is_noticed_and_found_again(demo: Visitor) -> None:
    """The count is one short of the lights: nothing is dealt until the chip is there, counted again."""
    place, before = table(demo, "T2"), await amount(demo)
    await drop(place, 2)
    switch = await break_it(demo, "missing-T2")
    await control(place, "lock").click()
    await expect(place.locator(".hint")).to_contain_text("Chips and lights differ")
    await mend(switch)
    await control(place, "recount").click()
    await expect(place.locator(".phase")).to_contain_text("Counted: deal the hand")
    await one_wager_more(demo, before)
    await place.get_by_label("Which hand").select_option("")
    await end_losing(place)


async def test_the_page_names_its_data_and_commands_that_work_on_it(demo: Visitor) -> None:
    """Each command of the page runs beside the demo, and finds its books in order."""
    commands = await demo.page.locator("#commands code").all_inner_texts()
    assert len(commands) >= 4
    for command in commands:
        words = command.removeprefix("./dev pitlink ").split()
        done = await asyncio.to_thread(
            subprocess.run, [sys.executable, "-m", "cli.main", *words], capture_output=True, check=False, timeout=60
        )
        assert done.returncode == 0, done.stderr
