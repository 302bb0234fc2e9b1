"""pitlink service: a technician's tests at a running table that is closed; every one is in the journal."""

import argparse
import http.client
import json
import sys
import time
from pathlib import Path
from typing import Any, Final

import msgspec

from cli.asked_pins import ask_pin
from common.settings import SettingsError
from common.unix_http import CONTROL, ask
from controller.devices.self_test import KINDS, MEASURE, PAY, PULSE
from controller.settings.table import state_dir_of
from controller.web.pin_levels import LineView
from controller.web.text import with_rule

REFUSED: Final = 1
BAD_REQUEST: Final = 2
NO_TABLE: Final = 3
_ANSWER_WITHIN_S: Final = 60
_LOOK_EVERY_S: Final = 0.1


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    usual = Path("/etc/pitlink/table.toml")
    parser.add_argument("--config", type=Path, default=usual, metavar="FILE", help="the table's settings")
    parser.add_argument("--socket", type=Path, metavar="PATH", help="the table's control.sock, in place of --config")
    deeds = parser.add_subparsers(dest="deed", required=True, metavar="DEED")
    watch = deeds.add_parser("watch", help="every input live: a line for each change, until Ctrl-C")
    watch.add_argument("--outputs", action="store_true", help="outputs, too")
    watch.add_argument("--once", action="store_true", help="every pin as it is now, and stop")
    deeds.add_parser("parts", help="what can be tested here")
    test = deeds.add_parser("test", help="each lamp, gate or sensor once, or ask the return device who it is")
    test.add_argument("what", choices=KINDS)
    pulse = deeds.add_parser("pulse", help='move one part once, such as "seat 3 light", "seat 3 gate", "return device"')
    pulse.add_argument("part", nargs="+")
    deeds.add_parser("pay-one-chip", help="have the return device pay one chip")
    deeds.add_parser("measure", help="open a seat's gate for one chip, and say how it passed").add_argument(
        "seat", type=int
    )
    for name in ("test", "pulse", "pay-one-chip", "measure"):
        needs = "your staff number; the PIN is asked for, or read from standard input"
        deeds.choices[name].add_argument("--by", required=True, metavar="NUMBER", help=needs)


def run(args: argparse.Namespace) -> int:
    """Exit 0 if it was done, 1 if the table refused, 2 for a bad request, 3 without a table."""
    try:
        place = args.socket or state_dir_of(args.config) / CONTROL
        match args.deed:
            case "watch":
                return _watch(place, outputs=args.outputs, once=args.once)
            case "parts":
                return _parts(place)
            case _:
                return _test(place, *_asked(args), by=args.by)
    except KeyboardInterrupt:
        return 0
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
        print(f"no table answers at {place}: {error}; start it (systemctl start pitlink-table)", file=sys.stderr)
        return NO_TABLE


def _asked(args: argparse.Namespace) -> tuple[str, str]:
    match args.deed:
        case "pulse":
            return PULSE, " ".join(args.part)
        case "pay-one-chip":
            return PAY, "return device"
        case "measure":
            return MEASURE, f"seat {args.seat}"
        case _:
            return args.what, ""


def _test(place: Path, what: str, part: str, *, by: str) -> int:
    body = {"what": what, "part": part, "signed": {"number": by, "pin": ask_pin(by)}}
    if what == MEASURE:
        print(f"drop one chip into {part} when its gate opens", flush=True)
    status, answer = _ask(place, "test", body)
    if "error" in answer:
        print(answer["error"], file=sys.stderr)
        return BAD_REQUEST
    if not answer["accepted"]:
        print(f"refused: {with_rule(answer['reason'], answer['rule'])}", file=sys.stderr)
        return REFUSED
    print(answer["reason"])
    return 0 if status == http.HTTPStatus.OK else REFUSED


def _parts(place: Path) -> int:
    for kind, parts in _ask(place, "tests")[1].items():
        print(f"{kind}: {', '.join(parts)}" if parts else f"test {kind}")
    return 0


def _watch(place: Path, *, outputs: bool, once: bool) -> int:
    known: dict[str, bool] = {}
    while True:
        lines = msgspec.convert(_ask(place, "lines")[1], type=tuple[LineView, ...])
        for line in (line for line in lines if outputs or line.direction == "input"):
            name = f"{line.line} {line.device}"
            if known.get(name) is not line.active:
                print(f"{name}: {'ON' if line.active else 'off'}", flush=True)
            known[name] = line.active
        if once:
            return 0
        time.sleep(_LOOK_EVERY_S)


def _ask(place: Path, what: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
    content = None if body is None else json.dumps(body).encode()
    status, words = ask(place, "GET" if body is None else "POST", f"/api/{what}", content, within_s=_ANSWER_WITHIN_S)
    return status, json.loads(words)
