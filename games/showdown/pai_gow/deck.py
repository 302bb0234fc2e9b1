"""The deck of pai gow poker before and after the deal: who cuts, where, and how many cards must be left."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from games.catalogue.irregularities import PAI_GOW, Cards, Hands, IrregularityCase
from games.showdown.input import DeckDemand, InputFault
from games.showdown.pai_gow.bank import next_first_offer, offers
from games.showdown.pai_gow.table import SEATS

DECK_SIZE: Final = 53  # 11.2(a): one deck with one joker
MOST_DECKS: Final = 2  # 11.2(b)
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


def left_over(cards_left: int, hands: int, *, misdealt: bool) -> IrregularityCase | None:
    """What a wrong number of cards left after so many hands means, or None where it is right."""
    if cards_left == stub_size(hands):
        return None
    return PAI_GOW["wrong_number_of_cards" if misdealt else "wrong_count_left_deck_faulty"]


Area: TypeAlias = Annotated[int, Meta(ge=1, le=SEATS)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=DECK_SIZE)]


class CutAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is at the table, who opened it or banks, who had the last offer without a bank, and how deep the cut went."""

    game: str
    question: Literal["cut"]
    seats: tuple[Area, ...]
    first_player: Area | None = None
    bank: Area | None = None
    last_offered: Area | None = None
    cards_above: Count | None = None


class CutAnswer(Struct, frozen=True):
    """The offers in turn, and why the cut must be made again, if it must."""

    offers: tuple[int, ...]
    rule: str
    recut: str | None


class PaiGowDeckAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """What the dealer knows of the deck in play; what is not said is not judged."""

    game: str
    question: Literal["deck"]
    decks: Annotated[int, Meta(ge=1, le=8)] = 1
    shuffler: bool = False
    backs_differ: bool = True
    same_deck_as_last_round: bool = False
    jokers: Annotated[int, Meta(ge=0, le=8)] | None = None
    cards_in_deck: Annotated[int, Meta(ge=0, le=106)] | None = None
    players_inspected: Annotated[int, Meta(ge=0, le=SEATS)] | None = None
    shuffled: bool | None = None


class PaiGowDeckAnswer(Struct, frozen=True):
    """What must be done before the next hand."""

    demands: tuple[DeckDemand, ...]


class LeftAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """How many cards were left after the deal of so many hands, and whether one has more or less than seven cards."""

    game: str
    question: Literal["left"]
    cards_left: Count
    misdealt: bool = False
    hands: Annotated[int, Meta(ge=2, le=POSITIONS)] = POSITIONS


class LeftAnswer(Struct, frozen=True):
    """What becomes of the hands and the deck."""

    hands: Hands
    cards: Cards
    action: str
    rule: str


class StubAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """How many rounds, this one included, have passed without a count, and whether the shuffler counts the deck."""

    game: str
    question: Literal["stub"]
    rounds_uncounted: Annotated[int, Meta(ge=1)]
    shuffler_counts: bool = False


class StubAnswer(Struct, frozen=True):
    """Whether the dealer counts the stub now."""

    due: bool
    rule: str


def stub(asked: StubAsked) -> StubAnswer:
    """When the stub must be counted where three- and seven-card bonuses are dealt."""
    due = is_stub_due(asked.rounds_uncounted, shuffler_counts=asked.shuffler_counts)
    return StubAnswer(due, "11.17(i)" if asked.shuffler_counts else "11.17(h)")


def cut(asked: CutAsked) -> CutAnswer | InputFault:
    """Who cuts the cards, and whether the cut was deep enough."""
    if not asked.seats or len(set(asked.seats)) < len(asked.seats):
        return InputFault("write each occupied seat once", "seats")
    for where, seat in (("first_player", asked.first_player), ("bank", asked.bank)):
        if seat is not None and seat not in asked.seats:
            return InputFault("nobody sits there", where)
    if asked.first_player is not None and asked.bank is not None:
        return InputFault("no player banks the first round (11.10(b))", "bank")
    order = cut_offers(asked.seats, first_player=asked.first_player, bank=asked.bank, last_offered=asked.last_offered)
    shallow = asked.cards_above is not None and not is_cut_deep_enough(asked.cards_above)
    recut = f"the cutting card lies less than {LEAST_CUT} cards from an end (11.6(e), (f))" if shallow else None
    return CutAnswer(order.offers, order.rule, recut)


def deck(asked: PaiGowDeckAsked) -> PaiGowDeckAnswer:
    """What the deck demands before the next hand (11.2, 11.5, 11.6(a))."""
    return PaiGowDeckAnswer((*_cards_demanded(asked), *_second_deck(asked), *_opening(asked)))


def _cards_demanded(asked: PaiGowDeckAsked) -> Iterator[DeckDemand]:
    if asked.jokers is not None and asked.jokers != 1:
        yield DeckDemand("play with exactly one joker; tear another in half and discard it", "11.2(a), 11.5(b)")
    if asked.cards_in_deck is not None and asked.cards_in_deck != DECK_SIZE:
        yield DeckDemand(f"replace the deck: it has {asked.cards_in_deck} cards, not {DECK_SIZE}", "11.2(a)")


def _second_deck(asked: PaiGowDeckAsked) -> Iterator[DeckDemand]:
    """Only a shuffler allows a second deck, of another back, in every other round."""
    if asked.decks > (MOST_DECKS if asked.shuffler else 1):
        most = "two decks beside a shuffler" if asked.shuffler else "one deck without a shuffler"
        yield DeckDemand(f"play with {most}", "11.2(b)")
    elif asked.decks == MOST_DECKS and not asked.backs_differ:
        yield DeckDemand("take decks with backs of different colors", "11.2(b)2")
    elif asked.decks == MOST_DECKS and asked.same_deck_as_last_round:
        yield DeckDemand("take the other deck: the decks alternate round by round", "11.2(b)4")


def _opening(asked: PaiGowDeckAsked) -> Iterator[DeckDemand]:
    if asked.players_inspected == 0:
        yield DeckDemand("spread the cards face up until the first player has inspected them, then wash", "11.5(b)-(c)")
    if asked.shuffled is False:
        yield DeckDemand("shuffle: before play begins and after each round", "11.6(a)")


def left(asked: LeftAsked) -> LeftAnswer | InputFault:
    """What the count of the cards left means."""
    if asked.misdealt and asked.cards_left == stub_size(asked.hands):
        problem = f"with {asked.cards_left} cards left, report a wrong_number_of_cards as an irregularity"
        return InputFault(problem, "misdealt")
    case = left_over(asked.cards_left, asked.hands, misdealt=asked.misdealt)
    if case is None and asked.hands < POSITIONS:
        return LeftAnswer("stand", "untouched", "put the stub in the discard rack unseen", "11.17(h)1")
    if case is None:
        action = "put the four cards in the discard rack unseen, then those of positions without a wager"
        return LeftAnswer("stand", "untouched", action, "11.8(d)1, 11.8A(d)1, 11.8B(e)1")
    return LeftAnswer(case.hands, case.cards, case.action, case.rule)
