"""Multiple action blackjack (2.18): which of the dealer's hands are played, and which wagers each of them decides."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from games.money import Cents

MOST_WAGERS: Final = 3
FEWEST_WAGERS: Final = 2

_RULES: Final[Mapping[int, str]] = {1: "2.18(e)-(f)", 2: "2.18(g)-(h)", 3: "2.18(h)-(j)"}


class Box(Struct, frozen=True):
    """A player's wagers, spot by spot, and whether the hand exceeded a hard total of 21."""

    wagers_cents: tuple[Cents, ...]
    busted: bool = False


class DealerHand(Struct, frozen=True):
    """One of the dealer's hands: what it collects at once, what it decides, and what becomes of the up-card."""

    hand: int
    dealer_draws: bool
    collects_cents: dict[int, Cents]
    decides_cents: dict[int, Cents]
    keeps_up_card: bool
    rule: str


def dealer_hands(boxes: Mapping[int, Box]) -> tuple[DealerHand, ...]:
    """The dealer's hands in order; a hard total above 21 loses all wagers of its box with the first of them."""
    busted = {seat: sum(box.wagers_cents) for seat, box in sorted(boxes.items()) if box.busted}
    live = {seat: box.wagers_cents for seat, box in sorted(boxes.items()) if not box.busted}
    if not live:
        return (DealerHand(1, False, busted, {}, False, "2.18(f)1"),)
    last = max(len(wagers) for wagers in live.values())
    return tuple(
        DealerHand(
            hand=number,
            dealer_draws=True,
            collects_cents=busted if number == 1 else {},
            decides_cents={seat: wagers[number - 1] for seat, wagers in live.items() if len(wagers) >= number},
            keeps_up_card=number < last,
            rule=_RULES[number],
        )
        for number in range(1, last + 1)
    )


def price_of_another_wager(box: Box) -> Cents:
    """What doubling down or splitting pairs costs at most: one more wager for each wager placed (2.18(c))."""
    return sum(box.wagers_cents)
