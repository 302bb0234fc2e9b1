"""The deck of pai gow poker before and after the deal: who cuts, where, and how many cards must be left."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from games.catalogue.irregularities import PAI_GOW, Irregularity
from games.showdown.pai_gow.bank import next_first_offer, offers

DECK_SIZE: Final = 53  # 11.2(a): one deck with one joker
LEAST_CUT: Final = 10
POSITIONS: Final = 7  # six players and the dealer
HAND_SIZE: Final = 7
MOST_ROUNDS_UNCOUNTED: Final = 5  # 11.17(h)


class CutOffers(Struct, frozen=True):
    """The seats that are offered the cut in turn; if none takes it, the dealer cuts."""

    offers: tuple[int, ...]
    rule: str


def cut_offers(
    seats: Sequence[int], *, first_player: int | None, bank: int | None, last_offered: int | None
) -> CutOffers:
    """Who is offered the cut: the first player at the table, the bank, or a place that wanders while nobody banks."""
    if first_player is not None:
        return CutOffers(offers(seats, first_player), "11.6(d)1")
    if bank is not None:
        return CutOffers(offers(seats, bank), "11.6(d)2")
    start = None if last_offered is None else next_first_offer(seats, last_offered)
    return CutOffers(offers(seats, start), "11.6(d)3")


def is_cut_deep_enough(cards_above: int) -> bool:
    """Whether the cutting card lies at least ten cards from either end of the stack (11.6(e))."""
    return LEAST_CUT <= cards_above <= DECK_SIZE - LEAST_CUT


def stub_size(hands: int) -> int:
    """How many cards are left: four where every position was dealt to, more where 11.17 deals to wagers only."""
    return DECK_SIZE - HAND_SIZE * hands


def is_stub_due(rounds_uncounted: int, *, shuffler_counts: bool) -> bool:
    """Whether the stub of this round must be counted: so many rounds, this one included, have none (11.17(h), (i))."""
    return not shuffler_counts and rounds_uncounted >= MOST_ROUNDS_UNCOUNTED


def left_over(cards_left: int, hands: int, *, misdealt: bool) -> Irregularity | None:
    """What a wrong number of cards left after so many hands means, or None where it is right."""
    if cards_left == stub_size(hands):
        return None
    return PAI_GOW["wrong_number_of_cards" if misdealt else "wrong_count_left_deck_faulty"]
