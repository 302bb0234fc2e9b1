"""The till: what a pay comes to at this moment, and what it does to the meter."""

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from games.game import Wager
from games.money import Cents, equal_shares, part_up
from games.paytable import Fixed, Odds, Pay, PayLine, PayTable, Percent

WHOLE: Final = Percent(10_000)


class Till(Struct, frozen=True):
    """The meter at this moment, and the shares of a whole meter that wait for the seats they were fixed for."""

    meter_cents: Cents
    reset_cents: Cents
    waiting_shares: tuple[Cents, ...] = ()

    def shared(self, sharers: int) -> tuple[Cents, "Till"]:
        """The next of the equal shares; the first fixes the whole meter, which then stands at its reset amount."""
        if self.waiting_shares:
            return self.waiting_shares[0], replace(self, waiting_shares=self.waiting_shares[1:])
        first, *others = equal_shares(self.meter_cents, sharers)
        return first, replace(self, meter_cents=self.reset_cents, waiting_shares=tuple(others))

    def deducted(self, pay: Pay, cents: Cents) -> "Till":
        """The till after the meter paid this; it never falls below zero, and after the whole of it begins anew."""
        left = self.reset_cents if pay == WHOLE else max(self.meter_cents - cents, 0)
        return replace(self, meter_cents=left)


def worth(pay: Pay, meter_cents: Cents, stake_cents: Cents, pays_whole_cents: Cents = 1) -> Cents:
    """What a pay comes to: a part of the meter rounded up to the cent, odds down to what the wager is paid in."""
    match pay:
        case Percent(bp=bp):
            return part_up(meter_cents, bp)
        case Fixed(cents=cents):
            return cents
        case Odds(to_one=odds):
            return odds * stake_cents // pays_whole_cents * pays_whole_cents


def row_paid(wager: Wager, table: PayTable, hands: Collection[str], *, meter_cents: Cents | None) -> PayLine | None:
    """The row that pays cards that are all these hands at this meter, or at an ample one; None if they lose."""
    lines = [line for line in table.lines if line.hand in hands]
    if not lines or wager.pays_highest == "hand":
        return lines[0] if lines else None
    if meter_cents is None:
        return min(lines, key=lambda line: wager.precedence(table).index(line.hand))
    return highest_paid(lines, meter_cents)


def highest_paid(lines: Sequence[PayLine], meter_cents: Cents) -> PayLine:
    """The row that pays most at the present meter; of equal pays the one that the rule lists first."""
    return max(lines, key=lambda line: _weight(line.pay, meter_cents))


def _weight(pay: Pay, meter_cents: Cents) -> Fraction:
    """How one row of a table compares with another: odds by themselves, whatever was wagered."""
    return pay.to_one if isinstance(pay, Odds) else Fraction(worth(pay, meter_cents, 0))
