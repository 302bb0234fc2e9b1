"""Light patterns: what a light says without colour, as milliseconds on and off."""

from enum import Enum


class Pattern(Enum):
    """What a light says without colour: alternating milliseconds on and off, starting with on; see docs/lights.md."""

    DARK = (0,)  # an empty tuple is no value to the enum of Python 3.11.2, which Debian 12 has
    PULSE = (1000, 1000)
    STEADY = (1000,)
    DOUBLE_FLASH = (150, 150, 150, 850)
