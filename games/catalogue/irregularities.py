"""The lettered irregularities of pai gow poker (11.11) and caribbean stud (16.13): what happens to hands and cards."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from games.game import Irregularity

Hands: TypeAlias = Literal["stand", "void_all", "void_seat", "seat_chooses"]
Cards: TypeAlias = Literal[
    "untouched", "discard_card", "use_as_next_card", "deal_one_more", "reset_hand", "reshuffle", "remove_deck"
]


class IrregularityCase(Struct, frozen=True):
    """One lettered case: whose hands are void, what becomes of the cards, and what the dealer does."""

    rule: str
    hands: Hands
    cards: Cards
    action: str


class Ruling(Struct, frozen=True):
    """What a case means for the seats of this round."""

    rule: str
    void_seats: tuple[int, ...]
    choice_of: int | None
    cards: Cards
    action: str


PAI_GOW: Final[Mapping[str, IrregularityCase]] = {
    "dice_not_flat": IrregularityCase("11.11(a)", "stand", "untouched", "call “No roll” and reshake the dice"),
    "dice_fell_out": IrregularityCase("11.11(b)", "stand", "untouched", "call “No roll” and reshake the dice"),
    "wrong_starting_position": IrregularityCase(
        "11.11(c)", "void_all", "reshuffle", "call all hands dead and reshuffle"
    ),
    "player_card_exposed": IrregularityCase(
        "11.11(d)", "seat_chooses", "untouched", "the player plays or voids the hand before looking at the other cards"
    ),
    "dealer_or_bank_card_exposed": IrregularityCase(
        "11.11(e)", "void_all", "reshuffle", "void all hands and reshuffle"
    ),
    "one_card_face_up": IrregularityCase("11.11(f)", "stand", "discard_card", "put the card in the discard rack"),
    "several_cards_face_up": IrregularityCase("11.11(f)", "void_all", "reshuffle", "void all hands and reshuffle"),
    "card_drawn_in_error": IrregularityCase("11.11(g)", "stand", "use_as_next_card", "use the card as the next one"),
    "wrong_number_of_cards": IrregularityCase("11.11(h)", "void_all", "reshuffle", "void all hands and reshuffle"),
    "dealer_hand_mis_set": IrregularityCase(
        "11.11(i)", "stand", "reset_hand", "reset the dealer's hands the house way"
    ),
    "bank_hand_mis_set": IrregularityCase(
        "11.11(j)", "stand", "reset_hand", "reset the bank's hands the house way; the bank does not lose by it"
    ),
    "card_exposed_dealing_stacks": IrregularityCase(
        "11.11(k)", "stand", "reshuffle", "reshuffle and deal the stacks anew"
    ),
    "stacks_dealt_out_of_order": IrregularityCase(
        "11.11(l)", "stand", "reshuffle", "reshuffle and deal the stacks anew"
    ),
    "shuffler_fault": IrregularityCase("11.11(m)", "stand", "reshuffle", "reshuffle by the approved procedure"),
    "dealing_shoe_fault": IrregularityCase(
        "11.11(n)", "void_all", "reshuffle", "void the round, empty the shoe and reshuffle with the cards dealt"
    ),
    "other_method_wanted": IrregularityCase("11.11(o)", "stand", "untouched", "remove the device from the table first"),
    "wrong_count_left_deck_faulty": IrregularityCase(
        "11.8(d)2, 11.8A(d)2, 11.8B(e)2, 11.17(h)2", "void_all", "remove_deck", "void all hands and remove the deck"
    ),
}

CARIBBEAN: Final[Mapping[str, IrregularityCase]] = {
    "hole_card_exposed": IrregularityCase("16.13(a)", "void_all", "untouched", "void all hands"),
    "one_card_face_up": IrregularityCase("16.13(b)", "stand", "discard_card", "put the card in the discard rack"),
    "several_cards_face_up": IrregularityCase("16.13(b)", "void_all", "reshuffle", "void all hands and reshuffle"),
    "card_drawn_in_error": IrregularityCase("16.13(c)", "stand", "use_as_next_card", "use the card as the next one"),
    "player_wrong_number_of_cards": IrregularityCase("16.13(d)", "void_seat", "untouched", "void that player's hand"),
    "dealer_four_cards": IrregularityCase("16.13(d)", "stand", "deal_one_more", "deal the dealer a fifth card"),
    "dealer_misdealt": IrregularityCase("16.13(d)", "void_all", "reshuffle", "void all hands and reshuffle"),
    "shuffler_fault": IrregularityCase("16.13(e)", "stand", "reshuffle", "reshuffle by the approved procedure"),
    "dealing_shoe_fault": IrregularityCase(
        "16.13(f)", "void_all", "reshuffle", "void the round, empty the shoe and reshuffle with the cards dealt"
    ),
    "other_method_wanted": IrregularityCase("16.13(g)", "stand", "untouched", "remove the device from the table first"),
}


def ruling(case: IrregularityCase, seats: tuple[int, ...], seat: int | None = None, *, voids: bool = False) -> Ruling:
    """Whose hands are void; seat is the one concerned, voids its player's decision under 11.11(d)."""
    concerned = () if seat is None else (seat,)
    void: Mapping[Hands, tuple[int, ...]] = {
        "stand": (),
        "void_all": seats,
        "void_seat": concerned,
        "seat_chooses": concerned if voids else (),
    }
    chooses = seat if case.hands == "seat_chooses" and not voids else None
    return Ruling(case.rule, void[case.hands], chooses, case.cards, case.action)


_VOIDS: Final[Mapping[Hands, Literal["nothing", "round", "seats"]]] = {
    "stand": "nothing",
    "void_all": "round",
    "void_seat": "seats",
    "seat_chooses": "seats",
}


# 16.13(a) speaks of a time before "No more bets".
_BEFORE_NO_MORE_BETS: Final = frozenset({"hole_card_exposed"})


def side_wagers_of(cases: Mapping[str, IrregularityCase]) -> tuple[Irregularity, ...]:
    """What each case does to side wagers: they are refunded with the hands it makes void."""
    return tuple(
        Irregularity(name, case.rule, _VOIDS[case.hands], earliest="open" if name in _BEFORE_NO_MORE_BETS else "dealt")
        for name, case in cases.items()
    )
