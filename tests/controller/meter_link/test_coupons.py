"""Coupons between table and meter: redeemed once on the link, through lost messages and power cuts (S-122, 1.18)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from common.clock import ManualClock
from controller.table.last_refusal import LastRefusal
from games.refusal import because
from games.round.effects import Light
from games.round.events import (
    BaseWagerMissed,
    CouponRedeemed,
    CouponReturned,
    EndOfRoundPressed,
    IrregularityNoted,
    RefundsConfirmed,
)
from games.round.outputs import outputs
from games.round.state import Phase
from tests.support.table.paper_floor import Bench, PaperFloor, open_table, paper_floor

CARIBBEAN = {"game": "caribbean-stud", "pay_table": "base"}


@asynccontextmanager
async def two_tables(folder: Path) -> AsyncIterator[tuple[PaperFloor, Bench, Bench]]:
    """A floor with the open tables T1 and T2."""
    async with paper_floor(folder, tables=("T1", "T2")) as floor, floor.bench("T2") as other:
        await open_table(other)
        yield floor, floor.tables["T1"], other


def wagers(bench: Bench) -> list[int]:
    """The seats whose wager the table has taken: those that are lit."""
    lights = outputs(bench.settings.rules, bench.state).lights
    return [seat for seat, light in lights.items() if light is Light.LIT]


async def redeem(bench: Bench, seat: int, serial: str) -> str:
    """The dealer scans a coupon; what the meter has against it comes back, or nothing."""
    await bench.must(CouponRedeemed(seat, serial))
    await bench.until(lambda: seat not in bench.state.asked_coupons, "the meter does not answer")
    await bench.settle()
    return bench.state.refused_coupons.get(seat, "")


async def next_round(bench: Bench) -> None:
    """The round is locked, counted and over; the next one is open."""
    number = bench.state.round
    await bench.press_lock_out()
    await bench.settle()
    await bench.until(lambda: bench.state.registered or not bench.state.wagers)
    await bench.must(EndOfRoundPressed())
    await bench.until(lambda: bench.state.round == number + 1)


async def test_1_18_the_same_serial_is_refused_at_another_seat_round_and_table(tmp_path: Path) -> None:
    """With the place and the time of its redemption, in words for the dealer."""
    async with two_tables(tmp_path) as (floor, one, other):
        assert await redeem(one, 3, "C-77") == ""
        assert wagers(one) == [3]
        why = await redeem(other, 5, "c-77")
        where = f"table T1, seat 3, round {one.state.round}, on "
        assert why.startswith(f"coupon C-77 was redeemed already: {where}")
        assert why.endswith(" UTC; it is void")
        assert wagers(other) == []
        refused = await one.tell(CouponRedeemed(4, "C-77"))
        assert refused is not None
        assert "on the table already" in refused.reason
        await next_round(one)
        assert where in await redeem(one, 3, "C-77")
        assert (wagers(one), floor.meter.pot.coupons) == ([], 1)


async def test_a_refused_coupon_is_said_where_the_dealer_looks(tmp_path: Path) -> None:
    """As the last refusal, until somebody goes on."""
    async with two_tables(tmp_path) as (_, one, other):
        last = LastRefusal(other.state.phase, ManualClock())
        assert other.assembly is not None
        other.assembly.table.watch(last.note)
        await redeem(one, 3, "C-77")
        assert last.known is None  # another table's
        why = await redeem(other, 5, "C-77")
        assert last.known == because("meter_says", words=why)


@pytest.mark.parametrize("lost", ["entry", "T1"])
async def test_a_lost_question_or_answer_is_repeated(floor: PaperFloor, bench: Bench, lost: str) -> None:
    """Until the meter has answered, the seat is dark and lock-out is refused; then the coupon is one wager."""
    floor.broker.deaf_to = {lost}
    await bench.must(CouponRedeemed(5, "C-1"))
    await bench.press_lock_out()
    await bench.settle()
    assert (bench.state.phase, wagers(bench)) == (Phase.OPEN, [])
    assert 3 in bench.open_gates
    assert 5 not in bench.open_gates
    floor.broker.deaf_to = set()
    await bench.until(lambda: 5 in bench.state.wagers)
    await next_round(bench)
    assert (floor.meter.pot.coupons, floor.meter.pot.chips) == (1, 0)


async def test_an_answer_that_only_the_next_hello_brings_counts(floor: PaperFloor, bench: Bench) -> None:
    """The reply is lost with the table's power: the meter says it again to the table that wakes up."""
    floor.broker.deaf_to = {"T1"}
    await bench.must(CouponRedeemed(5, "C-1"))
    await bench.until(lambda: any(b'"Coupon"' in payload for _, payload in floor.broker.log))
    await bench.settle()
    await bench.power_cut()
    floor.broker.deaf_to = set()
    async with floor.bench("T1") as again:
        assert set(again.state.asked_coupons) == {5}
        await again.until(lambda: 5 in again.state.wagers)
        await again.linked()
        await next_round(again)
        assert floor.meter.pot.coupons == 1


async def test_a_power_cut_of_the_meter_loses_no_coupon(tmp_path: Path) -> None:
    """Killed after it redeemed one, it refuses it to the next table, and answers the one that waits."""
    async with two_tables(tmp_path) as (floor, one, other):
        floor.broker.deaf_to = {"T1"}
        await one.must(CouponRedeemed(3, "C-1"))
        await other.until(lambda: any(b'"Coupon"' in payload for _, payload in floor.broker.log))
        await other.settle()
        await floor.meter.kill()
        floor.broker.deaf_to = set()
        floor.meter.start()
        await one.until(lambda: 3 in one.state.wagers)
        await other.linked()
        assert "table T1, seat 3" in await redeem(other, 6, "C-1")


async def test_a_returned_coupon_is_redeemed_again_at_another_table(tmp_path: Path) -> None:
    """Given back by the dealer, or without a base wager: free on the whole link."""
    async with two_tables(tmp_path) as (_, one, other):
        await redeem(one, 3, "C-1")
        await one.must(CouponReturned(3))
        await one.booked()
        assert await redeem(other, 5, "C-1") == ""
        await other.must(BaseWagerMissed(5))
        await other.booked()
        assert await redeem(one, 4, "C-1") == ""
        assert (wagers(one), wagers(other)) == ([4], [])


@pytest.mark.parametrize("is_registered", [True, False])
async def test_a_refunded_coupon_is_free_and_no_chip_is_paid_for_it(tmp_path: Path, *, is_registered: bool) -> None:
    """A void round gives the coupon back as a coupon; what was registered stays registered."""
    async with paper_floor(tmp_path, table=CARIBBEAN) as floor:
        bench = floor.tables["T1"]
        assert await redeem(bench, 3, "C-1") == ""
        if is_registered:
            await bench.press_lock_out()
            await bench.settle()
            await bench.until(lambda: bench.state.registered)
        await bench.turn_key(on=True)
        await bench.settle()
        await bench.must(IrregularityNoted("hole_card_exposed", "Sue"), RefundsConfirmed("Dan"), EndOfRoundPressed())
        await bench.until(lambda: bench.state.phase is Phase.OPEN)
        assert await redeem(bench, 6, "C-1") == ""
        await next_round(bench)
        pot = floor.meter.pot
        assert (pot.coupons, pot.chips) == (2 if is_registered else 1, 0)


async def test_while_the_link_is_lost_a_coupon_that_waits_goes_back(floor: PaperFloor, bench: Bench) -> None:
    """No coupon is taken; the dealer returns the one that waits, and it is free when the meter is back."""
    floor.broker.deaf_to = {"entry"}
    await bench.must(CouponRedeemed(5, "C-1"))
    await floor.meter.kill()
    await bench.pass_time(6.0)
    await bench.until(lambda: bool(bench.state.link_down))
    refused = await bench.tell(CouponRedeemed(6, "C-2"))
    assert refused is not None
    assert "no coupons while the meter cannot be asked" in refused.reason
    await bench.must(CouponReturned(5))
    floor.broker.deaf_to = set()
    floor.meter.start()
    await bench.linked()
    await bench.booked()
    assert await redeem(bench, 6, "C-1") == ""
    assert wagers(bench) == [6]
