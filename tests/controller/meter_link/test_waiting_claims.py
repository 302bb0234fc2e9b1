"""A table of ours that took back more awards than people can mean: its next claim waits, and then is as any other."""

from pathlib import Path
from typing import Any

from games.round.events import ClaimRejected, ClaimValidated, HandClaimed, PayoutConfirmed
from games.round.state import ClaimState
from meter.booking.rate_limits import MOST_IN_A_MINUTE, TOO_OFTEN
from tests.support.table.paper_floor import paper_floor

FLUSH = HandClaimed(3, ("2h", "3h"), ("Th", "Jh", "Qh"))
QUICK: dict[str, Any] = {"name": "demo", "loss_s": 2.0}


async def test_a_claim_that_waits_because_of_many_is_fixed_and_paid_without_anybody_deciding(tmp_path: Path) -> None:
    """Nobody refuses the table, its journal goes on by itself once it was calm for a minute, and the round is paid."""
    async with paper_floor(tmp_path, link=QUICK) as floor:
        bench = floor.tables["T1"]
        await bench.deal(3)
        for _ in range(MOST_IN_A_MINUTE):
            await bench.must(FLUSH, ClaimRejected(3, "Sue", "misread"))
        await bench.booked()
        await bench.must(FLUSH)
        await bench.until(lambda: bench.state.held == TOO_OFTEN)
        assert bench.state.claims[0].state is ClaimState.ASKED
        assert not bench.state.link_refused
        floor.meter.pass_time(60)
        await bench.until(lambda: bench.state.claims[0].amount_cents == 50_00 and not bench.state.held)
        await bench.must(ClaimValidated(3, "Sue"), PayoutConfirmed(3, "Dan"))
        await bench.booked()
        await bench.linked()
        assert floor.meter.pot.paid_cents == 50_00
