"""Awards as people prove them to a meter: what validator and payer stand by, and the entries with their proofs."""

from collections.abc import Mapping

from msgspec import Struct

from common.auth.proof import ProvedOrder, prover
from link.messages import Envelope, Payout, Validation
from meter.booking.proofs import Verdict
from meter.ledger.open_items import OpenAward
from meter.ledger.records import ProvedNames
from tests.support.staff_pins import EVERYBODY, Login

STAFF: Mapping[str, Login] = {person.number: person for person in EVERYBODY}


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

    def validation(self, by: Login) -> Validation:
        return Validation(self.award_seq, self.seat, self.amount_cents, by.proof(self.order("validate")))

    def payout(self, validator: Login, payer: Login) -> Payout:
        validated, paid = validator.proof(self.order("validate")), payer.proof(self.order("pay"))
        return Payout(self.award_seq, {self.seat: validated}, {self.seat: paid}, self.amount_cents)


class Unchecked:
    """Believes every proof, for tests of what comes after that."""

    def validation(self, _: str, __: Envelope, entry: Validation, ___: OpenAward, /) -> Verdict:
        return Verdict(ProvedNames(prover(entry.proof) or "supervisor"))

    def payout(self, _: str, __: Envelope, entry: Payout, ___: OpenAward, /) -> Verdict:
        names = (", ".join(dict.fromkeys(map(prover, proofs.values()))) for proofs in (entry.validated, entry.paid))
        return Verdict(ProvedNames(next(names) or "supervisor", next(names) or "dealer"))
