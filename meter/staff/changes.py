"""Changes of the staff directory: each a value, applied to the staff book or refused with words."""

from collections.abc import Mapping
from datetime import date
from typing import Final, TypeAlias

import pyotp
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from common.auth.directory import (
    NAME,
    NUMBER,
    USUAL_COST,
    Directory,
    DirectoryFault,
    Person,
    badge_digest,
    new_salt,
    pin_check,
    pin_secret,
    weakness,
)
from common.auth.roles import Role
from games.persons import is_same_person
from meter.staff.book import KeptSecret, StaffBook

MOST_PEOPLE: Final = 500
MANAGERS: Final = frozenset({Role.SUPERVISOR, Role.ACCOUNTING})
"""Who may change the directory, two at a time."""
_LONGEST_BADGE: Final = 128


class AddPerson(Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """Somebody new, with a PIN that he typed himself."""

    number: str
    name: str
    role: Role
    pin: str
    badge: str = ""
    expires_on: str = ""


class FirstPersons(Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The first two, who begin the directory."""

    people: tuple[AddPerson, AddPerson]


class ChangePerson(Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """Another name, role, badge or last day; a PIN set here must be changed by its owner before it opens anything."""

    number: str
    name: str | UnsetType = UNSET
    role: Role | UnsetType = UNSET
    pin: str | UnsetType = UNSET
    badge: str | UnsetType = UNSET
    expires_on: str | UnsetType = UNSET


class RemovePerson(Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """Somebody is gone: his PIN, badge and proofs are nobody's."""

    number: str


class UnlockPerson(Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """Somebody who was locked after long disuse may come in again."""

    number: str


class EnrolTotp(Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """Somebody gets a new secret for TOTP codes, in place of an old one."""

    number: str


class OwnPin(Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """Somebody chooses another PIN for himself."""

    number: str
    pin: str


class LockPerson(Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The meter locks somebody whom it has not seen for long."""

    number: str


Asked: TypeAlias = AddPerson | FirstPersons | ChangePerson | RemovePerson | UnlockPerson | EnrolTotp | OwnPin
"""What people may ask for."""
StaffChange: TypeAlias = Asked | LockPerson


def applied(book: StaffBook, change: StaffChange, *, cost: int = USUAL_COST) -> StaffBook:
    """The book after this change, one number higher; raises DirectoryFault where it will not do."""
    new = _applied(book, change, cost)
    people = tuple(sorted(new.directory.people, key=lambda person: person.number))
    if len(people) > MOST_PEOPLE:
        raise DirectoryFault(f"the directory holds {MOST_PEOPLE} persons; remove those who have left")
    if sum(person.role in MANAGERS for person in people) < 2:
        raise DirectoryFault("fewer than two supervisors or persons of accounting would be left: add another one first")
    return StaffBook(Directory(book.directory.number + 1, people), new.secrets)


def words(book: StaffBook, change: StaffChange) -> str:
    """What a change is called in the floor's book, by this directory before it; no PIN, badge or secret is in it."""
    match change:
        case FirstPersons(people=people):
            return "began the staff directory with " + " and ".join(map(_described, people))
        case AddPerson():
            return f"added {_described(change)}"
        case ChangePerson(number=number):
            return f"changed {_called(book, number)}: {', '.join(_changed_parts(change))}"
        case RemovePerson(number=number):
            return f"removed {_called(book, number)}"
        case UnlockPerson(number=number):
            return f"unlocked {_called(book, number)}"
        case EnrolTotp(number=number):
            return f"enrolled {_called(book, number)} for TOTP codes"
        case OwnPin(number=number):
            return f"changed the PIN of {_called(book, number)}"
        case LockPerson(number=number):
            return f"locked {_called(book, number)} after long disuse"


def concerned(change: StaffChange) -> str:
    """The staff number that a change is about; nothing where it begins the directory."""
    return "" if isinstance(change, FirstPersons) else change.number


def _applied(book: StaffBook, change: StaffChange, cost: int) -> StaffBook:
    match change:
        case FirstPersons(people=(first, second)):
            if book.directory.number:
                raise DirectoryFault("the staff directory was begun already: two persons add others, pitlink staff add")
            return with_person(with_person(book, first, cost), second, cost)
        case AddPerson():
            return with_person(book, change, cost)
        case ChangePerson(number=number):
            return _changed(book, _known(book, number), change, cost)
        case RemovePerson(number=number):
            person = _known(book, number)
            others = tuple(each for each in book.directory.people if each is not person)
            secrets = {each: kept for each, kept in book.secrets.items() if each != number}
            return StaffBook(replace(book.directory, people=others), secrets)
        case UnlockPerson(number=number):
            return _with(book, replace(_known(book, number), locked=False))
        case EnrolTotp(number=number):
            kept = replace(book.secrets[_known(book, number).number], totp=pyotp.random_base32())
            return _with(book, _known(book, number), kept)
        case OwnPin(number=number, pin=pin):
            person = _known(book, number)
            if person.secret(pin) is not None:
                raise DirectoryFault("that is the old PIN: choose another one")
            return _with_pin(book, replace(person, must_change=False), pin, cost)
        case LockPerson(number=number):
            return _with(book, replace(_known(book, number), locked=True))


def with_person(book: StaffBook, new: AddPerson, cost: int = USUAL_COST) -> StaffBook:
    """The book with one person more, under the same number."""
    if not NUMBER.fullmatch(new.number):
        raise DirectoryFault(f"{new.number!r} will not do as a staff number; write 3 to 10 digits")
    known = book.directory.person(new.number)
    if known is not None:
        raise DirectoryFault(f"staff number {new.number} is {known.name}'s already")
    _require_name(book.directory, new.name)
    _require_day(new.expires_on)
    person = Person(new.number, new.name, new.role, "", "", _badge(book, new.badge, new.number), new.expires_on)
    return _with_pin(book, person, new.pin, cost)


def _changed(book: StaffBook, person: Person, change: ChangePerson, cost: int) -> StaffBook:
    if not _changed_parts(change):
        raise DirectoryFault("nothing to change: name --name, --role, --badge, --expires-on or --pin")
    if change.name is not UNSET:
        _require_name(book.directory, change.name, but=person.number)
        person = replace(person, name=change.name)
    if change.role is not UNSET:
        person = replace(person, role=change.role)
    if change.badge is not UNSET:
        person = replace(person, badge=_badge(book, change.badge, person.number))
    if change.expires_on is not UNSET:
        _require_day(change.expires_on)
        person = replace(person, expires_on=change.expires_on)
    if change.pin is not UNSET:
        return _with_pin(book, replace(person, must_change=True), change.pin, cost)
    return _with(book, person)


def _with_pin(book: StaffBook, person: Person, pin: str, cost: int) -> StaffBook:
    if problem := weakness(pin):
        raise DirectoryFault(problem)
    salt = new_salt()
    secret = pin_secret(pin, salt, cost)
    old = book.secrets.get(person.number, KeptSecret(""))
    new = replace(person, salt=salt, check=pin_check(secret), cost=cost)
    return _with(book, new, replace(old, secret=secret.hex()))


def _with(book: StaffBook, person: Person, kept: KeptSecret | None = None) -> StaffBook:
    others = tuple(each for each in book.directory.people if each.number != person.number)
    secrets: Mapping[str, KeptSecret] = book.secrets if kept is None else {**book.secrets, person.number: kept}
    return StaffBook(replace(book.directory, people=(*others, person)), secrets)


def _known(book: StaffBook, number: str) -> Person:
    person = book.directory.person(number)
    if person is None:
        raise DirectoryFault(f"nobody has staff number {number}; pitlink staff list shows everybody")
    return person


def _require_name(directory: Directory, name: str, *, but: str = "") -> None:
    """Names are unique: a round and a ledger know persons by them."""
    if not NAME.fullmatch(name):
        raise DirectoryFault(f"{name!r} will not do as a name; write at most 32 letters, digits, spaces, . ' or -")
    for person in directory.people:
        if person.number != but and is_same_person(person.name, name):
            raise DirectoryFault(f"{person.name} (number {person.number}) has this name already; add an initial")


def _require_day(day: str) -> None:
    try:
        date.fromisoformat(day or "2026-01-01")
    except ValueError as error:
        raise DirectoryFault(f"{day!r} is not a day; write one such as 2026-12-31") from error


def _badge(book: StaffBook, code: str, number: str) -> str:
    if not code:
        return ""
    if not code.isprintable() or len(code) > _LONGEST_BADGE:
        raise DirectoryFault(f"a badge's code has at most {_LONGEST_BADGE} printable characters")
    holder = book.directory.holder(code)
    if holder is not None and holder.number != number:
        raise DirectoryFault(f"this badge is {holder.name}'s (number {holder.number})")
    return badge_digest(code)


def _changed_parts(change: ChangePerson) -> list[str]:
    parts = {
        "name": change.name,
        "role": change.role,
        "PIN": change.pin,
        "badge": change.badge,
        "last day": change.expires_on,
    }
    shown = {"name": str(change.name), "last day": change.expires_on or "none"}
    if isinstance(change.role, Role):
        shown["role"] = change.role.value
    return [f"{part} {shown[part]}" if part in shown else part for part, value in parts.items() if value is not UNSET]


def _described(new: AddPerson) -> str:
    until = f" until {new.expires_on}" if new.expires_on else ""
    return f"{new.name} (number {new.number}), {new.role.value}{until}"


def _called(book: StaffBook, number: str) -> str:
    person = book.directory.person(number)
    return f"{person.name} (number {number})" if person else f"number {number}"
