"""What the wagers of pai gow poker pay (11.13, 11.14, 11.16, 11.18)."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from games.money import Cents
from games.paytable import Odds, PayLine, PayTable, fixed, odds_table, percent

STAKES: Final = (1_00, 5_00)

_D: Final = "11.14(d)"

_PARTS_OF_METER: Final = {
    "natural_royal_flush_and_pair": 10_000,
    "five_aces_and_pair": 10_000,
    "natural_royal_flush": 1_000,
    "five_aces": 1_000,
}

# Dollars for a $1 wager; the $5 table of the rule is five times this one.
_AMOUNTS: Final = {
    "royal_flush_and_pair": 200,
    "royal_flush": 100,
    "straight_flush_and_pair": 50,
    "straight_flush": 25,
    "four_of_a_kind_and_pair": 40,
    "four_of_a_kind": 20,
    "full_house_and_pair": 10,
    "full_house": 5,
    "flush_and_pair": 6,
    "flush": 3,
    "straight_and_pair": 4,
    "straight": 2,
    "three_of_a_kind": 2,
}


# 11.14(e): $50 or more for a $1 wager, $250 for $5, the same of the $1 table.
_DEDUCTED_FROM: Final = 50


def _is_deducted(hand: str, dollars: int) -> bool:
    """11.14(e): so much, or a straight flush."""
    return dollars >= _DEDUCTED_FROM or hand.startswith("straight_flush")


def _progressive(stake_cents: Cents) -> PayTable:
    parts = [percent(hand, bp, _D) for hand, bp in _PARTS_OF_METER.items()]
    amounts = [
        fixed(hand, dollars * stake_cents, _D, deducted=_is_deducted(hand, dollars))
        for hand, dollars in _AMOUNTS.items()
    ]
    return PayTable("base", (*parts, *amounts), stake_cents, deducted_from_cents=_DEDUCTED_FROM * stake_cents)


PROGRESSIVE: Final = tuple(_progressive(stake) for stake in STAKES)

_BONUS_ODDS: Final = {
    "seven_card_straight_flush_no_joker": 8_000,
    "royal_flush_plus_royal_match": 2_000,
    "seven_card_straight_flush_with_joker": 1_000,
    "five_aces": 400,
    "royal_flush": 150,
    "straight_flush": 50,
    "four_of_a_kind": 25,
    "full_house": 5,
    "flush": 4,
    "three_of_a_kind": 3,
    "straight": 2,
}
BONUS: Final = (odds_table("base", tuple(_BONUS_ODDS.items()), "11.16(a)"),)

_ENVY_DOLLARS: Final = {
    "seven_card_straight_flush_no_joker": 5_000,
    "royal_flush_plus_royal_match": 1_000,
    "seven_card_straight_flush_with_joker": 500,
    "five_aces": 250,
    "royal_flush": 50,
    "straight_flush": 20,
    "four_of_a_kind": 5,
}
ENVY: Final = (
    PayTable("base", tuple(fixed(hand, dollars * 100, "11.16(b)") for hand, dollars in _ENVY_DOLLARS.items())),
)
PREMIUM: Final = frozenset(_ENVY_DOLLARS)
PLAIN: Final = frozenset(_BONUS_ODDS) - PREMIUM

_HIGHS: Final = ("nine_high", "ten_high", "jack_high", "queen_high", "king_high", "ace_high")
_INSURANCE_ODDS: Final[Mapping[str, tuple[int, ...]]] = {
    "A": (400, 40, 20, 5, 3, 2),
    "B": (250, 75, 25, 5, 3, 2),
    "C": (100, 50, 25, 10, 5, 1),
    "D": (100, 25, 15, 6, 5, 3),
    "E": (100, 25, 15, 7, 5, 3),
}
INSURANCE: Final = tuple(
    odds_table(name, tuple(zip(_HIGHS, pays, strict=True)), "11.16(c)") for name, pays in _INSURANCE_ODDS.items()
)

_THREE_CARD_ODDS: Final = {
    "straight_flush_no_joker": 40,
    "three_of_a_kind": 25,
    "straight_flush_with_joker": 5,
    "straight": 4,
    "flush": 3,
    "one_pair": 1,
}
THREE_CARD_BONUS: Final = (odds_table("base", tuple(_THREE_CARD_ODDS.items()), "11.18(b)"),)

_LOWER_SEVEN: Final = {"four_of_a_kind": 25, "full_house": 5, "flush": 4, "three_of_a_kind": 3, "straight": 2}
_SEVEN_CARD_ODDS: Final[Mapping[str, Mapping[str, int]]] = {
    "A": {"five_aces": 500, "royal_flush": 250, "straight_flush": 50} | _LOWER_SEVEN,
    "B": {"five_aces": 500, "royal_flush": 200, "straight_flush_without_joker": 50, "straight_flush_with_joker": 30}
    | _LOWER_SEVEN,
}
SEVEN_CARD_BONUS: Final = tuple(
    odds_table(name, tuple(pays.items()), "11.18(c)") for name, pays in _SEVEN_CARD_ODDS.items()
)

# 11.13(b)6 lets the layout say anything from 5 1/2 to 6 to 1; these are its ends.
NUMBER: Final = tuple(
    PayTable(name, (PayLine("number", Odds(odds), deducted=False, rule="11.13(b)6"),))
    for name, odds in (("5.5", Fraction(11, 2)), ("6", Fraction(6)))
)
