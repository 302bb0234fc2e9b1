"""Orders of people at the panel: who may do what, under whose name, and nothing twice."""

import asyncio

from msgspec.structs import replace

from common.auth.proof import ProvedOrder, is_proved
from common.auth.roles import Role
from games.round.events import ClaimValidated, CouponRedeemed, HandClaimed, PayoutConfirmed
from tests.support.meter.staff_pins import DAN, SAM, SUE, staff_book
from tests.support.table.paper_floor import Bench
from tests.support.web.panel_page import FLOP, Page, claimed, events, page_at, validated


async def test_a_win_under_the_names_of_those_who_were_there(bench: Bench, page: Page) -> None:
    """The dealer claims, the supervisor validates, the dealer pays; the journal says who, whatever the page says."""
    await page.sign_in(Role.DEALER)
    await claimed(bench, page)
    await validated(bench, page)
    assert [person["name"] for person in (await page.view())["people"]] == ["Dan"]
    assert (await page.act("pay", await page.offer("pay", 3), signed=DAN, seat=3))[0] == 200
    claim = bench.state.claims[0]
    assert (claim.validated_by, claim.paid_by) == ("Sue", "Dan")
    assert events(bench, HandClaimed)[0].by == "Dan"


async def test_a_page_cannot_say_who_it_was(bench: Bench, page: Page) -> None:
    """Who it was is known by sign-in, or by number and PIN."""
    await page.sign_in(Role.DEALER)
    status, answer = await page.act("coupon", await page.offer("coupon", 3), seat=3, serial="C-1", by="Sue")
    assert (status, answer["where"]) == (400, "$.by")
    assert bench.state.wagers == {}


async def test_nobody_does_what_is_not_his(bench: Bench, page: Page) -> None:
    """Not signed in: nothing. A dealer: nothing of the supervisor's. A technician: no round."""
    seen = await page.offer("coupon", 3)
    assert (await page.act("coupon", seen, seat=3, serial="C-1"))[0] == 403
    await page.sign_in(Role.DEALER)
    seen_all = await page.offer("close")
    assert (await page.act("close", seen_all, reason="night"))[0] == 403
    status, answer = await page.act("close", seen_all, signed=DAN, reason="night")
    assert (status, answer["reason"]) == (409, "Dan is a dealer: a supervisor does this")
    await page.post("/panel/sign-out", {"name": "Dan"})
    await page.sign_in(Role.TECHNICIAN)
    assert (await page.act("coupon", seen, seat=3, serial="C-1"))[0] == 403
    for path in ("/replay/data", "/slips/data", "/slip/1/data", "/slip/1/pdf"):
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
        seen = await page.offer("validate", 3)
        first = page.act("validate", seen, signed=SUE, seat=3)
        both = await asyncio.gather(first, other.act("validate", seen, signed=SAM, seat=3))
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


async def test_a_supervisor_who_is_signed_in_orders_nothing_by_it(bench: Bench, page: Page) -> None:
    """He looks on; each order he signs, and that leaves nobody signed in."""
    await page.sign_in(Role.SUPERVISOR)
    assert (await page.view())["people"] == [{"name": "Sue", "role": "supervisor", "orders": False}]
    seen = await page.offer("close")
    status, answer = await page.act("close", seen, reason="night")
    assert (status, "sign it with number and PIN" in answer["error"]) == (403, True)
    await page.post("/panel/sign-out", {"name": "Sue"})
    assert (await page.act("close", seen, signed=SUE, reason="night"))[0] == 200
    assert bench.state.closing is not None
    assert bench.state.closing.by == "Sue"
    assert (await page.view())["people"] == []


async def test_what_the_meter_pays_carries_the_proof_of_whoever_typed_the_pin(bench: Bench, page: Page) -> None:
    """A signed-in dealer gives the PIN again; another award, or none, is not proved by it."""
    await page.sign_in(Role.DEALER)
    await bench.deal(3)
    await page.act("claim", await page.offer("claim", 3), seat=3, cards=["Kh", "Ah"], community=FLOP)
    await bench.until(lambda: bool(bench.state.claims) and bench.state.claims[0].amount_cents > 0)
    claim = bench.state.claims[0]
    assert claim.deducted
    assert (await page.act("validate", await page.offer("validate", 3), signed=SUE, seat=3))[0] == 200
    [order_of_sue] = events(bench, ClaimValidated)
    assert bench.assembly is not None
    link, journal = bench.settings.link.name, bench.assembly.table.journal.id
    order = ProvedOrder("validate", link, "T1", journal, bench.state.round, 3, claim.hand, claim.amount_cents)
    secret = bytes.fromhex(staff_book(number=0).secrets[SUE.number].secret)
    assert is_proved(order_of_sue.proof, secret, order)
    assert not is_proved(order_of_sue.proof, secret, replace(order, seat=4))


async def test_nobody_pays_from_the_meter_without_the_pin(bench: Bench, page: Page) -> None:
    """A session alone pays from the rack only; the dealer's own PIN is enough, for he is signed in."""
    await page.sign_in(Role.DEALER)
    await bench.deal(3)
    await page.act("claim", await page.offer("claim", 3), seat=3, cards=["Kh", "Ah"], community=FLOP)
    await bench.until(lambda: bool(bench.state.claims) and bench.state.claims[0].amount_cents > 0)
    await validated(bench, page)
    offer = next(one for one in (await page.view())["offers"] if one["action"] == "pay")
    assert offer["proof"] is True
    status, answer = await page.act("pay", offer["seen"], seat=3)
    assert (status, "types the PIN" in answer["reason"]) == (409, True)
    order = {"seen": offer["seen"], "key": "mine", "says": {"seat": 3}, "signed": {"pin": DAN.pin}}
    assert (await page.post("/panel/act/pay", order))[0] == 200
    assert events(bench, PayoutConfirmed)[0].proof.startswith(DAN.number)
