"""Whether two progressive wagers are alike enough for one meter (19:45-1.39B(d)3): computed, never listed."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from games.compliance.offer import ProgressiveOffer
from games.money import dollars
from games.paytable import Pay, words

ALIKE: Final = "1.39B(d)3"


def difference(one: ProgressiveOffer, other: ProgressiveOffer) -> str | None:
    """Why the two may not share a meter, or None: same stake, same prizes from the meter, and as often."""
    if one == other:
        return None
    if one.stake_cents != other.stake_cents:
        return f"a wager is {dollars(other.stake_cents)} in {other} and {dollars(one.stake_cents)} in {one}"
    return other_prize(one, other) or _other_odds(one, other)


def other_prize(one: ProgressiveOffer, other: ProgressiveOffer) -> str | None:
    """Which prize from the meter the two pay differently, or None."""
    return unlike_prize(one, other, f"in {other}", f"in {one}")


def unlike_prize(one: ProgressiveOffer, other: ProgressiveOffer, there: str, here: str) -> str | None:
    """The same, where people would not know the two apart by what they deal; there is the other."""
    mine, theirs = _prizes(one), _prizes(other)
    for hand in dict.fromkeys((*mine, *theirs)):
        if mine.get(hand) != theirs.get(hand):
            return f"for {hand} the meter pays {_said(theirs.get(hand))} {there} and {_said(mine.get(hand))} {here}"
    return None


def _other_odds(one: ProgressiveOffer, other: ProgressiveOffer) -> str | None:
    mine, theirs = _chances(one), _chances(other)
    for hand, chance in mine.items():
        if chance != theirs[hand]:
            return f"{hand} comes {once_in(theirs[hand])} in {other} and {once_in(chance)} in {one}"
    return None


def _prizes(offer: ProgressiveOffer) -> Mapping[str, Pay]:
    return {line.hand: line.pay for line in offer.table.lines if line.deducted}


def _chances(offer: ProgressiveOffer) -> Mapping[str, Fraction]:
    sheet = offer.bet.par_sheet()
    return {row.line.hand: Fraction(row.combinations, sheet.total) for row in sheet.rows if row.line.deducted}


def once_in(chance: Fraction) -> str:
    """How rarely something comes."""
    return f"once in {round(1 / chance):,}" if chance else "never"


def _said(pay: Pay | None) -> str:
    return words(pay) if pay else "nothing"
