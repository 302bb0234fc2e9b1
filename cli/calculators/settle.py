"""pitlink settle: a round as JSON in, its settlement as JSON out (docs/settle.md)."""

import argparse
import json
from typing import Any

from cli.calculators.json_input import BadJson, as_fault, parsed, read_input
from cli.calculators.settle_input import played_round
from games.settlement import Settlement, refusal, settle


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which file holds the round."""
    parser.add_argument("file", nargs="?", default="-", metavar="FILE|-", help="a round as JSON; - is standard input")


def run(args: argparse.Namespace) -> int:
    """Prints the settlement, or one object that says what is wrong and where; returns the exit code."""
    try:
        answer = settled(read_input(args.file))
    except BadJson as bad:
        print(as_fault(bad.problem, bad.where))
        return 2
    print(json.dumps(answer, indent=2))
    return 0


def settled(text: bytes) -> dict[str, Any]:
    """The settlement of the round that this JSON tells, as the contract writes it; raises BadJson."""
    played = played_round(parsed(text))
    refused = refusal(played)
    if refused:
        raise BadJson(str(refused), refused.where)
    return _written(settle(played))


def _written(settlement: Settlement) -> dict[str, Any]:
    return {
        "payments": [
            {
                "seat": payment.seat,
                "wager": payment.wager,
                "hand": payment.hand,
                "amount_cents": payment.amount_cents,
                "source": payment.source,
                "deducted": payment.deducted,
                "validation": payment.validation,
                "rule": payment.rule,
            }
            for payment in settlement.payments
        ],
        "refunds": [
            {
                "seat": refund.seat,
                "wager": refund.wager,
                "amount_cents": refund.amount_cents,
                "source": refund.source,
                "coupon": refund.coupon,
                "rule": refund.rule,
            }
            for refund in settlement.refunds
        ],
        "meter": {"before_cents": settlement.meter_before_cents, "after_cents": settlement.meter_after_cents},
        "cards_held": list(settlement.cards_held),
        "meter_after_each": [
            {"after_cents": payment.meter_after_cents, "house_funded_cents": payment.house_funded_cents}
            for payment in settlement.payments
        ],
    }
