"""The keypad in a real browser: how many taps an award costs, badges, who is left signed in, words."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.async_api import Browser, expect

from common.auth.roles import Role
from demo.broker import free_port
from games.round.state import ClaimState
from tests.support.meter.floor_bench import FloorBench
from tests.support.meter.staff_pins import DAN, SUE, give_badges, set_by_others
from tests.support.table.paper_floor import Bench, paper_floor
from tests.support.web.pages import PANEL, Visitor, assert_fit, window
from tests.support.web.panel_page import enter_cards, give_pins

pytestmark = pytest.mark.timeout(300)

MOST_TAPS = 8
COUNT_TAPS = """() => {
  window.taps = [];
  document.addEventListener("click", (event) => {
    const key = event.target.closest("button, a");
    const isDigit = key?.closest(".pad") && /^[0-9]$/.test(key.textContent);
    if (!isDigit && !key?.closest(".card-entry")) window.taps.push(key?.textContent ?? "nothing");
  }, true);
}"""
READ_BADGE = """(code) => {
  for (const key of [...code, "Enter"])
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}"""


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    """An open table with a staff."""
    async with paper_floor(tmp_path, panel={"port": free_port()}) as floor:
        give_pins(floor.tables["T1"])
        yield floor.tables["T1"]


async def test_a_validated_flush_costs_at_most_eight_taps(bench: Bench, panel: Visitor) -> None:
    """From the seat to paid, with both PINs typed on the keypad; not counting digits and cards."""
    page = panel.page
    await panel.sign_in(Role.DEALER)
    await bench.deal(3)
    await panel.says("#next", "deal the hand")
    await page.evaluate(COUNT_TAPS)
    await page.get_by_role("button", name="Seat 3:").click()
    await page.get_by_role("button", name="Claim a win").click()
    await enter_cards(panel, "Th Jh Qh 2h 3h")
    await page.get_by_role("button", name="Claim", exact=True).click()
    await page.get_by_role("button", name="Supervisor badge or PIN").click()
    await panel.enter_pin(SUE)
    await bench.until(lambda: bench.state.claims[0].state is ClaimState.VALIDATED, "the meter does not agree")
    await page.get_by_role("button", name="Paid $50").click()
    await panel.enter_pin(DAN)
    await expect(panel.page.locator("dialog[open]")).to_have_count(0)
    await panel.says("#paying", "slip 1")
    taps = await page.evaluate("window.taps")
    assert len(taps) <= MOST_TAPS, taps
    assert (bench.state.claims[0].validated_by, bench.state.claims[0].paid_by) == ("Sue", "Dan")
    assert panel.faults == []


async def test_a_supervisors_order_leaves_nobody_signed_in(bench: Bench, panel: Visitor) -> None:
    """The sheet of the order asks for number and PIN; afterwards the next order asks again."""
    page = panel.page
    await page.get_by_role("button", name="Close the table").click()
    await page.get_by_role("button", name="end of day").click()
    await assert_fit(panel)
    await panel.enter_pin(replace(SUE, pin="000000"))
    await panel.says("dialog .said", "number and PIN do not match; wait 1 s")
    assert not bench.state.closing
    await bench.pass_time(1.1)
    await page.get_by_label("PIN", exact=True).focus()
    for digit in SUE.pin:
        await page.locator(".sign-in").get_by_role("button", name=digit, exact=True).click()
    await page.get_by_role("button", name="Confirm", exact=True).click()
    await expect(page.locator("dialog[open]")).to_have_count(0)
    assert bench.state.closing is not None
    assert bench.state.closing.by == "Sue"
    await expect(page.get_by_role("button", name="sign out")).to_have_count(0)


async def test_a_badge_is_read_anywhere_on_the_sheet(bench: Bench, panel: Visitor) -> None:
    """The reader types faster than people do; then the PIN, and nothing of the code stays in a field."""
    page = panel.page
    give_badges(Path(bench.settings.state_dir), {DAN.number: "0012345678"})
    await page.get_by_role("button", name="Sign in", exact=True).first.click()
    await page.evaluate(READ_BADGE, "0012345678")
    await panel.says("dialog .sign-in", "Badge read: type your PIN.")
    await expect(page.get_by_label("Staff number")).to_have_value("")
    for digit in DAN.pin:
        await page.get_by_role("button", name=digit, exact=True).click()
    await page.get_by_role("button", name="OK", exact=True).click()
    await expect(page.get_by_role("button", name="Dan, dealer: sign out")).to_be_visible()


async def test_the_keypad_has_large_keys_and_no_page_lists_names(bench: Bench, panel: Visitor) -> None:
    """At least 44 pixels each way, on a panel's screen; names of the staff are nowhere before somebody signs in."""
    page = panel.page
    await page.get_by_role("button", name="Sign in", exact=True).first.click()
    for key in await page.locator(".pad button").all():
        box = await key.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    shown = await page.content()
    assert all(name not in shown for name in ("Dan", "Sue", "Tim"))
    async with page.expect_response("**/panel/session") as answered:
        await page.reload()
    assert set(await (await answered.value).json()) == {"token", "people", "remote"}
    assert bench.state.closing is None


async def test_a_pin_that_others_set_is_changed_on_the_keypad(chrome: Browser, tmp_path: Path) -> None:
    """The sheet that refuses it asks for another one, twice; then its owner is in, and the sheet is gone."""
    async with FloorBench(tmp_path, free_port()).running() as meter:
        set_by_others(meter.staff, SUE)
        async with window(chrome, f"http://127.0.0.1:{meter.web_server.port}", PANEL) as floor:
            page = floor.page
            await floor.go("/floor")
            await page.get_by_role("button", name="Sign in", exact=True).first.click()
            await floor.enter_pin(SUE)
            await expect(page.get_by_role("heading", name="Choose a PIN of your own")).to_be_visible()
            floor.faults.clear()  # the browser's own word about the refusal
            await assert_fit(floor)
            for first, second, words in (("318207", "318208", "not the same"), ("123456", "123456", "too easy")):
                await page.get_by_label("New PIN", exact=True).fill(first)
                await page.get_by_label("New PIN again").fill(second)
                await page.get_by_role("button", name="Keep this PIN").click()
                await floor.says("dialog .said", words)
            for pin in ("318207", "318207"):
                for digit in pin:
                    await page.get_by_role("button", name=digit, exact=True).click()
                await page.get_by_role("button", name="OK", exact=True).click()
            await expect(page.locator("dialog[open]")).to_have_count(0)
            await expect(page.get_by_role("button", name="Sue, supervisor: sign out")).to_be_visible()
        sue = meter.staff.directory().person(SUE.number)
        assert sue is not None
        assert (sue.secret("318207") is not None, sue.must_change) == (True, False)
