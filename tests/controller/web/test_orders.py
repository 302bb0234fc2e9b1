"""Orders of people at the panel: who may do what, under whose name, and nothing twice."""

import asyncio

from common.auth.roles import Role
from games.round.events import CouponRedeemed, HandClaimed
from tests.support.panel_page import Page, claimed, events, page_at
from tests.support.paper_floor import Bench
from tests.support.staff_pins import SAM


async def test_a_win_under_the_names_of_those_who_were_there(bench: Bench, page: Page) -> None:
    """The dealer claims, the supervisor validates, the dealer pays; the journal says who, whatever the page says."""
    await page.sign_in(Role.DEALER)
    await claimed(bench, page)
    await page.sign_in(Role.SUPERVISOR)
    assert (await page.act("validate", await page.offer("validate", 3), seat=3))[0] == 200
    await page.post("/panel/sign-out", {"name": "Sue"})
    assert (await page.act("pay", await page.offer("pay", 3), seat=3))[0] == 200
    claim = bench.state.claims[0]
    assert (claim.validated_by, claim.paid_by) == ("Sue", "Dan")
    assert events(bench, HandClaimed)[0].by == "Dan"


async def test_a_page_cannot_say_who_it_was(bench: Bench, page: Page) -> None:
    """by is the session's business."""
    await page.sign_in(Role.DEALER)
    status, answer = await page.act("coupon", await page.offer("coupon", 3), seat=3, serial="C-1", by="Sue")
    assert (status, answer["where"]) == (400, "$.says.by")
    assert bench.state.wagers == {}


async def test_nobody_does_what_is_not_his(bench: Bench, page: Page) -> None:
    """Not signed in: nothing. A dealer: nothing of the supervisor's. A technician: no round."""
    seen = await page.offer("coupon", 3)
    assert (await page.act("coupon", seen, seat=3, serial="C-1"))[0] == 403
    await page.sign_in(Role.DEALER)
    assert (await page.act("close", await page.offer("close"), reason="night"))[0] == 403
    await page.post("/panel/sign-out", {"name": "Dan"})
    await page.sign_in(Role.TECHNICIAN)
    assert (await page.act("coupon", seen, seat=3, serial="C-1"))[0] == 403
    for path in ("/panel/evidence/3", "/replay/data", "/slips/data", "/slip/1/data", "/slip/1/pdf"):
        assert (await page.get(path))[0] == 403
    assert bench.state.wagers == {}


async def test_a_double_tap_and_a_resent_request_are_one_order(bench: Bench, page: Page) -> None:
    """The same key gets the same answer; two keys that saw the same thing: the second is too late."""
    await page.sign_in(Role.DEALER)
    seen = await page.offer("coupon", 3)
    answers = await asyncio.gather(*(page.act("coupon", seen, key="one", seat=3, serial="C-1") for _ in range(5)))
    assert [status for status, _ in answers] == [200] * 5
    status, answer = await page.act("coupon", seen, key="two", seat=3, serial="C-1")
    assert (status, "moved on" in answer["reason"]) == (409, True)
    await bench.until(lambda: len(bench.state.wagers) == 1)
    assert bench.assembly is not None
    placed = [line for line in bench.assembly.table.journal.lines() if isinstance(line.event, CouponRedeemed)]
    assert len(placed) == 1


async def test_of_two_panels_at_once_one_order_counts(bench: Bench, url: str, page: Page) -> None:
    """Both supervisors look at the same claim; whoever is second is told to look again."""
    await page.sign_in(Role.DEALER)
    await claimed(bench, page)
    await page.sign_in(Role.SUPERVISOR)
    async with page_at(url) as other:
        await other.sign_in_as(SAM)
        seen = await page.offer("validate", 3)
        both = await asyncio.gather(page.act("validate", seen, seat=3), other.act("validate", seen, seat=3))
    assert sorted(status for status, _ in both) == [200, 409]
    assert bench.state.claims[0].validated_by in {"Sue", "Sam"}


async def test_what_happens_at_another_seat_makes_no_page_stale(bench: Bench, page: Page) -> None:
    """A dealer who types a coupon is not interrupted by a chip next door."""
    await page.sign_in(Role.DEALER)
    seen = await page.offer("coupon", 3)
    await bench.drop_chip(5)
    await bench.settle()
    assert (await page.act("coupon", seen, seat=3, serial="C-1"))[0] == 200


async def test_an_order_of_the_last_round_is_too_late(bench: Bench, page: Page) -> None:
    """A page that slept through the end of the round changes nothing in the next one."""
    await page.sign_in(Role.DEALER)
    await bench.deal(3)
    seen = await page.offer("fold", 3)
    await bench.press_end_of_round()
    await bench.until(lambda: bench.state.round == 2)
    await bench.deal(3)
    status, answer = await page.act("fold", seen, seat=3)
    assert (status, "look again" in answer["reason"]) == (409, True)
    assert bench.state.folded == ()
