"""PIN proofs: a person's word for one order, made where the PIN is typed and checked by the meter.

A proof is the staff number and a MAC of what the person stands by, keyed with the secret of the PIN. Whoever reads it
can use it for nothing else: it names the link, the table's journal, the round, the seat, the hand and the amount.
"""

import hmac
import os
import re
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from msgspec import Struct

OWN_PIN: Final = "own PIN"
_SEALED_PIN: Final = b"pitlink own PIN 1"
_NONCE: Final = 12
PROOF: Final = re.compile(r"([0-9]{3,10}):([0-9a-f]{64})")


class ProvedOrder(Struct, frozen=True):
    """What a person stands by with a PIN: act is "validate", "pay", "sign in" or OWN_PIN."""

    act: str
    link: str
    table: str
    journal: str
    round: int = 0
    seat: int = 0
    hand: str = ""
    amount_cents: int = 0

    @property
    def text(self) -> bytes:
        """The bytes that the MAC covers; no field can run into the next."""
        said = (self.act, self.link, self.table, self.journal, self.round, self.seat, self.hand, self.amount_cents)
        return "\0".join(map(str, ("pitlink proof 1", *said))).encode()


def prove(number: str, secret: bytes, order: ProvedOrder) -> str:
    """The proof of the person with this number and secret."""
    return f"{number}:{_mac(secret, order)}"


def prover(proof: str) -> str:
    """The staff number that a proof claims to come from, or nothing where it is none."""
    found = PROOF.fullmatch(proof)
    return found[1] if found else ""


def is_proved(proof: str, secret: bytes, order: ProvedOrder) -> bool:
    """Whether this proof was made with this secret for exactly this order."""
    found = PROOF.fullmatch(proof)
    return found is not None and hmac.compare_digest(found[2], _mac(secret, order))


def seal_pin(pin: str, secret: bytes, order: ProvedOrder) -> str:
    """A new PIN for the meter's eyes, under the secret of the old one: only who typed the old one can have made it."""
    nonce = os.urandom(_NONCE)
    return (nonce + _sealer(secret).encrypt(nonce, pin.encode(), order.text)).hex()


def sealed_pin(sealed: str, secret: bytes, order: ProvedOrder) -> str | None:
    """The new PIN under this seal, or None where it was not made with this secret for exactly this order."""
    try:
        raw = bytes.fromhex(sealed)
        return _sealer(secret).decrypt(raw[:_NONCE], raw[_NONCE:], order.text).decode()
    except (InvalidTag, ValueError):
        return None


def _sealer(secret: bytes) -> ChaCha20Poly1305:
    return ChaCha20Poly1305(hmac.digest(secret, _SEALED_PIN, "sha256"))


def _mac(secret: bytes, order: ProvedOrder) -> str:
    return hmac.digest(secret, order.text, "sha256").hex()
