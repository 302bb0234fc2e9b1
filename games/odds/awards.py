"""Which of the hands that a player's cards make is paid, at which meter, and how often."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise, product
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from games.money import Cents
from games.paytable import Pay, PayLine, PayTable, Percent
from games.settlement.till import highest_paid, worth

# How many hands are all of these at once, by the names of the rules.
Entitlements: TypeAlias = Mapping[frozenset[str], int]
# How many hands each row of a pay table pays.
Awards: TypeAlias = Mapping[str, int]

WHOLE_BP: Final = 10_000


class PayTerms(Struct, frozen=True):
    """How a wager pays: its table and stake, highest hand or highest pay, odds in whole coins of so many cents."""

    table: PayTable
    stake_cents: Cents
    pays_highest: Literal["hand", "pay"] = "hand"
    pays_whole_cents: Cents = 1

    def amount(self, pay: Pay, meter_cents: Cents) -> Cents:
        """What a hand wins."""
        return worth(pay, meter_cents, self.stake_cents, self.pays_whole_cents)

    def paid(self, made: frozenset[str], meter_cents: Cents) -> PayLine | None:
        """The one row that pays these hands at this meter, or None."""
        lines = [line for line in self.table.lines if line.hand in made]
        if not lines:
            return None
        return highest_paid(lines, meter_cents) if self.pays_highest == "pay" else lines[0]


def awards(entitlements: Entitlements, terms: PayTerms, meter_cents: Cents) -> Awards:
    """How many hands each row pays at this meter, in the rule's order."""
    paid: Counter[str] = Counter()
    for made, hands in entitlements.items():
        if line := terms.paid(made, meter_cents):
            paid[line.hand] += hands
    return {line.hand: paid[line.hand] for line in terms.table.lines}


def turning_points(entitlements: Entitlements, terms: PayTerms) -> tuple[Cents, ...]:
    """Zero, and every meter from which other rows are paid than below it.

    Only a part of the meter against an amount can turn, and having turned it stays: past the last nothing changes.
    """
    meters = sorted({0, *_crossings(entitlements, terms)})
    paid = [awards(entitlements, terms, meter) for meter in meters]
    turned = (at for at, (below, above) in enumerate(pairwise(paid), start=1) if below != above)
    return (0, *(meters[at] for at in turned))


def _crossings(entitlements: Entitlements, terms: PayTerms) -> Iterator[Cents]:
    """Where a part of the meter begins to beat an amount that the same cards could be paid."""
    if terms.pays_highest == "hand":
        return
    for made in entitlements:
        lines = [line for line in terms.table.lines if line.hand in made]
        for part, rival in product(lines, repeat=2):
            if isinstance(part.pay, Percent) and not isinstance(rival.pay, Percent):
                listed_later = lines.index(part) > lines.index(rival)
                yield _least_meter(part.pay.bp, terms.amount(rival.pay, 0) + listed_later)


def _least_meter(bp: int, cents: Cents) -> Cents:
    """The smallest meter of which this part, rounded up, is so much."""
    return (cents - 1) * WHOLE_BP // bp + 1
