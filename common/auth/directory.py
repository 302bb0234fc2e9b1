"""Staff directory: who the house's people are, signed and sealed by the meter; tables keep a copy."""

import hashlib
import hmac
import os
import re
import secrets
from datetime import date
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from msgspec import Struct

from common.auth.roles import Role

NUMBER: Final = re.compile(r"[0-9]{3,10}")
NAME: Final = re.compile(r"[^\W\d_][\w .'-]{0,31}")
PIN: Final = re.compile(r"[0-9]{6,12}")
USUAL_COST: Final = 1 << 14
"""How much work scrypt does for one PIN: about a twentieth of a second."""
_SEALED_FOR: Final = b"pitlink staff directory 1"
_NONCE: Final = 12
_EASY: Final = ("01234567890123", "98765432109876")


class DirectoryFault(Exception):  # noqa: N818  the pit says fault
    """The directory cannot be used, or a number, name or PIN will not do; the message says what to do."""


class NoDirectory(DirectoryFault):
    """This meter never had a directory: nobody has a PIN yet."""


class Person(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Somebody of the staff as every table knows him: enough to check his PIN, not enough to prove it to the meter."""

    number: str
    name: str
    role: Role
    salt: str
    check: str
    badge: str = ""
    expires_on: str = ""
    must_change: bool = False
    locked: bool = False
    cost: int = USUAL_COST

    def bar(self, today: date) -> str:
        """Why the right PIN opens nothing to this person, or nothing."""
        if self.expires_on and today > date.fromisoformat(self.expires_on):
            return f"{self.name}'s time here ended on {self.expires_on}: two persons may prolong it, pitlink staff"
        if self.locked:
            return f"{self.name} was not here for a long time: two persons may unlock him, pitlink staff unlock"
        if self.must_change:
            return f"{self.name} must choose a PIN of his own first: Sign in at a table's own screen asks for it"
        return ""

    def secret(self, pin: str) -> bytes | None:
        """What this PIN opens: the secret that proves it to the meter, or None where it is not his PIN."""
        found = pin_secret(pin, self.salt, self.cost)
        return found if hmac.compare_digest(hashlib.sha256(found).hexdigest(), self.check) else None


class Directory(Struct, frozen=True, forbid_unknown_fields=True):
    """Everybody of the staff; of two directories the one with the higher number counts."""

    number: int = 0
    people: tuple[Person, ...] = ()

    def person(self, number: str) -> Person | None:
        """Who has this staff number."""
        return next((person for person in self.people if person.number == number), None)

    def holder(self, badge: str) -> Person | None:
        """Whose badge this is, by the code that a reader types."""
        known = badge_digest(badge)
        return next((person for person in self.people if person.badge and person.badge == known), None)


class SignedDirectory(Struct, frozen=True, forbid_unknown_fields=True):
    """A directory as it travels and lies on disk: its bytes as text, and the meter's signature on them."""

    directory: str
    signature: str


def sign_directory(directory: Directory, key: Ed25519PrivateKey) -> bytes:
    """The directory as tables take it."""
    text = msgspec.json.encode(directory)
    return msgspec.json.encode(SignedDirectory(text.decode(), key.sign(text).hex()))


def read_directory(content: bytes, key: Ed25519PublicKey) -> Directory:
    """The directory that these bytes hold; raises DirectoryFault unless the meter of this key signed it."""
    try:
        signed = msgspec.json.decode(content, type=SignedDirectory)
        key.verify(bytes.fromhex(signed.signature), signed.directory.encode())
        return msgspec.json.decode(signed.directory, type=Directory)
    except InvalidSignature as error:
        raise DirectoryFault(
            "the staff directory is not signed by the meter whose key the settings name: compare staff_key "
            "with what pitlink staff key prints at the meter"
        ) from error
    except (msgspec.DecodeError, ValueError) as error:
        raise DirectoryFault(f"the staff directory cannot be read ({error}): the meter sends another one") from error


def table_key(key: Ed25519PrivateKey) -> str:
    """What tables' settings name as staff_key: the public half of the signing key, and the key that opens the seal."""
    return (key.public_key().public_bytes_raw() + _sealing_key(key)).hex()


def seal_directory(signed: bytes, key: Ed25519PrivateKey) -> bytes:
    """A signed directory as it travels and lies on a board: without staff_key nobody learns a salt or a check of it."""
    nonce = os.urandom(_NONCE)
    return nonce + ChaCha20Poly1305(_sealing_key(key)).encrypt(nonce, signed, _SEALED_FOR)


def open_directory(sealed: bytes, staff_key: str) -> Directory:
    """The directory under this seal; raises DirectoryFault unless the meter of this staff_key sealed and signed it."""
    both = bytes.fromhex(staff_key)
    try:
        signed = ChaCha20Poly1305(both[32:]).decrypt(sealed[:_NONCE], sealed[_NONCE:], _SEALED_FOR)
    except (InvalidTag, ValueError) as error:
        raise DirectoryFault(
            "the staff directory is damaged, or not sealed by the meter whose key the settings name: compare staff_key "
            "with what pitlink staff key prints at the meter"
        ) from error
    return read_directory(signed, Ed25519PublicKey.from_public_bytes(both[:32]))


def new_salt() -> str:
    """Salt for a new PIN."""
    return secrets.token_hex(16)


def pin_secret(pin: str, salt: str, cost: int = USUAL_COST) -> bytes:
    """The secret of a PIN: the meter keeps it, a table has it only while somebody types his PIN."""
    return hashlib.scrypt(pin.encode(), salt=bytes.fromhex(salt), n=cost, r=8, p=1, maxmem=1 << 26, dklen=32)


def pin_check(secret: bytes) -> str:
    """What a directory says of a secret: a PIN can be checked by it, the secret cannot be had from it."""
    return hashlib.sha256(secret).hexdigest()


def badge_digest(badge: str) -> str:
    """What a directory says of a badge's code."""
    return hashlib.sha256(b"pitlink badge\0" + badge.encode()).hexdigest()


def weakness(pin: str) -> str:
    """Why this PIN will not do, or nothing."""
    if not PIN.fullmatch(pin):
        return "a PIN has 6 to 12 digits"
    if len(set(pin)) == 1 or any(pin in row for row in _EASY):
        return "that PIN is too easy to guess: no single digit, no counting up or down"
    return ""


def _sealing_key(key: Ed25519PrivateKey) -> bytes:
    """Follows from the signing key, so that the meter keeps, copies and restores one key."""
    return hmac.digest(key.private_bytes_raw(), _SEALED_FOR, "sha256")
