"""An amount in words, as a payout slip must have it."""

from typing import Final

from games.money import Cents

_TEENS: Final = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_SMALL: Final = tuple(f"zero one two three four five six seven eight nine {_TEENS}".split())
_TENS: Final = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_LARGE: Final = ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred"))


def amount_in_words(cents: Cents) -> str:
    """One thousand two hundred dollars and 05/100; a payout is never negative."""
    whole, part = divmod(cents, 100)
    return f"{number_in_words(whole)} {'dollar' if whole == 1 else 'dollars'} and {part:02}/100"


def number_in_words(number: int) -> str:
    """A whole number, nought or more."""
    if number < 20:
        return _SMALL[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f"-{_SMALL[ones]}" if ones else "")
    size, name = next(large for large in _LARGE if number >= large[0])
    many, rest = divmod(number, size)
    return f"{number_in_words(many)} {name}" + (f" {number_in_words(rest)}" if rest else "")
