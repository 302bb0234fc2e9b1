"""pitlink staff: the staff directory, at the meter's machine; changed by the running meter, or in its books."""

import argparse
import asyncio
import getpass
import http.client
import sys
import time
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import UNSET

from cli.asked_pins import ask_pin, asked_pin, authenticator_here, keeper_here, wall_ms
from common.auth.authenticator import SignInRefused
from common.auth.directory import DirectoryFault
from common.auth.lockout import LockOut
from common.auth.roles import Role
from common.settings import SettingsError
from common.unix_http import CONTROL, ask
from meter.settings import MeterSettings, read_meter_settings
from meter.staff.changes import (
    AddPerson,
    Asked,
    ChangePerson,
    EnrolTotp,
    FirstPersons,
    OwnPin,
    RemovePerson,
    UnlockPerson,
)
from meter.staff.keeper import StaffKeeper
from meter.store.audit_log import STAFF, StaffChanged, append, read_note
from meter.store.base import StoreFault
from meter.store.open import open_store, own
from meter.web.permissions import ATTEMPTS, proven_change
from meter.web.staff_orders import StaffOrder, StaffReply, entries, reply

REFUSED: Final = 1
BAD_REQUEST: Final = 2
NO_BOOKS: Final = 3
OK: Final = 200
ANSWER_WITHIN_S: Final = 30
_ROLES: Final = tuple(role.value for role in Role)
_MOST_LINES: Final = 1_000


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    deeds = parser.add_subparsers(dest="deed", required=True, metavar="DEED")
    deeds.add_parser("key", help="make the meter's signing key, once, and print what tables' settings need")
    first = deeds.add_parser("init", help="begin the directory with two persons; both type their PINs")
    for place, when in (("--first", "the first"), ("--second", "the second")):
        first.add_argument(place, nargs=3, required=True, metavar=("NUMBER", "NAME", "ROLE"), help=f"{when} person")
    add = deeds.add_parser("add", help="one person more, who types the new PIN")
    add.add_argument("number")
    add.add_argument("name")
    add.add_argument("role", choices=_ROLES)
    change = deeds.add_parser("change", help="another name, role, badge, last day, or a PIN that must be changed")
    change.add_argument("number")
    change.add_argument("--name", default=UNSET)
    change.add_argument("--role", choices=_ROLES, default=UNSET)
    change.add_argument("--pin", action="store_true", help="asks for a PIN that opens nothing but own-pin")
    for deed in (add, change):
        deed.add_argument("--badge", action="store_true", help="read the badge's code, a line, after the PINs")
        deed.add_argument("--expires-on", metavar="DAY", default=UNSET, help='last day such as 2026-12-31; "" for none')
    for name, meaning in (
        ("remove", "take somebody out; every table knows within seconds"),
        ("unlock", "let somebody in again after long disuse or wrong PINs"),
        ("enrol-totp", "a new secret for codes; prints the address for an app, once"),
        ("own-pin", "choose another PIN for yourself, with the old one"),
    ):
        deeds.add_parser(name, help=meaning).add_argument("number")
    deeds.add_parser("list", help="everybody")
    deeds.add_parser("log", help="every change, oldest first")
    for name, deed in deeds.choices.items():
        deed.add_argument("--config", type=Path, required=True, metavar="FILE", help="the meter's settings (TOML)")
        if name in {"add", "change", "remove", "unlock", "enrol-totp"}:
            deed.add_argument("--by", required=True, metavar="NUMBER", help="the first who stands by it")
            deed.add_argument("--and-by", required=True, metavar="NUMBER", help="the second")


def run(args: argparse.Namespace) -> int:
    """Exit 0 if it was done, 1 if it was refused, 2 for a bad request, 3 for books that nobody can open."""
    try:
        settings = read_meter_settings(args.config)
        match args.deed:
            case "key":
                return _key(settings)
            case "list":
                return _list(settings)
            case "log":
                return _log(settings)
            case _:
                return _change(settings, _order(args))
    except (SettingsError, DirectoryFault) as error:
        print(error, file=sys.stderr)
        return BAD_REQUEST
    except (OSError, StoreFault, http.client.HTTPException) as error:
        print(error, file=sys.stderr)
        return NO_BOOKS


def _key(settings: MeterSettings) -> int:
    keeper = StaffKeeper(settings.folder, wall_ms)
    if not keeper.has_key():
        keeper.make_key()
    print(f'In the settings of every table, and nowhere else:\n\n[link]\nstaff_key = "{keeper.table_key()}"')
    return 0


def _list(settings: MeterSettings) -> int:
    for entry in entries(StaffKeeper(settings.folder, wall_ms).book()):
        marks = {
            f"until {entry.expires_on}": entry.expires_on,
            "locked": entry.locked,
            "must change PIN": entry.must_change,
            "badge": entry.has_badge,
            "TOTP": entry.has_totp,
        }
        said = ", ".join(mark for mark, is_so in marks.items() if is_so)
        print(f"{entry.number:>10}  {entry.role:12}{entry.name:34}{said}".rstrip())
    return 0


def _log(settings: MeterSettings) -> int:
    store = open_store(settings.store, reading=True)
    try:
        notes = [read_note(line) for line in reversed(store.last_lines(STAFF, "", _MOST_LINES))]
    finally:
        store.close()
    for note in notes:
        if isinstance(said := note.said, StaffChanged):
            both = f"{said.by} and {said.and_by}" if said.and_by else said.by
            print(f"line {note.number}, directory {said.directory}: {both} {said.what}")
    return 0


def _order(args: argparse.Namespace) -> StaffOrder:
    """Asks the two who stand by it for their PINs, then the person concerned for the new one."""
    if args.deed == "init":
        return StaffOrder(_first_persons(args))
    if args.deed == "own-pin":
        old = asked_pin(args.number)
        return StaffOrder(OwnPin(args.number, _new_pin(args.number)), pins=(old, ""))
    pins = asked_pin(args.by), asked_pin(args.and_by)
    return StaffOrder(_asked(args), args.by, args.and_by, pins)


def _asked(args: argparse.Namespace) -> Asked:
    match args.deed:
        case "add":
            pin, badge = _new_pin(args.name), _badge() if args.badge else ""
            until = "" if args.expires_on is UNSET else args.expires_on
            return AddPerson(args.number, args.name, Role(args.role), pin, badge, until)
        case "change":
            return ChangePerson(
                args.number,
                name=args.name,
                role=UNSET if args.role is UNSET else Role(args.role),
                pin=_new_pin(args.number) if args.pin else UNSET,
                badge=_badge() if args.badge else UNSET,
                expires_on=args.expires_on,
            )
        case "remove":
            return RemovePerson(args.number)
        case "unlock":
            return UnlockPerson(args.number)
        case _:
            return EnrolTotp(args.number)


def _first_persons(args: argparse.Namespace) -> FirstPersons:
    for _, _, role in (args.first, args.second):
        if role not in _ROLES:
            raise DirectoryFault(f"{role!r} is no role; write one of {', '.join(_ROLES)}")
    first, second = (
        AddPerson(number, name, Role(role), _new_pin(name)) for number, name, role in (args.first, args.second)
    )
    return FirstPersons((first, second))


def _new_pin(whose: str) -> str:
    """Asked twice of a person, who cannot see what he types."""
    print(f"{whose} types the new PIN now.", file=sys.stderr)
    first = asked_pin(whose)
    if sys.stdin.isatty() and first != getpass.getpass("once more: "):
        raise DirectoryFault("the two PINs differ: nothing was changed")
    return first


def _badge() -> str:
    return ask_pin("the badge (hold it to the reader; no badge: Enter)")


def _change(settings: MeterSettings, order: StaffOrder) -> int:
    try:
        code, content = ask(
            settings.folder / CONTROL, "POST", "/api/staff", msgspec.json.encode(order), within_s=ANSWER_WITHIN_S
        )
        answer = msgspec.json.decode(content)
    except (FileNotFoundError, ConnectionRefusedError):  # no meter runs here
        code, answer = _change_here(settings, order)
    if isinstance(order.change, UnlockPerson) and code == OK:
        LockOut(settings.folder / ATTEMPTS, time.monotonic).unlock(order.change.number)
    return _tell(answer)


def _tell(answer: Any) -> int:
    said = msgspec.convert(answer, StaffReply, strict=False) if "taken" in answer else None
    if said is None or not said.taken:
        print(said.reason if said else answer.get("error", answer), file=sys.stderr)
        return REFUSED if said else BAD_REQUEST
    print(f"done: {said.reason}; the directory is number {said.directory} now")
    if said.told:
        print(f"{said.told}\nShow this to its owner only; it is not shown again.")
    return 0


def _change_here(settings: MeterSettings, order: StaffOrder) -> tuple[int, Any]:
    """Without a running meter the books are locked for the moment, and the line is written into them directly."""
    store = open_store(settings.store)
    try:
        own(store)
        staff = keeper_here(settings, store)
        by = order.by, order.and_by
        names = asyncio.run(proven_change(authenticator_here(settings, staff), order.change, by, order.pins))
        if isinstance(names, SignInRefused):
            return 409, msgspec.to_builtins(StaffReply(taken=False, reason=names.reason))
        line = staff.stage(order.change, *names)
        append(store, line, wall_ms())
        staff.finish(line)
        return 200, msgspec.to_builtins(reply(staff, order.change, line))
    except DirectoryFault as fault:
        return 409, msgspec.to_builtins(StaffReply(taken=False, reason=str(fault)))
    finally:
        store.close()
