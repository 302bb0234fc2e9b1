"""The poker room's rounds as tables: what is dealt street by street, who opens the betting, and the clause."""

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct

from games.showdown.input import InputFault
from games.showdown.poker.games import POKER_GAMES


class Street(Struct, frozen=True, kw_only=True):
    """The cards of one street, for each player or in the centre, and the betting round that follows them."""

    down: int = 0
    up: int = 0
    community: int = 0
    draws: bool = False
    burns: bool = False
    opens: Literal["forced_bet", "blind_bet", "highest_hand_showing", "first_left_of_the_button"]
    rule: str


class RoundAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """How a round of this game goes."""

    game: str
    question: Literal["round"]


class RoundTable(Struct, frozen=True):
    """The streets in their order; whoever is left after the last one shows his hand."""

    streets: tuple[Street, ...]
    showdown: str


_UP: Final = Street(up=1, burns=True, opens="highest_hand_showing", rule="14.9(h)")
_SEVEN_CARD_STUD: Final = (
    Street(down=2, up=1, opens="forced_bet", rule="14.9(c)-(e)"),
    Street(up=1, burns=True, opens="highest_hand_showing", rule="14.9(f)-(g)"),
    _UP,
    _UP,
    Street(down=1, burns=True, opens="highest_hand_showing", rule="14.9(h)"),
)
_CENTRE: Final = (
    Street(community=3, burns=True, opens="first_left_of_the_button", rule="14.10(g)"),
    Street(community=1, burns=True, opens="first_left_of_the_button", rule="14.10(h)"),
    Street(community=1, burns=True, opens="first_left_of_the_button", rule="14.10(i)"),
)
_OMAHA: Final = (Street(down=4, opens="blind_bet", rule="14.11(d)-(e)"), *_CENTRE)
_FIVE_CARD_DRAW: Final = (
    Street(down=5, opens="blind_bet", rule="14.12(d)-(e)"),
    Street(draws=True, burns=True, opens="first_left_of_the_button", rule="14.12(f)-(g)"),
)
_FIVE_CARD_STUD_UP: Final = Street(up=1, burns=True, opens="highest_hand_showing", rule="14.13(g)")

STREETS: Final[Mapping[str, tuple[Street, ...]]] = {
    "seven-card-stud-high": _SEVEN_CARD_STUD,
    "seven-card-stud-high-low": _SEVEN_CARD_STUD,
    "seven-card-stud-eight-or-better": _SEVEN_CARD_STUD,
    "holdem": (Street(down=2, opens="blind_bet", rule="14.10(d)-(f)"), *_CENTRE),
    "omaha-high": _OMAHA,
    "omaha-eight-or-better": _OMAHA,
    "five-card-draw-high": _FIVE_CARD_DRAW,
    "five-card-draw-low": _FIVE_CARD_DRAW,
    "five-card-stud": (
        Street(down=1, up=1, opens="forced_bet", rule="14.13(c)-(e)"),
        Street(up=1, burns=True, opens="highest_hand_showing", rule="14.13(f)"),
        _FIVE_CARD_STUD_UP,
        _FIVE_CARD_STUD_UP,
    ),
}


def round_of(asked: RoundAsked) -> RoundTable | InputFault:
    """The table of that game's round."""
    return RoundTable(STREETS[asked.game], POKER_GAMES[asked.game].winner_rule)
