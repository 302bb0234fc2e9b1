"""pitlink dealer: tell a running table what hardware does not say, from a shell."""

import argparse
import http.client
import json
import sys
from pathlib import Path
from typing import Any

from cli.asked_pins import ask_pin
from common.settings import SettingsError
from common.unix_http import CONTROL, ask
from controller.settings.table import state_dir_of
from controller.web.text import with_rule
from games.money import dollars

REFUSED = 1
BAD_REQUEST = 2
NO_TABLE = 3
ANSWER_WITHIN_S = 30


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes: one action, and what that action needs."""
    parser.add_argument(
        "--config", type=Path, default=Path("/etc/pitlink/table.toml"), metavar="FILE", help="the table's settings"
    )
    parser.add_argument("--socket", type=Path, metavar="PATH", help="the table's control.sock, in place of --config")
    parser.add_argument("--json", action="store_true", help="print the whole answer")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("state", help="how the table stands")
    actions.add_parser("open", help="open the table")
    _reason(actions.add_parser("close", help="close it, after the round in hand"))
    _seat(actions.add_parser("coupon", help="a player wagers a coupon")).add_argument("serial")
    _seat(actions.add_parser("return-coupon", help="a coupon is taken back before lock-out"))
    actions.add_parser("recount", help="run the return device again")
    explain = _reason(actions.add_parser("explain", help="explain why chips and lights differ"))
    explain.add_argument("--void-seats", type=int, nargs="*", default=[], help="seats that made no wager after all")
    _seat(actions.add_parser("fold", help="a player folds the base game"))
    _seat(actions.add_parser("correct-fold", help="a supervisor: the player did not fold after all"))
    claim = _seat(actions.add_parser("claim", help="claim a winning hand"))
    claim.add_argument("cards", nargs="*", help="the player's cards, such as Ah Kh")
    claim.add_argument("--flop", dest="community", nargs="*", default=[], help="the community cards")
    claim.add_argument("--dealer", nargs="*", default=[], help="the dealer's cards, for the 6 card bonus")
    claim.add_argument("--hand", default="", help="the hand's name, where that will do")
    claim.add_argument("--wager", default="progressive", help="the wager it wins, such as bonus")
    claim.add_argument("--paid", action="store_true", help="the dealer paid it from the rack at once")
    shown = _seat(actions.add_parser("show", help="a hand that others envy, whether or not its player wagered"))
    shown.add_argument("cards", nargs="*", help="the player's cards, such as As Ks Qs")
    actions.add_parser("all-shown", help="every hand was looked at: nobody else shares the whole meter")
    _wager_actions(actions)
    nothing = actions.add_parser("no-win", help="these seats win nothing from the meter")
    nothing.add_argument("seats", type=int, nargs="+")
    areas = actions.add_parser("one-player", help="seats that one player holds, who does not envy himself")
    areas.add_argument("seats", type=int, nargs="+")
    _seat(actions.add_parser("pay-envy", help="a seat was paid every envy bonus that it is owed"))
    _of_wager(_seat(actions.add_parser("validate", help="a supervisor validates a claim")))
    _reason(_seat(actions.add_parser("reject", help="a supervisor rejects a claim")))
    _of_wager(_seat(actions.add_parser("pay", help="the player was paid")))
    _seat(actions.add_parser("papers", help="the papers of a payment by the cage are complete: the cards may go"))
    wrong = actions.add_parser("irregularity", help="something went wrong; the rules say what is void")
    wrong.add_argument("irregularity")
    wrong.add_argument("seats", type=int, nargs="*", help="the seats, where single ones are concerned")
    wrong.add_argument("--settled", nargs="*", default=[], help="wagers settled before it, such as three_card_bonus")
    withdrawn = actions.add_parser("withdraw", help="a supervisor: the irregularity was none")
    withdrawn.add_argument("irregularity")
    actions.add_parser("refund", help="refunds were paid from the rack")
    actions.add_parser("retest", help="test the cause of a fault again").add_argument("device")
    for action in set(actions.choices) - {"state", "retest"}:
        needs = "your staff number; the PIN is asked for, or read from standard input"
        actions.choices[action].add_argument("--by", required=action != "close", metavar="NUMBER", help=needs)


def _wager_actions(actions: Any) -> None:
    """What a dealer says of the layout while wagers are open, and of the devices beside it."""
    wager = _seat(actions.add_parser("wager", help="a wager on the layout that no sensor sees"))
    wager.add_argument("wager", help="such as bonus, insurance, pair_plus or number")
    wager.add_argument("cents", type=int, nargs="?", default=0, help="how much; the usual amount if left out")
    wager.add_argument("--number", type=int, default=0, help="the number it lies on, 1 to 7")
    _seat(actions.add_parser("take-back", help="such a wager was taken back")).add_argument("wager")
    actions.add_parser("as-last-round", help="the same wagers on the layout as in the last round")
    _seat(actions.add_parser("no-base", help="a seat has no base wager: its chip goes back"))
    _seat(actions.add_parser("base-laid", help="the seat laid its base wager after all"))
    actions.add_parser("number", help="the number that was drawn").add_argument("number", type=int)
    card = actions.add_parser("dealer-card", help="multiple action: the dealer's up-card, or a hand's second card")
    card.add_argument("card", help="such as As")
    card.add_argument("hand", type=int, nargs="?", default=0, help="1 to 3 for a second card; the up-card if left out")
    _seat(actions.add_parser("display", help="what the bonus display showed")).add_argument("cents", type=int)


def _of_wager(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument("--wager", default="progressive", help="the wager it wins, such as bonus; or envy")
    return parser


def run(args: argparse.Namespace) -> int:
    """Exit 0 if the table accepted it, 1 if it refused, 2 for a bad request, 3 without a table."""
    body = {
        key: value
        for key, value in vars(args).items()
        if key not in {"config", "socket", "json", "action", "run", "command", "by"} and value is not None
    }
    try:
        place = args.socket or state_dir_of(args.config) / CONTROL
        if getattr(args, "by", None):
            body["signed"] = {"number": args.by, "pin": ask_pin(args.by)}
        code, answer = _ask(place, args.action, None if args.action == "state" else body)
    except EOFError as error:
        print(f"{error}: type the PIN, or write it to standard input", file=sys.stderr)
        return BAD_REQUEST
    except SettingsError as fault:
        print(f"{fault}\nname the table's settings with --config, or its control.sock with --socket", file=sys.stderr)
        return BAD_REQUEST
    except PermissionError:
        print(f"{place} is for the table's own user and the members of its group", file=sys.stderr)
        return NO_TABLE
    except (OSError, http.client.HTTPException) as error:
        print(f"no table answers at {place}: {error}", file=sys.stderr)
        return NO_TABLE
    print(json.dumps(answer) if args.json else _readable(answer))
    return {200: 0, 409: REFUSED}.get(code, BAD_REQUEST)


def _ask(place: Path, action: str, body: dict[str, Any] | None) -> tuple[int, Any]:
    content = None if body is None else json.dumps(body).encode()
    status, words = ask(place, "GET" if body is None else "POST", f"/api/{action}", content, within_s=ANSWER_WITHIN_S)
    return status, json.loads(words)


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


def _reason(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument("--reason", required=True, help="why")
    return parser
