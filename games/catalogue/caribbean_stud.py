"""Caribbean stud poker: the progressive payout wager on the player's five cards (19:47-16)."""

from collections.abc import Sequence
from typing import Final

from games.cards import Card
from games.catalogue.irregularities import CARIBBEAN, side_wagers_of
from games.game import MISDEALS, Cap, FoldEffect, Game, MinimumRate, Prerequisite, SettlementStep, Tour, Wager
from games.paytable import PayTable, fixed, percent
from games.ranking import high_five

_E: Final = "16.12(e)"

_ROYAL: Final = percent("royal_flush", 10_000, _E)
_LOWER: Final = (
    fixed("four_of_a_kind", 500_00, _E, deducted=True),
    fixed("full_house", 100_00, _E, deducted=True),
    fixed("flush", 50_00, _E, deducted=True),
)

_AMENDED: Final = PayTable("base", (_ROYAL, percent("straight_flush", 1_000, _E), *_LOWER), stake_cents=1_00)

# The rule as it stood before the amendment that allows the link; a table that keeps it stays alone.
_FORMER: Final = PayTable(
    "pre_amendment",
    (_ROYAL, fixed("straight_flush", 5_000_00, "16.12(e) before its amendment", deducted=True), *_LOWER),
    stake_cents=1_00,
    linkable=False,
)


def _hands(cards: Sequence[Card]) -> frozenset[str]:
    """What five cards are; the dealer's have no bearing on it (16.11(c))."""
    return frozenset({high_five(cards).name})


CARIBBEAN_STUD: Final = Game(
    name="caribbean-stud",
    title="Caribbean stud poker",
    most_seats=7,
    hand_size=5,
    fewest_cards=10,
    order="lock_then_count",
    wagers=(
        Wager(name="ante", rule="16.12(b)", sees="no_cards", fold=FoldEffect("forfeits", "house: folding")),
        Wager(
            name="progressive",
            rule=_E,
            hands=_hands,
            tables=(_AMENDED, _FORMER),
            stakes=(1_00,),
            minimum_cents=1_00,
            needs=Prerequisite(("ante",), "house: caribbean's wagers"),
            fold=FoldEffect("lives", "house: folding"),
        ),
    ),
    settlement={"player_by_player": (Tour((SettlementStep("progressive"),)),)},
    shares_whole_meter=True,
    validates="every",
    minimum_rates=(MinimumRate(7_000, "16.12(f)"),),
    caps=(Cap("bet_limit_cents", frozenset({"bet"}), 5_000_00, "16.12(d)"),),
    irregularities=(*side_wagers_of(CARIBBEAN), *MISDEALS),
    clauses={
        "most_seats": "house: seats",
        "hand_size": "16.13(d)",
        "fewest_cards": "house: pace",
        "order": "house: caribbean's wagers",
        "settlement": "16.12(g)",
        "minimum_rates": "16.12(f)",
        "minimum_reset_cents": "16.12(f)",
        "shares_whole_meter": "16.12(g)",
        "coupons": "house: caribbean's wagers",
        "validates": "16.11(b)3",
        "percentages_from": "house: rack and cage",
        "amounts_from": "house: rack and cage",
        "one_wager": "house: caribbean's wagers",
        "late": "house: caribbean's wagers",
        "count": "house: caribbean's wagers",
        "light": "16.11(b)2",
        "hand": "16.11(b)1",
        "pay_first": "16.11(b)",
    },
)
