"""Pay tables: what a hand pays, whether the meter pays it, and the clause that says so."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from games.money import Cents, dollars

_MOST_CENTS: Final = 10**12
_PART: Final = re.compile(r"(?P<whole>\d{1,3})(?:\.(?P<more>\d{1,2}))? ?%", re.ASCII)
_ODDS: Final = re.compile(r"(?P<whole>\d{1,6})(?: (?P<over>\d{1,3})/(?P<under>[1-9]\d{0,2}))? to 1", re.ASCII)


class Percent(Struct, frozen=True):
    """A part of the meter at the player's turn; 10,000 basis points are the whole of it."""

    bp: int


class Fixed(Struct, frozen=True):
    """An amount in cents for this stake."""

    cents: Cents


class Odds(Struct, frozen=True):
    """So much to one, on whatever was wagered."""

    to_one: Fraction


Pay: TypeAlias = Percent | Fixed | Odds


class PayLine(Struct, frozen=True):
    """One row of a pay table; hand is the rule's name in snake case."""

    hand: str
    pay: Pay
    deducted: bool
    rule: str


class PayTable(Struct, frozen=True):
    """The rows of one pay table in the rule's order; stake_cents 0 means that it holds for any stake."""

    name: str
    lines: tuple[PayLine, ...]
    stake_cents: Cents = 0
    linkable: bool = True
    # Amounts of so much or more come off the meter, whatever their row says; 0: the rows say it all.
    deducted_from_cents: Cents = 0

    def line(self, hand: str) -> PayLine | None:
        """The row that pays this hand, or None."""
        return next((line for line in self.lines if line.hand == hand), None)


def percent(hand: str, bp: int, rule: str) -> PayLine:
    """A row that pays a part of the meter, and takes it from there."""
    return PayLine(hand, Percent(bp), deducted=True, rule=rule)


def fixed(hand: str, cents: Cents, rule: str, *, deducted: bool = False) -> PayLine:
    """A row that pays an amount."""
    return PayLine(hand, Fixed(cents), deducted=deducted, rule=rule)


def odds_table(name: str, rows: Sequence[tuple[str, int]], rule: str) -> PayTable:
    """A table that pays so much to one, whatever the stake; the meter knows nothing of it."""
    return PayTable(name, tuple(PayLine(hand, Odds(Fraction(pays)), deducted=False, rule=rule) for hand, pays in rows))


def raised(table: PayTable, pays: Mapping[str, Pay]) -> PayTable:
    """The table of a house that pays otherwise for some hands; an amount may grow into one that the meter pays."""
    return replace(table, lines=tuple(_raised(table, line, pays.get(line.hand, line.pay)) for line in table.lines))


def _raised(table: PayTable, line: PayLine, pay: Pay) -> PayLine:
    from_here = table.deducted_from_cents
    grown = isinstance(pay, Fixed) and 0 < from_here <= pay.cents
    return replace(line, pay=pay, deducted=line.deducted or grown)


def pay_of(written: object) -> Pay | None:
    """A pay as settings write it: 6000 is cents, "12.5 %" a part of the meter, "5 1/2 to 1" odds; None is no pay."""
    if isinstance(written, int) and not isinstance(written, bool) and 0 < written <= _MOST_CENTS:
        return Fixed(written)
    if not isinstance(written, str):
        return None
    if part := _PART.fullmatch(written):
        return Percent(int(part["whole"]) * 100 + int((part["more"] or "").ljust(2, "0")))
    if odds := _ODDS.fullmatch(written):
        return Odds(int(odds["whole"]) + Fraction(int(odds["over"] or 0), int(odds["under"] or 1)))
    return None


def written(pay: Pay) -> int | str:
    """A pay as settings write it, and as pay_of reads it."""
    match pay:
        case Fixed(cents=cents):
            return cents
        case Percent(bp=bp):
            return f"{hundredths(bp)} %"
        case Odds(to_one=odds):
            return f"{mixed(odds)} to 1"


def words(pay: Pay) -> str:
    """A pay as a sign prints it."""
    match pay:
        case Percent(bp=bp):
            return f"{hundredths(bp)} % of the meter"
        case Fixed(cents=cents):
            return dollars(cents)
        case Odds(to_one=odds):
            return f"{mixed(odds)} to 1"


def hundredths(bp: int) -> str:
    """Basis points in per cent, as people write them: 10, 12.5, 0.25."""
    whole, part = divmod(bp, 100)
    return f"{whole}.{part:02}".rstrip("0").rstrip(".")


def mixed(number: Fraction) -> str:
    """A number as a layout prints it: 6, 5 1/2, 1/2."""
    whole, rest = divmod(number, 1)
    return " ".join(str(part) for part in (whole, rest) if part) or "0"
