"""pitlink meter: runs the linked meter, or changes its parameters."""

import argparse
import asyncio
import sys
import time
from pathlib import Path
from typing import Any, Final

import msgspec

from cli.asked_pins import asked_pins, proven_here
from common.auth.authenticator import SignInRefused
from common.auth.directory import DirectoryFault
from common.log import open_log
from common.settings import SettingsError
from meter.booking.booker import Booker, ParameterChange, refuse_orphans
from meter.daemon import BAD_SETTINGS, BAD_STORE, refused, serve
from meter.settings import MeterSettings, read_meter_settings
from meter.store.base import InUse, OpenStore, StoreFault
from meter.store.open import open_store, own
from meter.web.permissions import Pair

NOT_BELIEVED: Final = 1


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help="the meter's settings")
    parser.add_argument("--print-config", action="store_true", help="show what is in force, and stop")
    parser.add_argument(
        "--apply-terms", action="store_true", help="let the settings' parameters rule from now on, and stop"
    )
    parser.add_argument("--by", default="", metavar="NUMBER", help="the staff number of who applies them")
    parser.add_argument("--and-by", default="", metavar="NUMBER", help="the second person's")
    parser.add_argument("--reason", default="", metavar="WORDS", help="why, such as the approval's number")
    parser.add_argument(
        "--given-up",
        action="append",
        default=[],
        metavar="TABLE",
        help="do not wait for this table: it will not come back",
    )


def run(args: argparse.Namespace) -> int:
    """Runs the meter until it is told to stop, or changes its parameters.

    1 if two persons were not believed, 2 for bad settings, 3 for books that cannot be trusted or written.
    """
    try:
        settings = read_meter_settings(args.config)
        # Before the books are ours: nobody's meter waits while somebody looks for his PIN.
        pins = asked_pins(settings, (args.by, args.and_by)) if args.apply_terms else None
    except (SettingsError, DirectoryFault) as error:
        print(error, file=sys.stderr)
        return BAD_SETTINGS
    if args.print_config:
        print(msgspec.json.format(msgspec.json.encode(_in_force(settings), enc_hook=str), indent=2).decode())
        return 0
    log = open_log()
    try:
        store = open_store(settings.store)
    except StoreFault as fault:
        return _not_applied(settings, fault) if args.apply_terms else refused(log, fault)
    try:
        if args.apply_terms:
            change = ParameterChange(args.by, args.and_by, args.reason, tuple(args.given_up))
            return _apply_terms(settings, store, change, pins)
        return asyncio.run(serve(settings, store, log, args.program))
    except StoreFault as fault:
        return _not_applied(settings, fault) if args.apply_terms else refused(log, fault)
    finally:
        store.close()


def _in_force(settings: MeterSettings) -> dict[str, Any]:
    """Everything, with what each game says where the settings do not (R1)."""
    shown: dict[str, Any] = msgspec.to_builtins(settings, enc_hook=str)
    for told, link in zip(shown["links"], settings.links, strict=True):
        told["shortest_round_ms"] = {game.name: link.shortest_round_of(game.name) for game in link.games}
        told["shortest_claim_ms"] = {game.name: link.shortest_claim_of(game.name) for game in link.games}
        told["shortest_payout_ms"] = {game.name: link.shortest_payout_of(game.name) for game in link.games}
    return shown


def _apply_terms(settings: MeterSettings, store: OpenStore, change: ParameterChange, pins: Pair | None) -> int:
    """While the store is ours no meter runs, and no link is in operation (R96)."""
    own(store)
    names = proven_here(settings, store, "ChangeTerms", (change.by, change.and_by), pins)
    if isinstance(names, SignInRefused):
        print(f"the parameters cannot change: {names.reason}", file=sys.stderr)
        return NOT_BELIEVED
    refuse_orphans(store, settings.links)
    change = ParameterChange(*names, change.reason, change.given_up)
    heads = Booker(store, settings.links, lambda: time.time_ns() // 1_000_000).open(change)
    for name, head in heads.items():
        print(f"link {name}: these parameters rule since record {head.number} at the latest")
    return 0


def _not_applied(settings: MeterSettings, fault: StoreFault) -> int:
    """Says why nothing was changed; nobody has tried to start a meter, and one that runs goes on."""
    print(f"the parameters were not changed: {fault}", file=sys.stderr)
    if isinstance(fault, InUse):
        links = ", ".join(link.name for link in settings.links)
        print(
            f"the meter that runs goes on as it was. Let two persons stop the link that is to change, then stop the "
            f"meter: every table of {links} is closed until it is started again",
            file=sys.stderr,
        )
    return BAD_STORE
