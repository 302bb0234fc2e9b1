"""What seven cards with one joker are for the wagers of pai gow poker (19:47-11.3), counted over all hands."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from typing import Final, TypeAlias

from games.odds.deck_counts import (
    Deck,
    ace_key,
    highest,
    holdings,
    pairs,
    present,
    quads,
    rank_key,
    runs,
    subsets,
    trips,
)

# Bits: every kind of hand that some division of the seven cards into five and two makes, and what all seven are.
Marks: TypeAlias = int

FIVE_ACES: Final = 1 << 0
NATURAL_ROYAL: Final = 1 << 1
JOKER_ROYAL: Final = 1 << 2
NATURAL_STRAIGHT_FLUSH: Final = 1 << 3
JOKER_STRAIGHT_FLUSH: Final = 1 << 4
QUADS: Final = 1 << 5
FULL_HOUSE: Final = 1 << 6
FLUSH: Final = 1 << 7
STRAIGHT: Final = 1 << 8
TRIPS: Final = 1 << 9
# A mark above, shifted so far: the two cards beside those five are a pair.
PAIR: Final = 10

SEVEN_NATURAL: Final = 1 << 20
SEVEN_WITH_JOKER: Final = 1 << 21
KING_QUEEN_MATCH: Final = 1 << 22
ACE_KING_MATCH: Final = 1 << 23
# No pair, straight or flush, the joker being an ace: one mark for each highest rank, from the two upwards.
HIGH_CARD: Final = 24

_STRAIGHTS: Final = STRAIGHT | STRAIGHT << PAIR
_HIGH_CARDS: Final = sum(1 << HIGH_CARD + rank for rank in range(13))
_PAIRS: Final = frozenset(2 * rank_key(rank) for rank in range(13))


@cache
def tally(deck: Deck) -> Mapping[Marks, int]:
    """How many hands of a deck with its joker have exactly these marks."""
    hands: Counter[Marks] = Counter()
    for holding in holdings(deck, 7, 5):
        suit, joker = holding.long_suit, ace_key(deck.ranks) if holding.joker else 0
        for key, ways in holding.hands:
            hands[marks(key, suit, joker, deck.ranks)] += ways
    for plain, match in _royal_matches(deck.ranks):
        ways = deck.suits * (deck.suits - 1)
        hands[plain] -= ways
        hands[plain | match] += ways
    return hands


def marks(key: int, suit: int, joker: int, ranks: int) -> Marks:
    """The marks of hands with these natural cards, this long suit or 0, and a joker, written as an ace's key, or 0.

    The royal match is missing: it needs the suits of the cards outside the long suit.
    """
    made = _unsuited(key, joker, ranks)
    if not suit:
        return made
    if made & _STRAIGHTS:
        made = made & ~_STRAIGHTS | _straights(key, suit, joker, ranks)
    if made & _HIGH_CARDS and suit.bit_count() >= 5:
        made &= ~_HIGH_CARDS
    for kind, taken in _flush_cards(suit, joker, ranks):
        made |= kind << PAIR if key + joker - taken in _PAIRS else kind
    return made | _seven(key, joker, ranks) if key == suit else made


@cache
def _unsuited(key: int, joker: int, ranks: int) -> Marks:
    """The marks of hands without a long suit."""
    return _matched(key + joker) | _straights(key, 0, joker, ranks) | _high_card(key + joker, ranks)


def _matched(full: int) -> Marks:
    """Three of a kind and better; for these the joker is one more ace."""
    fours, threes = quads(full), trips(full)
    if not fours | threes:
        return 0
    fives = fours & full
    return _matched_shape(fives.bit_count(), (fours ^ fives).bit_count(), threes.bit_count(), pairs(full).bit_count())


@cache
def _matched_shape(fives: int, fours: int, threes: int, twos: int) -> Marks:
    """What the divisions of seven cards make that hold so many ranks five, four, three times and twice."""
    shape = [5] * fives + [4] * fours + [3] * threes + [2] * twos
    shape += [1] * (7 - sum(shape))
    cards = [rank for rank, times in enumerate(shape) for _ in range(times)]
    made = 0
    for low in combinations(cards, 2):
        high = Counter(cards)
        high.subtract(low)
        made |= _five_of(high) << (PAIR if low[0] == low[1] else 0)
    return made


def _five_of(high: Counter[int]) -> Marks:
    """What five cards are by their matching ranks alone."""
    match sorted(high.values(), reverse=True):
        case [5, *_]:
            return FIVE_ACES
        case [4, *_]:
            return QUADS
        case [3, 2, *_]:
            return FULL_HOUSE
        case [3, *_]:
            return TRIPS
        case _:
            return 0


def _straights(key: int, suit: int, joker: int, ranks: int) -> Marks:
    """The straights that are not all of one suit: at least one natural card lies outside the long suit."""
    outside = present(key - suit)
    made = 0
    for natural, taken in _straight_cards(present(key), joker, ranks):
        if natural & outside:
            made |= STRAIGHT << PAIR if key + joker - taken in _PAIRS else STRAIGHT
    return made


@cache
def _straight_cards(held: int, joker: int, ranks: int) -> tuple[tuple[int, int], ...]:
    """For each straight among these ranks: its natural cards, and all that it takes, the joker too."""
    natural = ((run, run) for run in runs(ranks, 5) if run & held == run)
    if not joker:
        return tuple(natural)
    return (*natural, *((four, four + joker) for four in _open_straights(ranks) if four & held == four))


@cache
def _open_straights(ranks: int) -> frozenset[int]:
    """Four cards that one more makes a straight."""
    return frozenset(four for run in runs(ranks, 5) for four in subsets(run, 4))


@cache
def _flush_cards(suit: int, joker: int, ranks: int) -> tuple[tuple[Marks, int], ...]:
    """For each choice of a flush from this suit: what it is, and all that it takes, the joker too."""
    natural = ((_natural_flush(five, ranks), five) for five in subsets(suit, 5))
    if not joker:
        return tuple(natural)
    return (*natural, *((_joker_flush(four, ranks), four + joker) for four in subsets(suit, 4)))


@cache
def _natural_flush(five: int, ranks: int) -> Marks:
    """What five cards of one suit are."""
    straights = runs(ranks, 5)
    if five == straights[-1]:
        return NATURAL_ROYAL
    return NATURAL_STRAIGHT_FLUSH if five in straights else FLUSH


@cache
def _joker_flush(four: int, ranks: int) -> Marks:
    """The best that four cards of one suit and the joker are."""
    straights = runs(ranks, 5)
    if four & straights[-1] == four:
        return JOKER_ROYAL
    return JOKER_STRAIGHT_FLUSH if four in _open_straights(ranks) else FLUSH


def _high_card(full: int, ranks: int) -> Marks:
    """The insurance wager's pai gow: seven ranks and no straight, the joker only ever an ace (11.3(h), 11.15(d)2)."""
    if present(full) != full or _straight_cards(full, 0, ranks):
        return 0
    return 1 << HIGH_CARD + highest(full)


def _seven(suit: int, joker: int, ranks: int) -> Marks:
    """Seven cards in a row, of one suit as they are."""
    if not any(suit & run == suit for run in runs(ranks, 7)):
        return 0
    return SEVEN_WITH_JOKER if joker else SEVEN_NATURAL


def _royal_matches(ranks: int) -> Iterator[tuple[Marks, Marks]]:
    """The marks of hands that are a match besides if their two odd cards are of one suit, and which (11.3(f)2)."""
    royal = runs(ranks, 5)[-1]
    ace, king, queen = (rank_key(ranks - place) for place in (1, 2, 3))
    yield marks(royal + ace + king, royal, 0, ranks), ACE_KING_MATCH
    yield marks(royal + king + queen, royal, 0, ranks), KING_QUEEN_MATCH
    for four in subsets(royal, 4):
        yield marks(four + king + queen, four, ace, ranks), KING_QUEEN_MATCH
