"""Wagers of the layout and irregularities on the real panel: laid by a tap, won by name, void, refunded, withdrawn."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from common.auth.roles import Role
from games.round.events import HandClaimed
from games.round.state import SideWagers
from tests.support.meter.staff_pins import SUE, Login
from tests.support.table.paper_floor import Bench, paper_floor
from tests.support.web.pages import Visitor, visitor
from tests.support.web.panel_page import FLOP, enter_cards, give_pins

pytestmark = pytest.mark.timeout(300)


@asynccontextmanager
async def dealt_by_dan(chrome: Browser, folder: Path, **table: Any) -> AsyncIterator[tuple[Bench, Visitor]]:
    """An open table of this game and its screen, with the dealer signed in."""
    async with paper_floor(folder, table=table) as floor:
        bench = floor.tables["T1"]
        give_pins(bench)
        async with visitor(chrome, bench) as panel:
            await panel.go("/panel")
            await panel.sign_in(Role.DEALER)
            yield bench, panel


async def tap(panel: Visitor, seat: int, *words: str) -> None:
    """A tap on the seat, then on what stands in its sheets."""
    await panel.page.get_by_role("button", name=f"Seat {seat}:").click()
    for name in words:
        await panel.page.locator("dialog[open]").get_by_role("button", name=name).click()


async def confirm(panel: Visitor, name: str) -> None:
    """An order of the table, and its one confirm."""
    await panel.page.get_by_role("button", name=name).click()
    await panel.page.get_by_role("button", name="Confirm", exact=True).click()
    await expect(panel.page.locator("dialog[open]")).to_have_count(0)


async def signed(panel: Visitor, words: str, login: Login) -> None:
    """An offer is tapped and signed with number and PIN."""
    await panel.page.get_by_role("button", name=words).click()
    await panel.enter_pin(login)


async def test_20_a_side_wager_is_laid_by_a_tap_and_paid_at_once(chrome: Browser, tmp_path: Path) -> None:
    """Six card bonus and pair plus at one seat; the bonus wins by name, and next round all lies there by one tap."""
    house = {"game": "three-card-poker", "pay_table": "A", "wagers": ["six_card_bonus"]}
    async with dealt_by_dan(chrome, tmp_path, **house) as (bench, panel):
        await panel.page.get_by_role("button", name="Seat 3:").click()
        await expect(panel.page.get_by_role("button", name="Six card bonus wager")).to_contain_text("needs pair plus")
        await panel.page.get_by_role("button", name="Pair plus wager").click()
        await panel.page.get_by_role("button", name="$10", exact=True).click()
        await tap(panel, 3, "Six card bonus wager", "$5")
        await panel.says("#seats", "PP SCB")
        await bench.deal(5)
        await tap(panel, 3, "Six card bonus wins")
        await panel.says("dialog", "200 to 1")
        await panel.says("dialog", "paid at once")
        await panel.page.locator("dialog[open]").get_by_role("button", name="straight flush").click()
        await panel.says("#paying", "six card bonus: straight flush")
        await panel.says("#paying", "$1,000")
        assert [(claim.wager, claim.amount_cents, claim.paid_by) for claim in bench.state.claims] == [
            ("six_card_bonus", 1_000_00, "Dan")
        ]
        await bench.press_end_of_round()
        await panel.says("#next", "Wagers are open")
        await expect(panel.page.locator("#acts button.main")).to_have_text("Side wagers as before")
        await panel.page.locator("#acts button.main").click()
        await panel.says("#seats", "PP SCB")
        assert bench.state.side == {3: SideWagers({"pair_plus": 10_00, "six_card_bonus": 5_00})}
        await tap(panel, 3, "Take back: six card bonus", "Confirm")
        await expect(panel.page.locator("#seats")).not_to_contain_text("SCB")
        assert panel.faults == []


async def test_11_a_bonus_of_five_dollars_carries_envy(chrome: Browser, tmp_path: Path) -> None:
    """Insurance is paid by name; the hand that seat 5 envies is shown, validated by a supervisor and paid."""
    house = {"game": "pai-gow-poker", "pay_table": "base", "stake_cents": 100, "wagers": ["bonus", "insurance"]}
    async with dealt_by_dan(chrome, tmp_path, **house) as (bench, panel):
        await tap(panel, 5, "Bonus wager", "$5")
        await tap(panel, 2, "Insurance wager", "$10")
        await bench.deal(2, 5)
        await tap(panel, 2, "Insurance wins", "queen high")
        await panel.says("#paying", "insurance: queen high")
        await tap(panel, 3, "Show a hand that others envy")
        await enter_cards(panel, "8s 8h 8d 8c 2h 5d Kc")
        await panel.page.get_by_role("button", name="Show", exact=True).click()
        await panel.says("#reason", "Seat 3: Four of a kind. Others win by this hand.")
        await panel.page.locator("#acts button.main").click()
        await panel.enter_pin(SUE)
        await panel.says("#next", "Pay seat 5: $5")
        await confirm(panel, "Paid $5 seat 5")
        await panel.says("#next", "End the round")
        assert [(envy.seat, envy.holder, envy.paid_by) for envy in bench.state.envy] == [(5, 3, "Dan")]
        assert panel.faults == []


async def test_11_13_the_drawn_number_pays_its_wager(chrome: Browser, tmp_path: Path) -> None:
    """Laid on a number, drawn by the generator, paid from the rack."""
    house = {"game": "pai-gow-poker", "pay_table": "base", "stake_cents": 100, "wagers": ["number"]}
    async with dealt_by_dan(chrome, tmp_path, **house) as (bench, panel):
        await tap(panel, 4, "Number wager")
        await panel.page.get_by_label("Number, 1 to 7").fill("6")
        await panel.page.get_by_label("Amount").fill("10")
        await panel.page.get_by_role("button", name="Confirm", exact=True).click()
        await panel.says("#seats", "N")
        assert bench.assembly is not None
        bench.assembly.performer.draw_number = lambda: 6
        await bench.deal(4)
        await panel.says("#next", "Pay seat 4: $55")
        await confirm(panel, "Paid $55 seat 4")
        assert [(claim.wager, claim.amount_cents, claim.paid_by) for claim in bench.state.claims] == [
            ("number", 55_00, "Dan")
        ]


async def test_an_irregularity_is_noted_refunded_or_withdrawn(bench: Bench, panel: Visitor) -> None:
    """What the rules void comes from them; a supervisor takes back what was none, and the rest is refunded."""
    await bench.deal(3, 5)
    sheet = panel.page.locator("dialog[open]")
    await panel.page.get_by_role("button", name="Irregularity").click()
    await panel.says("dialog", "What happened?")
    await sheet.get_by_role("button", name="misdeal the round is void").click()
    await panel.enter_pin(SUE)
    await panel.says("#next", "Irregularity: misdeal")
    await panel.says("#reason", "Hands are void. All wagers are refunded. Now: Refund seats 3, 5")
    await signed(panel, "Correct…", SUE)
    await panel.says("#next", "deal the hand")
    assert (bench.state.refunds_due, bench.state.voided) == ({}, ())
    await panel.page.get_by_role("button", name="Irregularity").click()
    await sheet.get_by_role("button", name="misdeal at seats").click()
    await sheet.get_by_role("button", name="Seat 5").click()
    await panel.enter_pin(SUE)
    await panel.says("#reason", "Hands of seats 5 are void.")
    await signed(panel, "Refunded at seat 5", SUE)
    await panel.says("#next", "Irregularity: misdeal at seats")
    await panel.says("#reason", "Now: Counted: deal the hand")
    assert (bench.state.refunded, bench.state.voided) == ({5: ("progressive",)}, (5,))
    assert panel.faults == []


async def test_the_seat_sheet_asks_of_one_seat_alone(bench: Bench, panel: Visitor) -> None:
    """The sheet stays good while the table shows something new of another seat."""
    await bench.deal(3, 5)
    await panel.sign_in(Role.DEALER)
    await bench.must(HandClaimed(3, ("2h", "3h"), tuple(FLOP)))
    await panel.page.get_by_role("button", name="Seat 5:").click()
    nothing = panel.page.locator("dialog[open]").get_by_role("button", name="Seat 5 wins nothing from the meter")
    await expect(nothing).to_be_visible()
    await bench.turn_key(on=False)
    await bench.settle()
    await nothing.click()
    await panel.says("#next", "Call a supervisor")


async def test_11_10_a_bank_is_offered_taken_and_settled_on_the_panel(chrome: Browser, tmp_path: Path) -> None:
    """One seat passes, the next is too poor, then takes it; number, house way, vigorish and centre follow."""
    choices = {"player_bank": "bank", "start": "generator"}
    house = {"game": "pai-gow-poker", "pay_table": "base", "options": choices}
    async with dealt_by_dan(chrome, tmp_path, **house) as (bench, panel):
        await bench.deal()
        await bench.press_end_of_round()
        await panel.says("#next", "Offer the bank to seat 6")
        await panel.page.get_by_role("button", name="Seat 6 passes").click()
        await panel.page.get_by_role("button", name="Seat 5 banks…").click()
        for label, amount in {
            "Chips of the bank": "100",
            "All other": "200",
            "Last wager": "25",
            "dealer's": "25",
        }.items():
            await panel.page.get_by_label(label).fill(amount)
        await panel.page.get_by_role("button", name="Confirm", exact=True).click()
        await panel.says("dialog .said", "seat 5 has $100 on the table; the other wagers are $200 (11.10(d)2)")
        await panel.page.get_by_label("Chips of the bank").fill("500")
        await panel.page.get_by_role("button", name="Confirm", exact=True).click()
        await panel.says("#deal", "Seat 5 banks; the dealer wagers $25 against it")
        await bench.deal(2)
        await panel.says("#deal", "First cards to ")
        await panel.page.get_by_role("button", name="House way of the dealer's hand").click()
        await enter_cards(panel, "As Kd Qh 9c 7d 4s 2c")
        await panel.page.get_by_role("button", name="Set", exact=True).click()
        await panel.says("#deal", "low Kd Qh (high card)")
        await tap(panel, 3, "Pai gow wager wins")
        await panel.page.get_by_label("Amount").fill("33")
        await panel.page.get_by_role("button", name="Confirm", exact=True).click()
        await panel.says("#deal", "Seat 3: pay $33, collect $1.65 vigorish")
        await panel.page.get_by_role("button", name="Settle the centre").click()
        await panel.page.get_by_label("Lost wagers").fill("125")
        await panel.page.get_by_label("Wagers to be paid").fill("40")
        await panel.page.get_by_role("button", name="Confirm", exact=True).click()
        await panel.says("#deal", "Centre: $4.25 vigorish, $80.75 to the bank")
        assert [fault for fault in panel.faults if "409" not in fault] == []  # the refused bank is one
