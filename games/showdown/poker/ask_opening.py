"""Questions about who opens a betting round as they are written, and their answers."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from games.showdown.fault import Fault
from games.showdown.input import Place, read_deal
from games.showdown.poker.betting_order import (
    FORCED_BETS,
    Opening,
    first_to_act,
    forced_bet,
)
from games.showdown.poker.button import ButtonRound, button_round
from games.showdown.poker.games import POKER_GAMES
from games.showdown.words import Seat, Words

_MAMBO: Final = "mambo-stud"
_MAMBO_PLAYERS: Final = 11  # 14.13A(b); the text of mambo stud ends with its forced bet


class StudOpening(Struct, frozen=True, forbid_unknown_fields=True):
    """The cards that lie face up before each player still in."""

    game: str
    question: Literal["opening"]
    up_cards: dict[Seat, Words]


class ButtonOpening(Struct, frozen=True, forbid_unknown_fields=True):
    """The players dealt in, where the button lies (null before the first round), and who has folded."""

    game: str
    question: Literal["opening"]
    seats: tuple[Seat, ...]
    button: Seat | None = None
    blinds: Annotated[int, Meta(ge=1)] = 1
    folded: tuple[Seat, ...] = ()


def stud_opening(asked: StudOpening) -> Opening | Fault:
    """Who must bet first: by a single up-card and its suit, later by the highest hand showing."""
    most = _MAMBO_PLAYERS if asked.game == _MAMBO else POKER_GAMES[asked.game].most_players
    seats = sorted(asked.up_cards)
    fault = _seats_fault(seats, most, "up_cards")
    if fault:
        return fault
    up = len(asked.up_cards[seats[0]])
    counts = range(1, 2 if asked.game == _MAMBO else 5)
    places = [Place(f"up_cards.{seat}", asked.up_cards[seat], (up,) if up in counts else counts) for seat in seats]
    read = read_deal(places)
    if isinstance(read, Fault):
        return read
    if up == 1:
        return forced_bet(FORCED_BETS[asked.game], {seat: cards[0] for seat, cards in zip(seats, read, strict=True)})
    return first_to_act(asked.game, dict(zip(seats, read, strict=True)))


def button_opening(asked: ButtonOpening) -> ButtonRound | Fault:
    """Who posts the blinds and who acts first, before and after more cards are dealt."""
    most = POKER_GAMES[asked.game].most_players
    fault = _seats_fault(asked.seats, most, "seats")
    if fault:
        return fault
    if asked.button is not None and asked.button > most:
        return Fault(f"the table has seats 1 to {most}", "button")
    if asked.blinds > len(asked.seats):
        return Fault("there are more blinds than players", "blinds")
    if not set(asked.folded) < set(asked.seats):
        return Fault("write players of this round, and leave one of them in", "folded")
    return button_round(asked.seats, asked.button, blinds=asked.blinds, folded=asked.folded)


def _seats_fault(seats: Sequence[int], most: int, where: str) -> Fault | None:
    if len(set(seats)) < len(seats) or not 2 <= len(seats) <= most or max(seats) > most:
        return Fault(f"write 2 to {most} different seats from 1 to {most}", where)
    return None
