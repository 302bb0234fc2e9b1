"""Setting pai gow poker's hands: what may lie so, and what is foul."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from games.cards import Card
from games.ranking import Rank
from games.ranking.pai_gow import Wheel, divisions, pai_gow_five, pai_gow_two


class Setting(Struct, frozen=True):
    """Seven cards set into a high hand and a low hand that does not rank above it."""

    high: tuple[Card, ...]
    low: tuple[Card, ...]
    high_rank: Rank
    low_rank: Rank

    def strength(self) -> tuple[Rank, Rank]:
        """Orders settings by their low hand, then by their high hand."""
        return (self.low_rank, self.high_rank)


class Foul(Struct, frozen=True):
    """Why two hands are not set by the rules; a player's wager loses by it."""

    reason: str
    rule: str


def check(high: Sequence[Card], low: Sequence[Card], wheel: Wheel) -> Setting | Foul:
    """The setting, or why it is foul."""
    if (len(high), len(low)) != (5, 2):
        return Foul(f"the high hand has {len(high)} cards and the low hand {len(low)}", "11.9(g)4")
    setting = Setting(tuple(high), tuple(low), pai_gow_five(high, wheel=wheel), pai_gow_two(low))
    if setting.high_rank.key < setting.low_rank.key:
        return Foul("the high hand ranks below the low hand", "11.9(g)3")
    return setting


def allowed_settings(cards: Sequence[Card], wheel: Wheel) -> Iterator[Setting]:
    """Every way to set seven cards that the rules allow."""
    for high, low in divisions(cards):
        setting = check(high, low, wheel)
        if isinstance(setting, Setting):
            yield setting
