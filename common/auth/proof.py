"""PIN proofs: a person's word for one order, made where the PIN is typed and checked by the meter.

A proof is the staff number and a MAC of what the person stands by, keyed with the secret of the PIN. Whoever reads it
can use it for nothing else: it names the link, the table's journal, the round, the seat, the hand and the amount.
"""

import hmac
import re
from typing import Final

from msgspec import Struct

PROOF: Final = re.compile(r"([0-9]{3,10}):([0-9a-f]{64})")


class ProvedOrder(Struct, frozen=True):
    """What a person stands by with a PIN: act is "validate", "pay" or "sign in"."""

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


def _mac(secret: bytes, order: ProvedOrder) -> str:
    return hmac.digest(secret, order.text, "sha256").hex()
