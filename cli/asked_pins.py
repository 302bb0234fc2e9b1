"""PINs at a terminal: two persons are asked for theirs, and a decision is theirs by them."""

import asyncio
import getpass
import sys
import time

from common.auth.authenticator import Authenticator, SignInRefused
from common.auth.directory import DirectoryFault, NoDirectory
from meter.ledger.decisions import persons_fault
from meter.settings import MeterSettings
from meter.staff.keeper import StaffKeeper
from meter.store.audit_log import last_staff_change
from meter.store.base import OpenStore
from meter.web.permissions import Pair, authenticator_of, proven


def ask_pin(whose: str) -> str:
    """Asked of a person, or read from a script, a line each; never an argument, which others could see."""
    if sys.stdin is None:
        raise EOFError("there is nobody to ask")
    return getpass.getpass(f"PIN of {whose}: ") if sys.stdin.isatty() else sys.stdin.readline().strip()


def asked_pins(settings: MeterSettings, by: Pair) -> Pair | None:
    """The PINs of two persons; nothing where no directory can check them. Raises DirectoryFault without an answer."""
    if persons_fault(*by):
        return None
    try:
        StaffKeeper(settings.folder, wall_ms).directory()
    except NoDirectory:
        return None
    return asked_pin(by[0]), asked_pin(by[1])


def asked_pin(number: str) -> str:
    """The PIN of one person; raises DirectoryFault without one."""
    try:
        pin = ask_pin(number)
    except EOFError:
        pin = ""
    if not pin:
        raise DirectoryFault(f"{number} gave no PIN: type it, or write each PIN to standard input, a line each")
    return pin


def proven_here(
    settings: MeterSettings, store: OpenStore, what: str, by: Pair, pins: Pair | None
) -> Pair | SignInRefused:
    """The same as proven() while no meter runs: wrong PINs count and delay, but nobody keeps the floor's book."""
    return asyncio.run(proven(authenticator_here(settings, keeper_here(settings, store)), what, by, pins))


def keeper_here(settings: MeterSettings, store: OpenStore) -> StaffKeeper:
    """The staff of a meter that does not run, as its books know it."""
    return StaffKeeper(settings.folder, wall_ms, last_staff_change(store))


def authenticator_here(settings: MeterSettings, staff: StaffKeeper) -> Authenticator:
    """Checks PINs while no meter runs."""
    return authenticator_of(settings, staff.directory, note=_keep_no_book, now=time.monotonic, is_patient=True)


def wall_ms() -> int:
    """The calendar's time."""
    return time.time_ns() // 1_000_000


async def _keep_no_book(_who: str, _did: str, _about: str) -> None:
    """The floor's book is the running meter's."""
