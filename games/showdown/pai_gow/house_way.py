"""The house way: how the dealer's hands are set, as a licensee would submit it under 11.9(d)."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from games.cards import ACE, JOKER, KING, Card
from games.ranking.pai_gow import Wheel
from games.ranking.rank import groups
from games.showdown.pai_gow.setting import Setting, allowed_settings

_COMPLETE: Final = ("straight", "flush", "straight_flush", "royal_flush")
_NEVER: Final = ACE + 1


class HouseWay(Struct, frozen=True):
    """The choices licensees make differently, as the least single card (or pair) that keeps cards together.

    Pairs and fours are small (2-6), medium (7-10), large (jack-king) or aces; what is not listed is always split.
    """

    name: str
    keep_two_pair: Mapping[tuple[str, str], int]
    keep_four: Mapping[str, int]
    keep_four_aces_beside_pair: int
    keep_full_house_pair: int


class SettingWish(Struct, frozen=True):
    """What a hand should be set as: the kind of the high hand, and whether the low hand is a pair."""

    words: str
    high: tuple[str, ...]
    low_pair: bool | None = None

    def grants(self, setting: Setting) -> bool:
        """Whether a setting is one of these."""
        is_pair = setting.low_rank.name == "one_pair"
        return setting.high_rank.name in self.high and self.low_pair in (None, is_pair)


class HouseSetting(Struct, frozen=True):
    """The hands as the house sets them, and by which of its rules."""

    setting: Setting
    words: str
    rule: str = "11.9(d)"


HOUSE_WAYS: Final[Mapping[str, HouseWay]] = {
    "standard": HouseWay(
        name="standard",
        keep_two_pair={
            ("small", "small"): KING,
            ("medium", "small"): ACE,
            ("medium", "medium"): ACE,
            ("large", "small"): ACE,
        },
        keep_four={"small": 2, "medium": KING, "large": ACE},
        keep_four_aces_beside_pair=7,
        keep_full_house_pair=2,
    )
}


def set_house_way(cards: Sequence[Card], way: HouseWay, wheel: Wheel) -> HouseSetting:
    """Seven cards as the house sets them: of what its rule allows, the best low hand, then the best high hand."""
    allowed = list(allowed_settings(cards, wheel))
    wish = _wish(way, cards, complete=any(setting.high_rank.name in _COMPLETE for setting in allowed))
    return HouseSetting(max(filter(wish.grants, allowed), key=Setting.strength), wish.words)


def _wish(way: HouseWay, cards: Sequence[Card], *, complete: bool) -> SettingWish:
    """The rule for these cards; the joker counts as an ace here."""
    shape, ranks = groups(ACE if card == JOKER else card.rank for card in cards)
    match shape:
        case (5, *_) | (4, *_):
            return _of_four(way, shape, ranks)
        case (3, 3, 1):
            return SettingWish(
                "two threes of a kind: a pair of the higher one low", ("three_of_a_kind",), low_pair=True
            )
        case (3, 2, *_):
            return _of_full_house(way, shape, ranks)
        case (2, 2, 2, 1):
            return SettingWish("three pairs: the highest pair low", ("two_pair",), low_pair=True)
        case (2, 2, *_):
            return _of_two_pair(way, ranks)
    if complete:
        return SettingWish("a straight or better stays high, with the best low hand it leaves", _COMPLETE)
    match shape:
        case (3, *_) if ranks[0] == ACE:
            return SettingWish("three aces: one of them low", ("one_pair",), low_pair=False)
        case (3, *_):
            return SettingWish("three of a kind stays high", ("three_of_a_kind",))
        case (2, *_):
            return SettingWish("one pair stays high", ("one_pair",))
        case _:
            return SettingWish("no pair: the highest card high, the next two low", ("high_card",))


def _of_four(way: HouseWay, shape: Sequence[int], ranks: Sequence[int]) -> SettingWish:
    if shape[0] == 5:
        if shape[1] == 2 and ranks[1] == KING:
            return SettingWish("five aces stay together beside a pair of kings", ("five_aces",), low_pair=True)
        return SettingWish("five aces: two of them low", ("three_of_a_kind", "full_house"), low_pair=True)
    beside = shape[1] > 1
    least = way.keep_four_aces_beside_pair if ranks[0] == ACE else 2
    if beside and ranks[1] >= least:
        return SettingWish("four of a kind stays high beside a pair", ("four_of_a_kind",), low_pair=True)
    if not beside and ranks[1] >= way.keep_four.get(_size(ranks[0]), _NEVER):
        return SettingWish("four of a kind stays high", ("four_of_a_kind",), low_pair=False)
    return SettingWish("four of a kind is split", ("one_pair", "two_pair", "full_house", *_COMPLETE), low_pair=True)


def _of_full_house(way: HouseWay, shape: Sequence[int], ranks: Sequence[int]) -> SettingWish:
    if shape[2] == 1 and ranks[1] <= way.keep_full_house_pair and tuple(ranks[2:]) == (ACE, KING):
        return SettingWish(
            "a full house with the smallest pair stays high, ace and king low", ("full_house",), low_pair=False
        )
    return SettingWish("full house: the highest pair low", ("three_of_a_kind", "full_house"), low_pair=True)


def _of_two_pair(way: HouseWay, ranks: Sequence[int]) -> SettingWish:
    if ranks[2] >= way.keep_two_pair.get((_size(ranks[0]), _size(ranks[1])), _NEVER):
        return SettingWish("two pairs stay high for the sake of a high card low", ("two_pair",), low_pair=False)
    return SettingWish("two pairs are split", ("one_pair", *_COMPLETE), low_pair=True)


def _size(rank: int) -> str:
    return "small" if rank <= 6 else "medium" if rank <= 10 else "large" if rank < ACE else "aces"
