"""pitlink dealer: tell a running table what hardware does not say, from a shell."""

import argparse
import http.client
import json
import sys
from typing import Any
from urllib.parse import urlsplit

from controller.web.text import with_rule
from games.money import dollars

REFUSED = 1
BAD_REQUEST = 2
NO_TABLE = 3


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes: one action, and what that action needs."""
    parser.add_argument("--url", default="http://127.0.0.1:8080", help="the table's control interface")
    parser.add_argument("--json", action="store_true", help="print the whole answer")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("state", help="how the table stands")
    _person(actions.add_parser("open", help="open the table"))
    _reason(actions.add_parser("close", help="close it, after the round in hand"))
    _seat(actions.add_parser("coupon", help="a player wagers a coupon")).add_argument("serial")
    _seat(actions.add_parser("return-coupon", help="a coupon is taken back before lock-out"))
    _person(actions.add_parser("recount", help="run the return device again"))
    explain = _reason(actions.add_parser("explain", help="explain why chips and lights differ"))
    explain.add_argument("--void-seats", type=int, nargs="*", default=[], help="seats that made no wager after all")
    _seat(actions.add_parser("fold", help="a player folds the base game"))
    _person(_seat(actions.add_parser("correct-fold", help="a supervisor: the player did not fold after all")))
    claim = _seat(actions.add_parser("claim", help="claim a winning hand"))
    claim.add_argument("cards", nargs="*", help="the player's cards, such as Ah Kh")
    claim.add_argument("--flop", dest="community", nargs="*", default=[], help="the community cards")
    claim.add_argument("--hand", default="", help="the hand's name, where the house claims by name")
    shown = _seat(actions.add_parser("show", help="a hand that others envy, whether or not its player wagered"))
    shown.add_argument("cards", nargs="*", help="the player's cards, such as As Ks Qs")
    shown.add_argument("--hand", default="", help="the hand's name, where the house claims by name")
    _person(actions.add_parser("all-shown", help="every hand was looked at: nobody else shares the whole meter"))
    markers = actions.add_parser("envy-markers", help="the seats that have an envy bonus marker, and no others")
    markers.add_argument("seats", type=int, nargs="*")
    areas = actions.add_parser("one-player", help="seats that one player holds, who does not envy himself")
    areas.add_argument("seats", type=int, nargs="+")
    _person(_seat(actions.add_parser("pay-envy", help="a seat was paid every envy bonus that it is owed")))
    _person(_seat(actions.add_parser("validate", help="a supervisor validates a claim")))
    _reason(_seat(actions.add_parser("reject", help="a supervisor rejects a claim")))
    _person(_seat(actions.add_parser("pay", help="the player was paid")))
    for name, summary in (("void-hands", "hands void, progressive settled"), ("void-round", "void with refunds")):
        _person(actions.add_parser(name, help=summary)).add_argument("irregularity")
    seats = _person(actions.add_parser("void-seats", help="void some seats' hands with refunds"))
    seats.add_argument("irregularity")
    seats.add_argument("seats", type=int, nargs="+")
    _person(actions.add_parser("refund", help="refunds were paid from the rack"))
    actions.add_parser("retest", help="test the cause of a fault again").add_argument("device")


def run(args: argparse.Namespace) -> int:
    """Exit 0 if the table accepted it, 1 if it refused, 2 for a bad request, 3 without a table."""
    body = {
        key: value
        for key, value in vars(args).items()
        if key not in {"url", "json", "action", "run", "command"} and value is not None
    }
    try:
        code, answer = _ask(args.url, args.action, None if args.action == "state" else body)
    except (OSError, http.client.HTTPException) as error:
        print(f"no table answers at {args.url}: {error}", file=sys.stderr)
        return NO_TABLE
    print(json.dumps(answer) if args.json else _readable(answer))
    return {200: 0, 409: REFUSED}.get(code, BAD_REQUEST)


def _ask(url: str, action: str, body: dict[str, Any] | None) -> tuple[int, Any]:
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port or 80, timeout=30)
    try:
        content = None if body is None else json.dumps(body)
        connection.request(
            "GET" if body is None else "POST", f"/api/{action}", content, {"Content-Type": "application/json"}
        )
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def _readable(answer: Any) -> str:
    if "error" in answer:
        return f"bad request: {answer['error']} ({answer['where']})"
    state = answer.get("state", answer)
    refused = f"refused: {with_rule(answer['reason'], answer['rule'])}\n" if answer.get("reason") else ""
    lit = ", ".join(str(seat["seat"]) for seat in state["seats"] if seat["light"] == "lit") or "none"
    link = state["link"]
    amount = dollars(link["amount_cents"]) if link["up"] else "not known"  # R82: never less because nobody says it
    return (
        f"{refused}table {state['table']} round {state['round']}: {state['phase']}; lights {lit}; meter {amount}\n"
        f"next: {state['next_step']}"
    )


def _seat(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument("seat", type=int)
    return parser


def _person(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument("--by", required=True, help="who says so")
    return parser


def _reason(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    _person(parser).add_argument("--reason", required=True, help="why")
    return parser
