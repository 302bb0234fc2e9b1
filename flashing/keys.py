"""Signing keys (Ed25519): made and kept off the floor; boards trust the public halves."""

import base64
import binascii
import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from msgspec import Struct

from flashing.errors import FlashError, flash_errors
from flashing.files import SyncedFiles

Role: TypeAlias = Literal["release", "downgrade"]
"""A release key makes a bundle a bundle; a downgrade key lets an older version in, and nothing else."""

ID_BYTES: Final = 16
_KIND: Final = "pitlink-ed25519"


class PublicKey(Struct, frozen=True):
    """The half of a key that lies on every board."""

    role: Role
    raw: bytes
    name: str

    @property
    def id(self) -> bytes:
        """What a bundle says about who signed it."""
        return key_id(self.raw)

    def has_signed(self, signature: bytes, words: bytes) -> bool:
        """Whether this key's owner has signed these words, in this role."""
        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, _in_role(self.role, words))
        except InvalidSignature:
            return False
        return True

    def __str__(self) -> str:
        return f"{self.name} ({self.role}, {self.id.hex()[:8]})"


class PrivateKey:
    """The half that signs; it never lies on a board."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.id = key_id(_raw(key))

    def sign(self, role: Role, words: bytes) -> bytes:
        """64 bytes that only this key makes of these words in this role."""
        return self._key.sign(_in_role(role, words))


class Trust:
    """The keys in a board's folder of trusted keys."""

    def __init__(self, keys: Iterable[PublicKey]) -> None:
        self._keys = {(key.role, key.id): key for key in keys}

    @classmethod
    def of(cls, folder: Path) -> "Trust":
        """Reads every .pub file of a folder; one that is no key is named, not skipped."""
        with flash_errors(folder):
            return cls(_read_public(path) for path in sorted(folder.glob("*.pub")))

    @classmethod
    def only(cls, key: Path) -> "Trust":
        """Believes one .pub file and nobody else."""
        with flash_errors(key):
            return cls([_read_public(key)])

    def find(self, role: Role, wanted: bytes) -> PublicKey | None:
        """The trusted key of this role and id, or None."""
        return self._keys.get((role, wanted))

    def __str__(self) -> str:
        return ", ".join(str(key) for key in self._keys.values()) or "none at all"


def make_key(folder: Path, name: str, role: Role, passphrase: bytes | None) -> tuple[Path, Path]:
    """Makes a key pair, NAME.key for the safe and NAME.pub for the boards; never over an existing one."""
    private, public = folder / f"{name}.key", folder / f"{name}.pub"
    if private.exists() or public.exists():
        raise FlashError(f"{private}: there is a key of this name already; choose another")
    key = Ed25519PrivateKey.generate()
    lock = BestAvailableEncryption(passphrase) if passphrase else NoEncryption()
    disk = SyncedFiles()
    disk.write(private, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, lock), mode=0o600)
    line = f"{_KIND} {role} {base64.b64encode(_raw(key)).decode()} {name}\n"
    disk.write(public, line.encode())
    return private, public


def read_private(path: Path, passphrase: bytes | None) -> PrivateKey:
    """Reads a private key; the wrong passphrase or another kind of key is a FlashError."""
    with flash_errors(path):
        text = path.read_bytes()
    try:
        key = load_pem_private_key(text, passphrase)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise FlashError(f"{path}: not a key, or not with this passphrase ({error})") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise FlashError(f"{path}: not an Ed25519 key; make one with `pitlink bundle key`")
    return PrivateKey(key)


def key_id(raw: bytes) -> bytes:
    """A short name for a public key."""
    return hashlib.sha256(raw).digest()[:ID_BYTES]


def _read_public(path: Path) -> PublicKey:
    try:
        kind, role, encoded, name = path.read_text(encoding="utf-8").split(maxsplit=3)
        raw = base64.b64decode(encoded, validate=True)
        Ed25519PublicKey.from_public_bytes(raw)
    except (ValueError, binascii.Error) as error:
        raise FlashError(f"{path}: not a public key of `pitlink bundle key`; copy it again or remove it") from error
    if kind != _KIND or role not in get_args(Role):
        raise FlashError(f"{path}: not a public key of `pitlink bundle key`; copy it again or remove it")
    return PublicKey("downgrade" if role == "downgrade" else "release", raw, name.strip())


def _raw(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def _in_role(role: Role, words: bytes) -> bytes:
    """A signature for one purpose is none for another."""
    return f"pitlink {role} 1\0".encode() + words
