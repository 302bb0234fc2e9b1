"""How fast a test may play: as fast as it likes."""

from typing import TypedDict


class Paces(TypedDict):
    """The least times of a link."""

    shortest_round_ms: int
    shortest_claim_ms: int
    shortest_payout_ms: int


ANY_PACE = Paces(shortest_round_ms=0, shortest_claim_ms=0, shortest_payout_ms=0)
