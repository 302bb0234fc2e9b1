"""How long a refusal stays in a person's sight."""

from games.round.events import CouponRedeemed, HandClaimed, LinkRestored
from tests.support.table.paper_floor import Bench


async def test_a_refusal_stays_until_people_go_on(bench: Bench) -> None:
    """With its time; what the table does by itself does not hide it, the next accepted act does."""
    assert bench.assembly is not None
    table, look = bench.assembly.table, bench.assembly.look
    await table.ask(HandClaimed(3, ("2h", "3h"), ("Th", "Jh", "Qh")))
    await table.ask(LinkRestored())
    refused = look()
    assert refused.refusal is not None
    assert refused.refused_ms > 0
    await table.ask(CouponRedeemed(3, "C-1"))
    assert (look().refusal, look().refused_ms) == (None, 0)
