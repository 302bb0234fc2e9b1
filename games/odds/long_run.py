"""The long run of a progressive wager: what its meter's own money gives back, and how the meter grows."""

from decimal import Decimal
from fractions import Fraction

from msgspec import Struct

from games.money import Cents
from games.odds.awards import WHOLE_BP
from games.odds.par_sheet import ParRow, ParSheet, back
from games.paytable import Percent
from games.settlement.till import WHOLE


class Funding(Struct, frozen=True):
    """What feeds a meter: a part of every wager, and what the house puts on it once the whole of it was won."""

    rate_bp: int
    reset_cents: Cents


class LongRun(Struct, frozen=True):
    """Where a meter stands on average, and what comes back of a wager while it does; a part of the stake."""

    average_meter_cents: Fraction
    returned: Fraction


def long_run(sheet: ParSheet, funding: Funding) -> LongRun | None:
    """What goes onto the meter leaves it again; None without a meter, or where its amounts alone would empty it."""
    if not sheet.returns.meter_coefficient:
        return None
    income = _paid_in(sheet, funding) + _whole(sheet) * funding.reset_cents
    average = (income - _amounts(sheet, deducted=True)) / sheet.returns.meter_coefficient
    returned = (_amounts(sheet, deducted=False) + income) / sheet.terms.stake_cents
    return LongRun(average, returned) if average >= 0 else None


def growth(sheet: ParSheet, funding: Funding, wagers: int) -> Cents:
    """The meter to be expected after so many wagers, from its reset amount on, if nobody has won the whole of it."""
    others = 1 - _whole(sheet)
    gain = _paid_in(sheet, funding) - _amounts(sheet, deducted=True) / others
    loss = (sheet.returns.meter_coefficient - _whole(sheet)) / others
    if not loss:
        return max(0, round(funding.reset_cents + gain * wagers))
    limit = gain / loss
    kept = Fraction((1 - _decimal(loss)) ** wagers)
    return max(0, round(limit + (funding.reset_cents - limit) * kept))


def _paid_in(sheet: ParSheet, funding: Funding) -> Fraction:
    """What one wager puts onto the meter, in cents."""
    return Fraction(sheet.terms.stake_cents * funding.rate_bp, WHOLE_BP)


def _whole(sheet: ParSheet) -> Fraction:
    """How likely one wager wins the whole meter."""
    return Fraction(sum(row.combinations for row in sheet.rows if row.line.pay == WHOLE), sheet.total)


def _amounts(sheet: ParSheet, *, deducted: bool) -> Fraction:
    """What one wager costs on average in amounts that the meter pays, or that it does not, in cents."""
    rows = (row for row in sheet.rows if row.line.deducted == deducted and not _is_part(row))
    return Fraction(sum(row.combinations * back(row.line, sheet.terms) for row in rows), sheet.total)


def _is_part(row: ParRow) -> bool:
    return isinstance(row.line.pay, Percent)


def _decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / number.denominator
