"""The players' sign in a real browser: what it rolls to, and amounts that are too long for it."""

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace
from playwright.async_api import Browser, ViewportSize, expect

from drivers.mqtt.client import Message
from link.messages import PendingAward, State, encode
from link.topics import state_topic
from tests.support.pages import PHONE, SMALL_SIGN, WALL, Visitor, visitor
from tests.support.paper_floor import LINK, Bench

OPENING = datetime(2026, 11, 18, 12, tzinfo=UTC)
ROLL_MS = 2_500
MOST_CENTS = 10**12
ROOM = """() => {
    const amount = document.getElementById("amount"), range = document.createRange();
    range.selectNodeContents(amount);
    const drawn = range.getBoundingClientRect(), column = amount.parentElement.getBoundingClientRect();
    return [range.getClientRects().length, drawn.left - column.left, column.right - drawn.right].map(Math.round);
}"""
"""In how many lines the amount is drawn, and how much of its column is left on either side."""


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


async def stand_still(sign: Visitor) -> None:
    """Shows the sign, whose time then goes on only when the test says so: a busy machine would roll on by itself."""
    await sign.page.clock.install(time=OPENING)
    await sign.go("/sign")
    await sign.says("#amount", "$10,000.00")
    await sign.page.clock.pause_at(OPENING + timedelta(hours=1))


async def test_r32_a_win_in_the_middle_of_a_roll_ends_it_on_the_true_amounts(bench: Bench, chrome: Browser) -> None:
    """Half way to $10,500 somebody wins them: the sign says the winning value and the new amount, and rolls no more."""
    async with visitor(chrome, bench, WALL, moves=True) as sign:
        await stand_still(sign)
        meter = Told(bench)
        meter.say(10_500_00)
        await expect(sign.page.locator("#amount")).to_have_attribute("aria-label", "$10,500.00")
        await sign.page.clock.run_for(ROLL_MS // 2)
        half_way = await shown_cents(sign)
        assert 10_100_00 < half_way < 10_400_00
        meter.say(5_000_00, PendingAward("T2", 3, "royal_flush", 10_500_00))
        await sign.says("#amount", "$5,000.00")
        await sign.says("#news", "Award pending at table T2: royal flush $10,500")
        await sign.page.clock.run_for(2 * ROLL_MS)
        assert await shown_cents(sign) == 5_000_00


async def test_r32_a_roll_lands_on_the_amount_to_the_cent(bench: Bench, chrome: Browser) -> None:
    """It never shows more than there is, and in the end exactly that, whatever came while it rolled."""
    async with visitor(chrome, bench, WALL, moves=True) as sign:
        await stand_still(sign)
        meter, seen = Told(bench), [10_000_00]
        for amount in (10_000_77, 10_003_31, 10_019_99):
            meter.say(amount)
            await expect(sign.page.locator("#amount")).to_have_attribute("aria-label", f"${amount / 100:,.2f}")
            await sign.page.clock.run_for(ROLL_MS // 3)
            seen.append(await shown_cents(sign))
            assert seen[-2] <= seen[-1] <= amount
        await sign.page.clock.run_for(2 * ROLL_MS)
        assert await shown_cents(sign) == 10_019_99


@pytest.mark.parametrize("size", [WALL, SMALL_SIGN, PHONE], ids=["wall", "small", "phone"])
async def test_r34_the_longest_amount_is_shown_whole(bench: Bench, chrome: Browser, size: ViewportSize) -> None:
    """No digit is cut off, hidden behind the pay table or broken into two lines, up to the most that a meter holds."""
    async with visitor(chrome, bench, size) as sign:
        await sign.go("/sign")
        meter = Told(bench)
        for cents in (9_999_999_99, 10_000_000_00, 9_999_999_999_99, MOST_CENTS):
            meter.say(cents)
            await expect(sign.page.locator("#amount")).to_have_text(f"${cents // 100:,}.{cents % 100:02}")
            lines, *room = await sign.page.evaluate(ROOM)
            assert lines == 1
            assert min(room) >= 0, f"{cents}: {room}"
        await sign.page.set_viewport_size(SMALL_SIGN)
        assert min((await sign.page.evaluate(ROOM))[1:]) >= 0, "a turned or resized screen"
        meter.say(5_000_00)
        await expect(sign.page.locator("#amount")).to_have_text("$5,000.00")
        assert await sign.page.evaluate("document.getElementById('amount').style.fontSize") == "", "as large as before"
        assert sign.faults == []


async def shown_cents(sign: Visitor) -> int:
    """The figure on the sign at this moment."""
    text = await sign.page.locator("#amount").inner_text()
    return int("".join(digit for digit in text if digit.isdigit()))
