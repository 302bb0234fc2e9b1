"""Who may decide what at the meter, and whether two persons are who they say."""

from collections.abc import Callable
from typing import Final, TypeAlias

from common.auth.authenticator import Authenticator, CodeCheck, Credentials, Note, SignInRefused, Vouched
from common.auth.directory import Directory, DirectoryFault, NoDirectory, Person
from common.auth.lockout import OWN_SCREEN, LockOut
from common.auth.roles import May, Role
from common.auth.sessions import Sessions
from meter.ledger.decision_effects import DECISIONS
from meter.ledger.decisions import persons_fault
from meter.settings import MeterSettings
from meter.staff.changes import MANAGERS, Asked, FirstPersons, OwnPin

_MANAGEMENT: Final = frozenset({Role.SUPERVISOR, Role.ACCOUNTING})
_ALL: Final = frozenset({Role.SUPERVISOR, Role.ACCOUNTING, Role.TECHNICIAN})

MAY: Final[May] = {
    "acknowledge": _ALL,
    "see history": _ALL,
    "see statement": _MANAGEMENT,
    **{kind.__name__: rule.may for kind, rule in DECISIONS.items() if rule.may},
    "change staff": MANAGERS,
}
"""Every action, and the roles that may take it; a decision needs two persons, each of one of its roles."""


ATTEMPTS: Final = "attempts.json"
"""Where wrong PINs are counted."""
Pair: TypeAlias = tuple[str, str]
"""What belongs to the first person, and to the second."""


def authenticator_of(
    settings: MeterSettings,
    staff: Callable[[], Directory],
    *,
    note: Note,
    now: Callable[[], float],
    alarm: Callable[[str], None] = lambda _words: None,
    check_code: CodeCheck | None = None,
    is_patient: bool = False,
    used: Callable[[Vouched], None] = lambda _who: None,
) -> Authenticator:
    """The door of those who look after this meter."""
    return Authenticator(
        staff,
        LockOut(settings.folder / ATTEMPTS, now),
        Sessions(now),
        may=MAY,
        note=note,
        alarm=alarm,
        check_code=check_code,
        is_patient=is_patient,
        used=used,
    )


async def sign(
    authenticator: Authenticator, shown: Credentials, what: str, source: str = OWN_SCREEN
) -> Person | SignInRefused:
    """Who stands by a decision of this kind, by his PIN, or why nobody does."""
    came = await authenticator.vouch(shown, source, stops=what == "Stop")
    if isinstance(came, SignInRefused):
        return came
    if came.person.role not in authenticator.roles_for(what):
        return SignInRefused(f"{came.person.name} may not decide this")
    return came.person


async def proven_change(
    authenticator: Authenticator, change: Asked, by: Pair, pins: Pair | None
) -> Pair | SignInRefused:
    """The names of those who change the staff directory, or why it stays as it is."""
    if isinstance(change, OwnPin):
        came = await authenticator.vouch(Credentials(pins[0] if pins else "", change.number), may_be_new=True)
        return came if isinstance(came, SignInRefused) else (came.person.name, "")
    try:
        authenticator.staff()
    except NoDirectory as nobody:
        if isinstance(change, FirstPersons):
            return change.people[0].name, change.people[1].name
        return SignInRefused(str(nobody))
    except DirectoryFault as damaged:
        return SignInRefused(str(damaged))
    if isinstance(change, FirstPersons):
        return SignInRefused("the staff directory was begun already: two persons add others, pitlink staff add")
    if change.number in by:
        return SignInRefused("two others must do this: nobody changes the own entry")
    return await proven(authenticator, "change staff", by, pins)


async def proven(authenticator: Authenticator, what: str, by: Pair, pins: Pair | None) -> Pair | SignInRefused:
    """The names of the two with these staff numbers and PINs, or why they decide nothing."""
    same = persons_fault(*by)
    if same:
        return SignInRefused(same)
    try:
        authenticator.staff()
    except DirectoryFault as fault:
        return SignInRefused(str(fault))
    if pins is None:
        return SignInRefused("this meter knows its people by their PINs: both persons must give theirs")
    signed: list[str] = []
    for number, pin in zip(by, pins, strict=True):
        person = await sign(authenticator, Credentials(pin, number), what)
        if isinstance(person, SignInRefused):
            return SignInRefused(f"{number}: {person.reason}", person.wait_s)
        signed.append(person.name)
    return signed[0], signed[1]
