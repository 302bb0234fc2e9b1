"""Pai gow poker's seven cards as one hand: for the bonus wagers (11.3(f)(g)) and for the insurance wager (11.3(h))."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final, Literal, TypeAlias

from games.cards import ACE, JOKER, KING, QUEEN, Card
from games.ranking.pai_gow import divisions, jokers_as_aces, pai_gow_five

RoyalMatch: TypeAlias = Literal["king_queen", "ace_king_natural"]

_MATCHES: Final[Mapping[RoyalMatch, frozenset[int]]] = {
    "king_queen": frozenset({KING, QUEEN}),
    "ace_king_natural": frozenset({ACE, KING}),
}
_ACE_LOW: Final = 1
_HIGHS: Final = {14: "ace_high", 13: "king_high", 12: "queen_high", 11: "jack_high", 10: "ten_high", 9: "nine_high"}


def kinds_in_seven(cards: Sequence[Card]) -> frozenset[str]:
    """Every kind of hand that five of these cards form; a straight flush also by its joker (11.3(g))."""
    kinds = set()
    for five in combinations(cards, 5):
        kind = pai_gow_five(five).name
        kinds.add(kind)
        if kind == "straight_flush":
            kinds.add("straight_flush_with_joker" if JOKER in five else "straight_flush_without_joker")
    return frozenset(kinds)


def kinds_of_seven(cards: Sequence[Card], royal_match: RoyalMatch = "king_queen") -> frozenset[str]:
    """Every kind of 11.3(f) that these seven cards are, and of five-card hand that they hold."""
    kinds = set(kinds_in_seven(cards))
    if _is_seven_card_straight_flush(cards):
        kinds.add("seven_card_straight_flush_with_joker" if JOKER in cards else "seven_card_straight_flush_no_joker")
    if "royal_flush" in kinds and _has_royal_match(cards, royal_match):
        kinds.add("royal_flush_plus_royal_match")
    return frozenset(kinds)


def pai_gow(cards: Sequence[Card]) -> frozenset[str]:
    """The high card of seven cards that hold no poker hand, the joker being an ace and nothing else; or no name."""
    ranks = {card.rank for card in jokers_as_aces(cards)}
    suits = Counter(card.suit for card in cards)
    if len(ranks) < len(cards) or max(suits.values()) >= 5 or _has_run(ranks, 5):
        return frozenset()
    return frozenset({_HIGHS[max(ranks)]})


def _is_seven_card_straight_flush(cards: Sequence[Card]) -> bool:
    naturals = [card for card in cards if card != JOKER]
    ranks = {card.rank for card in naturals}
    if len({card.suit for card in naturals}) > 1 or len(ranks) < len(naturals):
        return False
    fillers = range(2, ACE + 1) if JOKER in cards else (naturals[0].rank,)
    return any(_has_run(ranks | {filler}, 7) for filler in fillers)


def _has_royal_match(cards: Sequence[Card], royal_match: RoyalMatch) -> bool:
    """Whether beside some royal flush lie the two cards of the match, of one suit; option (ii) is for natural hands."""
    if royal_match == "ace_king_natural" and JOKER in cards:
        return False
    return any(
        {card.rank for card in two} == _MATCHES[royal_match]
        and len({card.suit for card in two}) == 1
        and pai_gow_five(five).name == "royal_flush"
        for five, two in divisions(cards)
    )


def _has_run(ranks: set[int], length: int) -> bool:
    """Whether so many ranks stand in a row, the ace at either end."""
    low = ranks | {_ACE_LOW} if ACE in ranks else ranks
    return any(all(rank + step in low for step in range(length)) for rank in low)
