"""Each role at its pages in a real browser, a contested award at two tables, a table that comes back, the keyboard."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from common.auth.roles import Role
from demo.broker import free_port
from games.round.events import ClaimValidated, CloseAsked, HandClaimed, PayoutConfirmed
from tests.support.meter.staff_pins import DAN
from tests.support.table.contested import contested_tables
from tests.support.table.paper_floor import Bench, paper_floor
from tests.support.web.page_checks import page_faults
from tests.support.web.pages import PANEL, Visitor, assert_fit, visitor
from tests.support.web.panel_page import FLOP, give_pins

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    """An open table with a staff, on a port that it keeps when its power was cut."""
    async with paper_floor(tmp_path, panel={"port": free_port()}) as floor:
        give_pins(floor.tables["T1"])
        yield floor.tables["T1"]


async def test_accounting_reads_rounds_and_slips_and_orders_nothing(bench: Bench, panel: Visitor) -> None:
    """Replay, list and paper, each without a serious accessibility finding; every order asks for somebody else."""
    await bench.deal(3)
    await bench.must(HandClaimed(3, ("2h", "3h"), tuple(FLOP)))
    await bench.until(lambda: bench.state.claims[0].amount_cents == 50_00)
    await bench.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))
    await panel.sign_in(Role.ACCOUNTING)
    await panel.page.get_by_role("button", name="Close the table").click()
    await panel.page.get_by_role("button", name="Confirm", exact=True).click()
    await panel.says("dialog .said", "Type your staff number, or read your badge.")
    await panel.page.keyboard.press("Escape")
    await panel.go("/slips")
    await panel.says("#slips", "flush")
    await assert_fit(panel)
    await panel.page.get_by_role("link", name="Slip 1", exact=True).click()
    await panel.says("#paper", "fifty dollars")
    await assert_fit(panel)
    await panel.go("/replay?round=1")
    await panel.says("#events", "Dan: seat 3 paid")
    await panel.page.get_by_label("Seat 3, hand, amount, person").fill("seat 3 flush dan")
    await panel.says("#rounds", "Flush, seat 3")
    assert await page_faults(panel, keyboard=True) == []


async def test_the_technician_tests_nothing_while_a_round_is_open(bench: Bench, panel: Visitor) -> None:
    """Pins live; refused in words while the table is open; on a closed table each light shines once."""
    await panel.sign_in(Role.TECHNICIAN)
    await panel.page.get_by_role("button", name="Test bench").click()
    await panel.says("dialog .pin-lines", "seat 3 acceptor")
    await panel.page.get_by_role("button", name="Test lights").click()
    await panel.says("dialog .said", "self-tests only while the table is closed")
    await bench.must(CloseAsked("Sue", "test"))
    await bench.until(lambda: bench.state.phase.value == "closed")
    await panel.page.get_by_role("button", name="Test sensors").click()
    assert bench.assembly is not None
    test = bench.assembly.web_server.self_test
    await bench.until(lambda: bool(test.running), "the test did not begin")
    while test.running:
        await bench.pass_time(0.1)
    await panel.says("dialog .said", "at rest and quiet")
    panel.faults.clear()  # the refusal's 409, which Chromium notes
    await assert_fit(panel)


async def test_a_test_that_mends_nothing_is_answered(bench: Bench, panel: Visitor) -> None:
    """Tested again with the finger still in the beam, the panel says so with its time; mended, the fault is gone."""
    bench.metal.slots[3].stick()
    await bench.pass_time(3)
    await panel.sign_in(Role.DEALER)
    await panel.says("#next", "Seat 3 is out of order")
    await panel.page.locator("#acts button.main").click()
    await panel.says("#faults", "not mended yet")
    await bench.pass_time(1)
    bench.metal.slots[3].free()
    await bench.pass_time(1)
    async with panel.page.expect_response("**/panel/act/retest"):
        await panel.page.locator("#acts button.main").click()
    await bench.pass_time(1)
    await expect(panel.page.locator("#faults")).to_be_empty()


async def test_a_lost_table_is_said_plainly_and_followed_again(bench: Bench, panel: Visitor) -> None:
    """The page never pretends: what it shows is old; when the table is back it follows, without a reload."""
    await panel.says("#next", "Wagers are open")
    await bench.power_cut()
    await expect(panel.page.locator("#lost")).to_be_visible()
    await panel.says("#lost", "what you see is old")
    await bench.power_on()
    await expect(panel.page.locator("#lost")).to_be_hidden()
    await bench.linked()
    await bench.drop_chip(3)
    await expect(panel.page.get_by_role("button", name="Seat 3: light wager")).to_be_visible()
    await panel.page.reload()
    await panel.sign_in(Role.DEALER)


async def test_the_keyboard_is_enough_for_a_claim(bench: Bench, panel: Visitor) -> None:
    """Sign in, choose a seat and a hand, without a finger on the screen; Escape closes a sheet."""
    await bench.deal(3)
    keys = panel.page.keyboard
    await panel.page.get_by_role("button", name="Sign in", exact=True).focus()
    await keys.press("Enter")
    await panel.page.get_by_label("Staff number").fill(DAN.number)
    await panel.page.get_by_label("PIN", exact=True).fill(DAN.pin)
    await keys.press("Enter")
    await expect(panel.page.get_by_role("button", name="Dan, dealer: sign out")).to_be_visible()
    seat = panel.page.get_by_role("button", name="Seat 3:")
    await seat.focus()
    await keys.press("Enter")
    await expect(panel.page.locator("dialog[open]")).to_be_visible()
    await keys.press("Escape")
    await expect(panel.page.locator("dialog[open]")).to_have_count(0)
    await seat.focus()
    await keys.press("Enter")
    await panel.page.get_by_role("button", name="Claim a win").press("Enter")
    await panel.page.get_by_role("button", name="By hand type").press("Enter")
    await panel.page.get_by_role("button", name="three of a kind").press("Enter")
    await panel.says("#reason", "Seat 3, Three of a kind, $3.")


async def test_28_11_i_a_contested_award_as_both_tables_see_it(chrome: Browser, tmp_path: Path) -> None:
    """Do not pay, keep the cards; who else claims, on both screens; nothing to validate, and the clause once."""
    async with contested_tables(tmp_path) as tables, AsyncExitStack() as stack:
        for bench in tables:
            panel = await stack.enter_async_context(visitor(chrome, bench, PANEL))
            await panel.go("/panel")
            await panel.says("#next", "Wait: do not pay")
            await panel.says("#faults", "table T1 seat 3: straight flush")
            await panel.says("#faults", "table T2 seat 3: straight flush")
            await assert_fit(panel)
        first = await stack.enter_async_context(visitor(chrome, tables[0], PANEL))
        await first.go("/panel")
        await first.sign_in(Role.SUPERVISOR)
        await first.says("#reason", "percentages are claimed at several tables: management decides")
        await expect(first.page.get_by_role("button", name="Validate seat 3")).to_have_count(0)
        assert await tables[0].tell(ClaimValidated(3, "Sue")) is not None
        await first.says("#refusal", "do not validate yet")
