"""pitlink decide: two persons' decision about a link, told to the running meter or, without one, to its store."""

import argparse
import http.client
import json
import sys
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import msgspec
from msgspec.structs import replace

from cli.asked_pins import asked_pins, proven_here, wall_ms
from common.auth.authenticator import SignInRefused
from common.auth.directory import DirectoryFault
from common.settings import SettingsError
from common.unix_http import CONTROL, ask
from meter.booking.booker import Booker, refuse_lost, refuse_orphans
from meter.ledger.decisions import Decided
from meter.reports.source import open_books
from meter.settings import MeterSettings, read_meter_settings
from meter.store.audit import audited
from meter.store.base import OpenStore, StoreFault
from meter.store.open import open_store, own
from meter.store.replay import stands_at
from meter.web.api import Signed, view_of

OK: Final = 200
REFUSED: Final = 1
BAD_REQUEST: Final = 2
NO_BOOKS: Final = 3
ANSWER_WITHIN_S: Final = 10


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help="the meter's settings")
    parser.add_argument("link", help="the link's name")
    parser.add_argument(
        "decision", nargs="?", help='such as \'{"type": "Stop"}\'; without it: what waits to be decided'
    )
    parser.add_argument("--by", default="", metavar="NUMBER", help="the first person's staff number")
    parser.add_argument("--and-by", default="", metavar="NUMBER", help="the second person's")
    parser.add_argument("--reason", default="", metavar="WORDS", help="why")


def run(args: argparse.Namespace) -> int:
    """Exit 0 if it was taken, 1 if it was refused, 2 for a bad request, 3 for books that nobody can open."""
    try:
        settings = read_meter_settings(args.config)
        signed = _signed(args, settings) if args.decision else None
    except (SettingsError, DirectoryFault, msgspec.DecodeError) as error:
        print(error, file=sys.stderr)
        return BAD_REQUEST
    try:
        code, answer = _ask_meter(settings, args.link, signed)
    except (FileNotFoundError, ConnectionRefusedError):  # no meter runs here
        code, answer = _ask_store(settings, args.link, signed) if signed else _look(settings, args.link)
    except (OSError, http.client.HTTPException, ValueError) as error:  # or it answers what no meter says
        print(f"the meter does not answer at {settings.folder / CONTROL}: {error}", file=sys.stderr)
        return NO_BOOKS
    print(json.dumps(answer, indent=2))
    return {OK: 0, 409: REFUSED, 503: NO_BOOKS}.get(code, BAD_REQUEST)


def _signed(args: argparse.Namespace, settings: MeterSettings) -> Signed:
    try:
        decision = msgspec.json.decode(args.decision)
    except RecursionError as error:
        raise msgspec.DecodeError("the decision is nested too deeply") from error
    said = {"type": "Decided", "decision": decision, "by": args.by, "and_by": args.and_by, "reason": args.reason}
    return replace(msgspec.convert(said, Signed), pins=asked_pins(settings, (args.by, args.and_by)))


def _ask_meter(settings: MeterSettings, link: str, signed: Signed | None) -> tuple[int, Any]:
    control, place = settings.folder / CONTROL, f"/api/links/{quote(link, safe='')}"
    if signed is None:
        status, words = ask(control, "GET", place, within_s=ANSWER_WITHIN_S)
    else:
        status, words = ask(
            control, "POST", f"{place}/decisions", msgspec.json.encode(signed), within_s=ANSWER_WITHIN_S
        )
    return status, json.loads(words)


def _look(settings: MeterSettings, link: str) -> tuple[int, Any]:
    """Without a running meter the books are read as they stand: who only looks begins none, and changes none."""
    if link not in {each.name for each in settings.links}:
        return _no_link(link)
    try:
        with open_books(settings.store) as store:
            refuse_lost(store, [link])
            if link not in store.links():
                return _no_books(f"link {link} has no books yet: no meter has been started on it")
            head = audited(store, link, stands_at(store, link)).head
    except StoreFault as fault:
        return _no_books(str(fault))
    return 200, msgspec.to_builtins(view_of(link, head, wall_ms()))


def _ask_store(settings: MeterSettings, link: str, signed: Signed) -> tuple[int, Any]:
    """Without a running meter the books themselves are opened, audited and locked for the moment."""
    try:
        store = open_store(settings.store)
    except StoreFault as fault:
        return _no_books(str(fault))
    try:
        own(store)
        decided = _believed(settings, store, signed)
        if isinstance(decided, SignInRefused):
            return 409, {"taken": False, "reason": decided.reason, "number": 0}
        refuse_orphans(store, settings.links)
        return _ask_books(Booker(store, settings.links, wall_ms), link, decided)
    except StoreFault as fault:
        return _no_books(str(fault))
    finally:
        store.close()


def _believed(settings: MeterSettings, store: OpenStore, signed: Signed) -> Decided | SignInRefused:
    what = type(signed.decision).__name__
    names = proven_here(settings, store, what, (signed.by, signed.and_by), signed.pins)
    return names if isinstance(names, SignInRefused) else signed.decided(names)


def _ask_books(booker: Booker, link: str, decided: Decided) -> tuple[int, Any]:
    if link not in booker.open():
        return _no_link(link)
    verdict = booker.decide(link, decided)
    number = verdict.reports[link].head.number if verdict.reports else 0
    answer = {"taken": not verdict.refusal, "reason": verdict.refusal, "number": number}
    return 409 if verdict.refusal else 200, answer


def _no_link(link: str) -> tuple[int, Any]:
    return 404, {"error": f"there is no link {link}", "where": "link"}


def _no_books(reason: str) -> tuple[int, Any]:
    return 503, {"taken": False, "reason": reason, "number": 0}
