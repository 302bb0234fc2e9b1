"""The par sheet of a wager: how often it pays what, and what comes back of it, in exact numbers."""

from fractions import Fraction
from math import ceil

from msgspec import Struct

from games.money import Cents
from games.odds.awards import WHOLE_BP, Awards, Entitlements, PayTerms, awards, turning_points
from games.paytable import Odds, PayLine, Percent


class ParRow(Struct, frozen=True):
    """One row of the pay table and how many hands it pays."""

    line: PayLine
    combinations: int


class Return(Struct, frozen=True):
    """What comes back of a wager on average, as a part of the stake: fixed + coefficient × meter / stake."""

    fixed: Fraction
    meter_coefficient: Fraction

    def at(self, meter_cents: Cents | Fraction, stake_cents: Cents) -> Fraction:
        """The return at this meter."""
        return self.fixed + self.meter_coefficient * meter_cents / stake_cents

    def least_meter(self, stake_cents: Cents) -> Cents | None:
        """The smallest meter at which the player gets back what he stakes, or None."""
        if self.fixed >= 1:
            return 0
        return ceil((1 - self.fixed) * stake_cents / self.meter_coefficient) if self.meter_coefficient else None


class ParSheet(Struct, frozen=True):
    """A wager's odds at one meter; between two turning points and from the last one on, the rows stay the same."""

    terms: PayTerms
    total: int
    rows: tuple[ParRow, ...]
    meter_cents: Cents
    returns: Return
    turning_points: tuple[Cents, ...]
    break_even_cents: Cents | None

    @property
    def nothing(self) -> int:
        """How many hands no row pays."""
        return self.total - sum(row.combinations for row in self.rows)


def par_sheet(entitlements: Entitlements, terms: PayTerms, meter_cents: Cents | None = None) -> ParSheet:
    """The odds at this meter, or at one so high that it no longer matters which."""
    total = sum(entitlements.values())
    turns = turning_points(entitlements, terms)
    meter = turns[-1] if meter_cents is None else meter_cents
    paid = awards(entitlements, terms, meter)
    return ParSheet(
        terms=terms,
        total=total,
        rows=tuple(ParRow(line, paid[line.hand]) for line in terms.table.lines),
        meter_cents=meter,
        returns=_returns(paid, total, terms),
        turning_points=turns,
        break_even_cents=_break_even(entitlements, terms, turns),
    )


def _returns(paid: Awards, total: int, terms: PayTerms) -> Return:
    """The average of what the rows give back, part of the meter and rest apart."""
    fixed = parts = 0
    for line in terms.table.lines:
        if isinstance(line.pay, Percent):
            parts += paid[line.hand] * line.pay.bp
        else:
            fixed += paid[line.hand] * back(line, terms)
    return Return(Fraction(fixed, total * terms.stake_cents), Fraction(parts, total * WHOLE_BP))


def back(line: PayLine, terms: PayTerms) -> Cents:
    """What a winner has in hand whatever the meter: odds are paid beside the stake, an amount instead of it."""
    stays = terms.stake_cents if isinstance(line.pay, Odds) else 0
    return terms.amount(line.pay, 0) + stays


def _break_even(entitlements: Entitlements, terms: PayTerms, turns: tuple[Cents, ...]) -> Cents | None:
    """The smallest meter with a return of one or more, through every turn; None where none has, or no meter pays."""
    if not any(isinstance(line.pay, Percent) for line in terms.table.lines):
        return None
    total = sum(entitlements.values())
    for turn, above in zip(turns, (*turns[1:], None), strict=True):
        least = _returns(awards(entitlements, terms, turn), total, terms).least_meter(terms.stake_cents)
        if least is not None and (above is None or least < above):
            return max(turn, least)
    return None
