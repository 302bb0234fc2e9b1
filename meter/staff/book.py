"""Staff book: the directory and the secrets behind it, as one value, and how a person gets into it."""

from collections.abc import Mapping

from msgspec import Struct

from common.auth.directory import (
    NAME,
    NUMBER,
    USUAL_COST,
    Directory,
    DirectoryFault,
    Person,
    new_salt,
    pin_check,
    pin_secret,
    weakness,
)
from common.auth.roles import Role


class KeptSecret(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What only the meter knows of a person: the secret of the PIN, and of the TOTP codes."""

    secret: str
    totp: str = ""


class StaffBook(Struct, frozen=True):
    """Everybody, and everybody's secrets by staff number."""

    directory: Directory = Directory()
    secrets: Mapping[str, KeptSecret] = {}


def with_person(book: StaffBook, number: str, name: str, role: Role, pin: str, *, cost: int = USUAL_COST) -> StaffBook:
    """The book with one person more; raises DirectoryFault for a number, name or PIN that will not do."""
    if not NUMBER.fullmatch(number):
        raise DirectoryFault(f"{number!r} will not do as a staff number; write 3 to 10 digits")
    known = book.directory.person(number)
    if known is not None:
        raise DirectoryFault(f"staff number {number} is {known.name}'s already")
    require_free_name(book.directory, name)
    if problem := weakness(pin):
        raise DirectoryFault(problem)
    salt = new_salt()
    secret = pin_secret(pin, salt, cost)
    person = Person(number, name, role, salt, pin_check(secret), cost=cost)
    people = sorted((*book.directory.people, person), key=lambda each: each.number)
    directory = Directory(book.directory.number + 1, tuple(people))
    return StaffBook(directory, {**book.secrets, number: KeptSecret(secret.hex())})


def require_free_name(directory: Directory, name: str, *, but: str = "") -> None:
    """Raises DirectoryFault for a name that will not do, or that another person than number `but` has."""
    if not NAME.fullmatch(name):
        raise DirectoryFault(f"{name!r} will not do as a name; write at most 32 letters, digits, spaces, . ' or -")
    for person in directory.people:
        if person.number != but and person.name.casefold() == name.casefold():
            raise DirectoryFault(f"{person.name} (number {person.number}) has this name already; add an initial")
