"""Who may decide what at the meter, and whether two persons are who they say."""

from collections.abc import Callable
from typing import Final, TypeAlias

from common.auth.authenticator import Authenticator, Note, SignInRefused
from common.auth.lockout import OWN_SCREEN, LockOut
from common.auth.pins import Person, Staff, StaffFault
from common.auth.roles import May, Role
from common.auth.sessions import Sessions
from meter.ledger.decisions import persons_fault
from meter.settings import MeterSettings

_MANAGEMENT: Final = frozenset({Role.SUPERVISOR, Role.ACCOUNTING})
_ALL: Final = frozenset({Role.SUPERVISOR, Role.ACCOUNTING, Role.TECHNICIAN})

MAY: Final[May] = {
    "acknowledge": _ALL,
    "see history": _ALL,
    "see statement": _MANAGEMENT,
    "OrderClaims": _MANAGEMENT,
    "DecideHeld": _MANAGEMENT,
    "SettleAward": _MANAGEMENT,
    "Correct": _MANAGEMENT,
    "Transfer": _MANAGEMENT,
    "TakeOverflow": _MANAGEMENT,
    "Close": _MANAGEMENT,
    "Stop": _ALL,
    "Reopen": _MANAGEMENT,
    "ChangeTerms": _MANAGEMENT,
    "SwapBoard": frozenset({Role.SUPERVISOR, Role.TECHNICIAN}),
}
"""Every action, and the roles that may take it; a decision needs two persons, each of one of its roles."""


Pair: TypeAlias = tuple[str, str]
"""What belongs to the first person, and to the second."""


def authenticator_of(
    settings: MeterSettings,
    *,
    note: Note,
    now: Callable[[], float],
    alarm: Callable[[str], None] = lambda _words: None,
    is_patient: bool = False,
) -> Authenticator:
    """The door of those who look after this meter."""
    staff, attempts = settings.floor.staff_file(settings.store), settings.floor.attempts_file(settings.store)
    return Authenticator(
        Staff(staff),
        LockOut(attempts, now),
        Sessions(now),
        may=MAY,
        note=note,
        alarm=alarm,
        is_patient=is_patient,
    )


async def sign(
    authenticator: Authenticator, name: str, pin: str, what: str, source: str = OWN_SCREEN
) -> Person | SignInRefused:
    """Who stands by a decision of this kind, by his PIN, or why nobody does."""
    person = await authenticator.vouch(name, pin, source, stops=what == "Stop")
    if isinstance(person, Person) and person.role not in authenticator.roles_for(what):
        return SignInRefused(f"{person.name} may not decide this")
    return person


async def proven(authenticator: Authenticator, what: str, names: Pair, pins: Pair | None) -> Pair | SignInRefused:
    """The names of the two whose PINs these are, or why they decide nothing; where nobody has a PIN, names will do."""
    fault = persons_fault(*names)
    if fault:
        return SignInRefused(fault)
    try:
        if not authenticator.staff.everybody():
            return names
    except StaffFault as damaged:
        return SignInRefused(str(damaged))
    if pins is None:
        return SignInRefused("this meter knows its people by their PINs: both persons must give theirs")
    signed: list[str] = []
    for name, pin in zip(names, pins, strict=True):
        person = await sign(authenticator, name, pin, what)
        if isinstance(person, SignInRefused):
            return SignInRefused(f"{name}: {person.reason}", person.wait_s)
        signed.append(person.name)
    return signed[0], signed[1]
