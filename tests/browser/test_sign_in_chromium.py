"""The players' sign in a real browser: what it rolls to, what it celebrates, and that nothing is cut off."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.async_api import Browser, ViewportSize, expect

from drivers.mqtt.client import Message
from games.round.events import ClaimValidated, HandClaimed, PayoutConfirmed
from link.messages import PendingAward, State, encode
from link.topics import state_topic
from tests.support.table.paper_floor import LINK, Bench
from tests.support.web.pages import PHONE, SMALL_SIGN, WALL, Visitor, assert_fit, visitor
from tests.support.web.panel_page import FLOP
from tests.support.web.sign_screens import TABLES, THEMES, preview, sign_faults, sign_table

OPENING = datetime(2026, 11, 18, 12, tzinfo=UTC)
MOST_CENTS = 10**12
REELS = """() => [...document.querySelectorAll(".table .window")]
    .map((reel) => [...reel.children].map((one) => one.textContent))"""
"""What each reel holds: a digit, or while it rolls the old one and the new one."""
HALF_WAY = "() => { for (const each of document.getAnimations()) { each.pause(); each.currentTime = 300; } }"
TO_THE_END = "() => { for (const each of document.getAnimations()) each.finish(); }"
ROOM = """() => {
    const parts = [...document.querySelectorAll(".table .odometer > *")].map((part) => part.getBoundingClientRect());
    const stage = document.querySelector(".stage").getBoundingClientRect();
    const pays = document.querySelector(".pays").getBoundingClientRect();
    const left = Math.min(...parts.map((part) => part.left)), right = Math.max(...parts.map((part) => part.right));
    const bottom = Math.max(...parts.map((part) => part.bottom));
    return [left - stage.left, stage.right - right, pays.top - bottom].map(Math.round);
}"""
"""How much room the amount leaves at the left, at the right, and above the pays."""


class Told:
    """A meter whose every word is the test's."""

    def __init__(self, bench: Bench) -> None:
        bench.floor.broker.deaf_to = {"state"}
        assert bench.assembly is not None
        self._client = bench.assembly.client
        assert self._client.state is not None
        self._state: State = self._client.state

    def say(self, amount_cents: int, *pending: PendingAward) -> None:
        """The meter's next state."""
        number = self._state.number + 1
        self._state = replace(self._state, number=number, amount_cents=amount_cents, pending=pending)
        self._client.heard(Message(state_topic(LINK), encode(self._state)))


async def says_truly(sign: Visitor, words: str) -> None:
    """The amount as it is read out, which is true at once."""
    await expect(sign.page.locator(".table .odometer")).to_have_attribute("aria-label", words)


async def test_r32_a_win_in_the_middle_of_a_roll_ends_it_on_the_true_amounts(bench: Bench, chrome: Browser) -> None:
    """Half way to $10,500 somebody wins them: the sign says the winning value and the new amount, and rolls no more."""
    async with visitor(chrome, bench, WALL, moves=True) as sign:
        await sign.go("/sign")
        await sign.says(".odometer", "$10,000.00")
        meter = Told(bench)
        meter.say(10_500_00)
        await says_truly(sign, "$10,500.00")
        await sign.page.evaluate(HALF_WAY)
        assert (await sign.page.evaluate(REELS))[2] == ["0", "5"]
        meter.say(5_000_00, PendingAward("T2", 3, "royal_flush", 10_500_00))
        await says_truly(sign, "$5,000.00")
        await expect(sign.page.locator(".table .odometer")).to_have_text("$5,000.00")
        await sign.says(".news", "Award being verified at table T2: Royal flush $10,500.00")
        assert await sign.page.evaluate("document.getAnimations().length") == 0


async def test_r32_a_roll_lands_on_the_amount_to_the_cent(bench: Bench, chrome: Browser) -> None:
    """Only digits that change roll, from the old to the newest one, whatever came while they rolled."""
    async with visitor(chrome, bench, WALL, moves=True) as sign:
        await sign.go("/sign")
        await sign.says(".odometer", "$10,000.00")
        meter, before = Told(bench), "1000000"
        for amount in (10_000_77, 10_003_31, 10_019_99):
            meter.say(amount)
            await says_truly(sign, f"${amount / 100:,.2f}")
            await sign.page.evaluate(HALF_WAY)
            for reel, old, new in zip(await sign.page.evaluate(REELS), before, str(amount), strict=True):
                assert reel[0] == old
                assert reel[1:] in ([], [new])
        assert await sign.page.locator(".table .reel .next").count() == 4
        await sign.page.evaluate(TO_THE_END)
        await expect(sign.page.locator(".table .odometer")).to_have_text("$10,019.99")
        assert await sign.page.locator(".table .reel .next").count() == 0


@pytest.mark.parametrize("size", [WALL, SMALL_SIGN, PHONE], ids=["wall", "small", "phone"])
async def test_r34_the_longest_amount_is_shown_whole(bench: Bench, chrome: Browser, size: ViewportSize) -> None:
    """No digit is cut off, hidden behind the pay table or broken into two lines, up to the most that a meter holds."""
    async with visitor(chrome, bench, size) as sign:
        await sign.go("/sign")
        await sign.says(".odometer", "$10,000.00")
        meter = Told(bench)
        for cents in (9_999_999_99, 10_000_000_00, 9_999_999_999_99, MOST_CENTS):
            meter.say(cents)
            await expect(sign.page.locator(".table .odometer")).to_have_text(f"${cents // 100:,}.{cents % 100:02}")
            assert min(await sign.page.evaluate(ROOM)) >= 0, cents
            assert await sign_faults(sign.page) == []
        await sign.page.set_viewport_size(SMALL_SIGN)
        await expect(sign.page.locator(".sign")).to_have_attribute("data-size", "small")
        assert min(await sign.page.evaluate(ROOM)) >= 0, "a turned or resized screen"
        assert sign.faults == []


async def test_an_award_is_verified_then_celebrated_until_it_is_paid(bench: Bench, chrome: Browser) -> None:
    """The pay table gives way to a band; validated, it fills the screen until ten seconds after it was paid."""
    await bench.deal(3)
    async with visitor(chrome, bench, WALL) as sign:
        await sign.page.clock.install(time=OPENING)
        await sign.go("/sign")
        await sign.says(".odometer", "$10,000.70")
        await bench.must(HandClaimed(3, ("Ah", "Kh"), tuple(FLOP)))
        await sign.says(".band", "Award being verified")
        await sign.says(".band", "Seat 3 · Royal flush · $10,000.70")
        await expect(sign.page.locator(".pays")).to_be_hidden()
        await expect(sign.page.locator(".band .playing-card")).to_have_count(5)
        await bench.must(ClaimValidated(3, "Sue"))
        await sign.says(".won", "Jackpot won")
        await expect(sign.page.locator(".won .odometer")).to_have_text("$10,000.70")
        await expect(sign.page.locator(".table")).to_be_hidden()
        await sign.page.clock.run_for(60_000)
        await expect(sign.page.locator(".won .paid")).to_have_count(0)
        await bench.must(PayoutConfirmed(3, "Dan"))
        await sign.says(".won .paid", "Paid")
        await sign.says(".won", "The jackpot starts again at $5,000.00")
        await bench.press_end_of_round()
        await bench.settle()
        await expect(sign.page.locator(".won")).to_be_visible()
        await sign.page.clock.run_for(11_000)
        await expect(sign.page.locator(".table")).to_be_visible()
        await expect(sign.page.locator(".table .odometer")).to_have_text("$5,000.00")
        assert sign.faults == []


async def test_a_sign_that_loses_its_table_shows_no_old_amount_and_comes_back(bench: Bench, chrome: Browser) -> None:
    """While the table is away the sign sends people to the dealer; then it shows the true amount again."""
    async with visitor(chrome, bench, WALL) as sign:
        await sign.go("/sign")
        await sign.says(".odometer", "$10,000.00")
        await sign.page.context.set_offline(True)
        assert bench.assembly is not None
        bench.assembly.web_server.feed.end()
        await sign.says(".full", "Please ask the dealer")
        await expect(sign.page.locator(".table")).to_be_hidden()
        bench.assembly.web_server.feed.is_over = False
        await sign.page.context.set_offline(False)
        await expect(sign.page.locator(".table .odometer")).to_have_text("$10,000.00")


@pytest.mark.parametrize("name", TABLES)
async def test_no_game_is_cut_off(tmp_path: Path, chrome: Browser, name: str) -> None:
    """Every game with every wager, on the wall, upright and at a seat; ./dev screens looks at all the others."""
    async with sign_table(tmp_path, name) as bench:
        for size, state in (("1920x1080", "open"), ("1080x1920", "news"), ("480x320", "open"), ("480x320", "most")):
            async with preview(chrome, bench, size, state=state) as sign:
                assert await sign_faults(sign.page) == [], (size, state)
                assert sign.faults == []


@pytest.mark.parametrize("theme", THEMES)
async def test_axe_finds_nothing_serious_in_any_theme(tmp_path: Path, chrome: Browser, theme: str) -> None:
    """Contrast, names and structure of the idle sign, the celebration and the notices."""
    async with sign_table(tmp_path, "texas-holdem-bonus") as bench:
        for state in ("open", "verifying", "paid", "closed"):
            async with preview(chrome, bench, "1920x1080", theme=theme, state=state) as sign:
                await assert_fit(sign)


async def test_the_themes_page_shows_every_state_of_every_theme(bench: Bench, chrome: Browser) -> None:
    """One picture each; a house sees its own theme before players do."""
    async with visitor(chrome, bench, WALL) as guest:
        await guest.go("/themes")
        for theme in THEMES:
            await expect(guest.page.locator(f'.sign[data-theme="{theme}"][data-state]')).to_have_count(8)
        assert guest.faults == []
