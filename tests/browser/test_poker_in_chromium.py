"""The poker room's page in a browser: who opens, who wins which part of which pot, and the deck's clocks."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Page, expect

from cli.calculators.showdown import answer
from poker_room.page import PokerPage, PortTaken


@pytest.fixture
async def page(chrome: Browser) -> AsyncIterator[Page]:
    async with PokerPage(answer, 0) as served:
        context = await chrome.new_context(viewport={"width": 1280, "height": 900})
        page = await context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        await page.goto(served.url)
        yield page
        await context.close()
        assert errors == []


async def hand(page: Page, game: str, cards: dict[int, tuple[str, str]]) -> None:
    """A hand as its dealer enters it: cards and dollars by seat."""
    await page.get_by_label("Game").select_option(game)
    for seat, (own, paid) in cards.items():
        await page.get_by_label(f"Cards of seat {seat}", exact=True).fill(own)
        await page.get_by_label(f"Paid in by seat {seat}", exact=True).fill(paid)


async def test_14_11_f_2_pots_are_divided_and_the_odd_dollar_named(page: Page) -> None:
    """Side pot, high and low halves, the odd half dollar, what nobody called, and the kill, each with its clause."""
    holdings = {2: ("As 2s Kd Kh", "20.50"), 5: ("Ad 3c Qd Qh", "60.50"), 6: ("9s 9h 10d 10h", "90"), 8: ("", "10")}
    await hand(page, "omaha-eight-or-better", holdings)
    await page.get_by_label("Seat 8 folded").check()
    await page.get_by_label("Community cards").fill("4d 5h 8c 9c Kc")
    await page.get_by_label("Kill", exact=True).select_option("half_kill")
    await page.get_by_label("Button at seat", exact=True).fill("6")
    await page.get_by_role("button", name="Show down").click()
    said = page.get_by_label("Answer")
    await expect(said).to_contain_text("Seat 2 takes $36 of pot 1, high: three of a kind")
    await expect(said).to_contain_text("an excess of $0.50 goes with")
    await expect(said).to_contain_text("14.11(f)2")
    await expect(said).to_contain_text("$29.50 goes back to seat 6")
    await expect(said).to_contain_text("seat 2 $71.50, seat 5 $40, seat 6 $40")
    await expect(said).to_contain_text("Kill button: collect")


async def test_14_9_d_14_10_d_the_page_says_who_opens(page: Page) -> None:
    """The lowest up-card at stud, the first left of the blind where a button lies; mambo stud has its opening only."""
    await page.get_by_label("Game").select_option("seven-card-stud-high")
    for seat, card in {1: "Kd", 4: "2c", 7: "2d"}.items():
        await page.get_by_label(f"Up-cards of seat {seat}", exact=True).fill(card)
    await page.get_by_role("button", name="Who opens").click()
    await expect(page.get_by_label("Answer")).to_contain_text("Seat 4: forced bet")
    await hand(page, "holdem", {2: ("As Ad", "2"), 5: ("Ks Kd", "2"), 9: ("Qs Qd", "2")})
    await page.get_by_label("Button at seat 2", exact=True).check()
    await page.get_by_role("button", name="Who opens").click()
    await expect(page.get_by_label("Answer")).to_contain_text("Seat 9 acts first after the blind of seat 5")
    await page.get_by_label("Game").select_option("mambo-stud")
    await expect(page.get_by_role("button", name="Show down")).to_be_hidden()


async def test_what_cannot_lie_there_is_named_at_its_seat(page: Page) -> None:
    """A card twice, too few players, a card that is none: the page says which seat, and shows no winner."""
    await hand(page, "holdem", {2: ("As Ad", "5"), 5: ("As Kd", "5")})
    await page.get_by_label("Community cards").fill("4d 5h 8c 9c Kc")
    await page.get_by_role("button", name="Show down").click()
    await expect(page.get_by_label("Answer")).to_have_text("Seat 5: As lies there 2 times, but there is only one deck")
    await page.get_by_label("Cards of seat 5", exact=True).fill("1x Kd")
    await page.get_by_role("button", name="Show down").click()
    await expect(page.get_by_label("Answer")).to_contain_text("Seat 5: ")


async def test_14_2_b_the_deck_is_due_after_two_and_four_hours(page: Page) -> None:
    """The clocks outlive a reload, and a deck that is due is told as such."""
    await page.get_by_role("button", name="Deck sorted now").click()
    await page.get_by_role("button", name="Decks changed now").click()
    await expect(page.locator("#deck")).to_have_text("sort the deck in 120 min · change the decks in 240 min")
    await page.evaluate("localStorage.setItem('sorted', String(Date.now() - 121 * 60_000))")
    await page.reload()
    await expect(page.locator("#deck")).to_contain_text("Now: ")


async def test_a_port_that_is_taken_is_named() -> None:
    """With what to do."""
    async with PokerPage(answer, 0) as served:
        port = int(served.url.rsplit(":", 1)[1].strip("/"))
        with pytest.raises(PortTaken, match=f"port {port} is taken; choose another with --port"):
            async with PokerPage(answer, port):
                pass
