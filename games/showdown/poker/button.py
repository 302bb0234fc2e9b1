"""The button of hold 'em, omaha and five-card draw: where it lies, who posts blinds and who acts first."""

from collections.abc import Sequence

from msgspec import Struct


class ButtonRound(Struct, frozen=True):
    """The seats that post blinds, the first to answer them, and the first to act once cards have been added."""

    button: int
    blinds: tuple[int, ...]
    first_to_answer: int
    first_later: int
    next_button: int
    rule: str = "14.10(c)-(g)"


def button_round(seats: Sequence[int], button: int | None, *, blinds: int, folded: Sequence[int]) -> ButtonRound:
    """The order of a round; without a button yet it is placed before the first player to the dealer's right."""
    here = max(seats) if button is None else button
    around = clockwise_after(seats, here)
    live = [seat for seat in around if seat not in folded]
    return ButtonRound(here, around[:blinds], around[blinds % len(around)], live[0], around[0])


def clockwise_after(seats: Sequence[int], place: int) -> tuple[int, ...]:
    """The seats in clockwise order, from the one to the left of this place."""
    ordered = sorted(seats)
    left = [seat for seat in ordered if seat > place]
    return (*left, *ordered[: len(ordered) - len(left)])
