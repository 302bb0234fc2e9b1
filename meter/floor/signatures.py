"""Signatures: whether the two persons of a decision are who they say, where the meter knows its people by PINs."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeAlias

from house.staff.attempts import Attempts
from house.staff.door import Door, Note, TurnedAway
from house.staff.pin_command import ask_pin
from house.staff.pins import Person, Staff, StaffFault
from house.staff.visits import Visits
from meter.floor.roles import MAY
from meter.settings import MeterSettings

Pair: TypeAlias = tuple[str, str]
"""What belongs to the first person, and to the second."""


def door_of(settings: MeterSettings, *, note: Note, now: Callable[[], float], wall_ms: Callable[[], int]) -> Door:
    """The door of those who look after this meter."""
    staff, attempts = settings.floor.staff_file(settings.store), settings.floor.attempts_file(settings.store)
    return Door(Staff(staff), Attempts(attempts), Visits(now), may=MAY, note=note, wall_ms=wall_ms)


async def sign(door: Door, name: str, pin: str, what: str) -> Person | TurnedAway:
    """Who stands by a decision of this kind, by his PIN, or why nobody does."""
    person = await door.vouch(name, pin)
    if isinstance(person, Person) and person.role not in door.roles_for(what):
        return TurnedAway(f"{person.name} may not decide this")
    return person


async def pins_fault(door: Door, what: str, names: Pair, pins: Pair | None) -> str:
    """Why these PINs do not show that these two decide this, or nothing; names alone will do where nobody has a PIN."""
    try:
        if not door.staff.everybody():
            return ""
    except StaffFault as fault:
        return str(fault)
    if pins is None:
        return "this meter knows its people by their PINs: both persons must give theirs"
    for name, pin in zip(names, pins, strict=True):
        signed = await sign(door, name, pin, what)
        if isinstance(signed, TurnedAway):
            return f"{name}: {signed.reason}"
    return ""


def asked_pins(settings: MeterSettings, names: Pair) -> Pair | None:
    """The PINs of two persons at this terminal, where those who look after this meter have any; raises StaffFault."""
    has_staff = Staff(settings.floor.staff_file(settings.store)).everybody()
    return (ask_pin(names[0]), ask_pin(names[1])) if has_staff else None


def pins_fault_here(settings: MeterSettings, what: str, names: Pair, pins: Pair | None) -> str:
    """The same as pins_fault while no meter runs: wrong PINs count, but nobody writes the floor's book."""
    door = door_of(settings, note=_written_nowhere, now=time.monotonic, wall_ms=lambda: time.time_ns() // 1_000_000)
    return asyncio.run(pins_fault(door, what, names, pins))


async def _written_nowhere(_who: str, _did: str, _about: str) -> None: ...
