"""Texas hold 'em bonus poker: the progressive payout wager on the player's two cards and the flop (19:47-28)."""

from collections.abc import Sequence
from typing import Final

from games.cards import Card
from games.game import MISDEALS, FoldEffect, Game, Irregularity, MinimumRate, Prerequisite, SettlementStep, Tour, Wager
from games.paytable import PayLine, PayTable, fixed, percent
from games.ranking import high_five

_F: Final = "28.11(f)"
_G: Final = "28.11(g)"

_BASE: Final = (
    percent("royal_flush", 10_000, _F),
    percent("straight_flush", 1_000, _F),
    fixed("four_of_a_kind", 500_00, _F, deducted=True),
    fixed("full_house", 100_00, _F, deducted=True),
    fixed("flush", 50_00, _F, deducted=True),
)

# (M) of 28.11(g): deducted from the meter.
_STRAIGHT: Final = fixed("straight", 10_00, _G)
_STRAIGHT_M: Final = fixed("straight", 10_00, _G, deducted=True)
_TRIPS_3: Final = fixed("three_of_a_kind", 3_00, _G)
_TRIPS_5: Final = fixed("three_of_a_kind", 5_00, _G)
_TWO_PAIR: Final = fixed("two_pair", 2_00, _G)

_OPTIONAL: Final[dict[str, tuple[PayLine, ...]]] = {
    "base": (),
    "A": (_STRAIGHT, _TRIPS_3, _TWO_PAIR),
    "B": (_STRAIGHT_M, _TRIPS_5),
    "C": (_STRAIGHT_M, _TRIPS_3, _TWO_PAIR),
    "D": (_STRAIGHT_M, _TRIPS_5, _TWO_PAIR),
}


def _hands(cards: Sequence[Card]) -> frozenset[str]:
    """What the player's two cards and the flop are."""
    return frozenset({high_five(cards).name})


_ANTE: Final = Wager(name="ante", rule="28.6(c)", sees="no_cards", fold=FoldEffect("forfeits", "28.10(a)2"))

# A house may leave it out (1.13Q(g)). Its odds (28.11(c)) are not in our text: it lies at the seat, settled by hand.
_BONUS: Final = Wager(
    name="bonus",
    rule="28.6(c)",
    minimum_cents=1_00,
    sees="no_cards",
    needs=Prerequisite(("ante",), "28.6(c)"),
    fold=FoldEffect("lives", "28.10(a)2i"),
)

_PROGRESSIVE: Final = Wager(
    name="progressive",
    rule="28.6(c)",
    hands=_hands,
    tables=tuple(PayTable(name, _BASE + lines, stake_cents=1_00) for name, lines in _OPTIONAL.items()),
    stakes=(1_00,),
    minimum_cents=1_00,
    sees="own_and_flop",
    needs=Prerequisite(("ante",), "28.6(c)"),
    fold=FoldEffect("lives", "28.10(a)2i"),
)

_WAGERS_OF_A_SEAT: Final = (SettlementStep("bonus"), SettlementStep("progressive"))
_SURVIVORS: Final = frozenset({"bonus", "progressive"})

TEXAS_HOLDEM_BONUS: Final = Game(
    name="texas-holdem-bonus",
    title="Texas hold 'em bonus poker",
    most_seats=7,
    hand_size=2,
    fewest_cards=9,
    order="lock_then_count",
    wagers=(_ANTE, _BONUS, _PROGRESSIVE),
    # A folded player's wagers are resolved at the conclusion of the round (28.10(a)2i, (h)).
    settlement={
        "player_by_player": (Tour(_WAGERS_OF_A_SEAT, seats="standing"), Tour(_WAGERS_OF_A_SEAT, seats="folded")),
        "folded_in_seat_order": (Tour(_WAGERS_OF_A_SEAT),),
    },
    shares_whole_meter=True,
    validates="every",
    minimum_rates=(MinimumRate(7_000, "28.11(h)"),),
    irregularities=(
        Irregularity("dealer_card_exposed", "28.12(a)", "round", survivors=_SURVIVORS),
        Irregularity("one_card_face_up", "28.12(b)", "nothing"),
        Irregularity("several_cards_face_up_before_two_cards", "28.12(b)", "round"),
        Irregularity("several_cards_face_up_after_two_cards", "28.12(b)2", "round", survivors=_SURVIVORS),
        *MISDEALS,
    ),
    clauses={
        "most_seats": "1.13Q(a)",
        "hand_size": "28.1",
        "fewest_cards": "house: pace",
        "order": "28.7(b)",
        "settlement": "28.10(h)4",
        "minimum_rates": "28.11(h)",
        "minimum_reset_cents": "28.11(h)",
        "shares_whole_meter": "28.11(i)",
        "coupons": "28.6(c)",
        "validates": "28.10(h)4ii(3)",
        "percentages_from": "house: rack and cage",
        "amounts_from": "house: rack and cage",
        "one_wager": "28.6(c)",
        "late": "28.6(b)",
        "count": "28.7(b)2",
        "light": "28.10(h)4ii(2)",
        "hand": "28.10(h)4ii(1)",
        "pay_first": "28.10(h)4ii",
    },
)
