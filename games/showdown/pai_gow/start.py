"""Where the deal of pai gow poker starts: by dice, number generator or button, and who receives which stack."""

from typing import Final

from msgspec import Struct

POSITIONS: Final = 7
DEALER: Final = 0  # positions run clockwise: the dealer, then seats 1 to 6 from the dealer's left


class Start(Struct, frozen=True):
    """The position that receives the first card or stack, and the order in which all positions receive theirs."""

    position: int
    order: tuple[int, ...]
    reason: str
    rule: str


def by_dice(dice: tuple[int, int, int], bank: int = DEALER) -> Start:
    """Counts the total of three dice counterclockwise, the dealer or the bank being number one."""
    return _counted(sum(dice), bank, f"the dice total {sum(dice)}", "11.8C(b)")


def by_number(number: int, bank: int = DEALER) -> Start:
    """Counts the number shown by the generator, 1 through 7, counterclockwise."""
    return _counted(number, bank, f"the generator shows {number}", "11.8C(c)")


def by_button(position: int) -> Start:
    """Starts where the button lies."""
    return Start(position, clockwise_from(position), f"the button lies at {place(position)}", "11.8C(d)")


def next_button(position: int | None) -> int:
    """Where the button lies in the next round: first before the dealer, then one place clockwise."""
    return DEALER if position is None else (position + 1) % POSITIONS


def clockwise_from(position: int) -> tuple[int, ...]:
    """All seven positions, dealer included, in dealing order."""
    return tuple((position + step) % POSITIONS for step in range(POSITIONS))


def stacks(first: int = 1) -> tuple[int, ...]:
    """The stacks, numbered from the dealer's left, in the order they are delivered; a bank chooses the first."""
    return tuple((first - 1 + step) % POSITIONS + 1 for step in range(POSITIONS))


def place(position: int) -> str:
    """How a position is called."""
    return "the dealer" if position == DEALER else f"seat {position}"


def _counted(count: int, bank: int, what: str, rule: str) -> Start:
    position = (bank - (count - 1)) % POSITIONS
    one = place(bank)
    clause = rule if bank == DEALER else f"{rule}, 11.10(h)-(j)"
    return Start(position, clockwise_from(position), f"{what}; counted counterclockwise, {one} being one", clause)
