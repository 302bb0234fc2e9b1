"""Which pattern a light shows for what the round wants to say with it."""

from collections.abc import Mapping
from typing import Final

from drivers.light_patterns import Pattern
from games.round.effects import Light as Says

PATTERNS: Final[Mapping[Says, Pattern]] = {
    Says.DARK: Pattern.DARK,
    Says.OPEN: Pattern.PULSE,
    Says.LIT: Pattern.STEADY,
    Says.LOOK: Pattern.DOUBLE_FLASH,
}
