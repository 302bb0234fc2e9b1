"""Awards as people prove them to a meter: what validator and payer stand by, and the entries with their proofs."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from common.auth.proof import ProvedOrder, prover
from controller.table.meter_entries import order_to_prove
from games.round.events import ClaimValidated, Event, PayoutConfirmed
from games.round.state import RoundState
from link.messages import Envelope, Payout, Validation
from meter.booking.proofs import Verdict
from meter.ledger.open_items import OpenAward
from meter.ledger.records import ProvedNames
from tests.support.meter.staff_pins import EVERYBODY, Login

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
    journal: str = ""

    def order(self, act: str) -> ProvedOrder:
        journal = self.journal or f"journal-{self.table}"
        return ProvedOrder(act, self.link, self.table, journal, self.round, self.seat, self.hand, self.amount_cents)

    def validation(self, by: Login) -> Validation:
        return Validation(self.award_seq, self.seat, self.amount_cents, by.proof(self.order("validate")))

    def payout(self, validator: Login, payer: Login) -> Payout:
        validated, paid = validator.proof(self.order("validate")), payer.proof(self.order("pay"))
        return Payout(self.award_seq, {self.seat: validated}, {self.seat: paid}, self.amount_cents)


def proved(event: Event, state: RoundState, *, link: str, table: str, journal: str) -> Event:
    """What somebody says to a table, with the proof of the PIN where the meter pays the claim."""
    if not isinstance(event, ClaimValidated | PayoutConfirmed):
        return event
    claim = state.claim(event.seat, event.wager)
    if claim is None or not claim.deducted:
        return event
    act = "validate" if isinstance(event, ClaimValidated) else "pay"
    order = order_to_prove(act, state, claim, link=link, table=table, journal=journal)
    (person,) = (person for person in EVERYBODY if person.name == event.by)
    return replace(event, proof=person.proof(order))


class Unchecked:
    """Believes every proof, for tests of what comes after that."""

    def validation(self, _: str, __: Envelope, entry: Validation, ___: OpenAward, /) -> Verdict:
        return Verdict(ProvedNames(prover(entry.proof) or "supervisor"))

    def payout(self, _: str, __: Envelope, entry: Payout, ___: OpenAward, /) -> Verdict:
        names = (", ".join(dict.fromkeys(map(prover, proofs.values()))) for proofs in (entry.validated, entry.paid))
        return Verdict(ProvedNames(next(names) or "supervisor", next(names) or "dealer"))
