"""The hands of a pai gow poker table as written: set by the player, set the house way, or reset to it."""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from games.cards import Card, how_many
from games.ranking.pai_gow import Wheel
from games.showdown.input import InputFault, Place, Words, read_deal
from games.showdown.pai_gow.house_way import HOUSE_WAYS, set_house_way
from games.showdown.pai_gow.setting import Foul, Setting, check
from games.showdown.pai_gow.vigorish import Rounding

SetBy = Literal["player", "dealer", "house_way", "reset"]


class PaiGowOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """What a licensee chooses: where A-2-3-4-5 stands, how vigorish is rounded, and its house way."""

    wheel: Wheel = "second_highest"
    vigorish: Rounding = "exact"
    house_way: Literal["standard"] = "standard"


class HandAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Seven cards to be set the house way, or a high and a low hand as they lie."""

    cards: Words | None = None
    high: Words | None = None
    low: Words | None = None


class Laid(Struct, frozen=True):
    """Cards that lie at a place: not yet set, or as high and low hand."""

    cards: tuple[Card, ...]
    high: tuple[Card, ...] | None
    low: tuple[Card, ...]


class SetHand(Struct, frozen=True):
    """Hands set by the rules, who set them so, and by which rule."""

    setting: Setting
    set_by: SetBy
    words: str
    rule: str


class AnnouncedHands(Struct, frozen=True):
    """Hands as they are announced; seat 0 is the dealer, none a hand that somebody only asks about."""

    seat: int | None
    high: tuple[str, ...]
    low: tuple[str, ...]
    high_hand: str | None
    low_hand: str | None
    set_by: SetBy
    reason: str
    rule: str


def read_hands(asked: Mapping[str, HandAsked]) -> dict[str, Laid] | InputFault:
    """The cards at each path of the question, no card at two of them."""
    places: list[Place] = []
    for where, hand in asked.items():
        written = _places(where, hand)
        if isinstance(written, InputFault):
            return written
        places += written
    read = read_deal(places, joker=True)
    if isinstance(read, InputFault):
        return read
    cards = {place.where: cards for place, cards in zip(places, read, strict=True)}
    return {where: _laid(where, cards) for where in asked}


def set_player(laid: Laid, options: PaiGowOptions) -> SetHand | Foul:
    """A player's hands: as he set them, or the house way if he asked the dealer for it (11.9(b))."""
    if laid.high is None:
        return _house_way(laid, options, "house_way", rule="11.9(b)")
    lies = check(laid.high, laid.low, options.wheel)
    return lies if isinstance(lies, Foul) else SetHand(lies, "player", "as the player set it", "11.9(a)")


def set_dealer(laid: Laid, options: PaiGowOptions) -> SetHand:
    """The dealer's hands: always the house way, and reset to it if they were set otherwise (11.11(i))."""
    house = _house_way(laid, options, "house_way", rule="11.9(d)")
    if laid.high is None:
        return house
    lies = check(laid.high, laid.low, options.wheel)
    if isinstance(lies, Setting) and lies.strength() == house.setting.strength():
        return SetHand(lies, "dealer", house.words, house.rule)
    return _house_way(laid, options, "reset", rule="11.11(i)")


def set_bank(laid: Laid, options: PaiGowOptions) -> SetHand:
    """The bank's hands: as the bank set them, reset the house way if they are foul (11.11(j))."""
    own = set_player(laid, options)
    return _house_way(laid, options, "reset", rule="11.11(j)") if isinstance(own, Foul) else own


def shown(seat: int | None, laid: Laid, hand: SetHand | Foul) -> AnnouncedHands:
    """The hands in words; a foul has no names."""
    if isinstance(hand, Foul):
        high, low = _words(laid.high or ()), _words(laid.low)
        return AnnouncedHands(seat, high, low, None, None, "player", hand.reason, hand.rule)
    lies = hand.setting
    names = (lies.high_rank.name, lies.low_rank.name)
    return AnnouncedHands(seat, _words(lies.high), _words(lies.low), *names, hand.set_by, hand.words, hand.rule)


def _places(where: str, hand: HandAsked) -> list[Place] | InputFault:
    if hand.cards is not None and hand.high is None and hand.low is None:
        return [Place(f"{where}.cards", hand.cards, (7,))]
    if hand.cards is not None or hand.high is None or hand.low is None:
        return InputFault("write cards (seven, to be set the house way), or high and low as they lie", where)
    if len(hand.high) + len(hand.low) != 7:
        dealt = len(hand.high) + len(hand.low)
        return InputFault(f"{how_many(dealt)} where 7 belong; a wrong number voids all hands (11.11(h))", where)
    return [Place(f"{where}.high", hand.high, range(8)), Place(f"{where}.low", hand.low, range(8))]


def _laid(where: str, cards: Mapping[str, tuple[Card, ...]]) -> Laid:
    if f"{where}.cards" in cards:
        return Laid(cards[f"{where}.cards"], None, ())
    high, low = cards[f"{where}.high"], cards[f"{where}.low"]
    return Laid((*high, *low), high, low)


def _house_way(laid: Laid, options: PaiGowOptions, set_by: SetBy, *, rule: str) -> SetHand:
    house = set_house_way(laid.cards, HOUSE_WAYS[options.house_way], options.wheel)
    return SetHand(house.setting, set_by, house.words, rule)


def _words(cards: Sequence[Card]) -> tuple[str, ...]:
    return tuple(map(str, cards))
