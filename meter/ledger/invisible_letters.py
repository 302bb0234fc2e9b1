"""Letters that nobody sees: what differs by them alone looks the same, and what is made of them says nothing."""

from itertools import chain
from typing import Final
from unicodedata import category, normalize

_IGNORABLE: Final = frozenset(
    chain(
        (0x034F, 0x2065, 0xE0000),
        range(0x17B4, 0x17B6),
        range(0x180B, 0x1810),
        range(0xFE00, 0xFE10),
        range(0xFFF0, 0xFFF9),
        range(0xE0002, 0xE1000),
    )
)
"""Default_Ignorable_Code_Point of Unicode (DerivedCoreProperties.txt), but for those of category Cf and the blanks."""
_BLANK: Final = frozenset((0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0, 0x1D159))
"""Fillers of Hangul, the empty cell of Braille, the empty note: as wide as a letter or as nothing, by the font."""


def seen(words: str, *, blank: str = "") -> str:
    """As much of these words as somebody sees, with this in place of each letter that is blank."""
    return "".join(blank if ord(letter) in _BLANK else letter for letter in normalize("NFKC", words) if _shows(letter))


def _shows(letter: str) -> bool:
    kind = category(letter)
    is_control = kind == "Cc" and not letter.isspace()  # a line break and a tab are spaces
    return not is_control and kind != "Cf" and ord(letter) not in _IGNORABLE
