"""The lettered irregularities of the base games, as the settlement of side wagers sees them."""

from collections.abc import Mapping
from typing import Final, Literal

from games.catalogue import irregularities as base
from games.game import Irregularity

_VOIDS: Final[Mapping[base.Hands, Literal["nothing", "round", "seats"]]] = {
    "stand": "nothing",
    "void_all": "round",
    "void_seat": "seats",
    "seat_chooses": "seats",
}


def side_wagers_of(
    cases: Mapping[str, base.Irregularity], survivors: frozenset[str] = frozenset()
) -> tuple[Irregularity, ...]:
    """What each case does to side wagers: but for the survivors they are refunded with the hands it makes void."""
    return tuple(Irregularity(name, case.rule, _VOIDS[case.hands], survivors) for name, case in cases.items())
