"""The marks of a pai gow hand under the names by which each wager pays them (11.14(d), 11.16, 11.18(c))."""

from collections import Counter
from collections.abc import Mapping
from typing import Final, TypeAlias

from games.odds import pai_gow as pg
from games.odds.awards import Entitlements

Names: TypeAlias = Mapping[pg.Marks, frozenset[str]]


def named(tally: Mapping[pg.Marks, int], names: Names) -> Entitlements:
    """The same hands, each under every name that one of its marks has."""
    hands: Counter[frozenset[str]] = Counter()
    for marks, ways in tally.items():
        made = (kinds for mark, kinds in names.items() if marks & mark)
        hands[frozenset().union(*made)] += ways
    return hands


def _names(kinds: Mapping[pg.Marks, str]) -> dict[pg.Marks, frozenset[str]]:
    return {mark: frozenset(words.split()) for mark, words in kinds.items()}


def _beside_any_two(names: Names) -> dict[pg.Marks, frozenset[str]]:
    """The same names whether or not the other two cards are a pair."""
    return {mark | mark << pg.PAIR: kinds for mark, kinds in names.items()}


def _beside_a_pair(names: Names) -> dict[pg.Marks, frozenset[str]]:
    """Each hand by its own name, and by that with the pair."""
    return {mark << pg.PAIR: kinds | {f"{kind}_and_pair" for kind in kinds} for mark, kinds in names.items()}


_MATCHED: Final = {
    pg.QUADS: "four_of_a_kind",
    pg.FULL_HOUSE: "full_house",
    pg.FLUSH: "flush",
    pg.STRAIGHT: "straight",
    pg.TRIPS: "three_of_a_kind",
}

# What pays a part of the meter is also the lesser hand beside it, should the meter be very low.
_DIVIDED: Final = _names(
    {
        pg.NATURAL_ROYAL: "natural_royal_flush royal_flush",
        pg.FIVE_ACES: "five_aces four_of_a_kind",
        pg.JOKER_ROYAL: "royal_flush",
        pg.NATURAL_STRAIGHT_FLUSH | pg.JOKER_STRAIGHT_FLUSH: "straight_flush",
        **_MATCHED,
    }
)
PROGRESSIVE: Final[Names] = _DIVIDED | _beside_a_pair(_DIVIDED)

SEVEN_CARD_BONUS: Final = _beside_any_two(
    _names(
        {
            pg.FIVE_ACES: "five_aces",
            pg.NATURAL_ROYAL | pg.JOKER_ROYAL: "royal_flush",
            pg.NATURAL_STRAIGHT_FLUSH: "straight_flush straight_flush_without_joker",
            pg.JOKER_STRAIGHT_FLUSH: "straight_flush straight_flush_with_joker",
            **_MATCHED,
        }
    )
)

_SEVEN: Final = {
    pg.SEVEN_NATURAL: "seven_card_straight_flush_no_joker",
    pg.SEVEN_WITH_JOKER: "seven_card_straight_flush_with_joker",
}
_MATCH: Final = "royal_flush_plus_royal_match"
# By the choice of 11.3(f)2.
BONUS: Final[Mapping[str, Names]] = {
    "king_queen": SEVEN_CARD_BONUS | _names(_SEVEN | {pg.KING_QUEEN_MATCH: _MATCH}),
    "ace_king_natural": SEVEN_CARD_BONUS | _names(_SEVEN | {pg.ACE_KING_MATCH: _MATCH}),
}

_HIGHS: Final = ("nine_high", "ten_high", "jack_high", "queen_high", "king_high", "ace_high")
# Seven cards of seven ranks without a straight reach the nine at least.
_NINE: Final = 7
INSURANCE: Final[Names] = _names({1 << pg.HIGH_CARD + _NINE + place: high for place, high in enumerate(_HIGHS)})
