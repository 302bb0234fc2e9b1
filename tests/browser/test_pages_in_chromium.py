"""The pages in a real browser: a whole round with a win, a mismatch, two panels, wrong PINs, and how they fit."""

import pytest
from msgspec.structs import replace
from playwright.async_api import Browser, ViewportSize, expect

from common.auth.roles import Role
from games.round.state import ClaimState
from tests.support.meter.staff_pins import DAN, SUE
from tests.support.table.paper_floor import Bench
from tests.support.web.pages import PANEL, PHONE, SMALL_SIGN, WALL, Visitor, assert_fit, visitor
from tests.support.web.panel_page import enter_cards

pytestmark = pytest.mark.timeout(300)


async def claim_a_flush(panel: Visitor, seat: int = 3) -> None:
    """The dealer taps the cards; the evaluator names the hand."""
    page = panel.page
    await page.get_by_role("button", name=f"Seat {seat}:").click()
    await page.get_by_role("button", name="Claim a win").click()
    await expect(page.get_by_role("button", name="Claim", exact=True)).to_have_css("border-style", "dashed")
    await enter_cards(panel, "Th Jh Qh 2h")
    await page.locator('[data-rank="2"]').click()
    await expect(page.get_by_role("button", name="2 of hearts: entered already")).to_have_css("border-style", "dashed")
    await page.locator('[data-rank="3"]').click()
    await expect(page.locator('[data-suit="h"]')).to_have_css("color", "rgb(196, 18, 47)")
    await page.locator('[data-suit="h"]').click()
    await panel.says("dialog .verdict", "flush: $50 from the rack")
    await page.get_by_role("button", name="Claim", exact=True).click()


async def test_a_whole_round_with_a_win(bench: Bench, panel: Visitor) -> None:
    """Chip, lock-out, claim by cards, the seat before it asked, two taps of the supervisor, payment; step by step."""
    await panel.says("#next", "Wagers are open")
    await bench.drop_chip(3)
    await expect(panel.page.get_by_role("button", name="Seat 3: light wager")).to_be_visible()
    await bench.deal(5)
    await panel.says("#next", "Counted: deal the hand")
    await panel.says("#count", "2 chips = 2 lights")
    await panel.sign_in(Role.DEALER)
    await claim_a_flush(panel)
    await panel.says("#next", "Seat 5: any win?")
    await panel.says("#reason", "Flush or better is paid before seat 3.")
    await expect(panel.page.locator("#acts button.main")).to_have_text("No win at seat 5")
    await panel.page.locator("#acts button.main").click()
    await panel.says("#next", "Call a supervisor")
    await panel.says("#reason", "Seat 3, Flush, $50. Do not pay yet.")
    await panel.page.locator("#acts button.main").click()
    await panel.says("dialog .evidence", "lit")
    await panel.enter_pin(SUE)
    await bench.until(lambda: bench.state.claims[0].state is ClaimState.VALIDATED, "the meter does not agree")
    await panel.says("#next", "Pay seat 3: $50")
    await expect(panel.page.get_by_role("button", name="Sue, supervisor: sign out")).to_have_count(0)
    await panel.page.get_by_role("button", name="Paid $50").click()
    await panel.enter_pin(DAN)
    await expect(panel.page.locator("dialog[open]")).to_have_count(0)
    await panel.says("#paying", "slip 1")
    assert (bench.state.claims[0].validated_by, bench.state.claims[0].paid_by) == ("Sue", "Dan")
    await bench.press_end_of_round()
    await panel.says("#next", "Wagers are open")
    assert panel.faults == []


async def test_a_mismatch_is_explained_by_the_supervisor(bench: Bench, panel: Visitor) -> None:
    """Chips and lights differ: the page says so, and only a supervisor goes on."""
    await bench.drop_chip(3)
    await bench.drop_chip(5)
    await bench.settle()
    bench.hopper.load(1)
    await bench.press_lock_out()
    await panel.says("#next", "3 chips, 2 lights: stop")
    await panel.says("#count", "3 chips ≠ 2 lights")
    await panel.page.get_by_role("button", name="Explain…").click()
    await panel.page.get_by_role("button", name="chip from the last round").click()
    await panel.enter_pin(SUE)
    await panel.says("#next", "deal the hand")
    assert bench.state.explanation == "Sue: chip from the last round"


async def test_wrong_pins_wait(panel: Visitor) -> None:
    """A plain answer, and no way in."""
    await panel.page.get_by_role("button", name="Sign in", exact=True).first.click()
    await panel.enter_pin(replace(SUE, pin="000000"))
    await panel.says("dialog .said", "number and PIN do not match; wait 1 s")
    await expect(panel.page.get_by_role("button", name="Sue, supervisor: sign out")).to_have_count(0)


async def test_two_panels_show_the_same_and_a_stale_sheet_orders_nothing(
    bench: Bench, chrome: Browser, panel: Visitor
) -> None:
    """While one types, the other acts: the open sheet says that the table has moved on."""
    await panel.sign_in(Role.DEALER)
    await bench.deal(3)
    await panel.page.get_by_role("button", name="Seat 3:").click()
    await panel.page.get_by_role("button", name="Player folds").click()
    await bench.press_end_of_round()
    await panel.says("dialog .said", "The table has moved on")
    await expect(panel.page.locator("dialog button.order")).to_be_disabled()
    async with visitor(chrome, bench, PHONE) as phone:
        await phone.go("/panel")
        await phone.says("#next", "Wagers are open")


@pytest.mark.parametrize(
    ("path", "size"),
    [
        ("/panel", PANEL),
        ("/panel", PHONE),
        ("/sign", WALL),
        ("/sign", SMALL_SIGN),
        ("/sign", PHONE),
        ("/replay", PANEL),
    ],
)
async def test_pages_fit_their_screens_and_axe_finds_nothing_serious(
    bench: Bench, chrome: Browser, path: str, size: ViewportSize
) -> None:
    """No sideways scrolling, no serious accessibility finding."""
    async with visitor(chrome, bench, size) as guest:
        if path == "/replay":
            await guest.go("/panel")
            await guest.sign_in(Role.SUPERVISOR)
        await guest.go(path)
        await expect(guest.page.locator("h1").first).not_to_be_empty()
        await assert_fit(guest)


async def test_the_sign_lands_on_the_true_amount(bench: Bench, chrome: Browser) -> None:
    """Meter, pay table and legend; after a round the new amount to the cent (R4)."""
    async with visitor(chrome, bench, WALL) as sign:
        await sign.go("/sign")
        await sign.says(".odometer", "$10,000.00")
        await sign.says(".pays", "Royal flush")
        await sign.says(".pays", "10 % = $1,000.00")
        await sign.says(".legend", "Steady: wager accepted")
        await bench.deal(1, 2, 3)
        await sign.says(".odometer", "$10,002.11")
        await sign.says(".pays", "10 % = $1,000.22")
