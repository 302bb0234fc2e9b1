"""Hand ranking: which of two hands is higher, to the last kicker, and what each is called."""

from games.ranking.high import best_five, best_five_cards, high_five, high_showing
from games.ranking.low import best_eight_or_better, best_low, eight_or_better, low_five
from games.ranking.pai_gow import Wheel, divisions, pai_gow_best_five, pai_gow_five, pai_gow_two
from games.ranking.rank import HIGH_HANDS, Rank
from games.ranking.seven import RoyalMatch, kinds_in_seven, kinds_of_seven, pai_gow
from games.ranking.three import high_three, three_with_joker

__all__ = [
    "HIGH_HANDS",
    "Rank",
    "RoyalMatch",
    "Wheel",
    "best_eight_or_better",
    "best_five",
    "best_five_cards",
    "best_low",
    "divisions",
    "eight_or_better",
    "high_five",
    "high_showing",
    "high_three",
    "kinds_in_seven",
    "kinds_of_seven",
    "low_five",
    "pai_gow",
    "pai_gow_best_five",
    "pai_gow_five",
    "pai_gow_two",
    "three_with_joker",
]
