"""Who opens a betting round: by up-card and suit, by the hand showing, or by the button."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct

from games.cards import ACE, Card
from games.ranking import high_showing
from games.showdown.poker.hands import SUIT_HEIGHT


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
