"""Two persons at a terminal: asked for their PINs, and believed without a meter that runs."""

import asyncio
import time

from common.auth.authenticator import SignInRefused
from common.auth.pin_command import ask_pin
from common.auth.pins import Staff, StaffFault
from meter.ledger.decisions import persons_fault
from meter.settings import MeterSettings
from meter.web.permissions import Pair, door_of, proven


def asked_pins(settings: MeterSettings, names: Pair) -> Pair | None:
    """The PINs of two persons, where those who look after this meter have any; raises StaffFault without an answer."""
    has_staff = Staff(settings.floor.staff_file(settings.store)).everybody()
    if not has_staff or persons_fault(*names):
        return None
    return _asked(names[0]), _asked(names[1])


def proven_here(settings: MeterSettings, what: str, names: Pair, pins: Pair | None) -> Pair | SignInRefused:
    """The same as proven() while no meter runs: wrong PINs count, but nobody keeps the floor's book."""
    door = door_of(settings, note=_keep_no_book, now=time.monotonic, wall_ms=lambda: time.time_ns() // 1_000_000)
    return asyncio.run(proven(door, what, names, pins))


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
