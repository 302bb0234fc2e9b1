"""Bytes that only a passphrase opens: scrypt makes the key, ChaCha20-Poly1305 keeps and proves the content."""

import os
import struct
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from flashing.errors import BoardFault

SHORTEST: Final = 12
"""Letters of a passphrase: such a file leaves the house in a pocket."""
LARGEST_BYTES: Final = 2**31 - 2**20
"""What ChaCha20-Poly1305 seals in one piece, with room for a header."""
_MAGIC: Final = b"PITSWAP\x01"
_HEADER: Final = struct.Struct(">8sB16s12s")
_COST: Final = 16  # 64 MB and about a second on a small board
_MOST_COST: Final = 20


def seal(content: bytes, passphrase: str) -> bytes:
    """Locks content with a passphrase."""
    if len(passphrase) < SHORTEST:
        raise BoardFault(f"the passphrase is too short; take at least {SHORTEST} letters")
    require_fits(len(content))
    header = _HEADER.pack(_MAGIC, _COST, os.urandom(16), os.urandom(12))
    key, nonce = _key(header, passphrase)
    return header + ChaCha20Poly1305(key).encrypt(nonce, content, header)


def require_fits(size: int) -> None:
    """Refuses what is too large to be sealed."""
    if size > LARGEST_BYTES:
        raise BoardFault(f"{size >> 20} MB do not fit into a swap file of 2047 MB; put the card into the other board")


def unseal(sealed: bytes, passphrase: str) -> bytes:
    """What was locked; another file, a damaged one or another passphrase is a BoardFault."""
    if not sealed.startswith(_MAGIC) or len(sealed) < _HEADER.size or sealed[len(_MAGIC)] > _MOST_COST:
        raise BoardFault("this is no swap file; take the one that `pitlink swap export` has made")
    header = sealed[: _HEADER.size]
    key, nonce = _key(header, passphrase)
    try:
        return ChaCha20Poly1305(key).decrypt(nonce, sealed[_HEADER.size :], header)
    except InvalidTag as error:
        raise BoardFault("another passphrase, or the file is damaged; try again, or copy it again") from error


def _key(header: bytes, passphrase: str) -> tuple[bytes, bytes]:
    _, cost, salt, nonce = _HEADER.unpack(header)
    return Scrypt(salt=salt, length=32, n=2**cost, r=8, p=1).derive(passphrase.encode()), nonce
