"""All 154,143,080 hands of pai gow poker as counted, under the names by which each wager pays them."""

from collections import Counter
from collections.abc import Mapping
from typing import Final, TypeAlias

from games.odds import pai_gow as pg
from games.odds.awards import Entitlements
from games.odds.pai_gow import Marks

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


# Marks in hexadecimal, and how many hands have exactly these.
_HANDS: Final = """
0:99775776 2:756 4:3312 6:72 8:5076 10:6480 18:372 1c:60 80:4583304 82:588 84:2268 88:4604 8a:96 90:12848 94:404
98:100 9c:20 100:8658636 102:1992 104:7992 106:12 108:19584 110:61344 118:300 11c:24 180:554700 182:84 184:888
188:1416 18a:12 190:8868 194:108 200:7470676 220:245328 280:58752 300:73872 304:972 310:972 380:5832 800:84 880:84
900:12 988:12 1000:396 1080:396 1100:132 1106:48 1118:12 1190:72 2000:660 2010:48 2080:660 2090:16 2100:204 2110:36
2114:12 2182:12 2188:192 4000:2124 4080:2124 4100:1380 4118:468 411c:48 4184:12 4190:852 4200:252 4300:120
8260:56760 10200:150480 10420:72 18040:888 20000:173664 20080:180704 20084:308 20086:24 20090:2160 20094:124
20098:24 20100:16176 20180:1848 20182:420 20184:1332 20188:3684 2018a:48 20190:11448 20194:228 20200:103692
20220:2544 20280:4896 20300:648 20384:324 20390:324 24280:252 24384:60 24390:60 40000:655560 40080:41400
40100:307128 40102:36 40104:948 40106:12 40108:612 40110:10548 40118:12 40180:13536 40190:384 40194:72 40200:111536
40220:1952 40280:3024 40300:16416 40304:324 40310:324 40380:1080 40a00:60 41200:48 41220:48 41300:12 41b04:12
42200:540 44200:1536 44220:48 44300:12 46310:12 80021:1056 80040:68640 80240:3920064 802c0:22896 80340:12960
80344:432 80350:432 a0240:7632 c0240:5856 c1240:144 c4240:144 100088:28 10008a:4 200090:68 200094:4 200098:68
20009c:8 202090:4 202094:4 202096:4 202098:4 220090:12 220094:12 220096:4 220098:4 400102:12 400104:36 440104:24
800102:12 80000000:31080 100000000:248640 200000000:963480 400000000:2719500 800000000:6386940 1000000000:14430780
1000000010:9360 1000000080:230580 1000000100:1412880 1000000110:11628 1000000180:198252
"""

HANDS: Final[Mapping[Marks, int]] = {
    int(marks, 16): int(hands) for marks, _, hands in (words.partition(":") for words in _HANDS.split())
}
