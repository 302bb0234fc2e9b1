"""PINs at a terminal: two persons are asked for theirs, and a decision is theirs by them."""

import asyncio
import getpass
import sys
import time

from common.auth.authenticator import SignInRefused
from common.auth.directory import DirectoryFault, NoDirectory
from meter.ledger.decisions import persons_fault
from meter.settings import MeterSettings
from meter.staff.keeper import StaffKeeper
from meter.web.permissions import Pair, authenticator_of, proven


def ask_pin(whose: str) -> str:
    """Asked of a person, or read from a script, a line each; never an argument, which others could see."""
    if sys.stdin is None:
        raise EOFError("there is nobody to ask")
    return getpass.getpass(f"PIN of {whose}: ") if sys.stdin.isatty() else sys.stdin.readline().strip()


def asked_pins(settings: MeterSettings, by: Pair) -> Pair | None:
    """The PINs of two persons, where this meter has a staff directory; raises DirectoryFault without an answer."""
    if persons_fault(*by):
        return None
    try:
        StaffKeeper(settings.staff_folder, wall_ms).directory()
    except NoDirectory:
        return None
    return _asked(by[0]), _asked(by[1])


def proven_here(settings: MeterSettings, what: str, by: Pair, pins: Pair | None) -> Pair | SignInRefused:
    """The same as proven() while no meter runs: wrong PINs count and delay, but nobody keeps the floor's book."""
    staff = StaffKeeper(settings.staff_folder, wall_ms)
    authenticator = authenticator_of(settings, staff.directory, note=_keep_no_book, now=time.monotonic, is_patient=True)
    return asyncio.run(proven(authenticator, what, by, pins))


def wall_ms() -> int:
    """The calendar's time."""
    return time.time_ns() // 1_000_000


def _asked(number: str) -> str:
    try:
        pin = ask_pin(number)
    except EOFError:
        pin = ""
    if not pin:
        raise DirectoryFault(f"{number} gave no PIN: type it, or write both to standard input, a line each")
    return pin


async def _keep_no_book(_who: str, _did: str, _about: str) -> None:
    """The floor's book is the running meter's."""
