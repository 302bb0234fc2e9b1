"""The catalogue: every game by its name."""

from collections.abc import Mapping
from typing import Final

from games.catalogue.blackjack import BLACKJACK
from games.catalogue.caribbean_stud import CARIBBEAN_STUD
from games.catalogue.pai_gow_poker import PAI_GOW_POKER
from games.catalogue.texas_holdem_bonus import TEXAS_HOLDEM_BONUS
from games.catalogue.three_card_poker import THREE_CARD_POKER
from games.game import Game

GAMES: Final[Mapping[str, Game]] = {
    game.name: game for game in (TEXAS_HOLDEM_BONUS, CARIBBEAN_STUD, THREE_CARD_POKER, BLACKJACK, PAI_GOW_POKER)
}


def game(name: str) -> Game | None:
    """The game of this name, or None."""
    return GAMES.get(name)
