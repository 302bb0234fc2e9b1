"""pitlink settle: a round as JSON in, its settlement as JSON out (docs/settle.md)."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

from controller.commands.json_reading import BadJson
from controller.commands.settle_reading import played_round
from games.settlement import Settlement, refusal, settle

LARGEST_INPUT_BYTES: Final = 1_000_000
LONGEST_WORDS: Final = 400


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which file holds the round."""
    parser.add_argument("file", nargs="?", default="-", metavar="FILE|-", help="a round as JSON; - is standard input")


def run(args: argparse.Namespace) -> int:
    """Prints the settlement, or one object that says what is wrong and where; returns the exit code."""
    try:
        answer = settled(_read(args.file))
    except BadJson as bad:
        print(json.dumps({"error": bad.problem[:LONGEST_WORDS], "where": bad.where[:LONGEST_WORDS]}))
        return 2
    print(json.dumps(answer, indent=2))
    return 0


def settled(text: bytes) -> dict[str, Any]:
    """The settlement of the round that this JSON tells, as the contract writes it; raises BadJson."""
    played = played_round(_parsed(text))
    refused = refusal(played)
    if refused:
        raise BadJson(str(refused), refused.where)
    return _written(settle(played))


def _read(file: str) -> bytes:
    try:
        if file == "-":
            text = sys.stdin.buffer.read(LARGEST_INPUT_BYTES + 1)
        else:
            with Path(file).open("rb") as source:
                text = source.read(LARGEST_INPUT_BYTES + 1)
    except OSError as error:
        raise BadJson(f"cannot be read: {error.strerror}", file) from error
    if len(text) > LARGEST_INPUT_BYTES:
        raise BadJson(f"is longer than {LARGEST_INPUT_BYTES:,} bytes; one round is not", file)
    return text


def _parsed(text: bytes) -> Any:
    """The JSON in these bytes; what is no JSON, names a key twice or is nested beyond reason is a BadJson."""
    try:
        return json.loads(text.decode("utf-8-sig"), object_pairs_hook=_once, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise BadJson(f"is not UTF-8 text (byte {error.start})", "input") from error
    except RecursionError as error:
        raise BadJson("is nested too deeply", "input") from error
    except ValueError as error:
        raise BadJson(f"is not JSON: {error}", "input") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries: dict[str, Any] = {}
    for key, value in pairs:
        if key in entries:
            raise BadJson(f"{key!r} is said twice", key)
        entries[key] = value
    return entries


def _no_number(word: str) -> float:
    raise BadJson(f"{word} is no number", "input")


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
