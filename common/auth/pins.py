"""PIN file of a daemon: names, roles and hashed PINs, readable by its own user only."""

import hashlib
import hmac
import re
import secrets
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from common.auth.roles import Role
from common.files import leave_to_owner, locked_folder, replacing

NAME: Final = re.compile(r"[^\W\d_][\w .'-]{0,31}")
PIN: Final = re.compile(r"[0-9]{4,12}")
_EASY: Final = ("01234567890123", "98765432109876")
_SCRYPT: Final = {"n": 1 << 14, "r": 8, "p": 1, "maxmem": 1 << 26, "dklen": 32}


class StaffFault(Exception):  # noqa: N818  the pit says fault
    """The staff file cannot be used, or a name or PIN will not do; the message says what to do."""


class Person(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody with a PIN."""

    name: str
    role: Role
    salt: str
    key: str


class Staff:
    """The staff file; read again at every question, so that a new PIN counts at once."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def everybody(self) -> tuple[Person, ...]:
        """All persons, by name; nobody where there is no file."""
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=tuple[Person, ...])
        except FileNotFoundError:
            return ()
        except (OSError, msgspec.DecodeError) as error:
            raise StaffFault(
                f"{self.path}: cannot be read ({error}); set the PINs anew: pitlink panel pin set, or "
                "pitlink floor pin set at a meter"
            ) from error

    def person(self, name: str) -> Person | None:
        """The person of this name, however it is written."""
        return next((person for person in self.everybody() if person.name.casefold() == name.casefold()), None)

    def set(self, role: Role, name: str, pin: str) -> None:
        """Gives somebody this role and this PIN, in place of what he had."""
        if not NAME.fullmatch(name):
            raise StaffFault(f"{name!r} will not do as a name; write at most 32 letters, digits, spaces, . ' or -")
        if problem := weakness(pin):
            raise StaffFault(problem)
        salt = secrets.token_bytes(16)
        person = Person(name, role, salt.hex(), _key(pin, salt).hex())
        self._write((*self._others(name), person))

    def remove(self, name: str) -> None:
        """Takes somebody's PIN away."""
        self.must_know(name)
        self._write(self._others(name))

    def must_know(self, name: str) -> Person:
        """The person of this name; raises StaffFault if nobody is called so."""
        person = self.person(name)
        if person is None:
            raise StaffFault(f"nobody here is called {name!r}")
        return person

    def check(self, name: str, pin: str) -> Person | None:
        """The person, if the PIN is his; a wrong name takes as long as a wrong PIN, and both too long for a loop."""
        person = self.person(name)
        salt, key = (bytes.fromhex(person.salt), bytes.fromhex(person.key)) if person else (b"\0" * 16, b"")
        return person if hmac.compare_digest(_key(pin, salt), key) else None

    def _others(self, name: str) -> tuple[Person, ...]:
        return tuple(person for person in self.everybody() if person.name.casefold() != name.casefold())

    def _write(self, persons: tuple[Person, ...]) -> None:
        ordered = sorted(persons, key=lambda person: person.name.casefold())
        write_privately(self.path, msgspec.json.format(msgspec.json.encode(ordered), indent=1))


def weakness(pin: str) -> str:
    """Why this PIN will not do, or nothing."""
    if not PIN.fullmatch(pin):
        return "a PIN has 4 to 12 digits"
    if len(set(pin)) == 1 or any(pin in row for row in _EASY):
        return "that PIN is too easy to guess: no single digit, no counting up or down"
    return ""


def write_privately(path: Path, content: bytes) -> None:
    """Replaces a file at once and for good, readable by this user only; of two who write, one waits."""
    with locked_folder(path.parent), replacing(path, 0o600) as file:
        leave_to_owner(file.fileno(), path)
        file.write(content)


def _key(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, **_SCRYPT)
