"""Proof check: whether validator and payer of an award proved their PINs to the meter, and are two persons."""

from collections.abc import Callable, Mapping
from typing import Final, Protocol, TypeAlias

from msgspec import Struct

from common.auth.directory import DirectoryFault
from common.auth.proof import ProvedOrder, is_proved, prover
from common.auth.roles import Role, Roles
from games.money import dollars
from link.messages import Envelope, Payout, Validation
from meter.ledger.open_items import OpenAward
from meter.ledger.records import ProvedNames

VALIDATORS: Final[Roles] = frozenset({Role.SUPERVISOR})
PAYERS: Final[Roles] = frozenset({Role.DEALER, Role.SUPERVISOR})


class KnownSecret(Protocol):
    """Somebody whose proofs the meter can check."""

    @property
    def name(self) -> str: ...

    @property
    def role(self) -> Role: ...

    @property
    def secret(self) -> bytes: ...


SecretOf: TypeAlias = Callable[[str], KnownSecret | None]
"""Who has this staff number, or None; raises DirectoryFault where the directory cannot be used."""


class Verdict(Struct, frozen=True):
    """Who proved what, or why the entry does not count; wrong is the staff number that a wrong proof carries."""

    persons: ProvedNames = ProvedNames()
    why: str = ""
    wrong: str = ""


class ProofVerifier(Protocol):
    """Whoever judges the proofs of one link's entries."""

    def validation(self, link: str, envelope: Envelope, entry: Validation, award: OpenAward, /) -> Verdict:
        """Whether a supervisor validated this part of the award."""
        ...

    def payout(self, link: str, envelope: Envelope, entry: Payout, award: OpenAward, /) -> Verdict:
        """Whether every part of the award was validated and paid, each by two persons."""
        ...


class ProofCheck:
    """Checks proofs with the secrets of the meter's staff directory; a name on the wire is never believed."""

    def __init__(self, secret_of: SecretOf) -> None:
        self._secret_of = secret_of

    def validation(self, link: str, envelope: Envelope, entry: Validation, award: OpenAward) -> Verdict:
        amount = award.shares.get(entry.seat)
        if amount is None:
            return Verdict(why=f"seat {entry.seat} has no part of this award")
        if amount != entry.amount_cents:
            return Verdict(why=f"seat {entry.seat} gets {dollars(amount)} now: validate it again")
        order = _order("validate", link, envelope, award, entry.seat)
        judged = self._person(entry.proof, order, VALIDATORS)
        return judged if judged.why else Verdict(ProvedNames(validated_by=judged.persons.validated_by))

    def payout(self, link: str, envelope: Envelope, entry: Payout, award: OpenAward) -> Verdict:
        validators: dict[str, None] = {}
        payers: dict[str, None] = {}
        for seat in award.seats:
            proofs = entry.validated.get(seat, ""), entry.paid.get(seat, "")
            validator = self._person(proofs[0], _order("validate", link, envelope, award, seat), VALIDATORS)
            payer = self._person(proofs[1], _order("pay", link, envelope, award, seat), PAYERS)
            names = validator.persons.validated_by, payer.persons.validated_by
            validators |= dict.fromkeys(filter(None, names[:1]))
            payers |= dict.fromkeys(filter(None, names[1:]))
            fault = validator if validator.why else payer if payer.why else None
            if fault is None and prover(proofs[0]) == prover(proofs[1]):
                fault = Verdict(why=f"{names[0]} validated and paid seat {seat}: that takes two persons")
            if fault is not None:
                return Verdict(_named(validators, payers), fault.why, fault.wrong)
        return Verdict(_named(validators, payers))

    def _person(self, proof: str, order: ProvedOrder, roles: Roles) -> Verdict:
        """The name of whoever proved this order, as that of a validator; or why nobody did."""
        number, what = prover(proof), f"{order.act} seat {order.seat}"
        try:
            known = self._secret_of(number)
        except DirectoryFault as fault:
            return Verdict(why=str(fault))
        if not number:
            return Verdict(why=f"nobody proved with a PIN to {what}")
        if known is None:
            return Verdict(why=f"staff number {number} is not in the meter's directory", wrong=number)
        if not is_proved(proof, known.secret, order):
            return Verdict(why=f"the proof of {number} to {what} does not hold at the meter", wrong=number)
        if known.role not in roles:
            return Verdict(why=f"{known.name} is a {known.role.value} and may not {what}")
        return Verdict(ProvedNames(validated_by=known.name))


def _no_directory(_: str) -> None:
    raise DirectoryFault("no staff directory is open here: nobody can prove anything")


NOBODY: Final = ProofCheck(_no_directory)
"""For whoever books no entries of tables."""


def _order(act: str, link: str, envelope: Envelope, award: OpenAward, seat: int) -> ProvedOrder:
    """What a person stands by who validates or pays this part of the award."""
    amount = award.shares[seat]
    return ProvedOrder(act, link, envelope.table, envelope.journal, award.round, seat, award.hand, amount)


def _named(validators: Mapping[str, None], payers: Mapping[str, None]) -> ProvedNames:
    return ProvedNames(", ".join(validators), ", ".join(payers))
