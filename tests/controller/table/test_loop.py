"""The guard of an order: looked at in the order's own turn, and what it refuses never happened."""

import asyncio

from games.refusal import Refusal
from games.round.events import CouponRedeemed
from games.round.state import RoundState
from tests.support.table.paper_floor import Bench


def no_more_than_one_wager(state: RoundState) -> Refusal | None:
    return Refusal("somebody was faster") if state.asked_coupons else None


async def test_of_two_orders_at_once_the_second_finds_the_first_done(bench: Bench) -> None:
    """Both looked at the same book; the guard of the second sees what the first one did, and nothing is written."""
    assert bench.assembly is not None
    table = bench.assembly.table
    await bench.settle()
    written = len(list(table.journal.lines()))
    first, second = await asyncio.gather(
        table.ask(CouponRedeemed(3, "C-1"), unless=no_more_than_one_wager),
        table.ask(CouponRedeemed(4, "C-2"), unless=no_more_than_one_wager),
    )
    assert first.refusal is None
    assert second.refusal == Refusal("somebody was faster")
    redeemed = [line for line in list(table.journal.lines())[written:] if isinstance(line.event, CouponRedeemed)]
    assert len(redeemed) == 1
    await bench.until(lambda: list(bench.state.wagers) == [3])
