"""People with PINs at a meter on paper: their secrets, and the proofs that they make."""

from collections.abc import Mapping

from msgspec import Struct

from common.auth.proof import ProvedOrder, prove
from common.auth.roles import Role
from link.messages import Payout, Validation


class Colleague(Struct, frozen=True):
    """Somebody of the staff, with the secret of a PIN."""

    number: str
    name: str
    role: Role

    @property
    def secret(self) -> bytes:
        return f"secret of {self.number}".encode()

    def proof(self, order: ProvedOrder) -> str:
        return prove(self.number, self.secret, order)


DAN = Colleague("1001", "Dan", Role.DEALER)
SUE = Colleague("2001", "Sue", Role.SUPERVISOR)
SAM = Colleague("2002", "Sam", Role.SUPERVISOR)
TIM = Colleague("3001", "Tim", Role.TECHNICIAN)
ANN = Colleague("4001", "Ann", Role.ACCOUNTING)
STAFF: Mapping[str, Colleague] = {person.number: person for person in (DAN, SUE, SAM, TIM, ANN)}


class Paper(Struct, frozen=True):
    """What an award's proofs are about."""

    award_seq: int
    hand: str
    amount_cents: int
    seat: int = 3
    round: int = 1
    table: str = "T1"
    link: str = "main"

    def order(self, act: str) -> ProvedOrder:
        journal = f"journal-{self.table}"
        return ProvedOrder(act, self.link, self.table, journal, self.round, self.seat, self.hand, self.amount_cents)

    def validation(self, by: Colleague) -> Validation:
        return Validation(self.award_seq, self.seat, self.amount_cents, by.proof(self.order("validate")))

    def payout(self, validator: Colleague, payer: Colleague) -> Payout:
        validated, paid = validator.proof(self.order("validate")), payer.proof(self.order("pay"))
        return Payout(self.award_seq, {self.seat: validated}, {self.seat: paid}, self.amount_cents)
