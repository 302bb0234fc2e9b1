"""The floor in a real browser: a contested award by two persons, alarms, a lost meter, wrong PINs, any screen."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.async_api import Browser, ViewportSize, expect

from common.auth.lockout import OWN_SCREEN
from common.auth.roles import Role
from demo.broker import free_port
from link.messages import VERSION, Award, Envelope, Wagers
from meter.ledger.decisions import AnyDecision, Close, Correct, Decided, DecideHeld, EntryRef, TakeOverflow, Transfer
from meter.ledger.records import read_record
from tests.support.meter.floor_bench import FloorBench
from tests.support.meter.meter_bench import with_cards
from tests.support.meter.staff_pins import ANN, SUE, TIM, Login
from tests.support.web.floor_screens import at_floor, busy_floor, opened, show
from tests.support.web.page_checks import page_faults
from tests.support.web.pages import WALL, Visitor, assert_fit, window

pytestmark = pytest.mark.timeout(300)

DESK: ViewportSize = {"width": 1280, "height": 800}


class House:
    """A meter that can be ended and started again where it was."""

    def __init__(self, folder: Path, limit_cents: int = 0) -> None:
        self._folder, self._port, self._limit_cents = folder, free_port(), limit_cents
        self._stack = AsyncExitStack()
        self.url = f"http://127.0.0.1:{self._port}"

    async def start(self) -> FloorBench:
        self.bench = await self._stack.enter_async_context(self._made().running())
        return self.bench

    def _made(self) -> FloorBench:
        return FloorBench(self._folder, self._port, limit_cents=self._limit_cents)

    async def end(self) -> None:
        await self._stack.aclose()


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    house = House(tmp_path)
    bench = await house.start()
    await bench.join()
    await bench.wager("T1")
    yield house
    await house.end()


@pytest.fixture
async def floor(chrome: Browser, house: House) -> AsyncIterator[Visitor]:
    """The supervisor's screen."""
    async with window(chrome, house.url, DESK) as floor:
        await floor.go("/floor")
        await expect(floor.page.locator(".chart svg")).to_have_count(2)
        yield floor


async def sign(floor: Visitor, login: Login, reason: str = "seen on the recording", first: Login = SUE) -> None:
    """Who is signed in and the second person sign what is on the sheet."""
    await floor.page.get_by_label("Reason").fill(reason)
    await floor.page.get_by_label("PIN, First person").fill(first.pin)
    await floor.page.get_by_label("Staff number, Second person").fill(login.number)
    await floor.page.get_by_label("PIN, Second person").fill(login.pin)
    await floor.page.get_by_label("PIN, Second person").press("Enter")


async def hold(floor: Visitor, name: str) -> None:
    """Holds a dangerous button as long as it asks for."""
    button = floor.page.get_by_role("button", name=name)
    await button.hover()
    await floor.page.mouse.down()
    await floor.page.wait_for_timeout(2_300)
    await floor.page.mouse.up()


async def test_28_11_i_a_contested_award_is_decided_by_two_persons(house: House, floor: Visitor) -> None:
    """Evidence side by side, what each order would pay, refusals in words, then the ledger has both names."""
    page, bench = floor.page, house.bench
    await bench.contest()
    await floor.says("#pending", "Straight flush: table T2 seat 2")
    await page.get_by_role("button", name="Enter the order").click()
    await floor.enter_pin(SUE)
    evidence = page.get_by_role("region", name="Evidence")
    for words in (
        "Table T1, seat 3: royal flush",
        "Table T2, seat 2: straight flush",
        "synchronised, 2 ms",
        "not synchronised",
        "$10,006.33 fixed, not paid",
        "seats 1, 2, 3, round 1",
    ):
        await expect(evidence).to_contain_text(words)
    order = page.get_by_role("list", name="Order of payment")
    await expect(order).to_contain_text("$10,006.33")
    await page.get_by_role("button", name="Table T2, seat 2 earlier").press("Enter")
    await expect(order.get_by_role("listitem").first).to_contain_text("straight flush · 10 % of the meter$1,000.64")
    await sign(floor, SUE)
    await floor.says("dialog .said", "two different persons")
    await sign(floor, replace(ANN, pin=SUE.pin))
    await floor.says("dialog .said", "do not match")
    await sign(floor, TIM)
    await floor.says("dialog .said", "Tim may not decide this")
    assert bench.desks["main"].head.pot.claims
    bench.web_server.authenticator._attempts.unlock(ANN.number)
    await sign(floor, ANN)
    await floor.says("#done", "Order of the claims: decided")
    await floor.says("#pending", "Straight flush: table T2 seat 2")
    await floor.says("#pending", "waits for table T2")
    await floor.says("#waiting", "Nothing waits.")
    await page.get_by_role("button", name="History").click()
    await floor.says("dialog", "Sue and Ann")
    await floor.says("dialog", "the meteraward fixedlink main, table T2 seat 2: straight flush $1,000.64")
    assert bench.desks["main"].head.pot.awards[0].table == "T2"


async def test_r67_a_claim_by_a_clock_far_ahead_can_be_looked_at(house: House, floor: Visitor) -> None:
    """A time that no calendar has is told as the number that it is, and nobody reads of an invalid date."""
    page, bench = floor.page, house.bench
    number = await bench.wager("T2")
    claim = with_cards(Award(number, 2, "straight_flush", percent_bp=1_000))
    await bench.say(Envelope(VERSION, "T2", "journal-T2", bench.seqs["main", "T2"] + 1, 2**53 - 1, claim))
    await floor.sign_in(Role.SUPERVISOR)
    await page.get_by_role("button", name="Settle…").click()
    await floor.says("dialog", "Claimed by the table's clock9007199254740991 ms")
    assert "Invalid" not in await page.locator("body").inner_text()
    assert floor.faults == []


async def test_an_alarm_stays_until_somebody_acknowledges_it(house: House, floor: Visitor) -> None:
    """Through a reload; the one who signs in to acknowledge it is named in the history."""
    page = floor.page
    house.bench.present("T3", alive=False)
    await floor.says("#alarms", "table lost: table T3")
    await expect(page.get_by_role("button", name="Table T3: link lost")).to_be_visible()
    await page.get_by_role("button", name="List", exact=True).click()
    await expect(page.get_by_role("row", name="T3 ✕ gone")).to_be_visible()
    await page.reload()
    await page.get_by_role("button", name="Acknowledge: table lost, table T3").click()
    await floor.enter_pin(TIM)
    await floor.says("#alarms", "No alarm is open.")
    await page.get_by_role("button", name="History").click()
    await floor.says("dialog", "Timacknowledgedtable lost T3")
    await floor.says("dialog", "the meterstartedon bench as pitlink 0.1.0 (not from a bundle), for the first time")
    assert floor.faults == []


async def test_a_lost_meter_is_said_and_followed_again_after_its_restart(house: House, floor: Visitor) -> None:
    """The page says that what it shows is old; afterwards it shows the new run, and nobody is signed in."""
    await floor.sign_in(Role.SUPERVISOR)
    house.bench.present("T1", alive=False)
    await floor.says("#alarms", "table lost")
    await house.end()
    await floor.says("#lost", "The meter does not answer: what you see is old.")
    await expect(floor.page.locator("#lost")).to_be_visible()
    bench = await house.start()
    await bench.wager("T2")
    await expect(floor.page.locator("#lost")).to_be_hidden()
    await floor.says("#main-amount", "$10,004.22")
    await floor.says("#alarms", "table lost")
    await expect(floor.page.get_by_role("button", name="sign out")).to_have_count(0)
    await floor.page.get_by_role("button", name="Acknowledge: table lost, table T1").click()
    await floor.enter_pin(SUE)
    await floor.says("#done", "Acknowledged")


async def test_behind_a_lost_broker_no_table_is_called_present(house: House, floor: Visitor) -> None:
    """The head counts what is heard, and each row says since when nothing is known."""
    await floor.says("#summary", "3 of 6 tables present")
    house.bench.desks["main"].went_down("no route")
    await floor.says("#summary", "0 of 6 tables heard")
    await floor.says("#main-tile-T1", "unknown")
    await floor.page.get_by_role("button", name="List", exact=True).click()
    await floor.says("#main-row-T1", "○ unknown since the broker was lost")
    await expect(floor.page.locator("#main-tables")).not_to_contain_text("present")


async def test_wrong_pins_are_locked_out(house: House, floor: Visitor) -> None:
    """Longer each time, at most a minute; then even the right one must wait."""
    await floor.page.get_by_role("button", name="Sign in", exact=True).first.click()
    await floor.enter_pin(replace(SUE, pin="999999"))
    await floor.says("dialog .said", "number and PIN do not match")
    for _ in range(5):
        house.bench.web_server.authenticator._attempts.begin(SUE.number, OWN_SCREEN)
    await floor.enter_pin(SUE)
    await floor.says("dialog .said", "too many wrong PINs: wait ")


async def test_r2_held_wagers_and_a_stopped_link_are_decided_by_keyboard(house: House, floor: Visitor) -> None:
    """No mouse is needed: focus, space, enter."""
    page, bench = floor.page, house.bench
    await bench.enter("T2", Wagers(1, 500, (1,)))
    await floor.sign_in(Role.ACCOUNTING)
    await page.get_by_role("button", name="Decide", exact=True).press("Enter")
    await floor.says("dialog", "wagers of $5 from a table that joined with $1")
    await sign(floor, SUE, first=ANN)
    await floor.says("dialog .said", "Choose whether they count.")
    await page.get_by_label("They never count").press("Space")
    await sign(floor, SUE, first=ANN)
    await floor.says("#done", "decided")
    await page.get_by_role("article", name="Link main").get_by_role("button", name="Decide…").press("Enter")
    await page.get_by_role("button", name="Stop the link").press("Enter")
    await sign(floor, SUE, "drill", first=ANN)
    await floor.says("#main-health", "stopped")
    await floor.says("#alarms", "link stopped")
    assert bench.desks["main"].head.stopped == "drill"


async def test_a_link_is_closed_over_a_table_that_is_given_up_by_its_name(house: House, floor: Visitor) -> None:
    """A name that nobody knows is refused before anybody signs; a table that is not named is waited for (R90)."""
    page, bench = floor.page, house.bench
    await bench.drain("T1", "T2")
    await floor.sign_in(Role.SUPERVISOR)
    await page.get_by_role("article", name="Link main").get_by_role("button", name="Decide…").click()
    await page.get_by_role("button", name="Close the link for good").click()
    given_up = page.get_by_label("Tables given up")
    await page.get_by_label("Type the link's name: main").fill("main")
    await given_up.fill("T3, T9")
    await sign(floor, ANN, "the board of T3 burnt")
    await floor.says("dialog .said", "Table T9 has not joined this link: there is nothing to give up.")
    await assert_fit(floor)
    await given_up.fill("")
    await sign(floor, ANN, "the board of T3 burnt")
    await hold(floor, "Hold to close the link")
    await floor.says("dialog .said", "table T3 has not been heard since the link was stopped")
    await given_up.fill("T3")
    await sign(floor, ANN, "the board of T3 burnt")
    await hold(floor, "Hold to close the link")
    await floor.says("#done", "Close the link for good: decided")
    [row] = bench.store.latest("main", 1)
    assert read_record(row.body).cause == Decided(Close(("T3",)), "Sue", "Ann", "the board of T3 burnt")


async def test_r72_a_claim_without_a_wager_and_another_amount_are_decided_at_the_page(
    house: House, floor: Visitor
) -> None:
    """The claim counts; its table says that it paid sixty dollars instead of fifty, and that is what is settled."""
    page, bench = floor.page, house.bench
    claim = await bench.enter("T3", Award(77, 3, "flush", fixed_cents=50_00))
    await floor.says("#alarms", "award held: table T3")
    await floor.sign_in(Role.SUPERVISOR)
    await page.get_by_role("button", name="Decide", exact=True).click()
    await floor.says("dialog", "no wager of seat 3 in round 77 is booked")
    await page.get_by_label("It counts: fix its amount now").check()
    await sign(floor, ANN)
    await floor.says("#pending", "Flush: table T3 seat 3")
    await bench.pay("T3", claim, paid_cents=60_00)
    await floor.says("#alarms", "payout held: table T3")
    await page.get_by_role("button", name="Settle…").click()
    await floor.says("dialog", "Paid, says the table$60")
    await page.get_by_label("It was paid to the player").check()
    await sign(floor, ANN)
    await floor.says("#pending", "None.")
    assert bench.desks["main"].head.pot.paid_cents == 60_00
    assert floor.faults == []


async def test_r85_two_persons_take_the_overflow_that_is_the_houses(chrome: Browser, tmp_path: Path) -> None:
    """Offered as soon as there is a cent of it; the sheet says how much, and that the meter stays as it is."""
    house = House(tmp_path, limit_cents=1_000_000)
    bench = await house.start()
    await bench.join()
    async with window(chrome, house.url, DESK) as floor:
        page = floor.page
        await floor.go("/floor")
        await floor.sign_in(Role.SUPERVISOR)
        decide = page.get_by_role("article", name="Link main").get_by_role("button", name="Decide…")
        offer = page.get_by_role("button", name="Take the overflow to the house")
        await decide.click()
        await expect(offer).to_be_disabled()
        await page.get_by_role("button", name="Close", exact=True).click()
        await bench.wager("T1")
        await floor.says("#main-accounts", "overflow$2.1111")
        await decide.click()
        await offer.click()
        await floor.says("dialog", "The overflow holds $2.1111.")
        await page.get_by_label("Dollars of overflow").fill("2.11")
        await assert_fit(floor)
        await page.get_by_label("Type the amount again").fill("2.11")
        await sign(floor, ANN, "week 3")
        await hold(floor, "Hold to take it")
        await floor.says("#done", "Take the overflow to the house: decided")
    [row] = bench.store.latest("main", 1)
    assert read_record(row.body).cause == Decided(TakeOverflow(2_11), "Sue", "Ann", "week 3")
    await house.end()


async def test_a_sheet_whose_link_has_moved_on_orders_nothing(house: House, floor: Visitor) -> None:
    """Somebody else decided meanwhile: the sheet says so."""
    await house.bench.enter("T2", Wagers(1, 500, (1,)))
    await floor.sign_in(Role.SUPERVISOR)
    await floor.page.get_by_role("button", name="Decide", exact=True).click()
    await house.bench.enter("T3", Award(await house.bench.wager("T3"), 3, "flush", fixed_cents=50_00))
    await floor.says("dialog .said", "The link has moved on since you looked.")
    await expect(floor.page.get_by_role("button", name="Confirm")).to_be_disabled()


async def test_the_statement_of_the_day_can_be_read_and_printed(house: House, floor: Visitor) -> None:
    """Reconciled to nothing, with lines for the signatures."""
    await floor.sign_in(Role.ACCOUNTING)
    await floor.go("/statement?link=main")
    await floor.says(".figures", "contribution$2.1111$0.00$0.00$0.00$2.1111")
    await floor.says(".figures", "variance$0.00$0.00$0.00$0.00$0.00")
    await floor.says(".lasts", "time zone")
    await floor.says(".about", "The meter went from $0 to $10,002.11")
    await expect(floor.page.get_by_role("button", name="Print")).to_be_visible()
    await assert_fit(floor)
    await floor.page.emulate_media(media="print")
    await expect(floor.page.get_by_role("button", name="Print")).to_be_hidden()
    await expect(floor.page.locator(".signatures")).to_contain_text("Accounting")


async def test_the_statement_shows_each_account_transfers_and_what_a_closed_link_left(
    house: House, floor: Visitor
) -> None:
    """R87, R88, R90: columns by account, the other link by name; held wagers beside them; closing is no movement."""
    await house.bench.enter("T2", Wagers(1, 500, (1,)))
    await decide(house, Transfer("side", 100_000))
    await floor.sign_in(Role.ACCOUNTING)
    await floor.go("/statement?link=main")
    await floor.says(".held", "Held: entries 1, wagers 1, $5; they do not count yet")
    await floor.says(".figures", "transfer out to side-$1,000.00$0.00$0.00$0.00-$1,000.00")
    await decide(house, DecideHeld(EntryRef("T2", "journal-T2", 1), counts=False))
    await house.bench.drain()
    await decide(house, Close())
    await floor.go("/statement?link=main")
    await floor.says(".figures", "closed to the house-$9,002.1111$0.00$0.00$0.00-$9,002.1111")
    await floor.says(".figures", "closing$0.00$0.00$0.00$0.00$0.00")
    await floor.says(".figures", "variance$0.00$0.00$0.00$0.00$0.00")
    await assert_fit(floor)


async def decide(house: House, decision: AnyDecision) -> None:
    """Two persons decide this at another place."""
    verdict = await house.bench.books.decide("main", Decided(decision, "Ann", "Ben", "the game ends"))
    assert verdict.refusal == ""


async def test_a_technician_sees_what_runs_at_each_table(house: House, floor: Visitor) -> None:
    """Software, configuration and journal are for those who look after machines."""
    await floor.page.get_by_role("button", name="List", exact=True).click()
    table = floor.page.get_by_role("region", name="Tables of link main")
    await expect(table).not_to_contain_text("Journal")
    await floor.sign_in(Role.TECHNICIAN)
    await expect(table).to_contain_text("journal-T1")


@pytest.mark.parametrize(
    ("size", "sheet"),
    [(DESK, ""), (WALL, ""), (DESK, "Enter the order"), (DESK, "Decide…"), (DESK, "Another person…")],
    ids=["desk", "wall", "order", "decisions", "sign in"],
)
async def test_the_floor_fits_its_screens_and_axe_finds_nothing_serious(
    house: House, chrome: Browser, size: ViewportSize, sheet: str
) -> None:
    """With alarms, a contested award and every kind of sheet open."""
    bench = house.bench
    await bench.contest()
    await bench.enter("T3", Wagers(1, 500, (1,)))
    bench.present("T3", alive=False)
    async with window(chrome, house.url, size) as guest:
        await guest.go("/floor")
        await guest.sign_in(Role.SUPERVISOR)
        await expect(guest.page.locator(".chart svg")).to_have_count(2)
        await guest.page.get_by_text("The same as a table").first.click()
        if sheet:
            await guest.page.get_by_role("button", name=sheet).first.click()
            await expect(guest.page.get_by_role("dialog")).to_be_visible()
        await assert_fit(guest)


async def test_r82_a_dangerous_decision_says_why_not_now_and_is_held(house: House, floor: Visitor) -> None:
    """While wagers are in play the meter is not lowered; then a ground, the amount again, a held button."""
    page, bench = floor.page, house.bench
    show(bench, "T2", "in_play", (2, 5))
    await floor.sign_in(Role.SUPERVISOR)
    await page.get_by_role("article", name="Link main").get_by_role("button", name="Decide…").click()
    await page.get_by_role("button", name="Correct the meter").click()
    await page.get_by_label("New amount").fill("9500.00")
    await floor.says("dialog", "A round with wagers is in play at T2")
    await floor.says("dialog", "It becomes possible when these rounds have ended.")
    await page.get_by_label("Ground, as the rule lists them").select_option("wrong_wagers")
    await page.get_by_label("Type the amount again").fill("9500.00")
    await sign(floor, ANN, "wagers of T2 were added twice")
    await floor.says("dialog .said", "Cannot be taken now")
    show(bench, "T2", "open")
    await expect(page.locator("dialog .obstacle")).to_have_count(0)
    button = page.get_by_role("button", name="Hold to correct the meter")
    await button.click()
    assert bench.desks["main"].head.pot.amount_cents == 10_002_11
    await hold(floor, "Hold to correct the meter")
    await floor.says("#done", "Correct the meter: decided")
    [row] = bench.store.latest("main", 1)
    said = read_record(row.body).cause
    assert isinstance(said, Decided)
    assert (said.decision, said.reason) == (
        Correct(10_002_11, 9_500_00),
        "Wagers added wrongly: wagers of T2 were added twice",
    )


async def test_every_table_is_a_tile_that_filter_and_search_find(house: House, floor: Visitor) -> None:
    """Number, lights and one word; a press tells more and leads to the table's replay."""
    page, bench = floor.page, house.bench
    show(bench, "T1", "differs", (1, 3, 4, 6), chips=3)
    show(bench, "T2", "supervisor", (2,))
    await floor.says("#main-tile-T1", "3 ≠ 4")
    await expect(page.locator("#main-tile-T1 .lit")).to_have_count(4)
    await page.get_by_role("button", name="Waits 1").click()
    await expect(page.locator(".tile:visible")).to_have_count(1)
    await page.get_by_role("button", name="All 6").click()
    await page.get_by_label("Table, game, state").fill("≠")
    await expect(page.locator(".tile:visible")).to_have_count(1)
    await page.get_by_role("button", name="Table T1: 3 ≠ 4, 4 wagers").click()
    await expect(page.get_by_role("link", name="Replay")).to_have_attribute("href", "http://127.0.0.1:8080/replay")
    assert floor.faults == []


@pytest.mark.parametrize("size", ["1280x800", "390x844"])
async def test_nothing_of_a_busy_floor_is_cut_off_or_too_small_to_touch(
    chrome: Browser, tmp_path: Path, size: str
) -> None:
    """The smoke part of `./dev floor-screens`: the floor, the contest and a dangerous decision."""
    async with busy_floor(tmp_path) as bench, at_floor(chrome, bench, size, Role.SUPERVISOR) as guest:
        assert await page_faults(guest) == []
        for sheet in ("contest", "danger"):
            await opened(guest, sheet)
            assert await page_faults(guest, keyboard=True) == []
            await guest.page.keyboard.press("Escape")
