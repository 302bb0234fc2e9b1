"""The poker room's games as values: how many play, which cards make a hand, and who takes what."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct

Side: TypeAlias = Literal["high", "low"]


class PokerGame(Struct, frozen=True):
    """One game of subchapter 14; split names the clause with its points i to iv on excess amounts.

    The text gives those to games that split high and low; all others follow them by a reading of ours.
    """

    name: str
    most_players: int
    own_cards: int
    community_cards: int
    sides: tuple[Side, ...]
    winner_rule: str
    split: str = "house: excess as in 14.9(i)2"
    own_in_hand: int | None = None
    qualifier_rule: str | None = None


_GAMES: Final = (
    PokerGame("seven-card-stud-high", 8, 7, 0, ("high",), "14.9(i)1"),
    PokerGame("seven-card-stud-high-low", 8, 7, 0, ("high", "low"), "14.9(i)2", "14.9(i)2"),
    PokerGame(
        "seven-card-stud-eight-or-better", 8, 7, 0, ("high", "low"), "14.9(i)2", "14.9(i)2", qualifier_rule="14.9(j)"
    ),
    PokerGame("holdem", 11, 2, 5, ("high",), "14.10(j)"),
    PokerGame("omaha-high", 10, 4, 5, ("high",), "14.11(f)1", "house: excess as in 14.11(f)2", own_in_hand=2),
    PokerGame(
        "omaha-eight-or-better",
        10,
        4,
        5,
        ("high", "low"),
        "14.11(f)2",
        "14.11(f)2",
        own_in_hand=2,
        qualifier_rule="14.11(g)",
    ),
    PokerGame("five-card-draw-high", 8, 5, 0, ("high",), "14.12(h)1"),
    PokerGame("five-card-draw-low", 8, 5, 0, ("low",), "14.12(h)2"),
    PokerGame("five-card-stud", 8, 5, 0, ("high",), "14.13(h)"),
)

POKER_GAMES: Final[Mapping[str, PokerGame]] = {game.name: game for game in _GAMES}


def deals(game: PokerGame) -> tuple[tuple[int, int], ...]:
    """The numbers of own and community cards a showdown can have; a short deck gives stud a common card (14.9(h))."""
    usual = (game.own_cards, game.community_cards)
    return (usual, (6, 1)) if game.own_cards == 7 else (usual,)
