"""Decisions of management about a link: recorded with a reason and the names of two persons."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from games.persons import as_said, is_same_person
from link.messages import Journal, Money, Name, Number, Words
from meter.ledger.balances import LinkTerms
from meter.ledger.parameters import JoinTerms

GivenUp: TypeAlias = Annotated[tuple[Name, ...], Meta(max_length=2_000)]
"""Tables that will not come back: what they have not handed in is not waited for."""


class EntryRef(Struct, frozen=True, forbid_unknown_fields=True):
    """Names a table's entry: the claim of an award, or a contribution."""

    table: Name
    journal: Journal
    seq: Number

    @property
    def key(self) -> tuple[str, str, int]:
        """The same as the ledger names it."""
        return self.table, self.journal, self.seq


class Decision(Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """What every decision shares: its class name is its tag in the ledger."""


class Correct(Decision, frozen=True):
    """Set the meter from old_cents to new_cents (R83)."""

    old_cents: Money
    new_cents: Money


class Transfer(Decision, frozen=True):
    """Send money to another link of this meter (R88): from the meter, the reset meter, the overflow that seeds."""

    to: Name
    cents: Money = 0
    reset_meter_cents: Money = 0
    overflow_cents: Money = 0


class Receive(Decision, frozen=True):
    """The other side of a transfer, written in the same transaction."""

    source: Name
    cents: Money = 0
    reset_meter_cents: Money = 0
    overflow_cents: Money = 0


class TakeOverflow(Decision, frozen=True):
    """Take so much of the overflow out to the house: only where it is the house's (R85)."""

    cents: Money


class Close(Decision, frozen=True, omit_defaults=True):
    """End the link; what is left goes to the house (R90). Nobody waits for tables that are given up."""

    given_up: GivenUp = ()


class OrderClaims(Decision, frozen=True):
    """Who comes first among the percentages claimed at several tables (28.11(i)): the first to be paid first."""

    order: Annotated[tuple[EntryRef, ...], Meta(min_length=1, max_length=100)]


class DecideHeld(Decision, frozen=True):
    """Let a held contribution count, or never (R2)."""

    entry: EntryRef
    counts: bool


class SettleAward(Decision, frozen=True):
    """Settle an award whose table cannot: paid, with another amount than the fixed one if so (R72), or rejected."""

    award: EntryRef
    paid: bool
    amount_cents: Money = 0


class ApproveAward(Decision, frozen=True):
    """Let an award of the whole meter above the link's limit be paid: the cards and the cameras were looked at."""

    award: EntryRef
    amount_cents: Money


class SwapBoard(Decision, frozen=True):
    """A table goes on with a new journal; the old one is locked out for ever."""

    table: Name
    old_journal: Journal
    new_journal: Journal


class ChangeTerms(Decision, frozen=True, omit_defaults=True):
    """New parameters rule from here on (R96): only while the meter does not run. Nobody waits for those given up."""

    terms: LinkTerms
    offer: JoinTerms
    given_up: GivenUp = ()


class Stop(Decision, frozen=True):
    """No table may wager on this link until it is opened again (R75, R91)."""


class Reopen(Decision, frozen=True):
    """The cause of the stop is gone, and the link may be played again (R63)."""


AnyDecision: TypeAlias = (
    Correct
    | Transfer
    | Receive
    | TakeOverflow
    | Close
    | OrderClaims
    | DecideHeld
    | SettleAward
    | ApproveAward
    | SwapBoard
    | ChangeTerms
    | Stop
    | Reopen
)


class Decided(Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """A decision of two persons, with their reason."""

    decision: AnyDecision
    by: Words
    and_by: Words
    reason: Words


def signature_fault(decided: Decided) -> str | None:
    """Why this is not the decision of two persons with a reason, or None (R83, R94)."""
    return persons_fault(decided.by, decided.and_by) or (None if decided.reason.strip() else "say why")


def persons_fault(by: str, and_by: str) -> str | None:
    """Why these are not two persons, or None: capitals, spaces and composed letters tell nobody apart."""
    if not as_said(by) or not as_said(and_by):
        return "name both persons who decide this"
    return "two different persons must decide this" if is_same_person(by, and_by) else None
