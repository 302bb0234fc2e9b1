"""A staff with PINs, for the pages of tables and of the meter: design numbers, a fixed key, and scrypt at no cost."""

import io
import os
from functools import cache
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct
from msgspec.structs import replace
from pyotp import random_base32
from pyotp.totp import TOTP

from common.auth.directory import (
    Directory,
    Person,
    badge_digest,
    pin_check,
    pin_secret,
    seal_directory,
    sign_directory,
    table_key,
)
from common.auth.proof import ProvedOrder, prove
from common.auth.roles import Role
from common.files import write_privately
from meter.staff.book import KeptSecret, StaffBook
from meter.staff.keeper import KEY_FILE, STAFF_FILE, StaffKeeper

KEY = Ed25519PrivateKey.from_private_bytes(b"\x01" * 32)
STAFF_KEY = table_key(KEY)
"""What tables' settings name."""
FAST = 2
"""The cost of scrypt that a test can wait for."""
SALT = "5a" * 16
"""The same in every process of a test, so that each has the same secrets."""


class Login(Struct, frozen=True):
    """Somebody of the tests' staff."""

    number: str
    name: str
    role: Role
    pin: str

    @property
    def shown(self) -> dict[str, str]:
        """What a request carries that this person signs."""
        return {"number": self.number, "pin": self.pin}

    @property
    def secret(self) -> bytes:
        """What proves this PIN to the meter."""
        return pin_secret(self.pin, SALT, FAST)

    def proof(self, order: ProvedOrder) -> str:
        """This person's word for the order."""
        return prove(self.number, self.secret, order)


DAN = Login("1001", "Dan", Role.DEALER, "246802")
SUE = Login("2001", "Sue", Role.SUPERVISOR, "135713")
SAM = Login("2002", "Sam", Role.SUPERVISOR, "864213")
TIM = Login("3001", "Tim", Role.TECHNICIAN, "975310")
ANN = Login("4001", "Ann", Role.ACCOUNTING, "864208")
EVERYBODY = (DAN, SUE, SAM, TIM, ANN)
PINS = {login.role: login for login in (DAN, SUE, TIM, ANN)}
"""One person for each role."""


@cache
def staff_book(*logins: Login, number: int = 0) -> StaffBook:
    """These people, or everybody, in a directory of this number or of a usual one."""
    here = logins or EVERYBODY
    people = tuple(Person(one.number, one.name, one.role, SALT, pin_check(one.secret), cost=FAST) for one in here)
    return StaffBook(Directory(number or 1, people), {one.number: KeptSecret(one.secret.hex()) for one in here})


def give_staff(folder: Path, *logins: Login, number: int = 0) -> StaffKeeper:
    """A meter with this folder has these people, or everybody, by their PINs."""
    keeper = StaffKeeper(folder, lambda: 0)
    write_privately(folder / KEY_FILE, KEY.private_bytes_raw().hex().encode())
    write_privately(folder / STAFF_FILE, keeper.content(staff_book(*logins, number=number)))
    return keeper


def type_pins(monkeypatch: pytest.MonkeyPatch, *logins: Login) -> None:
    """These persons type their PINs in turn, at every command that asks."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{each.pin}\n" for each in logins) * 20))


def sealed(directory: Directory, key: Ed25519PrivateKey = KEY) -> bytes:
    """This directory as the meter with this signing key publishes it."""
    return seal_directory(sign_directory(directory, key), key)


def give_copy(state_dir: Path, *logins: Login, number: int = 0) -> None:
    """A table with this folder has the signed copy."""
    file = state_dir / "staff.json"
    write_privately(file, sealed(staff_book(*logins, number=number).directory))
    os.utime(file, (4e9, 4e9))  # confirmed by now, whatever clock the test has


def give_badges(state_dir: Path, badges: dict[str, str]) -> None:
    """A table's copy in which these staff numbers have these badges."""
    directory = staff_book(number=0).directory
    people = tuple(
        replace(person, badge=badge_digest(badges[person.number])) if person.number in badges else person
        for person in directory.people
    )
    write_privately(state_dir / "staff.json", sealed(Directory(directory.number + 1, people)))


def give_totp(keeper: StaffKeeper, login: Login) -> TOTP:
    """The app of somebody who was enrolled for codes."""
    book, secret = keeper.book(), random_base32()
    kept = replace(book.secrets[login.number], totp=secret)
    changed = replace(book, secrets={**book.secrets, login.number: kept})
    write_privately(keeper.folder / STAFF_FILE, keeper.content(changed))
    return TOTP(secret)


def set_by_others(keeper: StaffKeeper, login: Login) -> None:
    """Two managers set this person's PIN: its owner must choose another one first."""
    book = keeper.book()
    people = tuple(replace(each, must_change=each.number == login.number) for each in book.directory.people)
    changed = replace(book, directory=replace(book.directory, people=people))
    write_privately(keeper.folder / STAFF_FILE, keeper.content(changed))
