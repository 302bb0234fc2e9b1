"""The decks of a poker table: when they are sorted and changed, what opening and cut demand (14.2, 14.4, 14.5)."""

from collections.abc import Iterator
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from games.cards import DECK
from games.showdown.input import DeckDemand

SORTED_WITHIN_MINUTES: Final = 120  # 14.2(b): suit and sequence
CHANGED_WITHIN_MINUTES: Final = 240  # 14.2(b): other decks
LEAST_CUT: Final = 10  # 14.5(b)2
LEAST_INSPECTING: Final = 2  # 14.4(c)
DECKS: Final = 2  # 14.2(a)

Minutes: TypeAlias = Annotated[int, Meta(ge=0, le=100_000)]


class DeckAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """What the dealer knows of the deck in play; what is not said is not judged.

    minutes_since_sorted count while the deck is used; minutes_since_opened since the decks came to the table.
    """

    game: str
    question: Literal["deck"]
    minutes_since_sorted: Minutes | None = None
    minutes_since_opened: Minutes | None = None
    decks: Annotated[int, Meta(ge=0, le=8)] = DECKS
    cards_in_deck: Annotated[int, Meta(ge=0, le=104)] | None = None
    players_inspected: Annotated[int, Meta(ge=0, le=11)] | None = None
    cards_cut: Annotated[int, Meta(ge=0, le=104)] | None = None
    shuffler: bool = False
    same_deck_as_last_round: bool = False


class DeckAnswer(Struct, frozen=True):
    """What must be done now, and how long the deck may be used until it is sorted and changed."""

    demands: tuple[DeckDemand, ...]
    sort_in_minutes: int | None
    change_in_minutes: int | None


def deck(asked: DeckAsked) -> DeckAnswer:
    """What the deck demands before the next hand."""
    return DeckAnswer(
        demands=(*_clocks(asked), *_decks(asked), *_hands_on(asked)),
        sort_in_minutes=_left(SORTED_WITHIN_MINUTES, asked.minutes_since_sorted),
        change_in_minutes=_left(CHANGED_WITHIN_MINUTES, asked.minutes_since_opened),
    )


def _left(within: int, minutes: int | None) -> int | None:
    return None if minutes is None else max(0, within - minutes)


def _clocks(asked: DeckAsked) -> Iterator[DeckDemand]:
    if asked.minutes_since_opened is not None and asked.minutes_since_opened >= CHANGED_WITHIN_MINUTES:
        yield DeckDemand("change all decks of the table", "14.2(b)")
    elif asked.minutes_since_sorted is not None and asked.minutes_since_sorted >= SORTED_WITHIN_MINUTES:
        yield DeckDemand("place the 52 cards into suit and sequence, or use the other deck", "14.2(b)")


def _decks(asked: DeckAsked) -> Iterator[DeckDemand]:
    if asked.decks != DECKS:
        yield DeckDemand("keep two decks at the table that can be told apart", "14.2(a)")
    if asked.cards_in_deck is not None and asked.cards_in_deck != len(DECK):
        yield DeckDemand(f"replace the deck: it has {asked.cards_in_deck} cards, not {len(DECK)}", "14.2(a)")
    if asked.shuffler and asked.same_deck_as_last_round:
        yield DeckDemand("take the other deck: with a shuffler the decks alternate round by round", "14.2(d)3")


def _hands_on(asked: DeckAsked) -> Iterator[DeckDemand]:
    if asked.players_inspected is not None and asked.players_inspected < LEAST_INSPECTING:
        yield DeckDemand("spread the cards face up until two players have inspected them", "14.4(c)")
    if asked.cards_cut is not None and asked.cards_cut < LEAST_CUT:
        yield DeckDemand(f"cut again: at least {LEAST_CUT} cards come from the top", "14.5(b)2")
