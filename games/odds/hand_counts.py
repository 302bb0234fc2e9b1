"""Which hands to count for which wager."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Final, TypeAlias

from msgspec import Struct

from games.odds import five_card, three_card
from games.odds import pai_gow_counts as names
from games.odds.awards import Entitlements
from games.odds.deck_counts import Deck
from games.odds.pai_gow_counts import HANDS

_RED: Final = frozenset("hd")
_BLACK: Final = frozenset("sc")
_SUITS: Final = tuple("shdc")
_NO_ACE: Final = ""
_OTHERS_A_DECK: Final = 48


@cache
def tally_aces(decks: int) -> Mapping[frozenset[str], int]:
    """How many orders of four cards are all of these at once; the player always draws to four."""
    hands: Counter[frozenset[str]] = Counter()
    for cards in product((*_SUITS, _NO_ACE), repeat=4):
        hands[frozenset(kinds(cards))] += _ways(cards, decks)
    return hands


def kinds(cards: Sequence[str]) -> Iterator[str]:
    """Every hand that four cards are, an ace written as its suit and any other card as nothing."""
    two, three, four = cards[:2], cards[:3], frozenset(cards)
    if all(two):
        yield "two_aces_same_suit" if len(set(two)) == 1 else "two_aces_any"
    if all(three):
        yield "three_aces_same_suit" if len(set(three)) == 1 else "three_aces_any"
    if four <= _RED or four <= _BLACK:
        yield "four_aces_same_color"


def _ways(cards: Sequence[str], decks: int) -> int:
    """In how many ways physical cards come in this order."""
    left = dict.fromkeys(_SUITS, decks) | {_NO_ACE: _OTHERS_A_DECK * decks}
    ways = 1
    for card in cards:
        ways *= left[card]
        left[card] -= 1
    return ways


KING_QUEEN: Final = "king_queen"

_DECK: Final = Deck()
_DECK_AND_JOKER: Final = Deck(joker=True)


class Layout(Struct, frozen=True):
    """What of a table its odds depend on beside the pay table."""

    decks: int = 1
    royal_match: str = KING_QUEEN


Count: TypeAlias = Callable[[Layout], Entitlements]


def count(game: str, wager: str) -> Count | None:
    """How this wager's hands are counted, or None if the rules at hand do not give it in full."""
    return _COUNTS.get((game, wager))


def _five_cards(_: Layout) -> Entitlements:
    return _one_each(five_card.FIVE_OF_52)


def _best_five_of_six(_: Layout) -> Entitlements:
    return _one_each(five_card.SIX_OF_52)


def _three_cards(_: Layout) -> Entitlements:
    return _one_each(three_card.tally(_DECK))


def _first_three_cards(_: Layout) -> Entitlements:
    return three_card.tally_with_joker(_DECK_AND_JOKER)


def _first_four_cards(layout: Layout) -> Entitlements:
    return tally_aces(layout.decks)


def _divisions(_: Layout) -> Entitlements:
    return names.named(HANDS, names.PROGRESSIVE)


def _seven_as_one(layout: Layout) -> Entitlements:
    return names.named(HANDS, names.BONUS[layout.royal_match])


def _best_five_of_seven(_: Layout) -> Entitlements:
    return names.named(HANDS, names.SEVEN_CARD_BONUS)


def _high_cards(_: Layout) -> Entitlements:
    return names.named(HANDS, names.INSURANCE)


def _one_number_of_seven(_: Layout) -> Entitlements:
    """The generator of 11.4(a)2 shows a number from one to seven."""
    return {frozenset({"number"}): 1, frozenset(): 6}


def _one_each(tally: Mapping[str, int]) -> Entitlements:
    """Hands that are one thing only."""
    return {frozenset({hand}): hands for hand, hands in tally.items()}


_COUNTS: Final[Mapping[tuple[str, str], Count]] = {
    ("texas-holdem-bonus", "progressive"): _five_cards,
    ("caribbean-stud", "progressive"): _five_cards,
    ("three-card-poker", "progressive"): _three_cards,
    ("three-card-poker", "envy"): _three_cards,
    ("three-card-poker", "six_card_bonus"): _best_five_of_six,
    ("blackjack", "progressive"): _first_four_cards,
    ("pai-gow-poker", "progressive"): _divisions,
    ("pai-gow-poker", "bonus"): _seven_as_one,
    ("pai-gow-poker", "envy"): _seven_as_one,
    ("pai-gow-poker", "insurance"): _high_cards,
    ("pai-gow-poker", "three_card_bonus"): _first_three_cards,
    ("pai-gow-poker", "seven_card_bonus"): _best_five_of_seven,
    ("pai-gow-poker", "number"): _one_number_of_seven,
}
