"""Who opens a betting round: by up-card and suit, by the hand showing, or by the button."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from games.cards import ACE, Card
from games.ranking import high_showing
from games.showdown.input import InputFault, Place, Seat, Words, read_deal
from games.showdown.poker.games import POKER_GAMES
from games.showdown.poker.hands import SUIT_HEIGHT


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


class UpCardRule(Struct, frozen=True):
    """Which up-card forces its player to bet first."""

    takes: Literal["lowest", "highest"]
    ace: int
    rule: str


class Opening(Struct, frozen=True):
    """The seat that opens, what it must do, and why."""

    seat: int
    action: Literal["forced_bet", "bet_or_check", "bet"]
    reason: str
    rule: str


FORCED_BETS: Final[Mapping[str, UpCardRule]] = {
    "seven-card-stud-high": UpCardRule("lowest", ACE, "14.9(d)1"),
    "seven-card-stud-high-low": UpCardRule("highest", 1, "14.9(d)2"),
    "seven-card-stud-eight-or-better": UpCardRule("lowest", ACE, "14.9(d)3"),
    "five-card-stud": UpCardRule("lowest", ACE, "14.13(d)"),
    "mambo-stud": UpCardRule("lowest", ACE, "14.13A(d)"),
}


def forced_bet(rule: UpCardRule, up_cards: Mapping[int, Card]) -> Opening:
    """The seat whose single up-card forces it to bet; equal ranks are decided by suit."""
    pick = min if rule.takes == "lowest" else max
    seat = pick(up_cards, key=lambda seat: _height(up_cards[seat], ace=rule.ace))
    return Opening(seat, "forced_bet", f"{up_cards[seat]} is the {rule.takes} up-card", rule.rule)


def first_to_act(game: str, showing: Mapping[int, Sequence[Card]]) -> Opening:
    """The seat with the highest hand showing; of equal hands the one closest to the dealer's left."""
    ranks = {seat: high_showing(cards) for seat, cards in showing.items()}
    best = max(ranks.values())
    holders = [seat for seat, rank in ranks.items() if rank == best]
    cards = " ".join(map(str, showing[min(holders)]))
    reason = f"{cards} is the highest hand showing"
    if len(holders) > 1:
        reason = f"{cards} ties for the highest hand showing and sits closest to the dealer's left"
    if game == "five-card-stud":
        return Opening(min(holders), "bet", reason, "14.13(f)")
    return Opening(min(holders), "bet_or_check", reason, "14.9(f)1" if len(holders) == 1 else "14.9(f)2")


def _height(card: Card, *, ace: int) -> tuple[int, int]:
    return (ace if card.rank == ACE else card.rank, SUIT_HEIGHT[card.suit])


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


def stud_opening(asked: StudOpening) -> Opening | InputFault:
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
    if isinstance(read, InputFault):
        return read
    if up == 1:
        return forced_bet(FORCED_BETS[asked.game], {seat: cards[0] for seat, cards in zip(seats, read, strict=True)})
    return first_to_act(asked.game, dict(zip(seats, read, strict=True)))


def button_opening(asked: ButtonOpening) -> ButtonRound | InputFault:
    """Who posts the blinds and who acts first, before and after more cards are dealt."""
    most = POKER_GAMES[asked.game].most_players
    fault = _seats_fault(asked.seats, most, "seats")
    if fault:
        return fault
    if asked.button is not None and asked.button > most:
        return InputFault(f"the table has seats 1 to {most}", "button")
    if asked.blinds > len(asked.seats):
        return InputFault("there are more blinds than players", "blinds")
    if not set(asked.folded) < set(asked.seats):
        return InputFault("write players of this round, and leave one of them in", "folded")
    return button_round(asked.seats, asked.button, blinds=asked.blinds, folded=asked.folded)


def _seats_fault(seats: Sequence[int], most: int, where: str) -> InputFault | None:
    if len(set(seats)) < len(seats) or not 2 <= len(seats) <= most or max(seats) > most:
        return InputFault(f"write 2 to {most} different seats from 1 to {most}", where)
    return None
