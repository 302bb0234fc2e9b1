"""Three card poker: progressive wager with envy bonus, and the 6 card bonus (19:47-20)."""

from collections.abc import Sequence
from typing import Final

from games.cards import Card
from games.game import MISDEALS, FoldEffect, Game, MinimumRate, Option, Prerequisite, SettlementStep, Tour, Wager
from games.money import Cents
from games.paytable import PayLine, PayTable, fixed, odds_table, percent
from games.ranking import best_five, high_three

# Two temporary rules of the same numbers (1.10A(d) is another) add different texts: the clause says which is meant.
_PROGRESSIVE_PAYS: Final = "20.11(a)4 (progressive)"
_SIX_CARD_PAYS: Final = "20.11(a)4 (6 card bonus)"

_STAKES: Final = (1_00, 5_00)

# Dollars for a $1 wager; the $5 tables of the rule are five times these.
_AMOUNTS: Final = {
    "A": {"akq_suited_other": 500, "straight_flush": 70, "three_of_a_kind": 60, "straight": 6},
    "B": {"akq_suited_other": 500, "straight_flush": 100, "three_of_a_kind": 90},
}
_ENVY: Final = {"akq_suited_spades": 100, "akq_suited_other": 25}

_SIX_CARD_HANDS: Final = (
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
)
_SIX_CARD: Final = {
    "A": (1000, 200, 50, 25, 20, 10, 5),
    "B": (1000, 200, 50, 25, 15, 10, 5),
    "C": (1000, 200, 100, 20, 15, 9, 8),
    "D": (1000, 200, 100, 20, 15, 10, 7),
}


def _hands(cards: Sequence[Card]) -> frozenset[str]:
    """What three cards are for the progressive wager, their highest hand (20.13(c)); ace, king, queen by their suit."""
    kind = high_three(cards).name
    if kind == "royal_flush":
        kind = "akq_suited_spades" if cards[0].suit == "s" else "akq_suited_other"
    return frozenset({kind})


def _six_card_hands(cards: Sequence[Card]) -> frozenset[str]:
    return frozenset({best_five(cards).name})


def _amounts(dollars: dict[str, int], stake_cents: Cents, rule: str) -> tuple[PayLine, ...]:
    return tuple(fixed(hand, amount * stake_cents, rule) for hand, amount in dollars.items())


def _progressive_table(name: str, stake_cents: Cents) -> PayTable:
    spades = percent("akq_suited_spades", 10_000, _PROGRESSIVE_PAYS)
    return PayTable(name, (spades, *_amounts(_AMOUNTS[name], stake_cents, _PROGRESSIVE_PAYS)), stake_cents)


_SIX_CARD_BONUS: Final = Wager(
    name="six_card_bonus",
    rule="20.12A(a)",
    hands=_six_card_hands,
    tables=tuple(
        odds_table(name, tuple(zip(_SIX_CARD_HANDS, pays, strict=True)), _SIX_CARD_PAYS)
        for name, pays in _SIX_CARD.items()
    ),
    sees="own_and_dealer",
    needs=Prerequisite(("pair_plus",), "20.12A(b)"),
    fold=FoldEffect("lives", "20.10(b)1", folds="ante"),
)

_PROGRESSIVE: Final = Wager(
    name="progressive",
    rule="20.13(a)",
    hands=_hands,
    tables=tuple(_progressive_table(name, stake) for name in _AMOUNTS for stake in _STAKES),
    stakes=_STAKES,
    minimum_cents=1_00,
    needs=Prerequisite(("ante", "pair_plus"), "20.13(b)"),
    fold=FoldEffect("forfeits", "20.10(b)", folds="ante"),
)

_ENVY_BONUS: Final = Wager(
    name="envy",
    rule="20.14(a)",
    hands=_hands,
    tables=tuple(PayTable("base", _amounts(_ENVY, stake, "20.14(b)"), stake) for stake in _STAKES),
    sees="others",
    needs=Prerequisite(("progressive",), "20.14(a)"),
    fold=FoldEffect("lives", "20.10(b)"),
)

_WINNERS: Final = (SettlementStep("six_card_bonus"), SettlementStep("progressive"))

THREE_CARD_POKER: Final = Game(
    name="three-card-poker",
    title="Three card poker",
    most_seats=7,
    hand_size=3,
    fewest_cards=6,
    order="count_then_lock",
    wagers=(
        Wager(name="ante", rule="20.6(a)", sees="no_cards", fold=FoldEffect("forfeits", "20.10(b)")),
        Wager(name="pair_plus", rule="20.6(a)", sees="no_cards", fold=FoldEffect("forfeits", "20.10(b)", folds="ante")),
        _SIX_CARD_BONUS,
        _PROGRESSIVE,
        _ENVY_BONUS,
    ),
    settlement={
        "player_by_player": (Tour((*_WINNERS, SettlementStep("envy"))),),
        "procedure_by_procedure": (Tour(_WINNERS), Tour((SettlementStep("envy"),))),
    },
    shows_folded_hands=False,
    options=(Option("folded_hands", ("unseen", "exposed"), "20.10(b)", cited_by=("envy",)),),
    validates="deducted",
    minimum_rates=(MinimumRate(1_400, "20.13(f)", pay_table="A"), MinimumRate(2_000, "20.13(f)", pay_table="B")),
    minimum_reset_cents=1_000_00,
    rate_combines_reset_meter=True,
    irregularities=MISDEALS,
    clauses={
        "most_seats": "house: seats",
        "hand_size": "20.1",
        "fewest_cards": "house: pace",
        "order": "20.13(b)",
        "settlement": "20.10(c)",
        "minimum_rates": "20.13(f)",
        "minimum_reset_cents": "20.13(f)",
        "rate_combines_reset_meter": "20.13(f)",
        "shares_whole_meter": "20.13(g)",
        "coupons": "20.13(b)",
        "shows_folded_hands": "20.10(b)",
        "validates": "20.13(d)3",
        "percentages_from": "20.13(e)",
        "amounts_from": "20.13(e)",
        "one_wager": "20.13(b)",
        "late": "20.6(d)",
        "count": "20.13(b)",
        "light": "20.13(d)2",
        "hand": "20.13(d)1",
        "pay_first": "20.13(e)",
    },
)
