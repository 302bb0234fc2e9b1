"""PINs at a terminal: names, roles and PINs of a daemon's staff, and two persons asked for theirs."""

import argparse
import asyncio
import getpass
import sys
import time
from pathlib import Path

from common.auth.authenticator import SignInRefused
from common.auth.lockout import LockOut
from common.auth.pins import Staff, StaffFault
from common.auth.roles import Role
from common.files import make_folder
from meter.ledger.decisions import persons_fault
from meter.settings import MeterSettings
from meter.web.permissions import Pair, authenticator_of, proven


def pin_arguments(parser: argparse.ArgumentParser, *, of: str, settings: str) -> None:
    """What the command takes."""
    things = parser.add_subparsers(dest="thing", required=True, metavar="THING")
    pin = things.add_parser("pin", help=f"names, roles and PINs of {of}")
    deeds = pin.add_subparsers(dest="deed", required=True, metavar="DEED")
    setting = deeds.add_parser("set", help="give somebody a role and a PIN, asked for twice or read from stdin")
    setting.add_argument("role", choices=[role.value for role in Role])
    setting.add_argument("name")
    deeds.add_parser("remove", help="take somebody's PIN away").add_argument("name")
    deeds.add_parser("unlock", help="let somebody try again after wrong PINs").add_argument("name")
    deeds.add_parser("list", help="who has a PIN, in which role")
    for deed in deeds.choices.values():
        deed.add_argument("--config", type=Path, required=True, help=f"{settings} (TOML)")


def do(args: argparse.Namespace, staff: Staff, attempts: Path) -> None:
    """Does what was asked for; raises StaffFault or OSError with what will not do."""
    match args.deed:
        case "set":
            make_folder(staff.path.parent)
            staff.set(Role(args.role), args.name, _new_pin(args.name))
            print(f"{args.name} is {args.role} now")
        case "remove":
            staff.remove(args.name)
            print(f"{args.name} has no PIN any more")
        case "unlock":
            known = staff.must_know(args.name)
            LockOut(attempts, time.monotonic).unlock(known.name)
            print(f"{args.name} may try again")
        case _:
            persons = [f"{person.role.value:12}{person.name}" for person in staff.everybody()]
            print("\n".join(persons) or f"no PINs set; pitlink {args.command} pin set ROLE NAME sets one")


def ask_pin(name: str) -> str:
    """Asked of a person, or read from a script, a line each; never an argument, which others could see."""
    if sys.stdin is None:
        raise EOFError("there is nobody to ask")
    return getpass.getpass(f"PIN of {name}: ") if sys.stdin.isatty() else sys.stdin.readline().strip()


def _new_pin(name: str) -> str:
    """Asked twice of a person, who cannot see what he types."""
    first = ask_pin(name)
    if sys.stdin.isatty() and first != getpass.getpass("once more: "):
        raise StaffFault("the two PINs differ")
    return first


def asked_pins(settings: MeterSettings, names: Pair) -> Pair | None:
    """The PINs of two persons, where those who look after this meter have any; raises StaffFault without an answer."""
    has_staff = Staff(settings.floor.staff_file(settings.store)).everybody()
    if not has_staff or persons_fault(*names):
        return None
    return _asked(names[0]), _asked(names[1])


def proven_here(settings: MeterSettings, what: str, names: Pair, pins: Pair | None) -> Pair | SignInRefused:
    """The same as proven() while no meter runs: wrong PINs count and delay, but nobody keeps the floor's book."""
    authenticator = authenticator_of(settings, note=_keep_no_book, now=time.monotonic, is_patient=True)
    return asyncio.run(proven(authenticator, what, names, pins))


def _asked(name: str) -> str:
    try:
        pin = ask_pin(name)
    except EOFError:
        pin = ""
    if not pin:
        raise StaffFault(f"{name} gave no PIN: type it, or write both to standard input, a line each")
    return pin


async def _keep_no_book(_who: str, _did: str, _about: str) -> None:
    """The floor's book is the running meter's."""
