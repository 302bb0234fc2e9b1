"""Exact numbers as people read them."""

from fractions import Fraction

from games.money import Cents, dollars


def decimal(number: Fraction, places: int) -> str:
    """A number rounded to so many places, with commas: 1,234.50."""
    scaled = round(number * 10**places)
    whole, part = divmod(abs(scaled), 10**places)
    return ("-" if scaled < 0 else "") + f"{whole:,}" + (f".{part:0{places}}" if places else "")


def per_cent(number: Fraction, places: int = 4) -> str:
    """A part of one in hundredths: 89.7710 %."""
    return f"{decimal(number * 100, places)} %"


def money(cents: Fraction | Cents) -> str:
    """An amount to the nearest cent."""
    return dollars(round(cents))


def once_in(total: int, hands: int) -> str:
    """How rarely a wager sees one of these hands: 1 in 649,740.0."""
    return f"1 in {decimal(Fraction(total, hands), 1)}" if hands else "never"


def hand_words(hand: str) -> str:
    """A hand's name without its underscores."""
    return hand.replace("_", " ")


def numbered(number: Fraction) -> str:
    """A fraction as the contract writes it: num/den, whole numbers too."""
    return f"{number.numerator}/{number.denominator}"
