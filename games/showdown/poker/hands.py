"""The hand each player shows down, and whose card takes an excess amount."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from games.cards import ACE, SUITS, Card
from games.ranking import Rank, high_five
from games.ranking.low import eight_or_better, low_five
from games.showdown.poker.games import PokerGame, Side

OddLowCard: TypeAlias = Literal["farthest_from_ace", "nearest_to_ace"]
OddKey: TypeAlias = tuple[tuple[int, int], ...]

SUIT_HEIGHT: Final[Mapping[str, int]] = {suit: height for height, suit in enumerate(reversed(SUITS))}  # 14.9(i)2iv


class ShownHand(Struct, frozen=True):
    """Five cards shown for one side of the pot; own are the cards only this seat holds, both in odd-chip order."""

    seat: int
    rank: Rank
    cards: tuple[Card, ...]
    own: tuple[Card, ...]
    odd_key: OddKey


class Sorting(Struct, frozen=True):
    """How the cards of tied hands are compared when an excess amount is given; the greater takes it."""

    side: Side
    odd_low: OddLowCard

    def height(self, card: Card) -> tuple[int, int]:
        """High: rank, then suit. Low: the card farthest from the ace, or the one nearest to it, of the lowest suit."""
        if self.side == "high":
            return (card.rank, SUIT_HEIGHT[card.suit])
        low_rank = 1 if card.rank == ACE else card.rank
        return (low_rank if self.odd_low == "farthest_from_ace" else -low_rank, -SUIT_HEIGHT[card.suit])

    def sorted(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """The cards in the order they are compared."""
        return tuple(sorted(cards, key=self.height, reverse=True))


def shown_hand(
    game: PokerGame, sorting: Sorting, own: Sequence[Card], community: Sequence[Card], *, seat: int
) -> ShownHand | None:
    """The best hand the rules let this player form for this side, or None if no low of his qualifies."""
    value = _value(game, sorting.side)
    mine = sorting.sorted(own)
    best: ShownHand | None = None
    for five in fives(game, own, community):
        rank = value(five)
        if rank is None or (best and rank < best.rank):
            continue
        cards = sorting.sorted(five)
        odd_key = tuple(map(sorting.height, (*cards, *mine)))
        if best is None or (rank, odd_key) > (best.rank, best.odd_key):
            best = ShownHand(seat, rank, cards, mine, odd_key)
    return best


def fives(game: PokerGame, own: Sequence[Card], community: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Every five cards the game allows; omaha demands two of the player's and three of the community's (14.11(f))."""
    if game.own_in_hand is None:
        yield from combinations((*own, *community), 5)
        return
    for mine in combinations(own, game.own_in_hand):
        for common in combinations(community, 5 - game.own_in_hand):
            yield (*mine, *common)


def odd_card(taker: ShownHand, other: ShownHand) -> Card:
    """The first card by which one tied hand takes the excess before another; they may share community cards."""
    ours, theirs = (*taker.cards, *taker.own), (*other.cards, *other.own)
    return next(mine for mine, other_card in zip(ours, theirs, strict=True) if mine != other_card)


def _value(game: PokerGame, side: Side) -> Callable[[Sequence[Card]], Rank | None]:
    if side == "high":
        return high_five
    return low_five if game.qualifier_rule is None else eight_or_better
