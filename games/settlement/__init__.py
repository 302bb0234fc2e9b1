"""Settlement: from a played round to the ordered list of what is paid to whom, from where, and why."""

from games.settlement.played_round import Fault, PlayedRound, Seat, settled_early
from games.settlement.refusals import Refused, refusal
from games.settlement.settle import Payment, Refund, Settlement, settle

__all__ = [
    "Fault",
    "Payment",
    "PlayedRound",
    "Refund",
    "Refused",
    "Seat",
    "Settlement",
    "refusal",
    "settle",
    "settled_early",
]
