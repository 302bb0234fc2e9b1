"""A wager by the names of its game and its own."""

from games.catalogue import GAMES
from games.game import Wager


def wager_of(game: str, name: str) -> Wager:
    """The wager of this name."""
    found = GAMES[game].wager(name)
    assert found is not None
    return found
