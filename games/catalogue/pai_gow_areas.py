"""Two betting areas for one player (11.12): which are allowed, and which hand is set first."""

from collections.abc import Mapping

from games.money import Cents
from games.refusal import Refusal


def areas_refusal(seats: tuple[int, ...], *, bank: int | None) -> Refusal | None:
    """Why one player may not hold these areas in one round, or None."""
    if len(seats) > 1 and bank in seats:
        return Refusal("the bank may wager on one betting area only", "11.10(f)")
    if len(seats) > 2 or max(seats) - min(seats) > 1:
        return Refusal("a player may wager on two adjacent betting areas at most", "11.12(a)")
    return None


def setting_order(wagers: Mapping[int, Cents]) -> tuple[int, ...]:
    """The order in which one player sets the hands: the larger wager first, equal ones counterclockwise."""
    return tuple(sorted(wagers, key=lambda seat: (wagers[seat], seat), reverse=True))
