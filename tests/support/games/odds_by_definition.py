"""Hands by the words of the rules, slow and without any table: the yardstick of the counting."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations

from games.odds import pai_gow as pg
from games.odds.deck_counts import Deck

# A card is (rank, suit), the joker is None; rank 0 is the two, the highest rank the ace.
Natural = tuple[int, int]
Cards = tuple[Natural | None, ...]

FIVE_CARD_ORDER = (
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "two_pair",
    "one_pair",
    "high_card",
)
# What a joker may complete (11.3(c)).
COMPLETED = {"royal_flush", "straight_flush", "flush", "straight"}
MARKS = {
    "five_aces": pg.FIVE_ACES,
    "four_of_a_kind": pg.QUADS,
    "full_house": pg.FULL_HOUSE,
    "flush": pg.FLUSH,
    "straight": pg.STRAIGHT,
    "three_of_a_kind": pg.TRIPS,
}


def cards_of(deck: Deck) -> Cards:
    naturals = tuple((rank, suit) for rank in range(deck.ranks) for suit in range(deck.suits))
    return (*naturals, None) if deck.joker else naturals


def is_run(ranks: Sequence[int], deck: Deck) -> bool:
    """Consecutive ranks, the ace also below the two."""
    ordered = sorted(ranks)
    ace_low = sorted(-1 if rank == deck.ranks - 1 else rank for rank in ranks)
    return any(row == list(range(row[0], row[0] + len(row))) for row in (ordered, ace_low))


def without_joker(cards: Cards) -> tuple[Natural, ...]:
    return tuple(card for card in cards if card is not None)


def is_flush(cards: tuple[Natural, ...]) -> bool:
    return len({card[1] for card in cards}) == 1


def natural_five(cards: tuple[Natural, ...], deck: Deck) -> str:
    ranks = [card[0] for card in cards]
    run, flush = is_run(ranks, deck), is_flush(cards)
    if run and flush:
        return "royal_flush" if min(ranks) == deck.ranks - 5 else "straight_flush"
    shape = sorted(Counter(ranks).values(), reverse=True)
    if shape[0] >= 4 or shape == [3, 2]:
        return "full_house" if shape == [3, 2] else "four_of_a_kind"
    if flush or run:
        return "flush" if flush else "straight"
    return {3: "three_of_a_kind", 2: "two_pair" if shape.count(2) == 2 else "one_pair", 1: "high_card"}[shape[0]]


def best_five(cards: Cards, deck: Deck) -> str:
    """Of cards among which the joker is not."""
    return min((natural_five(five, deck) for five in combinations(without_joker(cards), 5)), key=FIVE_CARD_ORDER.index)


def joker_five(cards: Cards, deck: Deck) -> str:
    """Five cards one of which is the joker: an ace without a suit, or any card that completes a straight or flush."""
    naturals = without_joker(cards)
    if all(rank == deck.ranks - 1 for rank, _ in naturals):
        return "five_aces"
    as_ace = natural_five((*naturals, (deck.ranks - 1, -1)), deck)
    completing = (natural_five((*naturals, card), deck) for card in set(without_joker(cards_of(deck))) - {*naturals})
    return min([as_ace, *(kind for kind in completing if kind in COMPLETED)], key=FIVE_CARD_ORDER.index)


@cache
def five_mark(cards: Cards, deck: Deck) -> int:
    joker = None in cards
    kind = joker_five(cards, deck) if joker else natural_five(without_joker(cards), deck)
    if kind == "royal_flush":
        return pg.JOKER_ROYAL if joker else pg.NATURAL_ROYAL
    if kind == "straight_flush":
        return pg.JOKER_STRAIGHT_FLUSH if joker else pg.NATURAL_STRAIGHT_FLUSH
    return MARKS.get(kind, 0)


def seven_marks(cards: Cards, deck: Deck) -> int:
    """Every mark of seven cards: all their divisions, and what the seven are together."""
    made = 0
    # In dictionary order the fives run forwards as the twos left over run backwards.
    for high, low in zip(combinations(cards, 5), reversed(list(combinations(cards, 2))), strict=True):
        made |= five_mark(high, deck) << (pg.PAIR if is_pair(low, deck) else 0)
        made |= match_mark(high, low, deck)
    return made | straight_flush_mark(cards, deck) | high_card_mark(cards, deck)


def as_aces(cards: Iterable[Natural | None], deck: Deck) -> list[int]:
    return [deck.ranks - 1 if card is None else card[0] for card in cards]


def is_pair(low: Cards, deck: Deck) -> bool:
    one, other = as_aces(low, deck)
    return one == other


def match_mark(high: Cards, low: Cards, deck: Deck) -> int:
    if not five_mark(high, deck) & (pg.NATURAL_ROYAL | pg.JOKER_ROYAL):
        return 0
    naturals = without_joker(low)
    if len(naturals) < 2 or not is_flush(naturals):
        return 0
    ranks = {deck.ranks - rank for rank, _ in naturals}
    if ranks == {2, 3}:
        return pg.KING_QUEEN_MATCH
    return pg.ACE_KING_MATCH if ranks == {1, 2} and None not in high else 0


def straight_flush_mark(cards: Cards, deck: Deck) -> int:
    naturals = without_joker(cards)
    if not is_flush(naturals):
        return 0
    ranks = [rank for rank, _ in naturals]
    if len(naturals) == 7:
        return pg.SEVEN_NATURAL if is_run(ranks, deck) else 0
    completed = any(is_run([*ranks, rank], deck) for rank in range(deck.ranks))
    return pg.SEVEN_WITH_JOKER if completed else 0


def high_card_mark(cards: Cards, deck: Deck) -> int:
    """No pair, straight or flush among the seven, the joker being an ace without a suit (11.3(h))."""
    aced = tuple((deck.ranks - 1, -1) if card is None else card for card in cards)
    if len({rank for rank, _ in aced}) < 7 or any(
        natural_five(five, deck) != "high_card" for five in combinations(aced, 5)
    ):
        return 0
    return 1 << pg.HIGH_CARD + max(rank for rank, _ in aced)


def three_kinds(cards: Cards, deck: Deck) -> Iterator[str]:
    """Every kind of hand that three cards are, one of which may be the joker."""
    naturals = without_joker(cards)
    ranks = [rank for rank, _ in naturals]
    yield {1: "three_of_a_kind", 2: "one_pair", 3: "high_card"}[len(set(as_aces(cards, deck)))]
    fills = [[rank] for rank in range(deck.ranks)] if len(naturals) == 2 else [[]]
    run, flush = any(is_run([*ranks, *fill], deck) for fill in fills), is_flush(naturals)
    if flush:
        yield "flush"
    if run:
        yield "straight"
    if run and flush:
        yield "straight_flush_with_joker" if len(naturals) == 2 else "straight_flush_no_joker"
