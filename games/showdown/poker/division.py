"""Equal division: parts in whole chips, and an excess of at most one dollar."""

from typing import Final

from msgspec import Struct

from games.money import Cents

CHIPS: Final[tuple[Cents, ...]] = (100, 50, 25, 5, 1)
MOST_EXCESS: Final[Cents] = 100  # 14.9(i)2, 14.11(f)2: "which shall not exceed $1.00"


class Division(Struct, frozen=True):
    """Equal parts, the chip they are counted in, and what is left over."""

    part_cents: Cents
    chip_cents: Cents
    excess_cents: Cents


def divide(amount_cents: Cents, ways: int, chip_cents: Cents = CHIPS[0]) -> Division:
    """Equal parts in the largest chip, up to chip_cents, that leaves no more than $1.00 over."""
    return next(
        division
        for chip in CHIPS
        if chip <= chip_cents and amount_cents % chip == 0
        for division in [_in_chips(amount_cents, ways, chip)]
        if division.excess_cents <= MOST_EXCESS
    )


def _in_chips(amount_cents: Cents, ways: int, chip: Cents) -> Division:
    part = amount_cents // ways // chip * chip
    return Division(part, chip, amount_cents - part * ways)
