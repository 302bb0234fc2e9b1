"""How a pay table writes odds and parts of the jackpot, in the words of one language."""

from decimal import Decimal
from fractions import Fraction

from common.words import Words
from games.game import Game
from games.paytable import hundredths, mixed


def title(words: Words, game: Game) -> str:
    """A game's name on the sign."""
    return words.game(game.name, game.title)


def part(words: Words, bp: int) -> str:
    """So many per cent of the jackpot."""
    return words.say("part", percent=words.decimal(Decimal(hundredths(bp))))


def odds(words: Words, to_one: Fraction) -> str:
    """So much to one: 8,000 to 1, 5½ to 1."""
    whole, rest = divmod(to_one, 1)
    half = rest == Fraction(1, 2)
    number = words.count(whole) + "½" * half if whole and (half or not rest) else mixed(to_one)
    return words.say("odds", number=number)
