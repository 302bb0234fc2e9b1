"""Money: whole cents, and the words for it."""

from typing import TypeAlias

Cents: TypeAlias = int


def dollars(cents: Cents) -> str:
    """How people write an amount: $1,234.50, $5."""
    sign = "-" if cents < 0 else ""
    whole, part = divmod(abs(cents), 100)
    return f"{sign}${whole:,}" + (f".{part:02}" if part else "")


def part_up(cents: Cents, bp: int) -> Cents:
    """So many basis points of an amount, rounded up to the cent."""
    return -(-cents * bp // 10_000)


def equal_shares(cents: Cents, count: int) -> tuple[Cents, ...]:
    """An amount in equal parts of whole cents, the odd cents one each to the first."""
    part, odd = divmod(cents, count)
    return tuple(part + 1 if place < odd else part for place in range(count))
